# Lockstep: one program per step.  Begin with `make list`, then `make step01 run`.

BUILD   ?= build
LOCKSTEP_WORK ?= work
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wpedantic -Wconversion
COMPILE  = $(CC) -std=c11 -iquote common -DCL_TARGET_OPENCL_VERSION=120 \
           -DKERNEL_DIR='"$(CURDIR)/kernels"' -DBUILD_DIR='"$(CURDIR)/$(BUILD)"' \
           $(WARN) $(CFLAGS)
LINK     = $(LDFLAGS) -lOpenCL -lpng -lm -pthread

STEPS   := $(basename $(notdir $(wildcard steps/step*.c)))
COMMON  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard common/*.c))
LIMITS  := $(BUILD)/$(filter step00_%,$(STEPS))
LENS    := $(BUILD)/lens $(BUILD)/liblens.so

# The steps named on the command line (`make step05 run`); without any, every step.
ASKED   := $(filter step%,$(MAKECMDGOALS))
UNKNOWN := $(filter-out $(foreach step,$(STEPS),$(firstword $(subst _, ,$(step)))),$(ASKED))
$(if $(UNKNOWN),$(error there is no $(UNKNOWN); `make list` shows every step))
CHOSEN  := $(if $(ASKED),$(filter $(ASKED:=_%),$(STEPS)),$(STEPS))

# PoCL keeps compiled kernels; here `make clean` finds them.
export POCL_CACHE_DIR ?= $(CURDIR)/$(BUILD)/pocl
export BUILD LOCKSTEP_WORK SETUP LENS_OPTIONS

# What a learner's exercise, or all of them, can be asked for.
EXERCISE := exercise check hint solution predict reset next progress watch catch-up handin

.PHONY: all run bench lens races asm test list devices doctor help docs lint sanitize peers \
        format clean setup FORCE $(ASKED) $(EXERCISE)

all: $(STEPS:%=$(BUILD)/%) $(LENS)  ## build every step, and the lens

# Steps compare themselves with the limits that step 00 measures, once per device.
MEASURE := $(if $(filter step00_%,$(CHOSEN)),,$(LIMITS) --unless-known > /dev/null;)

run: $(CHOSEN:%=$(BUILD)/%) $(LIMITS) ## run the chosen steps, or all of them in order
	@$(MEASURE) sh common/run.sh $(CHOSEN) -- $(ARGS)

bench: $(CHOSEN:%=$(BUILD)/%) $(LIMITS) ## the same at full size, with more launches
	@$(MEASURE) sh common/run.sh $(CHOSEN) -- --full $(ARGS)

lens: $(CHOSEN:%=$(BUILD)/%) $(LENS) ## what a GPU, lane by lane, would do with the kernels
	@sh common/lens.sh $(CHOSEN) -- $(ARGS)

races: $(CHOSEN:%=$(BUILD)/%) $(LENS) ## look for races and stray accesses in the kernels
	@sh common/lens.sh --races $(CHOSEN) -- $(ARGS)

asm: $(CHOSEN:%=$(BUILD)/%)       ## the machine code that the device gets for the kernels
	@sh common/asm.sh $(CHOSEN) -- $(ARGS)

test: $(CHOSEN:%=$(BUILD)/%) $(LIMITS) $(LENS) ## run the tests
	@sh tests/run.sh $(if $(ASKED),$(CHOSEN:%=tests/%.bats),tests)

exercise:                         ## begin a step's exercise: its file goes to work/
check:                            ## is the exercise right, free of races, of the right shape?
hint:                             ## one hint more
solution:                         ## how your file differs from ours
predict:                          ## guess first; then see what comes out, and why
reset:                            ## begin the exercise anew; the old file is kept
next:                             ## go to the next open exercise
progress:                         ## show all exercises, and how far you are
watch:                            ## check whenever the file is saved
catch-up:                         ## STEP=07: finished files for the steps before it
handin:                           ## write work/handin.txt, for the teacher
check predict watch handin: $(CHOSEN:%=$(BUILD)/%) $(LIMITS) $(LENS)
$(EXERCISE):
	@$(if $(filter check,$@),$(MEASURE)) MAKE='$(MAKE_COMMAND)' ARGS='$(ARGS)' STEP='$(STEP)' \
	    sh common/exercise.sh $@ $(ASKED)

list:                             ## show every step and its title
	@awk 'FNR == 1 { sub(/^\/\* /, ""); print }' $(STEPS:%=steps/%.c)

devices: $(LIMITS)                ## show every OpenCL device
	@$(LIMITS) --devices

doctor:                           ## look for everything that is needed, and say what is missing
	@sh common/setup.sh doctor

help:                             ## show these targets
	@echo 'usage: make [stepNN ...] [target] [ARGS="--size N"] [DEVICE=name]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' Makefile

docs:                             ## write the tables of docs/ anew from docs/results/
	@sh docs/tables.sh

lint: setup                       ## look for mistakes in the sources without running them
	@sh tests/lint.sh

sanitize: setup                   ## run steps and lens under the address and undefined sanitizers
	@sh tests/sanitize.sh

peers: $(CHOSEN:%=$(BUILD)/%) $(LIMITS) ## compare steps 00, 06, 18 with other people's programs
	@$(MEASURE) sh tests/peers.sh $(CHOSEN)

format:                           ## lay out the sources
	clang-format -i steps/*.c common/*.[ch] common/lens/*.[ch] tests/*.c tests/*/*.c

