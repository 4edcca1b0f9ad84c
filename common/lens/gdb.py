"""gdb: commands for gdb, which say where a replay is.

    LENS_DEBUG=1 gdb -x common/lens/gdb.py --args build/lens kernel FILE 'CALL'
    LENS_DEBUG=1 build/lens gdb -x common/lens/gdb.py --args PROGRAM ARGUMENTS

    lane        which lane is at work, and which ones are with it
    next-lane   goes on until another lane comes here
    warp        where the lanes of this warp are: those at work, and those that wait
    lanes NAME  what a private variable holds in each lane of this warp

docs/lens.md shows a session."""

import gdb

ROW = 8  # values in a line


def running() -> gdb.Value:
    """What the replay has at work (struct running of running.h)."""
    value = gdb.parse_and_eval("'running.c'::running")  # the C library has one, too
    if not value["lane"]:
        raise gdb.GdbError("no lane is at work: break at a line of a kernel first")
    return value


def lanes_in(mask: int) -> list[int]:
    return [lane for lane in range(64) if mask >> lane & 1]


def in_words(lanes: list[int]) -> str:
    """[0, 1, 2, 5] is "0-2 5"."""
    begins = [lane for lane in lanes if lane - 1 not in lanes]
    ends = [lane for lane in lanes if lane + 1 not in lanes]
    return " ".join(str(b) if b == e else f"{b}-{e}" for b, e in zip(begins, ends))


def paths_of(warp: gdb.Value) -> list[gdb.Value]:
    """A stack, of which the last one is at work."""
    return [warp["paths"][number] for number in range(int(warp["path_count"]))]


def print_lane() -> None:
    at = running()
    lane, warp = at["lane"], at["warp"]
    number = int(lane - warp["lanes"])
    together = lanes_in(int(paths_of(warp)[-1]["lanes"]))
    print(f"lane {number} of warp {warp['number']}: work-item {lane['item']} of group "
          f"{at['group']}; together: {in_words(together)}")


def print_warp() -> None:
    at = running()
    blocks = at["job"]["code"]["blocks"]
    what = "at work"
    for path in reversed(paths_of(at["warp"])):
        block = int(path["block"])
        ends = block < 0 or not blocks[block]["place_count"]
        where = "the end" if ends else f"line {blocks[block]['places'][0]['line']}"
        print(f"{what} at {where}: {in_words(lanes_in(int(path['lanes'])))}")
        what = "together again"


def hits() -> int:
    """Of all breakpoints that the user has set."""
    return sum(breakpoint.hit_count for breakpoint in gdb.breakpoints())


def go_to_next_lane() -> None:
    """Lanes do the work-items of one group after the other."""
    at, hits_before = running(), hits()
    place = gdb.Breakpoint(f"*{gdb.selected_frame().pc():#x}", internal=True)
    place.condition = (f"(unsigned long)running.lane != {int(at['lane'])}"
                       f" || running.group != {int(at['group'])}")
    place.silent = True
    try:
        gdb.execute("continue")
    finally:
        if place.is_valid():
            place.delete()
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("no other lane has come here: the program has ended")
    if hits() == hits_before:  # or gdb has shown the place
        gdb.execute("frame")
    print_lane()


def print_values(name: str) -> None:
    """All stacks are alike: a variable has the same place in each."""
    at = running()
    value = gdb.parse_and_eval(name)
    offset = int(value.address or 0) - int(at["lane"]["stack"])
    if not 0 <= offset < int(gdb.parse_and_eval("STACK")):
        raise gdb.GdbError(f"{name} is no private variable: `print {name}` shows it")
    warp = at["warp"]
    together = lanes_in(int(paths_of(warp)[-1]["lanes"]))
    values = []
    for number in range(int(warp["lane_count"])):
        place = gdb.Value(int(warp["lanes"][number]["stack"]) + offset)
        shown = str(place.cast(value.type.pointer()).dereference())
        values.append(shown if number in together else f"({shown})")
    width = max(map(len, values))
    for begin in range(0, len(values), ROW):
        row = values[begin:begin + ROW]
        print(f"lane {begin:2}: " + " ".join(f"{one:>{width}}" for one in row))


class Command(gdb.Command):
    """A word that gdb knows from here on."""

    def __init__(self, name: str, action, needs: str = ""):
        complete = gdb.COMPLETE_SYMBOL if needs else gdb.COMPLETE_NONE
        super().__init__(name, gdb.COMMAND_DATA, complete)
        self.name, self.action, self.needs = name, action, needs

    def invoke(self, argument: str, from_tty: bool) -> None:
        if bool(argument) != bool(self.needs):
            raise gdb.GdbError(f"it is called as `{self.name}{self.needs}`")
        self.action(*[argument] if self.needs else [])


Command("lane", print_lane)
Command("next-lane", go_to_next_lane)
Command("warp", print_warp)
Command("lanes", print_values, " NAME")
gdb.execute("set breakpoint pending on")  # kernels are there once they are compiled
