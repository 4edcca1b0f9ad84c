# twice.py FILE.cl KERNEL : what late.c does, by PyOpenCL, whose second run takes the kernel
# from a cache of binaries.
import sys
import pyopencl

context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, open(sys.argv[1]).read()).build()
flags = pyopencl.mem_flags.COPY_HOST_PTR
buffers = [pyopencl.Buffer(context, flags, hostbuf=bytes(256)) for _ in range(2)]
getattr(program, sys.argv[2])(queue, (64,), (64,), *buffers)
queue.finish()
