/* Every target takes its own seeds, and files that are nothing, without a word: engines link the same functions. */
#include "harness/run/pair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {
    "pair",
    "metamorphic",
    "invariant",
    "console_gates",
    "text",
    "importers",
    "shader",
    "registers",
    "quirks",
    "reduction",
    "triage_index",
    "bucket_record",
    "coverage_level",
    "hunt_state",
    "console_payload",
    "console_journal",
    "console_results",
    "screenshots",
    "recording",
    "vectors",
};

/* What it printed, and its exit code. */
static int replay(const char *name, const char *files, char *said, size_t size)
{
    char command[4096];
    (void)snprintf(command, sizeof command, "%s/bin/replay_%s %s 2>&1", PICAFUZZ_BINARY_DIR, name, files);
    FILE *const pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    said[fread(said, 1, size - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    (void)fclose(file);
}

static void write_noise(const char *path)
{
    char noise[600];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * i * 7u + (i >> 3) + 5u);
    write_file(path, noise, sizeof noise);
}

Test(replay, every_target_takes_nothing_and_noise)
{
    char said[512];
    write_file(PICAFUZZ_BINARY_DIR "/replay.empty", "", 0);
    write_noise(PICAFUZZ_BINARY_DIR "/replay.noise");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_expect_eq(replay(names[i], PICAFUZZ_BINARY_DIR "/replay.empty " PICAFUZZ_BINARY_DIR "/replay.noise", said,
                            sizeof said),
                     0, "replay_%s: %s", names[i], said);
}

Test(replay, every_target_of_a_file_takes_its_seeds)
{
    static const char *const seeded[] = { "registers",  "reduction", "triage_index",    "bucket_record",
                                          "hunt_state", "shader",    "console_journal", "importers" };
    char files[512], said[512];
    for (size_t i = 0; i < sizeof seeded / sizeof seeded[0]; i++) {
        (void)snprintf(files, sizeof files, "%s/harness/targets/seeds/%s/*", PICAFUZZ_SOURCE_DIR, seeded[i]);
        cr_expect_eq(replay(seeded[i], files, said, sizeof said), 0, "replay_%s: %s", seeded[i], said);
        cr_expect_not_null(strstr(said, "file(s) replayed"), "replay_%s: %s", seeded[i], said);
    }
}

/* fuzz_NAME.options, as ClusterFuzz and OSS-Fuzz read it: libFuzzer's own limit would be 4096 bytes. */
Test(replay, options_have_our_limits_and_name_the_dictionary_if_there_is_one)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512], wanted[512], options[512] = "";
        int length = snprintf(wanted, sizeof wanted,
                              "[libfuzzer]\nmax_len = %d\ntimeout = %d\nrss_limit_mb = %d\nentropic = 0\n",
                              HARNESS_MAX_INPUT, HARNESS_INPUT_TIMEOUT, HARNESS_INPUT_MEMORY);
        (void)snprintf(path, sizeof path, "%s/harness/targets/files/%s.dict", PICAFUZZ_SOURCE_DIR, names[i]);
        const bool has_words = access(path, R_OK) == 0;
        if (has_words)
            (void)snprintf(wanted + length, sizeof wanted - (size_t)length, "dict = fuzz_%s.dict\n", names[i]);
        (void)snprintf(path, sizeof path, "%s/fuzz_%s.dict", PICAFUZZ_BINARY_DIR, names[i]);
        cr_expect(!has_words || access(path, R_OK) == 0, "%s", path);
        (void)snprintf(path, sizeof path, "%s/fuzz_%s.options", PICAFUZZ_BINARY_DIR, names[i]);
        FILE *const file = fopen(path, "r");
        cr_assert_not_null(file, "%s", path);
        options[fread(options, 1, sizeof options - 1, file)] = '\0';
        (void)fclose(file);
        cr_expect_str_eq(options, wanted, "%s", names[i]);
    }
}
