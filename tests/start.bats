load helper.bash

# Starting on other systems: what .devcontainer/, Containerfile and .github/ type, where libraries
# are found, and what `make doctor` says of the place.  tests/fresh-machine.sh types it for real.

# commands FILE[:JOB] : what it types on a bare system.
commands() {
    sh "$ROOT/tests/start_commands.sh" "$ROOT/$1"
}

@test "start: containers and the workflow type README's commands, after what images lack" {
    local readme
    readme=$(commands README.md)
    [ "$readme" = $'apt-get install -y make\nmake run\nmake test' ]
    [ "$(commands .github/workflows/check.yml:check)" = $'apt-get update\n'"$readme" ]
    readme=$(head -n 2 <<< "$readme")
    [ "$(commands .devcontainer/devcontainer.json)" = $'apt-get update\napt-get install -y git\n'"$readme" ]
}

@test "start: the workflow makes the book as README says, and keeps the folder that make has written" {
    cd "$ROOT"
    [ "$(commands .github/workflows/check.yml:book)" = $'apt-get update\napt-get install -y make\nmake book' ]
    grep -qw 'make book' README.md
    make help | grep '^  book .*: build/book/index.html'
    grep -qx ' *path: build/book' .github/workflows/check.yml
}

@test "start: the image of a room is made as its laptops are, and no measurement stays in it" {
    run -0 commands Containerfile
    [ "$output" = $'apt-get update\n'"$(commands docs/workshop.md)"$'\nrm -r build/limits' ]
    [ "$(grep -c '^apt-get install' <<< "$output")" -eq 1 ] # of packages it names make alone
    run -0 grep -x 'build\|work\|\.git' "$ROOT/.dockerignore"
    [ "${#lines[@]}" -eq 3 ]
}

@test "start: the workflow may only read, and each action is named by its commit" {
    cd "$ROOT/.github/workflows"
    local file line
    for file in *.yml; do
        [ "$(sed -n '/^permissions:/,/^[^ ]/p' "$file")" = $'permissions:\n  contents: read\njobs:' ]
        run ! grep -E 'secrets|write|pull_request_target' "$file"
        while read -r line; do
            [[ $line =~ ^actions/[a-z-]+@[0-9a-f]{40}$ ]] || { echo "$file: $line"; return 1; }
        done < <(sed -n 's/^ *\(- \)\{0,1\}uses: //p' "$file")
    done
    command -v yamllint > /dev/null || skip "no yamllint"
    run -0 yamllint --strict .
}

@test "start: the container of an editor is valid JSON, on the Debian of the image" {
    run -0 python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["image"])' \
        "$ROOT/.devcontainer/devcontainer.json"
    grep -qx "FROM docker.io/library/$output" "$ROOT/Containerfile"
}

# without TOOL ... : from here on, the other programs of this machine are there, and these are not.
without() {
    local folder tool
    mkdir -p "$BATS_TEST_TMPDIR/tools"
    for folder in /usr/local/bin /usr/bin /bin; do
        ln -sf "$folder"/* "$BATS_TEST_TMPDIR/tools"
    done
    for tool; do
        rm -f "$BATS_TEST_TMPDIR/tools/$tool"
    done
    PATH=$BATS_TEST_TMPDIR/tools
}

# fake TOOL COMMANDS : a program that does this in place of the machine's own.
fake() {
    mkdir -p "$BATS_TEST_TMPDIR/fake"
    printf '#!/bin/sh\n%s\n' "$2" > "$BATS_TEST_TMPDIR/fake/$1"
    chmod +x "$BATS_TEST_TMPDIR/fake/$1"
    PATH=$BATS_TEST_TMPDIR/fake:$PATH
}

# opencl_apart FOLDER : OpenCL's headers, and its loader under another name, where only pkg-config
# finds them.
opencl_apart() {
    local loader headers
    loader=$(ldd "$BUILT/step03_dot_coalesced" | sed -n 's/.*libOpenCL.* => \(.*\) (.*/\1/p')
    headers=$(sed -n 's/.* found  *\(.*\/CL\)\/cl.h/\1/p' <<< "$(sh common/commands/setup.sh doctor)")
    mkdir -p "$1/include" "$1/lib"
    cp -rL "$headers" "$1/include"
    cp "$loader" "$1/lib/libOpenCL_apart.so"
    printf 'Name: OpenCL\nDescription: apart\nVersion: 3\nCflags: -I%s/include\nLibs: -L%s/lib -lOpenCL_apart\n' \
        "${1// /\\ }" "${1// /\\ }" > "$1/OpenCL.pc"
}

