/* types: reads one line of LLVM's metadata. */
#include "types.h"
#include "base/starts.h"
#include "code/llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool type_is(const char *type, const char *tag) {
    static const char mark[] = "tag: DW_TAG_";
    const char *found = strstr(type, mark);
    return found && starts(found + strlen(mark), tag);
}

const char *type_of_number(const char *type) {
    static const char *const names[][9] = {
        {NULL, "char", "short", NULL, "int", NULL, NULL, NULL, "long"},
        {NULL, "uchar", "ushort", NULL, "uint", NULL, NULL, NULL, "ulong"},
        {NULL, NULL, "half", NULL, "float", NULL, NULL, NULL, "double"}};
    const size_t bytes = llvm_number(type, "size: ", 0) / 8;
    const bool is_signed = strstr(type, "encoding: DW_ATE_signed") != NULL,
               is_real = strstr(type, "encoding: DW_ATE_float") != NULL;
    return bytes > 8 ? NULL : names[is_real ? 2 : !is_signed][bytes];
}

bool type_copy_name(char *copy, size_t room, const char *type) {
    static const char mark[] = "name: \"";
    const char *begin = strstr(type, mark);
    if (!begin)
        return false;
    begin += strlen(mark);
    char *name = llvm_name(begin, strcspn(begin, "\""));
    snprintf(copy, room, "%s", name);
    free(name);
    return true;
}
