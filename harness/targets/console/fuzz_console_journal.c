/*
 * The property: no bytes that claim to be the journal of a program in an emulator, beside whatever results, harm who
 * reads them. What counts of it can be cut off what does not, and what is open can be closed or cut off, too: then the
 * next run is the one behind it, or the same as before.
 *
 * An input is the journal itself if it begins with an entry's magic number. Any other bytes are contents of entries,
 * which get the right frame and sum here: no engine guesses a CRC-32. The input is the results, too.
 */
#include "harness/console/journal.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum {
    RUNS = 4,
    MOST_ENTRIES = 64
};

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void journal_says_otherwise(const char *why)
{
    fprintf(stderr, "picafuzz: a journal says otherwise after it was %s\n", why);
    __builtin_trap();
}

/* A program with two cases that run twice; its tables are all that is asked for. */
static const uint8_t tables[RUNS * sizeof(struct console_case)];
static const struct console_view view = { .bytes = tables,
                                          .size = sizeof tables,
                                          .head = { .case_count = 2, .run_count = RUNS, .id = { 1, 2 } } };

/* The results, in a file of their own beside that of memory_file. One process reads for one engine. */
static char results[64];
static int results_descriptor;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    results_descriptor = memfd_create("results", MFD_CLOEXEC);
    (void)snprintf(results, sizeof results, "/proc/self/fd/%d", results_descriptor);
    if (results_descriptor >= 0)
        return 0;
    fprintf(stderr, "picafuzz: no file in memory can be made\n");
    exit(1);
}

/* Three bytes make an entry: its kind and whether it is of a self-test, its run, where its results end. */
static size_t frame(struct console_journal *entries, const uint8_t *data, size_t size)
{
    size_t count = 0;
    for (; count < MOST_ENTRIES && size >= 3; count++, data += 3, size -= 3) {
        struct console_journal *const entry = &entries[count];
        *entry = (struct console_journal){ .magic = CONSOLE_JOURNAL_MAGIC,
                                           .kind = data[0] % 8u,
                                           .argument = data[1] | (data[0] >= 0x80 ? 0x80000000u : 0u),
                                           .id = { 1, 2 },
                                           .results = { data[2], 0 } };
        entry->crc = (uint32_t)crc32(0, (const Bytef *)entry, sizeof *entry - 4);
    }
    return count * sizeof *entries;
}

/* Unless entries that were there name results which closing it cut off. */
static void expect_next(const char *journal, uint32_t next_run, const char *why)
{
    struct console_journal_state state;
    if (console_journal_read(journal, results, &view, &state, NULL) != HARNESS_OK ||
        (!state.is_behind && state.next_run != next_run))
        journal_says_otherwise(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t magic = CONSOLE_JOURNAL_MAGIC;
    static struct console_journal framed[MOST_ENTRIES];
    struct console_journal_state state;
    const bool is_file = size >= sizeof magic && memcmp(data, &magic, sizeof magic) == 0;
    const size_t framed_size = is_file ? 0 : frame(framed, data, size);
    if (ftruncate(results_descriptor, 0) != 0 || pwrite(results_descriptor, data, size, 0) != (ssize_t)size)
        return 0;
    const char *const journal = memory_file(is_file ? (const void *)data : framed, is_file ? size : framed_size);
    if (console_journal_read(journal, results, &view, &state, NULL) != HARNESS_OK || !state.is_open)
        return 0;
    (void)console_view_case(&view, console_journal_case(&view, state.open));
    if (console_journal_cut(journal, state.entries, NULL) != HARNESS_OK)
        return 0;
    if (state.open < (uint32_t)CONSOLE_JOURNAL_TEST &&
        console_journal_close(journal, results, &view, &state, CONSOLE_POWER_HUNG, NULL) == HARNESS_OK)
        expect_next(journal, state.open + 1, "closed");
    if (console_journal_cut(journal, state.open_entry, NULL) == HARNESS_OK)
        expect_next(journal, state.next_run, "cut");
    return 0;
}
