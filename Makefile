# Lockstep: one program per step.  Begin with `make run`, or with `make step03 run`.

# `make debug`, `make asan step05 run`: another build, which the other targets named there use.
NAMED   := $(filter debug asan coverage,$(MAKECMDGOALS))
$(if $(word 2,$(NAMED)),$(error $(NAMED): one build at a time))
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS_asan := -fsanitize=address,undefined
CFLAGS_coverage := -O0 -g --coverage
LDFLAGS_coverage := --coverage -Wl,--wrap=_exit,--wrap=_Exit
ifneq ($(NAMED),)
BUILD   := build/$(NAMED)
CFLAGS  := $(CFLAGS_$(NAMED))
LDFLAGS := $(LDFLAGS_$(NAMED))
export CFLAGS LDFLAGS # to the make that `check` calls
export LIMITS_DIR := $(or $(LIMITS_DIR),$(CURDIR)/build/limits)
endif

BUILD   ?= build
BUILT   := $(if $(filter /%,$(BUILD)),,$(CURDIR)/)$(BUILD)
LOCKSTEP_WORK ?= work
CFLAGS  ?= -O2 -g
AT_EXIT := $(if $(findstring --coverage,$(CFLAGS)),tests/coverage.c)
WARN    := -Wall -Wextra -Wpedantic -Wconversion
COMPILE  = $(CC) -std=c11 -iquote common -DCL_TARGET_OPENCL_VERSION=120 \
           -DKERNEL_DIR=$(call TEXT,$(CURDIR)/kernels) \
           -DBUILD_DIR=$(call TEXT,$(BUILT)) \
           $(WARN) $(call MPI,compile) $(call FOUND,cflags) $(CFLAGS)
LINK     = $(LDFLAGS) $(call MPI,link) $(LIBRARIES) -lm -pthread

# The set-up asks pkg-config where the libraries are, and only when it searches again.
FOUND     = $(if $(wildcard $(BUILD)/setup/$1),$(strip $(file < $(BUILD)/setup/$1)))
LIBRARIES = $(or $(call FOUND,libs),-lOpenCL -lpng)

