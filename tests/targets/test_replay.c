/* Every target takes its own seeds, and files that are nothing, without a word: engines link the same functions. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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
    "peel",
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
    static const char *const seeded[] = { "peel",       "registers", "reduction",       "triage_index", "bucket_record",
                                          "hunt_state", "shader",    "console_journal", "importers" };
    char files[512], said[512];
    for (size_t i = 0; i < sizeof seeded / sizeof seeded[0]; i++) {
        (void)snprintf(files, sizeof files, "%s/harness/targets/seeds/%s/*", PICAFUZZ_SOURCE_DIR, seeded[i]);
        cr_expect_eq(replay(seeded[i], files, said, sizeof said), 0, "replay_%s: %s", seeded[i], said);
        cr_expect_not_null(strstr(said, "file(s) replayed"), "replay_%s: %s", seeded[i], said);
    }
}
