/* sarif: all findings in the format that tools which show findings read (SARIF 2.1.0).
 */
#ifndef SARIF_H
#define SARIF_H

#include <stdio.h>

/* Writes what findings.h keeps, after judging_end(). */
void sarif_write(FILE *out);

#endif
