/* table: a line for each launch that matters, and a picture. */
#ifndef TABLE_H
#define TABLE_H

/* Prints the table, the picture of what teaches most, and what is left out. */
void table_print(void);

/* Prints the table alone, with all launches in their order, below the names of their
 * files. */
void table_print_checked(void);

#endif
