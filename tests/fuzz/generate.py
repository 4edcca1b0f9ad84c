"""generate: random kernels whose results are the same wherever they run.

    generate.py SEED [dropped]      writes one; its first line says how to launch it

Each kernel is right by construction, so that whatever differs or is reported is a mistake
of an implementation:

- a work-item writes only its own elements of `out`;
- local memory is written in phases, each item its own element, and read behind a barrier;
- atomics commute, and what they return is not used;
- no signed sum overflows, no shift is too far, nothing is divided by 0 or read before it
  is set;
- real numbers only meet operations that are rounded in one way, and not-a-number and -0
  are made one of their kind before their bits count.

`dropped` leaves out one of the barriers between a phase's stores and its loads: then the
kernel has a data race."""
import random
import sys

ELEMENTS = 64  # of the arrays that are read
WORDS = 4  # of `out` for each work-item
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32,
        "long": 64, "ulong": 64}
VECTORS = ["int2", "int4", "uint2", "uint3", "uint4", "uint8", "uchar4", "uchar16",
           "ushort8", "ulong2", "float2", "float3", "float4"]
HEAD = """#pragma OPENCL FP_CONTRACT OFF
float clean(float x) { return isnan(x) ? 7.0f : x == 0.0f ? 0.0f : x; }
float2 clean2(float2 x) { return (float2)(clean(x.x), clean(x.y)); }
float3 clean3(float3 x) { return (float3)(clean2(x.xy), clean(x.z)); }
float4 clean4(float4 x) { return (float4)(clean2(x.xy), clean2(x.zw)); }
"""


def base_of(kind):
    return kind.rstrip("0123456789")


def width_of(kind):
    return int(kind[len(base_of(kind)):] or 1)


def unsigned(base):
    return base if base.startswith("u") else "u" + base


