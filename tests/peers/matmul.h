/* What a peer of step 18 exports: somebody else's product C = A B, in a shared library
 * of its own.  Matrices are row after row; A is m x k, B is k x n. */
#ifndef MATMUL_H
#define MATMUL_H

const char *peer_name(void);

/* Copies A and B to where the peer wants them. */
void peer_open(unsigned m, unsigned n, unsigned k, const float *a, const float *b);

/* So many products, one after the other; returns when all are complete. */
void peer_multiply(unsigned times);

/* Copies C, m x n, to the host. */
void peer_read(float *c);

void peer_close(void);

#endif
