/*
 * The property: no bytes that claim to be the journal of a program in an emulator, together with any results, harm
 * their reader. The valid entries remain when the rest is cut off. An open run can be closed or cut off, too: then the
 * next run is the one after it, or the same as before.
 *
 * An input is the journal itself if it begins with an entry's magic number. Any other bytes are contents of entries,
 * which get a valid frame and checksum here, since no engine guesses a CRC-32. The input serves as the results, too.
 */
#include "harness/console/journal.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#include <string.h>
#include <zlib.h>

const char saved_beginning[] = "";

enum {
    RUNS = 4,
    MOST_ENTRIES = 64
};

/* A program with two cases that each run twice; only its tables are read. */
static const uint8_t tables[RUNS * sizeof(struct console_case)];
static const struct console_view view = { .bytes = tables,
                                          .size = sizeof tables,
                                          .head = { .case_count = 2, .run_count = RUNS, .id = { 1, 2 } } };

/* Makes an entry of each three bytes: its kind and whether it belongs to a self-test, its run, and where its results
 * end. Returns the size in bytes. */
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

/* The journal must now say that `next_run` is next, unless earlier entries refer to results that closing the journal
 * cut off. */
static void expect_next(const char *journal, const char *results, uint32_t next_run, const char *why)
{
    struct console_journal_state state;
    if (console_journal_read(journal, results, &view, &state, NULL) != HARNESS_OK ||
        (!state.is_behind && state.next_run != next_run))
        target_fails("a journal says otherwise after it was", why);
}

enum harness_status saved_read(const char *data, size_t size, struct harness_error *error)
{
    static const uint32_t magic = CONSOLE_JOURNAL_MAGIC;
    static struct console_journal framed[MOST_ENTRIES];
    struct console_journal_state state;
    const bool is_file = size >= sizeof magic && memcmp(data, &magic, sizeof magic) == 0;
    const size_t framed_size = is_file ? 0 : frame(framed, (const uint8_t *)data, size);
    const char *const results = memory_file(MEMORY_FILE_BESIDE, data, size);
    const char *const journal =
        memory_file(MEMORY_FILE, is_file ? (const void *)data : framed, is_file ? size : framed_size);
    const enum harness_status status = console_journal_read(journal, results, &view, &state, error);
    if (status != HARNESS_OK || !state.is_open)
        return status;
    (void)console_view_case(&view, console_journal_case(&view, state.open));
    if (console_journal_cut(journal, state.entries, NULL) != HARNESS_OK)
        return HARNESS_OK;
    if (state.open < (uint32_t)CONSOLE_JOURNAL_TEST &&
        console_journal_close(journal, results, &view, &state, CONSOLE_POWER_HUNG, NULL) == HARNESS_OK)
        expect_next(journal, results, state.open + 1, "closed");
    if (console_journal_cut(journal, state.open_entry, NULL) == HARNESS_OK)
        expect_next(journal, results, state.next_run, "cut");
    return HARNESS_OK;
}
