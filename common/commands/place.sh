# place.sh, read by setup.sh: what is special about the computer where we are, as far as it
# decides which devices OpenCL can show.  Elsewhere nothing is printed.
# shellcheck shell=sh disable=SC2154 # manager is set by setup.sh

notes_on_place() {
    case $(uname -s):$(uname -r) in
        Darwin:*)
            note 'on macOS the programs of the steps may run, but the lens does not' \
                'for the lens, and for check, use a container: docs/platforms.md says how'
            ;;
        *[Mm]icrosoft*)
            note 'WSL never shows an NVIDIA GPU to OpenCL; PoCL works, and an Intel GPU may' \
                'counts and exercises need no GPU; for times of an NVIDIA GPU start Linux itself'
            ;;
    esac
    [ "$(uname -s)" = Darwin ] || [ -d /sys/devices/system/cpu ] ||
        note 'there is no /sys, without which PoCL has no device' \
            'docker and podman mount it by themselves; for another root: mount --rbind /sys ROOT/sys'
    note_on_homebrew
    note_on_gpu
    note_on_cpu
}

note() { # note FACT HINT
    printf 'note: %s\n  hint    %s\n' "$1" "$2"
}

note_on_homebrew() {
    [ "$manager" = brew ] || return
    { is_there headers && is_there loader; } >/dev/null ||
        note "Homebrew's OpenCL is not where compilers look for it (keg-only), so pkg-config has to find it" \
            "if it is elsewhere, name the folders of OpenCL.pc and OpenCL-Headers.pc in PKG_CONFIG_PATH"
}

# GPUs that only Mesa shows, and only if it is asked to.
note_on_gpu() {
    [ -z "$RUSTICL_ENABLE" ] || return
    if grep -qs 'Raspberry Pi' /sys/firmware/devicetree/base/model; then
        note "this is a Raspberry Pi, whose GPU only Mesa's driver shows to OpenCL, if it is asked to" \
            'apt-get install mesa-opencl-icd, then: export RUSTICL_ENABLE=v3d'
    elif grep -qsx 0x8086 /sys/class/drm/card*/device/vendor && has_no_intel_driver; then
        note 'there is an Intel GPU here, but this system has no package intel-opencl-icd' \
            'apt-get install mesa-opencl-icd, then: export RUSTICL_ENABLE=iris'
    fi
}

has_no_intel_driver() {
    ! ls /etc/OpenCL/vendors/intel*.icd >/dev/null 2>&1 &&
        apt-cache policy mesa-opencl-icd | grep -q 'Candidate: [0-9]' &&
        ! apt-cache policy intel-opencl-icd | grep -q 'Candidate: [0-9]'
} 2>/dev/null

# Each PoCL knows the CPUs that its LLVM knew; on others it shows a device that compiles nothing.
note_on_cpu() {
    build_logs | grep -q 'unknown target CPU' || return
    note 'this PoCL does not know this CPU, and so cannot compile any kernel' \
        "Ubuntu 22.04's PoCL is too old for many CPUs: use Ubuntu 24.04, or Debian 12 or newer"
}

# build_logs: what the devices' compilers say of an empty kernel that they cannot compile.
build_logs() {
    compile OpenCL <<'END' && "$scratch/program"
#include <CL/cl.h>
#include <stdio.h>
static void build(cl_device_id device) {
    const char *text = "kernel void nothing(void) {}";
    char log[4096] = "";
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) == 0)
        return;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    puts(log);
}
int main(void) {
    cl_platform_id platforms[64];
    cl_device_id devices[64];
    cl_uint count = 0, here;
    clGetPlatformIDs(64, platforms, &count);
    for (cl_uint i = 0; i < count && i < 64; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 64, devices, &here) == 0)
            for (cl_uint k = 0; k < here && k < 64; k++)
                build(devices[k]);
    return 0;
}
END
} 2>&1
