"""fuzz: looks for mistakes of the lens with random kernels (generate.py).

    fuzz.py --build FOLDER [--seed N] [--count N] [--seconds S]

For each kernel, with warps of 4, 8, 16, 32 and 64 lanes by turns:

- what the replay computes is what the device computes (lens --compare).  Where they differ,
  or the device never ends, it is asked again without its optimizer: if they agree then, the
  optimizer is wrong, as that of PoCL 3 is now and then, and this is said, but is no find;
- --races finds no mistake in it;
- of the same kernel with one barrier less it finds the race.

What does not hold is printed with the command that repeats it, and the kernel stays in
FOLDER/fuzz.  The exit status is 1 then, 2 if nothing can be looked for, else 0."""
import argparse
import os
import signal
import subprocess
import sys
import time

from generate import HEAD, Kernel

HERE = os.path.dirname(os.path.abspath(__file__))
TOGETHER = 10  # kernels in one file: PoCL starts once for all of them
LANES = [4, 8, 16, 32, 64]
SAME = "the replay's results are the device's"
LONGEST = 60  # seconds for ten kernels, which take three: after that, the device never ends
PLAIN = {"POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"}  # the lens does not look at it


class Fuzz:
    def __init__(self, build, longest):
        self.longest = longest
        self.build = os.path.abspath(build)
        self.folder = os.path.join(self.build, "fuzz")
        self.lens = os.path.join(self.build, "lens")
        self.launch = os.path.join(self.folder, "launch")
        self.finds = 0
        self.misled = 0  # kernels that the device's optimizer gets wrong
        os.makedirs(self.folder, exist_ok=True)
        source = os.path.join(HERE, os.pardir, "lens", "launch.c")
        compiler = os.environ.get("CC", "cc").split()
        flags = os.environ.get("LDFLAGS", "").split()
        subprocess.run(compiler + ["-std=c11", "-DCL_TARGET_OPENCL_VERSION=120", "-o",
                                   self.launch, source] + flags + ["-lOpenCL"], check=True)

    def write(self, name, kernels):
        path = os.path.join(self.folder, name + ".cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(kernel.text() for kernel in kernels))
        return path

    def run(self, words, **more):
        """The status of the lens and what it says; the same kernel never comes twice, so
        that nothing is cached."""
        with subprocess.Popen([self.lens] + words, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True,
                              env=dict(os.environ, LENS_CACHE="", **more)) as program:
            try:
                said, _ = program.communicate(timeout=self.longest)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)  # the lens and its program
                said, _ = program.communicate()
                said += f"\nnothing more came for {self.longest:g} seconds".encode()
        return program.returncode, said.decode("utf-8", "replace")

    def find(self, kernel, path, what, said):
        self.finds += 1
        lines = [line for line in said.splitlines() if line.strip()] or ["it says nothing"]
        print(f"found: seed {kernel.seed}: {what}")
        for line in lines[:4]:
            print("  said   ", line)
        print("  kernel ", path)
        print(f"  repeat  make fuzz SEED={kernel.seed} COUNT=1", flush=True)

    def compare(self, kernels, lanes, report):
        path = self.write(f"kernel-{kernels[0].seed}", kernels)
        words = [self.launch, path]
        for kernel in kernels:
            words += ([","] if kernel is not kernels[0] else []) + kernel.launch()
        words = ["--quiet", "--compare", "--lanes", str(lanes)] + words
        status, said = self.run(words)
        if status == 0 and SAME in said:
            os.remove(path)
            return True
        if report:
            status, plainly = self.run(words, **PLAIN)
            if status == 0 and SAME in plainly:
                self.misled += 1
                print(f"not the lens: seed {kernels[0].seed}: without its optimizer, "
                      "the device agrees", flush=True)
                os.remove(path)
            else:
                self.find(kernels[0], path, f"with {lanes} lanes, results differ", said)
        return False

    def races(self, kernel, lanes):
        path = self.write(f"{'dropped' if kernel.dropped else 'races'}-{kernel.seed}",
                          [kernel])
        status, said = self.run(["kernel", "--races", "--check", "--lanes", str(lanes), path]
                                + kernel.alone())
        if status == (1 if kernel.dropped else 0):
            os.remove(path)
            return
        what = "a barrier is missing, which --races does not find" if kernel.dropped else \
            "--races reports what is no mistake"
        self.find(kernel, path, f"with {lanes} lanes, {what}", said)

    def look(self, seeds):
        lanes = LANES[seeds[0] // TOGETHER % len(LANES)]
        kernels = [Kernel(seed) for seed in seeds]
        if not self.compare(kernels, lanes, len(kernels) == 1) and len(kernels) > 1:
            before = self.finds + self.misled
            for kernel in kernels:
                self.compare([kernel], lanes, True)
            if before == self.finds + self.misled:  # it needs them all
                self.compare(kernels, lanes, True)
        for seed in seeds:
            self.races(Kernel(seed), lanes)
            self.races(Kernel(seed, dropped=True), lanes)


def main():
    parser = argparse.ArgumentParser(description="random kernels for the lens")
    parser.add_argument("--build", required=True, help="the folder of the lens")
    parser.add_argument("--seed", type=int, default=1, help="of the first kernel")
    parser.add_argument("--count", type=int, default=1000, help="of kernels")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="after which no more are begun")
    parser.add_argument("--longest", type=float, default=LONGEST,
                        help="seconds after which a launch is taken to be without end")
    options = parser.parse_args()
    fuzz, begin, seed = Fuzz(options.build, options.longest), time.monotonic(), options.seed
    end = seed + options.count
    print(f"random kernels from seed {seed} on", flush=True)
    while seed < end and time.monotonic() - begin < options.seconds:
        after = min(end, (seed // TOGETHER + 1) * TOGETHER)  # lanes go with the seed
        fuzz.look(list(range(seed, after)))
        seed = after
    print(f"{seed - options.seed} kernels, {fuzz.finds} found")
    return 1 if fuzz.finds else 0


if __name__ == "__main__":
    sys.exit(main())
