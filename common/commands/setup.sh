#!/bin/sh
# setup.sh doctor            look for everything, and say where it is or how to get it
# setup.sh run [test lint]   install what these targets lack: as root without asking, else
#                            after asking once; with SETUP=no, or without a terminal,
#                            only say what is missing.  Exit status 2: it is missing still.

. common/commands/files.sh
. common/commands/place.sh
make_scratch
cc=${CC:-cc}

# What each target needs.  Those of `lint` are for people who change Lockstep itself.
needs_of() {
    case $1 in
        run) echo compiler headers loader libpng device ;;
        install) echo compiler headers loader kernel-clang ;;
        lens | races) echo kernel-clang ;;
        check | predict | order | watch | golf) echo python kernel-clang ;;
        exercise | hint | solution | reset | next | progress | catch-up | review | handin | room) echo python ;;
        quick | test | coverage) echo bats python kernel-clang ;;
        lint) echo clang clang-format clang-tidy shellcheck ;;
        sanitize) echo valgrind ;;
        fuzz) echo libfuzzer ;;
        docs | count | measure) echo python ;;
        motion) echo python kernel-clang ;;
        plots | report) echo gnuplot python ;;
        book) echo python sphinx myst furo copybutton ;;
        pack) echo python pandoc ;;
        book-pdf) echo chromium ;; # and what the book needs
        book-test) echo chromium chromedriver ;;
        step22) echo mpi ;;
    esac
}

# is_there NEED: is it there?  Prints where, or what.
is_there() {
    case $1 in
        compiler) command -v "$cc" && echo 'int main(void) { return 0; }' | compile ;;
        headers) echo '#include <CL/cl.h>' | eval "\"\$cc\" $(flags cflags OpenCL) -E -" >"$scratch/cl.i" &&
            sed -n 's/^# 1 "\(.*\/cl\.h\)".*/\1/p' "$scratch/cl.i" | head -n 1 ;;
        loader) echo 'int main(void) { return 0; }' | compile OpenCL && flags libs OpenCL ;;
        libpng) printf '#include <png.h>\nint main(void) { return 0; }\n' | compile libpng &&
            flags libs libpng ;;
        device) count_devices ;;
        kernel-clang) kernel_clang ;;
        python) python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' && command -v python3 ;;
        libfuzzer)
            echo 'int LLVMFuzzerTestOneInput(const char *text, unsigned long bytes) { return 0; }' |
                clang -x c - -o "$scratch/program" -fsanitize=fuzzer,address && command -v clang
            ;;
        mpi) [ -n "$(sh common/commands/mpi.sh link)" ] && command -v mpirun ;;
        sphinx) module sphinx ;;
        myst) module myst_parser ;;
        furo) module furo ;;
        copybutton) module sphinx_copybutton ;;
        *) command -v "$1" ;;
    esac 2>/dev/null
}

# module NAME : is it there for this Python, or for the system's own?  (Packages bring modules
# for that one; see common/commands/book.)
module() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1; print($1.__file__)" && return
    done
    false
}

compile() { # compile [LIBRARY] < SOURCE
    with=${1:+$(flags cflags "$1") $(flags libs "$1")}
    eval "\"\$cc\" -x c - -o \"\$scratch/program\" $with" # it may have quoted a blank
}

# flags cflags|libs LIBRARY: as pkg-config says, which knows of folders that compilers do not
# search; where it does not know the library, or is not there, as most systems have it.
flags() {
    { pkg-config "--$1" "$2" 2>/dev/null || case $1:$2 in
        libs:libpng) echo -lpng ;;
        libs:*) echo "-l$2" ;;
    esac; } | sed 's/ *$//'
}

# Homebrew keeps its OpenCL where nothing looks for it, because macOS has another one.
search_homebrew() {
    [ "$manager" = brew ] || return
    kept=$(brew --prefix)/opt
    export PKG_CONFIG_PATH="$kept/opencl-icd-loader/lib/pkgconfig:$kept/opencl-headers/share/pkgconfig:$PKG_CONFIG_PATH"
}