# A text as C writes it, for the shell: the folder of the clone may have any name.
TEXT     = '"$(subst ','\'',$(subst ",\",$(subst \,\\,$1)))"'

# Step 22 needs MPI.  It is looked for when that step is compiled, not before, because the
# set-up may just have brought it; without it the step says so.
MPI      = $(if $(findstring step22,$@),$(shell MPICC=$(MPICC) sh common/commands/mpi.sh $1))
export MPICC ?= mpicc

# $(sort) goes by bytes.  $(wildcard) goes by the locale, where step07b may come before step07.
STEPS   := $(basename $(notdir $(sort $(wildcard steps/step*.c))))
COMMON  := $(BUILD)/libcommon.a
LIMITS  := $(BUILD)/$(filter step00_%,$(STEPS))
LENS_TEXTS := $(addprefix $(BUILD)/,builtins.cl conversions.cl builtins.cuh half.cuh cooperative.cuh \
              hip.cuh operations.h)
# The names of CUDA's and HIP's own headers, which a file may include: they are empty.
LENS_NAMES := $(patsubst %,$(BUILD)/cuda/%.h,cuda cuda_runtime cuda_runtime_api \
              cuda_device_runtime_api device_launch_parameters device_functions vector_types \
              vector_functions driver_types builtin_types math_constants math_functions \
              device_atomic_functions cuda_texture_types texture_types surface_types \
              cuda_fp16 cuda_bf16 cuda_fp8 cuda_pipeline mma cuda_profiler_api cublas cublas_v2 cublasLt \
              curand curand_kernel cufft cusparse cusolverDn cudnn nvToolsExt nvtx3/nvToolsExt \
              cooperative_groups cooperative_groups/reduce cooperative_groups/scan \
              cooperative_groups/memcpy_async hip/hip_runtime hip/hip_runtime_api \
              hip/hip_fp16 hip/hip_cooperative_groups)
LENS    := $(BUILD)/lens $(BUILD)/liblens.so $(LENS_TEXTS) $(LENS_NAMES) $(BUILD)/cllens.1

# The steps named on the command line (`make step05 run`); without any, every step.
ASKED   := $(filter step%,$(MAKECMDGOALS))
NUMBERS := $(foreach step,$(STEPS),$(firstword $(subst _, ,$(step))))
UNKNOWN := $(filter-out $(NUMBERS),$(ASKED))
# nearest: "; did you mean step03?", if one of these is like the word.
nearest  = $(shell awk -v word='$1' -v known='$2' -f common/commands/nearest.awk)
$(if $(UNKNOWN),$(error there is no $(UNKNOWN)$(call nearest,$(firstword $(UNKNOWN)),$(NUMBERS)); \
    `make list` shows every step))
CHOSEN  := $(if $(ASKED),$(filter $(ASKED:=_%),$(STEPS)),$(STEPS))
PROGRAMS := $(CHOSEN:%=$(BUILD)/%)

# `make step05 run MISTAKE=step_of_one`: with that mistake made in the step's kernels.
ifneq ($(MISTAKE),)
$(if $(filter-out 1,$(words $(CHOSEN))),$(error MISTAKE=$(MISTAKE) needs one step, as in `make step05 run MISTAKE=$(MISTAKE)`))
export MISTAKEN := $(BUILD)/mistakes/$(CHOSEN).$(MISTAKE).cl
WITH    := --kernel $(MISTAKEN)
endif

# All known mistakes of the chosen steps, as kernel files.
MISTAKES = $(shell awk '/^== / { stem = FILENAME; gsub(/.*\/|diff$$/, "", stem); sub(/:.*/, "", $$2); \
    print "$(BUILD)/mistakes/" stem $$2 ".cl" }' $(sort $(wildcard $(CHOSEN:%=tests/mistakes/%.diff))))

# Scripts sort, match and count as programs do: in the reader's language there may be no i between
# a and z, and awk may take 0.5 for 0 and write it as 0,5.
ifdef LC_ALL
export LANG := $(LC_ALL)
unexport LC_ALL
endif
export LC_COLLATE := C
export LC_NUMERIC := C

# PoCL keeps compiled kernels; here `make clean` finds them.
export POCL_CACHE_DIR := $(or $(POCL_CACHE_DIR),$(BUILT)/pocl)
PREFIX  ?= /usr/local
export PREFIX DESTDIR BUILD LOCKSTEP_WORK SETUP LENS_OPTIONS ARGS STEP

# What the sanitizers must know.  The lens jumps from stack to stack: they cannot follow, say so
# once, and still see each stack's own accesses; what they remember of stacks that ended must be
# off, and so must the search for leaks.  Other leaks are the drivers'.  Their own exit status
# is none of ours.
ifneq ($(filter asan sanitize,$(MAKECMDGOALS)),)
UNDER_LENS := $(filter lens races check predict watch fuzz,$(MAKECMDGOALS))
export ASAN_OPTIONS := exitcode=99:verify_asan_link_order=0:detect_stack_use_after_return=0:$(if \
                       $(UNDER_LENS),detect_leaks=0,detect_leaks=1)
export UBSAN_OPTIONS := exitcode=99:halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS := exitcode=99:suppressions=tests/leaks.txt:print_suppressions=0
endif

# What a learner's exercise, or all of them, can be asked for.
EXERCISE := exercise check hint solution predict order reset next progress watch catch-up review golf handin room

TARGETS := all run read bench lens races asm mistakes quick test mutate list devices doctor help docs plots motion book book-pdf book-test pack count measure report share \
           install uninstall debug asan coverage lint sanitize peers fuzz format clean setup $(EXERCISE)
.PHONY: $(TARGETS) FORCE $(ASKED)

# A target that is misspelt.  (What has a slash or a dot is a file.)
MISSPELT := $(foreach goal,$(MAKECMDGOALS),$(if $(findstring /,$(goal))$(findstring .,$(goal)),,$(goal)))
MISSPELT := $(filter-out $(TARGETS) FORCE $(ASKED),$(MISSPELT))
$(if $(MISSPELT),$(error there is no $(firstword $(MISSPELT))$(call nearest,$(firstword $(MISSPELT)),$(TARGETS) $(NUMBERS)); \
    `make help` shows every target))

# What has a verdict has said all there is to say.  On a terminal make would close it with
# "*** [check] Error 1", as if make were broken; so there it succeeds, and elsewhere, as in
# scripts, its exit status is the verdict's.  $1: the statuses of verdicts.
VERDICT  = || { status=$$?; [ -t 1 ] && [ -t 2 ] && case $$status in $1) exit 0 ;; esac; exit $$status; }