class Kernel:
    def __init__(self, seed, dropped=False):
        self.random = random.Random(seed)
        self.seed, self.dropped = seed, dropped
        self.lines, self.barriers = [], []
        self.functions, self.arrays = [], []
        self.names = 0
        self.scopes = [[]]  # of (name, type, may be assigned)
        self.in_function = self.reads_local = False
        self.choose_range()
        self.write()

    # ---- Chance.
    def pick(self, *choices):
        return self.random.choice(choices[0] if len(choices) == 1 else choices)

    def chance(self, share):
        return self.random.random() < share

    def number(self, below):
        return self.random.randrange(below)

    # ---- The launch.
    def choose_range(self):
        if self.chance(0.25):
            self.local = self.pick((8, 4), (4, 8), (16, 2), (5, 3), (16, 4), (1, 32), (33, 2))
            groups = self.pick((1, 2), (2, 2), (2, 1), (3, 1))
        else:
            self.local = (self.pick(1, 2, 7, 16, 31, 32, 33, 48, 64, 64, 96, 128),)
            groups = (self.pick(1, 2, 3, 4),)
        if self.dropped and self.group_items() < 7:
            self.local = (24,)  # so that another item's element is read
            groups = groups[:1]
        self.range = tuple(size * count for size, count in zip(self.local, groups))

    def group_items(self):
        items = 1
        for size in self.local:
            items *= size
        return items

    def items(self):
        items = 1
        for size in self.range:
            items *= size
        return items

    def launch(self):
        """The words for tests/lens/launch.c."""
        return [f"fuzz{self.seed}", "x".join(map(str, self.range)),
                "x".join(map(str, self.local)), f"z{self.items() * WORDS}",
                f"x{ELEMENTS}", f"f{ELEMENTS}", f"z{ELEMENTS}",
                f"l{4 * self.group_items()}", f"n={self.seed % 100}"]

    def alone(self):
        """The words for `lens kernel`, behind the file."""
        return [f"fuzz{self.seed}(out[{WORDS} * items]=0, a[{ELEMENTS}]=random, "
                f"f[{ELEMENTS}]=random, counters[{ELEMENTS}]=0, part[local], "
                f"n={self.seed % 100})", "--global", ",".join(map(str, self.range)),
                "--local", ",".join(map(str, self.local))]

    # ---- Names.
    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def variables(self, kind):
        return [name for scope in self.scopes for name, other, _ in scope if other == kind]

    def assignable(self):
        return [(name, kind) for scope in self.scopes for name, kind, may in scope if may]

    # ---- Expressions.
    def literal(self, kind):
        base, width = base_of(kind), width_of(kind)
        if width > 1:
            return f"({kind})({', '.join(self.literal(base) for _ in range(width))})"
        if base == "float":
            return self.pick("0.0f", "1.0f", "-1.5f", "0.25f", "3.0f", "1e10f", "-7.75f",
                             "0.1f", "123.456f", "1e-20f")
        number = self.pick(0, 1, 2, 3, 5, 7, 8, 31, 100, 127, 255, self.number(1 << 16),
                           self.number(1 << 31)) % (1 << (BITS[base] - 1))
        return f"({base}){number}" + {"uint": "u", "long": "l", "ulong": "ul"}.get(base, "")

    def index(self, below, depth=0):
        return f"{self.expression('uint', depth)} % {below}u"

    def leaf(self, kind):
        known = self.variables(kind)
        if known and self.chance(0.75):
            return self.pick(known)
        if kind in ("int", "float") and self.chance(0.4):
            return f"{'a' if kind == 'int' else 'f'}[{self.index(ELEMENTS, -1)}]"
        if kind == "uint" and self.chance(0.4):
            return self.pick("item", "place", "n")
        return self.literal(kind)

    def expression(self, kind, depth):
        if depth < 0:
            return self.pick("item", "place", "n") if kind == "uint" else self.literal(kind)
        if depth == 0:
            return self.leaf(kind)
        if width_of(kind) > 1:
            return self.vector(kind, depth - 1)
        return self.real(depth - 1) if kind == "float" else self.whole(kind, depth - 1)

    def element(self, kind, depth):
        digit = self.pick("0123456789abcdef"[:width_of(kind)])
        return f"({self.expression(kind, depth)}).s{digit}"

    def condition(self, depth):
        if depth <= 0 or self.chance(0.5):
            kind = self.pick("uint", "int", "uint", "float")
            return f"({self.expression(kind, depth)} " \
                   f"{self.pick('<', '>', '==', '!=', '<=', '>=')} " \
                   f"{self.expression(kind, depth)})"
        return self.pick(
            lambda: f"({self.condition(depth - 1)} {self.pick('&&', '||')} "
                    f"{self.condition(depth - 1)})",
            lambda: f"(!{self.condition(depth - 1)})",
            lambda: f"(({self.expression('uint', depth - 1)} & {self.pick(1, 2, 3, 7)}u) == "
                    f"{self.pick(0, 1, 2)}u)")()

    def call(self, depth):
        name, _, kinds = self.pick(self.functions)
        values = ["a", "f"] + [self.expression(kind, depth) for kind in kinds]
        return f"{name}({', '.join(values)})"

    def whole(self, kind, depth):
        def other(name=kind):
            return f"({name}){self.expression(name, depth)}"

        bits = BITS[kind]
        wide = "ulong" if bits == 64 else "uint"
        is_unsigned = kind == unsigned(kind)

        def divided():
            divisor = f"({other()} | ({kind})1)" if is_unsigned else \
                f"({kind})(({other()} & ({kind})63) + ({kind})1)"
            return f"({kind})({other()} {self.pick('/', '%')} {divisor})"

        def from_memory():
            if kind == "uint" and self.arrays and self.chance(0.6):
                name, size = self.pick(self.arrays)
                return f"{name}[{self.index(size, depth)}]"
            if kind == "uint" and self.reads_local:
                return f"part[{self.index(self.group_items(), depth)}]"
            return f"a[{self.index(ELEMENTS, depth)}]" if kind == "int" else self.leaf(kind)

        def from_real():
            if bits == 32 and self.chance(0.3):
                return f"as_{kind}(clean({other('float')}))"
            return f"convert_{kind}_sat{self.pick('', '_rte', '_rtz', '_rtp', '_rtn')}" \
                   f"(clean({other('float')}))"

        def from_vector():
            vector = self.pick([name for name in VECTORS if base_of(name) != "float"])
            return f"({kind}){self.element(vector, depth)}"

        return self.pick(
            lambda: f"({kind})(({wide}){other()} {self.pick('+', '-', '*')} ({wide}){other()})",
            lambda: f"({kind})(({wide}){other()} {self.pick('+', '-', '*')} ({wide}){other()})",
            lambda: f"({kind})({other()} {self.pick('&', '|', '^')} {other()})",
            lambda: f"({kind})~{other()}",
            lambda: f"({kind})(({wide}){other()} << ({other('uint')} & {min(bits, 32) - 1}u))",
            lambda: f"({kind})({other()} >> ({other('uint')} & {bits - 1}u))",
            divided,
            lambda: f"({self.condition(depth)} ? {other()} : {other()})",
            lambda: self.pick("min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "rotate",
                              "mul_hi") + f"({other()}, {other()})",
            lambda: f"{self.pick('popcount', 'clz')}({other()})",
            lambda: f"bitselect({other()}, {other()}, {other()})",
            lambda: f"mad_sat({other()}, {other()}, {other()})",
            lambda: f"clamp({other()}, ({kind})3, ({kind})90)",
            lambda: f"({kind})abs({other()})",
            # PoCL 3.1 goes wrong where the difference is larger than an int can be.
            lambda: f"({kind})abs_diff(({kind})({other()} >> 1), ({kind})({other()} >> 1))",
            lambda: f"convert_{kind}{self.pick('', '_sat')}({other(self.pick(list(BITS)))})",
            lambda: f"({kind}){other(self.pick(list(BITS)))}",
            from_real, from_vector, from_memory, from_memory,
            lambda: f"({kind}){self.call(depth)}" if self.functions else self.leaf(kind),
            lambda: f"mul24(({kind})({other()} & ({kind})0xfff), ({kind})({other()} & "
                    f"({kind})0x7ff))" if bits == 32 else self.leaf(kind),
            lambda: self.leaf(kind))()

    def real(self, depth):
        def other(kind="float"):
            return self.expression(kind, depth)

        return self.pick(
            lambda: f"({other()} {self.pick('+', '-', '*')} {other()})",
            lambda: f"({other()} {self.pick('+', '-', '*')} {other()})",
            lambda: f"({other()} {self.pick('+', '-', '*')} {other()})",
            lambda: f"{self.pick('fabs', 'floor', 'ceil', 'trunc', 'rint', 'round')}({other()})",
            lambda: f"({self.pick('fmin', 'fmax')}(clean({other()}), clean({other()})) + 0.0f)",
            lambda: f"(clamp(clean({other()}), -8.0f, 100.0f) + 0.0f)",
            lambda: f"copysign({other()}, clean({other()}))",
            lambda: f"convert_float{self.pick('', '_rte', '_rtz', '_rtp', '_rtn')}"
                    f"({other(self.pick(list(BITS)))})",
            lambda: f"({self.condition(depth)} ? {other()} : {other()})",
            lambda: f"f[{self.index(ELEMENTS, depth)}]",
            lambda: f"fma({other()}, {other()}, {other()})",
            lambda: self.element(self.pick("float2", "float3", "float4"), depth),
            lambda: f"ldexp({other()}, (int)({other('uint')} % 9u) - 4)",
            lambda: f"as_float({other('uint')} & 0xbf7fffffu)",  # finite
            lambda: self.leaf("float"))()

    def vector(self, kind, depth):
        base, width = base_of(kind), width_of(kind)

        def other(name=kind):
            return self.expression(name, depth)

        def number():
            return f"({base}){other(base)}"

        def mixed():
            if width not in (2, 4):
                return self.leaf(kind)
            order = self.pick(["yx", "xx", "yy"] if width == 2 else
                              ["wzyx", "xxyy", "zwxy", "s0213", "yyyy"])
            return f"({other()}).{order}"

        def of_elements():
            values = [self.expression(base, depth - 1) for _ in range(width)]
            return f"({kind})({', '.join(values)})"

        shared = [of_elements,
                  lambda: f"({kind})({number()})", mixed, lambda: self.leaf(kind)]
        if base == "float":
            return self.pick(shared + [
                lambda: f"({other()} {self.pick('+', '-', '*')} {other()})",
                lambda: f"({other()} {self.pick('+', '-', '*')} {other()})",
                lambda: f"{self.pick('floor', 'fabs', 'trunc')}({other()})",
                lambda: f"convert_{kind}(convert_int{width}_sat_rtz(clean{width}({other()})))",
                lambda: f"select({other()}, {other()}, {other()} < {other()})",
                lambda: f"(clamp(clean{width}({other()}), -4.0f, 1e9f) + 0.0f)",
                lambda: f"({self.pick('min', 'max')}(clean{width}({other()}), 2.5f) + 0.0f)",
                lambda: f"vload{width}({self.index(ELEMENTS // width, depth)}, f)"])()
        sums = f"convert_{unsigned(base)}{width}"
        return self.pick(shared + [
            lambda: f"convert_{kind}({sums}({other()}) {self.pick('+', '-', '*')} "
                    f"{sums}({other()}))",
            lambda: f"({other()} {self.pick('&', '|', '^')} {other()})",
            lambda: self.pick("min", "max", "add_sat", "rotate", "hadd")
            + f"({other()}, {other()})",
            lambda: f"{self.pick('min', 'max')}({other()}, {number()})",
            lambda: f"clamp({other()}, ({base})2, ({base})99)",
            lambda: f"({other()} >> ({kind})({self.pick(1, 3, 5)}))",
            lambda: f"as_{kind}({other()} {self.pick('<', '==', '>')} {other()})"
            if BITS[base] == 32 else self.leaf(kind),
            lambda: f"vload{width}({self.index(ELEMENTS // width, depth)}, a)"
            if base == "int" else self.leaf(kind),
            lambda: f"shuffle({other()}, ({unsigned(base)}{width})"
                    f"({', '.join(str(self.number(16)) for _ in range(width))}))"
            if width != 3 else self.leaf(kind)])()

    # ---- Statements.
    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def any_type(self):
        return self.pick(list(BITS) + ["uint", "int"] * 3 + VECTORS + ["float"] * 4)

    def declare(self, depth):
        kind, name = self.any_type(), self.fresh("v")
        self.emit(depth, f"{kind} {name} = {self.expression(kind, 3)};")
        self.scopes[-1].append((name, kind, True))

    def assign(self, depth):
        if not self.assignable():
            self.declare(depth)
            return
        name, kind = self.pick(self.assignable())
        if width_of(kind) > 1 and self.chance(0.5):
            digit = self.pick("0123456789abcdef"[:width_of(kind)])
            self.emit(depth, f"{name}.s{digit} = {self.expression(base_of(kind), 2)};")
        elif kind in ("uint", "ulong") and self.chance(0.4):
            self.emit(depth, f"{name} {self.pick('+=', '^=', '*=', '-=', '|=')} "
                             f"{self.expression(kind, 2)};")
        else:
            self.emit(depth, f"{name} = {self.expression(kind, 3)};")

    def block(self, depth, budget, in_loop, names=()):
        self.scopes.append(list(names))
        for _ in range(1 + self.number(3)):
            self.statement(depth, budget - 1, in_loop)
        self.scopes.pop()

    def branch(self, depth, budget, in_loop):
        self.emit(depth, f"if ({self.condition(2)}) {{")
        self.block(depth + 1, budget, in_loop)
        if self.chance(0.5):
            self.emit(depth, "} else {")
            self.block(depth + 1, budget, in_loop)
        self.emit(depth, "}")

    def counted_loop(self, depth, budget, _):
        name = self.fresh("i")
        most = self.pick(self.index(self.pick(3, 5, 9), 1), f"{1 + self.number(5)}u")
        self.emit(depth, f"for (uint {name} = 0; {name} < ({most}); {name}++) {{")
        self.block(depth + 1, budget, True, [(name, "uint", False)])
        self.emit(depth, "}")

    def other_loop(self, depth, budget, _):
        name, is_while = self.fresh("left"), self.chance(0.5)
        self.emit(depth, f"uint {name} = {1 + self.number(6)}u;")
        self.emit(depth, f"while ({name}-- > 0 && {self.condition(2)}) {{" if is_while
                  else "do {")
        self.block(depth + 1, budget, is_while)
        self.emit(depth, "}" if is_while else
                  f"}} while (--{name} > 0 && {self.condition(1)});")

    def switch(self, depth, budget, _):
        self.emit(depth, f"switch ({self.index(5, 2)}) {{")
        for case in self.random.sample(range(5), 1 + self.number(4)):
            self.emit(depth, f"case {case}: {{")
            self.block(depth + 1, budget, False)
            self.emit(depth, "}" if self.chance(0.3) else "} break;")
        self.emit(depth, "default: {")
        self.block(depth + 1, budget, False)
        self.emit(depth, "}")
        self.emit(depth, "}")

    def leave(self, depth, _, in_loop):
        if in_loop:
            self.emit(depth, f"if ({self.condition(1)}) {self.pick('break', 'continue')};")
        else:
            self.assign(depth)

    def store_private(self, depth, *_):
        if not self.arrays:
            self.assign(depth)
            return
        name, size = self.pick(self.arrays)
        self.emit(depth, f"{name}[{self.index(size, 1)}] {self.pick('=', '+=', '^=')} "
                         f"{self.expression('uint', 2)};")

    def atomic(self, depth, *_):
        if self.in_function:
            self.assign(depth)
            return
        kinds = ["add", "or", "xor", "min", "max", "and"]
        kind = self.pick(kinds)
        place = f"counters + {kinds.index(kind)}"  # those on one word commute
        if self.chance(0.5):
            place += f" + 8u * ({self.index(4, 1)})"
        if kind == "add" and self.chance(0.3):
            self.emit(depth, f"atomic_inc({place});")
        else:
            self.emit(depth, f"atomic_{kind}({place}, {self.expression('int', 2)});")

    def store(self, depth, *_):
        if self.in_function:
            self.assign(depth)
            return
        kind = self.pick("uint", "int", "uchar")
        self.emit(depth, f"out[item * {WORDS}u + {self.number(WORDS)}u] "
                         f"{self.pick('=', '^=', '+=')} (uint){self.expression(kind, 2)};")

    def jump(self, depth, *_):
        if self.in_function or not self.assignable():
            self.assign(depth)
            return
        label = self.fresh("over")
        self.emit(depth, f"if ({self.condition(1)}) goto {label};")
        self.assign(depth)
        self.emit(depth, f"{label}: ;")

    def statement(self, depth, budget, in_loop):
        if budget <= 0 or self.chance(0.3):
            self.assign(depth)
        elif self.chance(0.15):
            self.declare(depth)
        else:
            self.pick(self.branch, self.branch, self.counted_loop, self.counted_loop,
                      self.other_loop, self.switch, self.leave, self.store_private,
                      self.atomic, self.store, self.jump)(depth, budget, in_loop)

    def phase(self, depth):
        """Local memory: each item its own element, then anybody's."""
        self.emit(depth, f"part[place] = {self.expression('uint', 2)};")
        if self.chance(0.3):
            self.emit(depth, f"if ({self.condition(1)})")
            self.emit(depth + 1, f"part[place] ^= {self.expression('uint', 1)};")
        self.barriers.append(len(self.lines))
        self.emit(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
        self.reads_local = True
        name = self.fresh("v")
        self.emit(depth, f"uint {name} = part[(place + {self.pick(1, 1, 2, 5)}u) % "
                         f"{self.group_items()}u];")
        self.scopes[-1].append((name, "uint", True))
        for _ in range(1 + self.number(3)):
            self.statement(depth, 2, False)
        self.reads_local = False
        self.emit(depth, "barrier(CLK_LOCAL_MEM_FENCE);")

    def repeated_phase(self, depth):
        name = self.fresh("round")
        self.emit(depth, f"for (uint {name} = 0; {name} < {1 + self.number(3)}u + n % 2u; "
                         f"{name}++) {{")
        self.scopes.append([(name, "uint", False)])
        self.phase(depth + 1)
        self.scopes.pop()
        self.emit(depth, "}")

    # ---- All of it.
    def function(self):
        name, result = f"{self.fresh('part')}_{self.seed}", self.pick("uint", "int")
        kinds = [self.pick("uint", "int", "uint", "long", "float", "uint4")
                 for _ in range(1 + self.number(3))]
        arguments = [(self.fresh("p"), kind, True) for kind in kinds]
        self.scopes = [arguments]
        formal = ", ".join(f"{kind} {argument}" for argument, kind, _ in arguments)
        self.emit(0, f"{result} {name}(global const int *a, global const float *f, {formal}) {{")
        self.emit(1, "const uint item = 3u, place = 1u, n = 5u;")
        for _ in range(1 + self.number(3)):
            self.statement(1, 2, False)
        if self.chance(0.4):
            self.emit(1, f"if ({self.condition(1)}) return {self.expression(result, 1)};")
        self.emit(1, f"return {self.expression(result, 2)};")
        self.emit(0, "}")
        self.functions.append((name, result, kinds))

    def private_array(self):
        name, size = self.fresh("r"), self.pick(4, 8, 16)
        self.emit(1, f"uint {name}[{size}];")
        self.emit(1, f"for (uint i = 0; i < {size}u; i++)")
        self.emit(2, f"{name}[i] = i * {1 + self.number(98)}u + item;")
        self.arrays.append((name, size))

    def results(self):
        for word, (name, kind, _) in enumerate(self.scopes[0][-WORDS:]):
            value = name if width_of(kind) == 1 else \
                f"{name}.s{self.pick('0123456789abcdef'[:width_of(kind)])}"
            bits = f"as_uint(clean({value}))" if base_of(kind) == "float" else f"(uint){value}"
            self.emit(1, f"out[item * {WORDS}u + {word}u] ^= {bits};")
        if self.chance(0.3):
            self.emit(1, f"if ({self.condition(1)})")
            self.emit(2, "return;")
            self.emit(1, f"out[item * {WORDS}u] += {self.expression('uint', 2)};")

    def write(self):
        self.in_function = True
        for _ in range(self.number(4)):
            self.function()
        self.in_function = False
        self.scopes = [[]]
        self.emit(0, f"kernel void fuzz{self.seed}(global uint *out, global const int *a,")
        self.emit(0, "    global const float *f, global int *counters, local uint *part, uint n) {")
        rows = len(self.local) > 1
        self.emit(1, "const uint item = get_global_id(0)"
                  + (" + get_global_id(1) * get_global_size(0);" if rows else ";"))
        self.emit(1, "const uint place = get_local_id(0)"
                  + (" + get_local_id(1) * get_local_size(0);" if rows else ";"))
        for _ in range(self.number(3)):
            self.private_array()
        for _ in range(1 + self.number(3)):
            self.declare(1)
        phases = 1 + self.number(2) if self.dropped else self.number(3)
        plan = ["statement"] * (2 + self.number(4)) + ["phase"] * phases
        self.random.shuffle(plan)
        for what in plan:
            if what == "statement":
                self.statement(1, 3, False)
            elif self.chance(0.3) and not self.dropped:
                self.repeated_phase(1)
            else:
                self.phase(1)
        self.results()
        self.emit(0, "}")
        if self.dropped:
            self.lines[self.pick(self.barriers)] = "    // here was a barrier"

    def text(self):
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    made = Kernel(int(sys.argv[1]), "dropped" in sys.argv[2:])
    print("//", " ".join(made.launch()))
    print(HEAD + made.text(), end="")