clean:                            ## remove everything that was built or measured
	rm -rf $(BUILD)

$(ASKED): $(CHOSEN:%=$(BUILD)/%)
	@:

# Looks for what these targets need, and brings what is missing; see common/setup.sh.
setup:
	@sh common/setup.sh run $(filter lens races check predict watch test lint sanitize,$(MAKECMDGOALS))

# The commands are printed to stderr: stdout belongs to the steps.
$(STEPS:%=$(BUILD)/%): $(BUILD)/%: steps/%.c $(COMMON) $(BUILD)/flags
	@echo "cc $<" >&2; $(COMPILE) -MMD -MP $< $(COMMON) $(LINK) -o $@

# The step that an exercise copied to work/; always, for an older file may have come back.
$(BUILD)/work/%: $(LOCKSTEP_WORK)/%.c $(COMMON) $(BUILD)/flags FORCE
	@mkdir -p $(@D); echo "cc $<" >&2; $(COMPILE) $< $(COMMON) $(LINK) -o $@

$(COMMON): $(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D); echo "cc $<" >&2; $(COMPILE) -MMD -MP -c $< -o $@

# The lens: a program, and the library that it preloads (see common/lens/lens.h), in which
# source.c, with what it needs, reads kernel files.
$(BUILD)/lens: common/lens/main.c $(BUILD)/common/check.o $(BUILD)/flags
	@echo "cc $<" >&2; $(COMPILE) $< $(BUILD)/common/check.o $(LDFLAGS) -o $@

$(BUILD)/liblens.so: $(filter-out %/main.c,$(wildcard common/lens/*.c)) \
                     common/source.c common/data.c common/check.c \
                     $(wildcard common/lens/*.h) common/poison.h $(BUILD)/flags
	@echo "cc common/lens/*.c" >&2; $(COMPILE) -DLENS_DIR='"$(CURDIR)/common/lens"' \
	    -fPIC -fvisibility=hidden -shared $(filter %.c,$^) -Wl,--no-as-needed \
	    $(filter-out -lpng,$(LINK)) -ldl -o $@

# Changes when the compiler, its flags or the folder do: then all is compiled anew.
$(BUILD)/flags: FORCE | setup
	@mkdir -p $(BUILD); printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" > $@
export FLAGS = $(COMPILE) $(LINK)

-include $(wildcard $(BUILD)/*.d $(BUILD)/common/*.d)
