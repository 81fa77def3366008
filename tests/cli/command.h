/* Runs the built programs as a user would. */
#ifndef TESTS_CLI_COMMAND_H
#define TESTS_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct command_result {
    int exit_code;        /* -1 if a signal ended it */
    char output[1 << 16]; /* stdout and stderr together, cut */
};

/* A line of shell; exit code -1 also if it is too long or cannot be started. */
void run_command(struct command_result *result, const char *line);

/* picafuzz in the source directory. `arguments` is a shell word list that follows the program's name; `environment`
 * stands before it ("A=b"), or "". */
void run_picafuzz(struct command_result *result, const char *environment, const char *arguments);

/* The same, in whose arguments "@" is the directory. */
void run_picafuzz_in(struct command_result *result, const char *directory, const char *arguments);

/* Writes a file; false: it cannot be written. */
bool write_bytes(const char *directory, const char *name, const void *bytes, size_t size);

/* A fresh empty directory for this test; never removed, lies below the build directory. */
void fresh_directory(char *path, size_t size, const char *name);

bool file_exists(const char *path);

/* Number of files in the directory whose names contain `part`. */
size_t count_files(const char *directory, const char *part);

/* The number of a process that has ended, and of no other for a while; -1 if none can be started. */
pid_t ended_process(void);

#endif