# A target's script is common/commands/TARGET.sh, or a command of a package in Python.
COMMAND  = sh common/commands/$@.sh
PAGES    = python3 common/commands/pages $@

# What Python compiles goes to the build folder, where it is found again, because the others
# may be read-only.
export PYTHONPYCACHEPREFIX := $(BUILT)/pycache
unexport PYTHONDONTWRITEBYTECODE

.SECONDEXPANSION:

# What a full disk has cut short would look finished.
.DELETE_ON_ERROR:

all: $(STEPS:%=$(BUILD)/%) $(LENS)  ## build every step, and the lens

# Steps compare themselves with the limits that step 00 measures, once per device.
MEASURE := $(if $(filter step00_%,$(CHOSEN)),,$(LIMITS) --unless-known > /dev/null;)

run: $(PROGRAMS) $(LIMITS) $(MISTAKEN) ## run the chosen steps, or all of them in order
	@$(MEASURE) $(COMMAND) $(if $(ASKED),,--story) $(CHOSEN) -- $(WITH) $(ARGS)

read:                             ## show the chosen steps' programs and kernels
	@$(COMMAND) $(CHOSEN)

bench: $(PROGRAMS) $(LIMITS)      ## the same at full size, with more launches
	@$(MEASURE) $(COMMAND) $(CHOSEN) -- $(ARGS)

lens: $(PROGRAMS) $(LENS) $(MISTAKEN) ## what a GPU, lane by lane, would do with the kernels
	@$(COMMAND) $(CHOSEN) -- $(WITH) $(ARGS)

races: $(PROGRAMS) $(LENS) $(MISTAKEN) ## look for races and out-of-bounds accesses
	@$(COMMAND) $(CHOSEN) -- $(WITH) $(ARGS) $(call VERDICT,1)

asm: $(PROGRAMS) $(MISTAKEN)      ## the machine code that the device gets for the kernels
	@$(COMMAND) $(CHOSEN) -- $(WITH) $(ARGS)

install: $(LENS)                  ## PREFIX=/usr/local DESTDIR=: install the lens, as cllens
	@$(COMMAND)

uninstall:                        ## remove what that has installed
	@sh common/commands/install.sh --remove

mistakes:                         ## list the known mistakes (make step05 run MISTAKE=NAME)
	@$(COMMAND) $(CHOSEN)

test: $(PROGRAMS) $(LIMITS) $(LENS) $(BUILD)/peaks $$(MISTAKES) ## run the tests (ONLY='size 1': those of that name; PROFILE=1: what costs most?)
	@python3 common/commands/test.py $(if $(ASKED),$(CHOSEN:%=tests/%.bats))

quick: $(PROGRAMS) $(LIMITS) $(LENS) ## in seconds: the layout, the lens's parts, and each step right at one odd size
	@python3 common/commands/test.py --quick $(CHOSEN)

exercise:                         ## begin a step's exercise: its file goes to work/
check:                            ## is the exercise right, free of races, of the right shape?
hint:                             ## one hint more
solution:                         ## how your file differs from ours
predict:                          ## guess first; then see what comes out, and why
order:                            ## put the lines of a kernel in order; one of them is of a known mistake
reset:                            ## begin the exercise again; the old file is kept
next:                             ## go to the next open exercise
progress:                         ## show all exercises, and how far you are
watch:                            ## check whenever the file is saved
catch-up:                         ## STEP=07: finished files for the steps before it
review:                           ## three old questions a day, in longer and longer intervals (NOW=yes: at once)
golf:                             ## points for your kernels, by counts alone (SAVE=name: to be sent in; TABLE=docs/golf.md: its table)
handin:                           ## AS=table3: write work/handin-table3.txt, for the teacher (CODE=yes: with your kernels)
room:                             ## FILES="in/*": what all have handed in, on one screen (HTML=room.html: as a page)
check predict order watch golf handin: $(PROGRAMS) $(LIMITS) $(LENS)
check watch: $$(MISTAKES)
check: $(MISTAKEN)
$(EXERCISE): | setup
	@$(if $(filter check,$@),$(MEASURE)) MAKE='$(MAKE_COMMAND)' python3 common/commands/exercise $@ $(ASKED) \
	    $(if $(filter check,$@),$(MISTAKEN) $(call VERDICT,1|2))

