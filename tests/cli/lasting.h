/* Campaigns (`picafuzz fuzz --campaign`) with targets that are scripts: lasting_target.sh does what FAKE says. */
#ifndef TESTS_CLI_LASTING_H
#define TESTS_CLI_LASTING_H

#include "tests/cli/command.h"

/* Of the last command. */
extern struct command_result result;
/* This test's own. */
extern char directory[1024];

/* Environment: tests/cli/fake/afl-fuzz instead of AFL++'s. */
#define FAKE_AFL "PATH=\"$PWD/tests/cli/fake:$PATH\""

/* Makes the directory, with builds whose targets are all lasting_target.sh. `name` is one that no other test has. */
void begin(const char *name);

/* Adds targets of AFL++ to the builds, and its mutator. */
void build_afl(void);

/* Adds to night/`corpus` inputs of `size` bytes, which an engine could have found: `count` of them, 9 at most, that
 * consist of the digits 1, 2, ... each. */
void add_inputs(const char *corpus, unsigned count, unsigned size);

/* A line of shell in which each "%s", three at most, is `argument`. */
void shell(const char *format, const char *argument);

/* A campaign in `night` of the directory. What the targets did is in `turns` there. */
void campaign(const char *environment, const char *options);

/* The same, and a target that is to run for so many seconds lets them pass at once. */
void quick_campaign(const char *environment, const char *options);

/* The same beside a script, which begins when the campaign does, in the directory, and can use lasting.sh. What the
 * campaign says is in `said`; the script waits for its end ("wait $p") or kills it. */
void campaign_beside(const char *environment, const char *options, const char *script);

/* What a file of the directory holds, in result.output. */
void read_file(const char *name);

/* Number of lines of result.output that begin so. */
unsigned count_lines(const char *begin_of_line);

#endif