@test "start: pkg-config is asked where OpenCL is, and a blank in a folder's name is no end of it" {
    command -v pkg-config > /dev/null || skip "no pkg-config"
    cd "$ROOT"
    export SETUP=no BUILD=$BATS_TEST_TMPDIR/build CFLAGS=-O0
    local apart="$BATS_TEST_TMPDIR/a part"
    opencl_apart "$apart"
    export PKG_CONFIG_PATH=$apart
    run -0 make doctor
    [[ $output == *" $apart/include/CL/cl.h"$'\n'* && $output == *'lib -lOpenCL_apart'* ]]
    run -0 make -s "$BUILD/common/compare.o"
    for kind in cflags libs; do # make takes them as the set-up has found them
        grep -F "${apart// /\\ }/" "$BUILD/setup/$kind"
        grep -F -e "$(< "$BUILD/setup/$kind")" "$BUILD/flags"
    done
    fake pkg-config 'exit 1' # or there is none
    unset PKG_CONFIG_PATH
    run -0 make -s step03
    [ "$(< "$BUILD/setup/libs")" = '-lOpenCL -lpng' ]
    run ! grep '[^ ]' "$BUILD/setup/cflags"
}

@test "start: Homebrew's OpenCL is found where Homebrew keeps it, and doctor says so if it is not" {
    command -v pkg-config > /dev/null || skip "no pkg-config"
    cd "$ROOT"
    local opt=$BATS_TEST_TMPDIR/brew/opt
    opencl_apart "$opt/opencl-icd-loader"
    plain
    without apt-get dnf pacman
    fake brew "[ \"\$*\" = --prefix ] && echo '$BATS_TEST_TMPDIR/brew'"
    mkdir "$opt/opencl-icd-loader/lib/pkgconfig"
    mv "$opt/opencl-icd-loader/OpenCL.pc" "$opt/opencl-icd-loader/lib/pkgconfig"
    run -0 make doctor
    [[ $output == *'lib -lOpenCL_apart'* && $output != *Homebrew* ]]
    rm "$opt/opencl-icd-loader/lib/libOpenCL_apart.so"
    run -2 make doctor
    [[ $output == *"the OpenCL loader (libOpenCL) missing  try: brew install opencl-icd-loader pkgconf"* ]]
    [[ $output == *$'\n'"note: Homebrew's OpenCL is not where"*$'\n'"  hint "*" in PKG_CONFIG_PATH"* ]]
}

# kernel NAME RELEASE : from here on, this is the kernel.
kernel() {
    fake uname "case \$1 in -s) echo $1 ;; -r) echo $2 ;; *) exec /usr/bin/uname \"\$@\" ;; esac"
}

# plain : nothing is special about this place, though there may be.
plain() {
    kernel Linux 6.1.0-37-amd64
    export RUSTICL_ENABLE=none
}

