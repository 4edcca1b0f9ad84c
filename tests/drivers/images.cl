// right   0 0 0 0 0 0 0 0
// faulty  PoCL 7.1
//
// Built with -cl-std=CL1.2, and a device with images: OpenCL C 1.2 has these functions.
// These drivers do not declare them, unless __opencl_c_images is defined.
#ifdef __IMAGE_SUPPORT__
kernel void is_compiled(read_only image2d_t image, global float4 *out) {
    out[0] = read_imagef(image, (int2)(1, 2));
}
#endif
kernel void shows(global int *out) {
    if (get_global_id(0) < 8)
        out[get_global_id(0)] = 0;
}
