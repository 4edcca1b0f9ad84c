// Kernels that call kernels: from clang 21 on, each has a clone that others call.
kernel void one(global int *a) { a[get_global_id(0)] = 1; }
kernel void two(global int *a) {
    one(a);
    a[get_global_size(0) * get_global_id(1) + get_global_id(0)] = 2;
}