mutate: all                       ## do tests notice mutations of our own programs?  In a copy, for half an hour
	@$(COMMAND) $(ARGS)

list:                             ## show every step and its title
	@awk 'FNR == 1 { sub(/^\/\* /, ""); print }' $(STEPS:%=steps/%.c)

devices: $(LIMITS)                ## show every OpenCL device
	@$(LIMITS) --devices

doctor:                           ## look for everything that is needed, and say what is missing
	@$(COMMAND)

help:                             ## show these targets
	@echo 'usage: make [stepNN ...] [target] [ARGS="--size N"] [DEVICE=name] [MISTAKE=name]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' Makefile

docs: setup                       ## write the tables of docs/ again, from docs/results/
	@$(PAGES)

plots: setup                      ## draw the plots of docs/ again, from docs/results/
	@$(PAGES)

motion: all                       ## run an exercise, and draw the picture of README that moves
	@$(PAGES)

book: setup                       ## make a book of the pages: build/book/index.html
	@python3 common/commands/book

book-pdf: book                    ## the same on paper: build/book/lockstep.pdf
	@python3 common/commands/book pdf

# Not while a PDF is made, for which the book has a page more.
book-test: book | $(filter book-pdf,$(MAKECMDGOALS)) ## read the book in Chromium: every page, link and picture
	@python3 tests/book.py $(BUILD)/book

pack: setup                       ## PLAN=half-day: what a workshop needs, to be printed or copied to a stick (DEBS=yes: with packages)
	@python3 common/commands/pack

count: all                        ## store what the lens counts, for docs/
	@$(PAGES)

measure: all $$(MISTAKES)                     ## NAME=pocl-3.1: store what this device measures, for docs/
	@$(PAGES) "$$NAME" $(ASKED)

report: $(PROGRAMS) $(LIMITS)     ## your device beside others, and what you have done, as one page: build/report.html
	@python3 common/commands/report $(ASKED)

share: $(BUILD)/peaks             ## write what your GPU can do at most, as build/share/NAME.txt, to be sent to us or used with --as
	@$(BUILD)/peaks $(ARGS) $(call VERDICT,77)

debug: $$(ALONE)                  ## a build for gdb; `make debug step05 run`: with that build
	@:

asan: $$(ALONE)                   ## the same with the address and undefined sanitizers
	@:

coverage: setup all $$(MISTAKES)   ## ONLY=: what do the tests of the lens, or of the chosen steps, not reach?
	@$(COMMAND) $(CHOSEN_TESTS)

