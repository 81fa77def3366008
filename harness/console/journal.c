#include "harness/console/journal.h"

#include "harness/case/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    ENTRY = sizeof(struct console_journal),
    WITHOUT_CRC = ENTRY - 4
};

static uint32_t entry_crc(const struct console_journal *entry)
{
    return (uint32_t)crc32(0, (const Bytef *)entry, WITHOUT_CRC);
}

static void replay(const struct console_journal *entry, struct console_journal_state *out)
{
    out->results = entry->results[0];
    switch ((enum console_journal_kind)entry->kind) {
    case CONSOLE_JOURNAL_OPEN: break;
    case CONSOLE_JOURNAL_START:
        out->is_open = true;
        out->open = entry->argument;
        out->open_entry = out->entries;
        break;
    case CONSOLE_JOURNAL_DONE:
        out->is_open = false;
        if (entry->argument < (uint32_t)CONSOLE_JOURNAL_TEST)
            out->next_run = entry->argument + 1;
        break;
    case CONSOLE_JOURNAL_STAGE: out->stage = entry->argument; break;
    case CONSOLE_JOURNAL_END: out->is_over = true; break;
    }
    out->entries++;
}

off_t console_file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : 0;
}

static enum harness_status host_trouble(const char *path, struct harness_error *error)
{
    return harness_fail(error, HARNESS_HOST, "%s: %s", path, strerror(errno));
}

enum harness_status console_journal_hold(const char *path, int *lock, struct harness_error *error)
{
    *lock = open(path, O_RDWR | O_CREAT, 0666);
    return *lock < 0 ? host_trouble(path, error)
                     : harness_file_lock(*lock, path,
                                         "another emulate runs there, or an emulator that one left behind when it was "
                                         "killed",
                                         error);
}

static enum harness_status shorten(const char *path, size_t size, struct harness_error *error)
{
    return truncate(path, (off_t)size) == 0 || (size == 0 && errno == ENOENT) ? HARNESS_OK : host_trouble(path, error);
}

enum harness_status console_journal_cut(const char *path, size_t entries, struct harness_error *error)
{
    return shorten(path, entries * ENTRY, error);
}

enum harness_status console_journal_forget(const char *path, const char *results_path, struct harness_error *error)
{
    const enum harness_status status = shorten(path, 0, error); /* first: without it, results are begun anew */
    return status == HARNESS_OK ? shorten(results_path, 0, error) : status;
}

/* False: the entry is about a run that does not exist, which our program never writes. */
static bool is_sense(const struct console_journal *entry, const struct console_view *view)
{
    return (entry->kind != CONSOLE_JOURNAL_START && entry->kind != CONSOLE_JOURNAL_DONE) ||
           entry->argument >= (uint32_t)CONSOLE_JOURNAL_TEST || entry->argument < view->head.run_count;
}

enum harness_status console_journal_read(const char *path, const char *results_path, const struct console_view *view,
                                         struct console_journal_state *out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct console_journal entry;
    *out = (struct console_journal_state){ .entries = 0 };
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return HARNESS_OK;
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    const off_t results = console_file_size(results_path); /* after reading: what it says was there before */
    for (size_t at = 0; status == HARNESS_OK && at + ENTRY <= size; at += ENTRY) {
        memcpy(&entry, bytes + at, ENTRY);
        if (entry.magic != CONSOLE_JOURNAL_MAGIC || entry.crc != entry_crc(&entry))
            break;
        if (entry.id[0] != view->head.id[0] || entry.id[1] != view->head.id[1])
            status =
                harness_fail(error, HARNESS_BAD_INPUT,
                             "%s: results of other cases lie under this name: take another one, or begin anew", path);
        out->is_behind = entry.results[0] > results;
        if (status != HARNESS_OK || out->is_behind || !is_sense(&entry, view))
            break;
        replay(&entry, out);
    }
    free(bytes);
    return status;
}

uint32_t console_journal_case(const struct console_view *view, uint32_t open)
{
    const uint32_t index = open & 0xFFFFu;
    if (open >= (uint32_t)CONSOLE_JOURNAL_TEST)
        return index < view->head.case_count ? index : 0;
    return open < view->head.run_count ? console_view_run(view, open).case_index : 0;
}

/* Writes at an offset, behind which nothing is left. */
static enum harness_status put(const char *path, uint64_t offset, const void *bytes, size_t size,
                               struct harness_error *error)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool good = file >= 0 && pwrite(file, bytes, size, (off_t)offset) == (ssize_t)size &&
                      ftruncate(file, (off_t)(offset + size)) == 0 && fsync(file) == 0;
    const int trouble = errno;
    if (file >= 0)
        (void)close(file);
    return good ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "%s: %s", path, strerror(trouble));
}

/* Records in the first `size` bytes, whose number the next one has. */
static enum harness_status count_records(const char *path, uint32_t size, uint32_t *out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t there = 0;
    struct console_record record;
    *out = 0;
    const enum harness_status status = harness_file_read(path, &bytes, &there, error);
    if (status == HARNESS_OK && there < size) {
        free(bytes);
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: offset %zu: it ends before what the journal says", path,
                            there);
    }
    for (size_t at = 0; status == HARNESS_OK && at + sizeof record <= size; (*out)++) {
        memcpy(&record, bytes + at, sizeof record);
        at += sizeof record + (size_t)(record.bytes + 3u) / 4u * 4u;
    }
    free(bytes);
    return status;
}

enum harness_status console_journal_close(const char *path, const char *results_path, const struct console_view *view,
                                          const struct console_journal_state *state, uint32_t detail,
                                          struct harness_error *error)
{
    struct {
        struct console_record record;
        struct console_run_result run;
    } both = { .record = { .magic = CONSOLE_RECORD_MAGIC, .kind = CONSOLE_RECORD_RUN, .bytes = sizeof both.run } };
    const struct console_run run = console_view_run(view, state->open);
    both.run = (struct console_run_result){ .run = state->open,
                                            .case_index = run.case_index,
                                            .pass = run.pass,
                                            .status = CONSOLE_RUN_POWER,
                                            .detail = detail };
    enum harness_status status = count_records(results_path, state->results, &both.record.sequence, error);
    both.record.crc =
        (uint32_t)crc32(crc32(0, (const Bytef *)&both.record.kind, 12), (const Bytef *)&both.run, sizeof both.run);
    if (status == HARNESS_OK)
        status = put(results_path, state->results, &both, sizeof both, error);
    struct console_journal entry = { .magic = CONSOLE_JOURNAL_MAGIC,
                                     .kind = CONSOLE_JOURNAL_DONE,
                                     .argument = state->open,
                                     .id = { view->head.id[0], view->head.id[1] },
                                     .results = { state->results + (uint32_t)sizeof both, 0 } };
    entry.crc = entry_crc(&entry);
    if (status == HARNESS_OK)
        status = put(path, (uint64_t)state->entries * ENTRY, &entry, sizeof entry, error);
    return status;
}
