/* fizzbuzz FIRST COUNT : the lines FIRST, FIRST + 1 ..., one after the other, on
 * stdout.
 *
 * It has nothing in common with the steps' way: no division by 10, no table and no
 * closed form.  A number is a row of characters that counts up like an odometer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 32 };

/* Counts up the digits that end at `end`; returns where they begin. */
static char *count_up(char *begin, char *end) {
    char *digit = end - 1;
    while (digit >= begin && *digit == '9')
        *digit-- = '0';
    if (digit < begin)
        *--begin = '0', digit = begin;
    ++*digit;
    return begin;
}

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    char number[ROOM];
    if (argc != 3)
        return fputs("usage: fizzbuzz FIRST COUNT\n", stderr), 2;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    long long count = atoll(argv[2]);
    int three = (int)(atoll(argv[1]) % 3), five = (int)(atoll(argv[1]) % 5);
    const size_t length = strlen(argv[1]);
    char *const end = number + ROOM - 1;
    char *begin = memcpy(end - length, argv[1], length);
    *end = '\n';
    while (count-- > 0) {
        if (three == 0)
            fwrite("Fizz", 1, 4, stdout);
        if (five == 0)
            fwrite("Buzz", 1, 4, stdout);
        if (three && five)
            fwrite(begin, 1, (size_t)(end + 1 - begin), stdout);
        else
            putchar('\n');
        begin = count_up(begin, end);
        three = three == 2 ? 0 : three + 1;
        five = five == 4 ? 0 : five + 1;
    }
    return fflush(stdout) != 0;
}
