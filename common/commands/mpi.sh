#!/bin/sh
# mpi.sh compile | link : prints what a compiler needs to compile a program that uses Open MPI,
# or to link it, and nothing where there is none.  Open MPI's compiler wrapper, mpicc, knows;
# MPICC=... names another one.

mpicc=${MPICC:-mpicc}
. common/commands/files.sh
make_scratch
printf '#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n' > "$scratch/program.c"
"$mpicc" "$scratch/program.c" -o "$scratch/program" 2> /dev/null || exit 0 # no headers, perhaps
flags=$("$mpicc" --showme:"$1" 2> /dev/null) || exit 0                      # another MPI's mpicc
[ "$1" = link ] || flags="-DWITH_MPI $flags"
echo "$flags"