# A driver is not enough: a platform without devices is common.
count_devices() {
    compile OpenCL <<'END' && "$scratch/program" && return
#include <CL/cl.h>
#include <stdio.h>
int main(void) {
    cl_platform_id platforms[64];
    cl_uint count = 0, here, devices = 0;
    clGetPlatformIDs(64, platforms, &count);
    for (cl_uint i = 0; i < count && i < 64; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &here) == 0)
            devices += here;
    printf("%u of %u platforms' (`make devices` shows them)\n", devices, count);
    return devices == 0;
}
END
    # Without compiler or headers there is no way to find out; a driver is a good sign.
    [ ! -e "$scratch/program" ] && ls /etc/OpenCL/vendors/*.icd
}

# A clang that the lens can use: version 15 or newer.  Debian's PoCL brings one.
kernel_clang() {
    for version in 15 16 17 18 19 20 21 22 23 24 25; do
        command -v clang-$version && return
    done
    [ "$(clang -dumpversion | cut -d. -f1)" -ge 15 ] && command -v clang
}

title_of() { # title_of NEED ... : in words
    for need; do
        case $need in
            compiler) echo 'a C compiler' ;;
            headers) echo 'the OpenCL headers (CL/cl.h)' ;;
            loader) echo 'the OpenCL loader (libOpenCL)' ;;
            libpng) echo 'libpng (png.h)' ;;
            device) echo 'an OpenCL device' ;;
            kernel-clang) echo 'clang 15 or newer' ;;
            python) echo 'Python 3.9 or newer' ;;
            libfuzzer) echo 'clang with libFuzzer' ;;
            mpi) echo 'Open MPI' ;;
            sphinx) echo 'Sphinx' ;;
            myst) echo 'MyST for Sphinx' ;;
            furo) echo 'Furo for Sphinx' ;;
            copybutton) echo 'sphinx-copybutton' ;;
            *) echo "$need" ;;
        esac
    done | paste -sd, - | sed 's/,/, /g'
}

# The package manager here, and what it calls a need.
manager=$(for tool in apt-get dnf pacman brew; do
    command -v $tool >/dev/null && echo $tool && break
done)

package_of() {
    case $manager:$1 in
        apt-get:compiler) echo gcc libc6-dev ;;
        *:compiler) echo gcc ;;
        apt-get:headers | apt-get:loader) echo ocl-icd-opencl-dev ;;
        *:headers) echo opencl-headers ;;
        dnf:loader) echo ocl-icd-devel ;;
        pacman:loader) echo ocl-icd ;;
        brew:loader) echo opencl-icd-loader pkgconf ;;
        apt-get:libpng) echo libpng-dev ;;
        dnf:libpng) echo libpng-devel ;;
        apt-get:device) echo pocl-opencl-icd ;;
        *:device) echo pocl ;;
        apt-get:kernel-clang) echo pocl-opencl-icd ;;
        brew:kernel-clang) echo llvm ;;
        *:kernel-clang) echo clang ;;
        pacman:python) echo python ;;
        *:python) echo python3 ;;
        dnf:clang-format | dnf:clang-tidy) echo clang-tools-extra ;;
        pacman:clang-format | pacman:clang-tidy) echo clang ;;
        brew:clang-tidy) echo llvm ;;
        dnf:shellcheck) echo ShellCheck ;;
        brew:bats) echo bats-core ;;
        apt-get:libfuzzer) echo clang libclang-rt-dev ;;
        dnf:libfuzzer) echo clang compiler-rt ;;
        pacman:libfuzzer) echo clang compiler-rt ;;
        brew:libfuzzer) echo llvm ;;
        apt-get:gnuplot) echo gnuplot-nox ;;
        apt-get:mpi) echo libopenmpi-dev openmpi-bin ;;
        dnf:mpi) echo openmpi-devel ;;
        pacman:mpi) echo openmpi ;;
        brew:mpi) echo open-mpi ;;
        pacman:sphinx) echo python-sphinx ;;
        brew:sphinx) echo sphinx-doc ;;
        *:sphinx) echo python3-sphinx ;;
        pacman:myst) echo python-myst-parser ;;
        *:myst) echo python3-myst-parser ;;
        pacman:furo) echo python-sphinx-furo ;;
        dnf:furo) echo python3-furo ;;
        pacman:copybutton) echo python-sphinx-copybutton ;;
        *:copybutton) echo python3-sphinx-copybutton ;;
        apt-get:chromedriver) echo chromium-driver ;;
        dnf:chromedriver) echo chromedriver ;;
        pacman:chromedriver) echo chromium ;;
        *) echo "$1" ;;
    esac
}

command_for() { # command_for NEED ... : the one line that installs them
    packages=$(for need; do package_of "$need"; done | tr ' ' '\n' | LC_ALL=C sort -u | paste -sd' ' -)
    sudo=$([ "$(id -u)" = 0 ] || echo 'sudo ')
    case $manager in
        apt-get) echo "${sudo}apt-get update && ${sudo}apt-get install -y" \
            "--no-install-recommends $packages" ;;
        dnf) echo "${sudo}dnf install -y $packages" ;;
        pacman) echo "${sudo}pacman -S --noconfirm $packages" ;;
        brew) echo "brew install $packages" ;;
        *) echo "your package manager, for: $packages" ;;
    esac
}

missing_of() { # missing_of TARGET ... : their needs that are not there
    for target; do needs_of "$target"; done | tr ' ' '\n' | awk '!seen[$0]++' |
        while read -r need; do
            [ -z "$need" ] || is_there "$need" >/dev/null || echo "$need"
        done | paste -sd' ' -
}

doctor() {
    for target in run test lens exercise report lint sanitize fuzz plots book book-pdf book-test step22; do
        for need in $(needs_of $target); do
            if where=$(is_there "$need"); then
                printf '%-9s %-29s found    %s\n' "$target" "$(title_of "$need")" \
                    "$(echo "$where" | head -n 1)" || exit
            else
                printf '%-9s %-29s missing  try: %s\n' "$target" "$(title_of "$need")" \
                    "$(command_for "$need")" || exit
            fi
        done
    done
    notes_on_place
    [ -z "$(missing_of run test)" ] || exit 2
}

BUILD=${BUILD:-build}
reason=$(unwritable "$BUILD")
[ -z "$reason" ] || fail "cannot write to the folder $BUILD: $reason" \
    "make it yours, make room there, or clone Lockstep elsewhere"

# Without such a folder PoCL finds no device, or compiles nothing, and another PoCL is no help.
reason=${POCL_CACHE_DIR:+$(unwritable "$POCL_CACHE_DIR")}
[ -z "$reason" ] || fail "cannot write to the folder $POCL_CACHE_DIR: $reason" \
    "PoCL keeps compiled kernels there: make room, or name another folder in POCL_CACHE_DIR"

[ "$1" = doctor ] && { search_homebrew; doctor; exit; }

# A lone quotation mark would be an error of the shell's, without a hint.
sh -nc ": $ARGS" 2>/dev/null || fail "the quotes or brackets in ARGS=$ARGS do not match" \
    "they hold words together, as in ARGS=\"--rung 'local tile'\""

# What was found once is not looked for again, unless a search would go elsewhere now.
seen=$BUILD/setup/$(echo "$*" | tr ' ' '-')
where=$(printf '%s\n' "$PATH" "$cc" "$OCL_ICD_VENDORS" "$LD_LIBRARY_PATH" "$PKG_CONFIG_PATH"
    command -v "${MPICC:-mpicc}"
    ls -l /etc/OpenCL/vendors 2>/dev/null)
[ "$where" = "$(cat "$seen" 2>/dev/null)" ] && exit
remember() {
    mkdir -p "$BUILD/setup" && printf '%s\n' "$where" >"$seen"
}

# The Makefile compiles and links with these.
keep_flags() {
    mkdir -p "$BUILD/setup" || return
    for kind in cflags libs; do
        { flags $kind OpenCL; flags $kind libpng; } | paste -sd' ' - | put "$BUILD/setup/$kind"
    done
}

search_homebrew
missing=$(missing_of "$@")
[ -z "$missing" ] && { keep_flags; remember; exit 0; }
# shellcheck disable=SC2086 # lists of words are meant
line=$(command_for $missing) titles=$(title_of $missing) asked=" $* "

# give_up PROBLEM [HINT] : what is missing does not come.  A report then only lacks its pictures.
give_up() {
    case $missing:$asked in
        *:*' plots '*) ;;
        gnuplot:*)
            printf 'note: %s: the report will have tables and no plots\n  hint    %s\n' "$1" "${2:-$line}" >&2
            keep_flags
            exit 0
            ;;
    esac
    fail "$1" "${2:-$line}"
}

if [ "$SETUP" = no ] || [ -z "$manager" ]; then
    give_up "missing: $titles"
elif [ "$(id -u)" != 0 ]; then
    { [ -t 0 ] && [ -t 2 ]; } || give_up "missing: $titles"
    printf 'Missing: %s.  This would bring it:\n\n    %s\n\n' "$titles" "$line" >&2
    printf 'Run it now? [y/N] ' >&2
    read -r answer
    case $answer in y* | Y*) ;; *) give_up "missing: $titles" ;; esac
fi
echo "setup: $line" >&2
DEBIAN_FRONTEND=noninteractive sh -c "$line" >&2 ||
    give_up "could not install: $titles" "is there a network?  If so, try again: $line"
# shellcheck disable=SC2046
titles=$(title_of $(missing_of "$@"))
[ -z "$titles" ] || {
    notes_on_place >&2
    fail "still missing: $titles" "does POCL_CACHE_DIR or HOME name a folder that can be written?"
}
keep_flags
