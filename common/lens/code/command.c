/* command: puts a command together word by word, and runs it. */
#define _GNU_SOURCE /* environ, syscall */
#include "command.h"
#include "base/memory.h"
#include "base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void command_add(struct command *command, const char *word) {
    *GROW(command->words, command->count) = strdup(word);
}

const char *next_word(const char *text, char word[MAX_WORD]) {
    static const char blanks[] = " \t\n";
    size_t length = 0;
    text += strspn(text, blanks);
    if (!*text)
        return NULL;
    for (bool quoted = false; *text && (quoted || !strchr(blanks, *text)); text++)
        if (*text == '"')
            quoted = !quoted;
        else if (length < MAX_WORD - 1)
            word[length++] = *text;
    word[length] = '\0';
    return text;
}

void command_add_words(struct command *command, const char *text) {
    char word[MAX_WORD];
    while ((text = next_word(text, word)))
        command_add(command, word);
}

void command_release(struct command *command) {
    while (command->count > 0)
        free(command->words[--command->count]);
    free(command->words);
    command->words = NULL;
}

/* Our environment without LD_PRELOAD, because the compiler needs no lens. */
static char **environment(void) {
    size_t count = 0;
    char **variables = NULL;
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "LD_PRELOAD=", 11) != 0)
            *GROW(variables, count) = *variable;
    *GROW(variables, count) = NULL;
    return variables;
}

/* Where the kernel can tell us when the command ends, a sign of life is given until
 * then. */
static void watch(pid_t child) {
    enum { HALF_A_SECOND = 500 };
    const bool is_all = progress_begin();
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0),
                         .events = POLLIN};
    while (end.fd >= 0 && poll(&end, 1, HALF_A_SECOND) <= 0)
        progress_compile();
    if (end.fd >= 0)
        close(end.fd);
    if (is_all)
        progress_end();
}

/* A program that ignores SIGCHLD has no children to wait for: then nothing is known of
 * the command's status, and its output has to show how it ended. */
static int wait_for(pid_t child, const char *log) {
    int status = -1;
    watch(child);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    FILE *out = WIFSIGNALED(status) ? fopen(log, "a") : NULL;
    if (out) {
        fprintf(out, "the command " COMMAND_CRASHED "%d\n", WTERMSIG(status));
        fclose(out);
    }
    return status == 0 ? 0 : -1;
}

int command_run(struct command *command, const char *log) {
    pid_t child;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    *GROW(command->words, command->count) = NULL;
    char **variables = environment();
    const int failure = posix_spawnp(&child, command->words[0], &actions, NULL,
                                     command->words, variables);
    free(variables);
    posix_spawn_file_actions_destroy(&actions);
    command_release(command);
    return failure ? failure : wait_for(child, log);
}
