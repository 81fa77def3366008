#include "tests/cli/lasting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct command_result result;
char directory[1024];

void shell(const char *format, const char *argument)
{
    char line[4096];
    (void)snprintf(line, sizeof line, format, argument, argument, argument);
    run_command(&result, line);
}

void begin(const char *name)
{
    fresh_directory(directory, sizeof directory, name);
    shell("cd '%s' && mkdir -p builds/fuzz/bin builds/asan/bin && for name in fuzz/bin/fuzz_pair asan/bin/fuzz_pair "
          "fuzz/bin/fuzz_invariant asan/bin/fuzz_text; do cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/lasting_target.sh' builds/$name; cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/target_options.sh' builds/${name%%/*}; done",
          directory);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

void build_afl(void)
{
    shell("cd '%s/builds' && mkdir -p afl/bin afl/lib && : >afl/lib/mutator_afl.so && cp '" PICAFUZZ_SOURCE_DIR
          "/tests/cli/fake/target_afl' afl/bin/fuzz_pair_afl",
          directory);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

void add_inputs(const char *corpus, unsigned count, unsigned size)
{
    char line[4096];
    (void)snprintf(line, sizeof line,
                   "mkdir -p '%s/night/%s' && cd '%s/night/%s' && for k in $(seq %u); do head -c %u /dev/zero | tr "
                   "'\\0' $k >file && mv file $(sha1sum <file | cut -d' ' -f1); done",
                   directory, corpus, directory, corpus, count, size);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s", result.output);
}

void campaign(const char *environment, const char *options)
{
    char line[8192], variables[8192];
    (void)snprintf(line, sizeof line, "fuzz --campaign '%s/night' --builds '%s/builds' --reduce-seconds 1 %s",
                   directory, directory, options);
    (void)snprintf(variables, sizeof variables, "TURNS='%s/turns' %s", directory, environment);
    run_picafuzz(&result, variables, line);
}

#define CLOCK "LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so' PICAFUZZ_CLOCK="

void quick_campaign(const char *environment, const char *options)
{
    char variables[4096];
    (void)snprintf(variables, sizeof variables, CLOCK "'%s/clock' HASTE=1 %s", directory, environment);
    shell(": >'%s/clock'", directory);
    campaign(variables, options);
}

void campaign_beside(const char *environment, const char *options, const char *script)
{
    char line[8192];
    (void)snprintf(line, sizeof line,
                   "cd '%s' && : >clock && . '" PICAFUZZ_SOURCE_DIR
                   "/tests/cli/lasting.sh' && export PICAFUZZ_CLOCK=\"$PWD/clock\" && { TURNS=turns "
                   "LD_PRELOAD='" PICAFUZZ_BINARY_DIR "/lib/count_fsync.so' %s '" PICAFUZZ_BINARY_DIR
                   "/bin/picafuzz' fuzz --campaign night --builds builds %s >said 2>&1 & } && p=$! && %s",
                   directory, environment, options, script);
    run_command(&result, line);
}

void read_file(const char *name)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    shell("cat '%s'", path);
}

unsigned count_lines(const char *begin_of_line)
{
    unsigned count = 0;
    for (const char *line = result.output; line != NULL;) {
        count += strncmp(line, begin_of_line, strlen(begin_of_line)) == 0;
        line = strchr(line, '\n');
        if (line != NULL)
            line++;
    }
    return count;
}
