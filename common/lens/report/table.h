/* table: a line for each launch that matters, and a picture. */
#ifndef TABLE_H
#define TABLE_H

/* Prints the table, the picture of what teaches most, and what is left out. */
void table_print(void);

#endif