# doctor_notes [NOTE HINT] : the only thing that doctor says about the place is this, or it says nothing.
doctor_notes() {
    run make -C "$ROOT" doctor
    echo "$output"
    [ "$(grep -c '^note: ' <<< "$output")" -eq $(($# / 2)) ]
    [ $# = 0 ] || [[ $output == *$'\n'"note: "*"$1"*$'\n'"  hint    "*"$2"* ]]
}

@test "doctor: WSL and macOS are known by their kernels, and other kernels are not mentioned" {
    plain
    doctor_notes
    kernel Linux 5.15.167.4-microsoft-standard-WSL2
    doctor_notes 'WSL never shows an NVIDIA GPU' 'need no GPU'
    kernel Linux 4.4.0-19041-Microsoft
    doctor_notes 'WSL never shows an NVIDIA GPU' 'need no GPU'
    kernel Darwin 24.1.0
    doctor_notes 'the lens does not' 'use a container: docs/platforms.md'
}

# with_sys FOLDER COMMAND ... : the command, with this folder as /sys.  As with with_disk, a test
# begins with `with_sys . true`.
with_sys() {
    local apart=(unshare --mount)
    [ "$(id -u)" = 0 ] || apart+=(--map-root-user)
    # shellcheck disable=SC2016 # the words of the inner shell (sh would lose functions)
    apart+=(bash -c 'mount --bind "$0" /sys || exit 99; "$@"' "$1")
    "${apart[@]}" true 2> /dev/null || skip "no folder can be mounted here"
    "${apart[@]}" "${@:2}"
}

@test "doctor: without /sys PoCL has no device, and how to get it is said" {
    plain
    with_sys . true
    mkdir "$BATS_TEST_TMPDIR/sys"
    run with_sys "$BATS_TEST_TMPDIR/sys" make -C "$ROOT" doctor
    [[ $output == *$'\n'"note: there is no /sys, without which PoCL has no device"$'\n'"  hint "*"mount --rbind /sys"* ]]
    [ "$(grep -c '^note: ' <<< "$output")" -eq 1 ]
    [[ $output != *Aborted* && $output != *'Not enough memory'* ]]
}

@test "doctor: a GPU that only Mesa shows is named, once nothing else shows it" {
    local sys=$BATS_TEST_TMPDIR/sys
    mkdir -p "$sys/devices/system/cpu" "$sys/class/drm/card1/device"
    plain
    unset RUSTICL_ENABLE
    with_sys "$sys" true
    noted() { # noted TEXT : doctor's only note has this; without TEXT there is none
        run with_sys "$sys" make -C "$ROOT" doctor
        echo "$output"
        [ "$(grep -c '^note: ' <<< "$output")" -eq $# ] && [[ $output == *"$1"* ]]
    }
    # shellcheck disable=SC2016 # the fake's words
    fake apt-cache 'case $2 in mesa*) echo "  Candidate: 25.0.7-2" ;; *) [ -z "$INTEL" ] || echo "  Candidate: 23" ;; esac'
    [ ! -e /etc/OpenCL/vendors/intel.icd ] || skip "Intel's driver is installed here"
    echo 0x1002 > "$sys/class/drm/card1/device/vendor"
    noted
    echo 0x8086 > "$sys/class/drm/card1/device/vendor"
    noted 'no package intel-opencl-icd'$'\n''  hint    apt-get install mesa-opencl-icd, then: export RUSTICL_ENABLE=iris'
    INTEL=1 noted
    RUSTICL_ENABLE=iris noted
    mkdir -p "$sys/firmware/devicetree/base"
    printf 'Raspberry Pi 5 Model B Rev 1.0\0' > "$sys/firmware/devicetree/base/model"
    noted 'export RUSTICL_ENABLE=v3d'
    RUSTICL_ENABLE=v3d noted
}

@test "doctor: a PoCL that does not know the CPU is found by an empty kernel" {
    printf '%s\n' '#include <CL/cl.h>' '#include <string.h>' \
        'cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,' \
        '    void (*f)(cl_program, void *), void *u) {' \
        '    return CL_BUILD_PROGRAM_FAILURE; }' \
        'cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info i, size_t n,' \
        '    void *to, size_t *bytes) {' \
        "    strcpy(to, \"error: unknown target CPU 'generic'\");" \
        '    return 0; }' > "$BATS_TEST_TMPDIR/old.c"
    "${CC:-cc}" -DCL_TARGET_OPENCL_VERSION=120 -shared -fPIC -o "$BATS_TEST_TMPDIR/old.so" "$BATS_TEST_TMPDIR/old.c"
    plain
    LD_PRELOAD=$BATS_TEST_TMPDIR/old.so doctor_notes 'does not know this CPU' 'Ubuntu 24.04'
}

@test "start: cllens is built without any device, and without what steps alone need" {
    cd "$ROOT"
    export SETUP=no BUILD=$BATS_TEST_TMPDIR/build OCL_ICD_VENDORS=/nonexistent
    run -0 make -n install
    [[ $output == *'setup.sh install'* ]]
    run -0 sh common/commands/setup.sh install
    [ -e "$BUILD/setup/libs" ]
    fake cc 'exit 1'
    says 2 'missing: a C compiler, the OpenCL headers (CL/cl.h), the OpenCL loader (libOpenCL)' \
        sh common/commands/setup.sh install
}

@test "start: what cannot be installed, as without a network, is named, and so is the command" {
    cd "$ROOT"
    export SETUP='' BUILD=$BATS_TEST_TMPDIR/build OCL_ICD_VENDORS=/nonexistent
    fake id 'echo 0'
    fake apt-get 'echo "E: no network" >&2; exit 100'
    without sudo dnf pacman brew
    PATH=$BATS_TEST_TMPDIR/fake:$PATH
    says 2 'error: could not install: an OpenCL device' make -s step03 run
    [[ $stderr == *$'\n  hint    is there a network?  If so, try again: apt-get update && apt-get install '* ]]
    [ ! -e "$BUILD/setup/libs" ]
}

@test "start: no HOME, or one that cannot be written, is no obstacle" {
    cd "$ROOT"
    local file=$BATS_TEST_TMPDIR/file
    : > "$file"
    for home in HOME= "HOME=$file/home"; do
        run -0 env "$home" make -s step03 run 'ARGS=--size 1000 --repeats 1'
        run -0 env "$home" make -s step03 lens 'ARGS=--size 1000 --repeats 1'
    done
    run -0 env -u HOME make -s step03 run 'ARGS=--size 1000 --repeats 1'
    [[ $output == *step03_dot_coalesced* ]]
}
