/* table: a line for each launch that matters, and the worst access of all of them. */
#ifndef TABLE_H
#define TABLE_H

/* Prints the table, the picture of the worst access, and what is left out. */
void table_print(void);

#endif
