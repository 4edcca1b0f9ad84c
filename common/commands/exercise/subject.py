"""The file that is looked at, how it is run, and what is known of it so far."""

from dataclasses import dataclass, field
from typing import Optional

from counts import Judged
from facts import BUILD, Exercise, Statement
from files import read
from lens import COMMAND, Line
from parts import body
from runs import PATIENCE, Run, run
from verdict import Verdict, last


@dataclass
class Subject:
    """The file that is looked at, and what is known of it so far."""

    exercise: Exercise
    file: str
    learners: bool  # or one of which nothing is noted
    scratch: str
    text: str
    checks: list[Statement] = field(default_factory=list)
    same_elsewhere: bool = False  # as ours, but for the marked parts
    looked: dict[str, Run] = field(default_factory=dict)  # by arguments
    numbers: Optional[list[int]] = None  # which ours has not
    judged: list[Judged] = field(default_factory=list)
    warned: list[str] = field(
        default_factory=list
    )  # by the compiler, of what ours lacks
    known: list[Line] = field(default_factory=list)  # of results and races
    times: list[str] = field(default_factory=list)
    on_a_gpu: bool = False  # were these times taken there?

    @property
    def is_kernels(self) -> bool:
        """Copied kernels are handed to the step as it is; a copied step is built."""
        return self.file.endswith(".cl")

    @property
    def ours(self) -> str:
        """The file of ours that has the same place."""
        return self.exercise.kernels if self.is_kernels else self.exercise.ours

    @property
    def is_ours(self) -> bool:
        """Is it our code, under a task perhaps?"""
        return self.is_kernels and body(self.text) == body(read(self.ours))

    @property
    def command(self) -> list[str]:
        if self.is_kernels:
            options = ["--kernel", self.file, "--repeats", "1"]
            return [f"{BUILD}/{self.exercise.stem}", *options]
        return [f"{BUILD}/work/{self.exercise.stem}", "--repeats", "1"]

    def run(self, command: list[str], arguments: str, patience: int = PATIENCE) -> Run:
        ran = run(command, arguments, self.scratch, patience)
        if ran.asleep and not self.is_kernels:  # of a kernel, the lens may see why
            what = f"it waits for ever ({arguments}): which thread wakes which?"
            raise Verdict("WRONG", what, last(5, ran.err))
        return ran

    def lens(self, arguments: str, *options: str, patience: int = PATIENCE) -> Run:
        """The step with this file under the lens."""
        command = [*COMMAND, *options, *self.command]
        return self.run(command, arguments, patience)