CHOSEN_TESTS = $(if $(ASKED),$(CHOSEN:%=tests/%.bats),$(wildcard tests/lens*.bats tests/lens/*.bats))

# A build that is named alone is all that is asked for.
ALONE   = $(if $(filter-out $(NAMED) $(ASKED),$(MAKECMDGOALS)),,$(if $(ASKED),,all))

lint: setup $$(MISTAKES)                   ## look for mistakes in the sources without running them
	@$(COMMAND)

sanitize: setup $$(MISTAKES)               ## run steps and lens under the address and undefined sanitizers
	@$(COMMAND)

peers: all                        ## compare 00, 06, 07c, 09b, 09c, 13b, 14b, 18b, 18c, 20b with others
	@$(MEASURE) $(COMMAND) $(CHOSEN)

fuzz: setup $(LENS)               ## SEED=1 COUNT=1000 SECONDS=: try the lens with random kernels; WHAT=calls, formulas or kernels: with such texts
	@SEED=$(SEED) COUNT=$(COUNT) $(COMMAND) '$(WHAT)' $(SECONDS)

format:                           ## lay out the sources
	find steps common tests -name "*.[ch]" | xargs clang-format -i

clean:                            ## remove everything that was built or measured
	rm -rf $(BUILD)

$(ASKED): $(PROGRAMS)
	@:

# Looks for what these targets need, and installs what is missing.  The lens alone needs no
# device and no pictures, and the book runs nothing.  Step 22 alone brings MPI, unless it is for
# one rank only.
NEEDS_MPI := $(if $(filter lens races asm read $(EXERCISE),$(MAKECMDGOALS)),,$(filter step22,$(ASKED)))
BOOK := pack book book-pdf book-test
setup:
	@$(COMMAND) $(strip $(if $(filter-out install $(BOOK),$(or $(MAKECMDGOALS),all)),run) $(filter install $(BOOK) \
	    lens races quick test coverage lint sanitize docs plots motion count measure report $(EXERCISE),$(MAKECMDGOALS)) \
	    $(if $(filter book-%,$(MAKECMDGOALS)),book) $(if $(WHAT),$(filter fuzz,$(MAKECMDGOALS))) $(NEEDS_MPI))

# The commands are printed to stderr: stdout belongs to the steps.  Of the many files of the
# lens, and of those that all steps share, a run of make says it once.
SAY      = $(if $(filter common/lens/% $(BUILD)/shared/%,$< $@),$(call SAY_ONCE,the lens),$(if $(filter \
           common/%,$<),$(call SAY_ONCE,what all steps share),echo "cc $<" >&2))
OF_LENS  = $(if $(filter common/lens/%,$<),-iquote common/lens)
SAY_ONCE = mkdir -p $(BUILD)/said; for said in $(BUILD)/said/*; do case $$said in \
           *.$$PPID | *'*') ;; *) rmdir "$$said" 2> /dev/null ;; esac; done; \
           ! mkdir "$(BUILD)/said/$(lastword $1).$$PPID" 2> /dev/null || echo "building $1 ..." >&2
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D); $(SAY); $(COMPILE) -MMD -MP $(OF_LENS) -c $< -o $@

$(BUILD)/steps/step22_dot_machines.o: $(BUILD)/mpi

# All of common/ but the lens and the profile, which are programs: its folders are explained in common/README.md.
$(COMMON): $(patsubst %.c,$(BUILD)/%.o,$(filter-out common/lens/% common/profile/%,$(sort $(wildcard common/*.c common/*/*.c))) $(AT_EXIT)) \
           $(BUILD)/answers_table.o
	@rm -f $@; ar rcs $@ $^

# What a GPU answers: lines of a file, as C.
$(BUILD)/answers_table.c: docs/results/answers.tsv $(BUILD)/flags
	@awk 'BEGIN { print "extern const char *const answers_tsv[];\nconst char *const answers_tsv[] = {" } \
	    { gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); print "    \"" $$0 "\"," } END { print "    0};" }' $< > $@.new && mv $@.new $@

$(BUILD)/answers_table.o: $(BUILD)/answers_table.c
	@$(COMPILE) -c $< -o $@

$(STEPS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/steps/%.o $(COMMON)
	@$(CC) $(CFLAGS) $^ $(LINK) -o $@

# What measures a GPU for `make share`.
$(BUILD)/peaks: $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard common/profile/*.c))) $(COMMON)
	@$(CC) $(CFLAGS) $^ $(LINK) -o $@

# The step that an exercise copied to work/; always, because an older file may have come back.
$(BUILD)/work/%: $(LOCKSTEP_WORK)/%.c $(COMMON) $(BUILD)/flags FORCE
	@mkdir -p $(@D); echo "cc $<" >&2; $(COMPILE) $< $(COMMON) $(LINK) -o $@

# The lens: a program, and the library that it preloads (see common/lens/README.md).  Beside both
# lies what is compiled with a kernel.  `lens kernel` needs of the library's parts those that
# call no OpenCL; what they call is found by name, when a kernel is loaded (-rdynamic).
LENS_MAIN  := $(sort $(wildcard common/lens/program/*.c))
LENS_PARTS := $(filter-out $(LENS_MAIN),$(sort $(wildcard common/lens/*.c common/lens/*/*.c common/lens/*/*/*.c))) \
              $(addprefix common/,check.c data.c $(addprefix driver/,crash.c driver_cache.c program_end.c source.c) \
              measure/digits.c measure/terminal.c text/json.c text/svg.c text/utf8.c) $(AT_EXIT)

