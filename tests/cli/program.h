/*
 * The program as a user runs it, and what it says:
 *
 *     shell("cp corpus/captures/jumps-f0.picacap @/a.picacap");
 *     EXPECT_RUN("PICAFUZZ_FAULT=scribble triage -b reference,@broken @", 3, "wrote over memory");
 *     EXPECT_LACKS("unknown");
 *     cr_expect_eq(files_in("found", ".pcase"), 1);
 *
 * Everything runs in the source directory. "@" is a directory of the running test's own, empty when it begins; "@name"
 * a plug-in, lib/name_backend.so or lib/name.so.
 */
#ifndef TESTS_CLI_PROGRAM_H
#define TESTS_CLI_PROGRAM_H

#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

extern struct command_result result; /* of the last program that was run */

/* Words for the functions below, printf style; they last until the eighth call from now. */
const char *words_of(const char *format, ...);

/* picafuzz with words of shell. Variables, A=b, may stand before them. */
void run(const char *words);
/* A line of shell, in which `picafuzz` is the program; with `shell` it must exit with 0. */
void run_shell(const char *line);
void shell(const char *line);

/* The same with run, an exit code, and what has to be in the output: one part or more ("" if it is all the same). */
bool runs(const char *words, int exit_code, const char *const *parts);
bool ended(int exit_code, const char *const *parts);
bool says(const char *const *parts);
bool lacks(const char *part);
extern char complaint[]; /* why one of them is false */
#define PARTS(...)                        ((const char *const[]){ __VA_ARGS__, NULL })
#define EXPECT_RUN(words, exit_code, ...) cr_expect(runs(words, exit_code, PARTS(__VA_ARGS__)), "%s", complaint)
/* Of what was run last. */
#define EXPECT_END(exit_code, ...) cr_expect(ended(exit_code, PARTS(__VA_ARGS__)), "%s", complaint)
#define EXPECT_SAID(...)           cr_expect(says(PARTS(__VA_ARGS__)), "%s", complaint)
#define EXPECT_LACKS(part)         cr_expect(lacks(part), "%s", complaint)
size_t times_said(const char *part);
/* Of a file in the test's directory; its text lasts until the next one. */
const char *text_of(const char *name);
bool file_says(const char *name, const char *const *parts);
#define EXPECT_FILE(name, ...) cr_expect(file_says(name, PARTS(__VA_ARGS__)), "%s", complaint)

/* "@", and a path below it. The path lasts until the eighth call from now. */
const char *test_directory(void);
const char *path_in(const char *name);
void empty_test_directory(void);
size_t files_in(const char *name, const char *part); /* as count_files */
void write_in(const char *name, const char *text);

#endif
