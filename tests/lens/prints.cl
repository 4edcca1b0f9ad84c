// What kernels print, in OpenCL's formats.

kernel void talks(global int *x, float f) {
    int i = get_global_id(0);
    if (i == 3) {
        printf("item %d of %lu, %5.2f|%-6d|%06x|%c|%%|%#x|%hhd\n", i,
               get_global_size(0), f, -7, 255u, 'A', 16, 300);
        printf("%s %v4f %v2hlf %v2d %v8hhx %v3hd %.2v2lf %v2lu\n", "text",
               (float4)(1, 2, 3, 4), (float2)1.5f, (int2)(-1, 5),
               (uchar8)(1, 2, 3, 4, 255, 6, 7, 8), (short3)(-1, 2, 3),
               (double2)(0.25, 0.5), (ulong2)(1, 2));
        printf("%v16hld|%d %f", (int16)(i), 1.5f, 3);
    }
    x[i] = 1;
}

// A line from each work-item, in the order in which they come.
kernel void in_order(global int *x) {
    printf("%d\n", (int)get_global_id(0));
    x[get_global_id(0)] = 1;
}

kernel void floods(global int *x) {
    for (int i = 0; i < 10000; i++)
        printf("this line is printed again, and has %d characters\n", 51);
    x[get_global_id(0)] = 1;
}
