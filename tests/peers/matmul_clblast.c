/* CLBlast, on the device that $DEVICE means. */
#include "matmul.h"

#include "buffer.h"
#include "check.h"

#include <clblast_c.h>
#include <stdlib.h>

static struct {
    size_t m, n, k;
    struct device device;
    cl_mem a, b, c;
} peer;

const char *peer_name(void) {
    return "CLBlast";
}

void peer_open(unsigned m, unsigned n, unsigned k, const float *a, const float *b) {
    peer.m = m;
    peer.n = n;
    peer.k = k;
    peer.device = device_open(getenv("DEVICE"));
    peer.a = buffer_from(&peer.device, a, peer.m * k * sizeof *a);
    peer.b = buffer_from(&peer.device, b, peer.k * n * sizeof *b);
    peer.c = buffer_new(&peer.device, peer.m * n * sizeof(float));
}

void peer_multiply(unsigned times) {
    for (unsigned i = 0; i < times; i++)
        if (CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo,
                         peer.m, peer.n, peer.k, 1.0f, peer.a, 0, peer.k, peer.b, 0,
                         peer.n, 0.0f, peer.c, 0, peer.n, &peer.device.queue,
                         NULL) != CLBlastSuccess)
            die("CLBlast does not multiply here" HINT "run step 18 without it");
    CHECK(clFinish(peer.device.queue));
}

void peer_read(float *c) {
    buffer_read(&peer.device, peer.c, c, peer.m * peer.n * sizeof *c);
}

void peer_close(void) {
    device_close(&peer.device);
}
