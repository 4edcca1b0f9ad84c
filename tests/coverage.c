/* In the build of `make coverage`: what was reached is written at exit(), which these
 * skip.  It lies in the libraries of common/ and of the lens, so that it is found from
 * any folder in which a test links them. */
_Noreturn void __real__Exit(int status);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap__exit(int status);
void __gcov_dump(void);

void __wrap__Exit(int status) {
    __gcov_dump();
    __real__Exit(status);
}

void __wrap__exit(int status) {
    __gcov_dump();
    __real__exit(status);
}