$(BUILD)/lens: $(LENS_MAIN:%.c=$(BUILD)/%.o) $(BUILD)/shared/parts.a
	@$(CC) $(CFLAGS) -rdynamic -Wl,-u,lens_block,-u,lens_image_asked $^ $(LDFLAGS) -Wl,--no-as-needed -lm -ldl -pthread -o $@

# Parts that are made of other files.
MADE_PARTS := $(BUILD)/shared/page_parts.o $(BUILD)/shared/device_profiles.o

$(BUILD)/shared/parts.a: $(LENS_PARTS:%.c=$(BUILD)/shared/%.o) $(MADE_PARTS)
	@rm -f $@; ar rcs $@ $^

$(LENS_TEXTS): $(BUILD)/%: common/lens/code/%
	@mkdir -p $(@D); cp $< $@

$(LENS_NAMES):
	@mkdir -p $(@D); touch $@

# The man page, with the options that the program has.
$(BUILD)/cllens.1: common/commands/manual.awk common/lens/settings.def common/lens/cllens.1
	@mkdir -p $(@D); awk -f $^ > $@.new && mv $@.new $@

$(BUILD)/shared/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D); $(SAY); $(COMPILE) -fPIC -fvisibility=hidden -MMD -MP $(OF_LENS) -c $< -o $@

# The page of `lens --html`: a style and scripts of its own, as C.
PAGE_PARTS := $(addprefix common/lens/report/page/page,.html .css _data.js _draw.js .js)
$(BUILD)/page_parts.c: common/commands/embed.sh $(PAGE_PARTS) $(BUILD)/flags
	@sh $< $(PAGE_PARTS) > $@.new && mv $@.new $@

$(BUILD)/shared/page_parts.o: $(BUILD)/page_parts.c
	@mkdir -p $(@D); $(COMPILE) -iquote common/lens/report/page -fPIC -fvisibility=hidden -c $< -o $@

# What GPUs can do at most: docs/devices/*.txt, as C.
DEVICES := $(sort $(wildcard docs/devices/*.txt)) docs/results/least/habits.tsv
$(BUILD)/device_profiles.c: common/commands/devices.awk $(DEVICES) $(BUILD)/flags
	@awk -f $< $(DEVICES) > $@.new && mv $@.new $@

$(BUILD)/shared/device_profiles.o: $(BUILD)/device_profiles.c
	@mkdir -p $(@D); $(COMPILE) -iquote common/lens/least -fPIC -fvisibility=hidden -c $< -o $@

$(BUILD)/liblens.so: $(LENS_PARTS:%.c=$(BUILD)/shared/%.o) $(MADE_PARTS)
	@$(CC) $(CFLAGS) -shared $^ -Wl,-Bsymbolic-functions,--no-as-needed $(filter-out -lpng%,$(LINK)) -ldl -o $@

# Kernels with a known mistake: tests/mistakes/STEP.diff says what differs from kernels/STEP.cl.
$(BUILD)/mistakes/%.cl: tests/mistakes/$$(basename $$*).diff kernels/$$(basename $$*).cl \
                        common/commands/mistake.awk
	@mkdir -p $(@D); awk -v name=$(patsubst .%,%,$(suffix $*)) -f common/commands/mistake.awk \
	    $(wordlist 1,2,$^) > $@.new && mv $@.new $@

# Changes when the compiler, its flags or the folder do: then all is compiled again.
$(BUILD)/flags: FORCE | setup
	@mkdir -p $(BUILD); printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" > $@
export FLAGS = $(COMPILE) $(LINK)

# The same for step 22, when MPI comes or goes.
$(BUILD)/mpi: FORCE | setup
	@mkdir -p $(BUILD); sh common/commands/mpi.sh link > $@.new && { cmp -s $@.new $@ || cp $@.new $@; }

-include $(wildcard $(BUILD)/steps/*.d $(foreach way,/ /*/ /*/*/ /*/*/*/,$(addsuffix $(way)*.d,$(BUILD)/common $(BUILD)/shared/common)))
