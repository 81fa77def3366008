#include "harness/console/runner/store.h"

#include "harness/console/runner/cases.h"
#include "harness/console/runner/system.h"

static const int32_t NO_ROOM = -1;
static const int32_t CARD_FULL = 0x000044D2; /* the low bits of fs's result: out of space */

void store_set_hung(struct store *store, uint32_t case_index)
{
    if (case_index < STORE_MOST_CASES)
        store->hung[case_index / 32] |= 1u << (case_index % 32);
}

void store_test_died(struct store *store, uint32_t case_index, uint32_t way)
{
    const struct console_case *test = cases_at(store->payload, case_index);
    if (test != NULL && (test->flags & CONSOLE_CASE_LOADED) != 0)
        store->dead_ways |= 1u << (way % CONSOLE_WAYS);
    else
        store_set_hung(store, case_index);
}

bool store_is_hung(const struct store *store, uint32_t case_index)
{
    return case_index < STORE_MOST_CASES && (store->hung[case_index / 32] >> (case_index % 32) & 1) != 0;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static void note_error(struct store *store, int32_t result)
{
    if (store->error == 0 && result < 0)
        store->error = result;
}

static void flush(struct store *store)
{
    if (store->error != 0 || store->buffered == 0)
        return;
    note_error(store, files_write(store->results, store->results_bytes, store->buffer, store->buffered));
    store->results_bytes += store->buffered;
    store->buffered = 0;
}

static void append(struct store *store, const void *bytes, uint32_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        const uint32_t room = STORE_BUFFER_BYTES - store->buffered;
        const uint32_t part = size < room ? size : room;
        memcpy(store->buffer + store->buffered, from, part);
        store->buffered += part;
        from += part;
        size -= part;
        if (store->buffered == STORE_BUFFER_BYTES)
            flush(store);
        if (store->error != 0)
            return;
    }
}

void store_record(struct store *store, uint32_t kind, const void *head, uint32_t head_bytes, const void *tail,
                  uint32_t tail_bytes)
{
    static const uint8_t zeros[4];
    const uint32_t bytes = head_bytes + tail_bytes;
    struct console_record record = { CONSOLE_RECORD_MAGIC, kind, store->sequence, bytes, 0 };
    record.crc = runner_crc(0, &record.kind, 12);
    record.crc = runner_crc(record.crc, head, head_bytes);
    record.crc = runner_crc(record.crc, tail, tail_bytes);
    append(store, &record, sizeof record);
    append(store, head, head_bytes);
    append(store, tail, tail_bytes);
    append(store, zeros, (0u - bytes) & 3);
    store->sequence++;
}

void store_journal(struct store *store, uint32_t kind, uint32_t argument)
{
    flush(store);
    if (store->error != 0)
        return;
    struct console_journal entry = { .magic = CONSOLE_JOURNAL_MAGIC,
                                     .kind = kind,
                                     .argument = argument,
                                     .id = { store->payload->id[0], store->payload->id[1] },
                                     .results = { store->results_bytes, 0 } };
    entry.crc = runner_crc(0, &entry, 28);
    note_error(store, files_write(store->journal, store->journal_bytes, &entry, sizeof entry));
    store->journal_bytes += sizeof entry;
}

int32_t store_reserve(struct store *store)
{
    const uint32_t most = store->payload->results_most[0];
    flush(store);
    if (store->payload->results_most[1] != 0)
        return NO_ROOM;
    const int32_t result = most > store->results_bytes ? files_set_size(store->results, most) : 0;
    files_set_size(store->results, store->results_bytes); /* or old bytes of the card would follow ours */
    return result < 0 && (result & 0x3FFFF) == CARD_FULL ? result : store->error;
}

/* --------------------------------------------------------------------------------------- what an earlier start left */

static bool is_whole(const struct store *store, const struct console_journal *entry)
{
    return entry->magic == CONSOLE_JOURNAL_MAGIC && entry->crc == runner_crc(0, entry, 28) &&
           entry->id[0] == store->payload->id[0] && entry->id[1] == store->payload->id[1];
}

static void replay(struct store *store, const struct console_journal *entry)
{
    store->results_bytes = entry->results[0];
    switch (entry->kind) {
    case CONSOLE_JOURNAL_OPEN: store->starts++; break;
    case CONSOLE_JOURNAL_START:
        store->is_open = true;
        store->open_run = entry->argument;
        break;
    case CONSOLE_JOURNAL_DONE:
        store->is_open = false;
        if (entry->argument < (uint32_t)STORE_SELF_TEST)
            store->next_run = entry->argument + 1;
        break;
    case CONSOLE_JOURNAL_END: store->is_over = true; break;
    default: break;
    }
}

static int32_t read_journal(struct store *store)
{
    enum {
        ENTRIES = 128
    };
    struct console_journal *entries = (struct console_journal *)(void *)store->buffer;
    for (;;) {
        uint32_t count;
        const int32_t result =
            files_read(store->journal, store->journal_bytes, entries, ENTRIES * sizeof *entries, &count);
        if (result < 0)
            return result;
        for (uint32_t i = 0; i < ENTRIES; i++) {
            if ((i + 1) * sizeof *entries > count || !is_whole(store, &entries[i]))
                return 0;
            replay(store, &entries[i]);
            store->journal_bytes += sizeof *entries;
        }
    }
}

/* Not to be run again: a case that hung, a self-test only if it needed the power button (others are tried again). */
static void note_bad_end(struct store *store, uint32_t kind, const struct console_run_result *run)
{
    if (kind == CONSOLE_RECORD_RUN && (run->status == CONSOLE_RUN_HANG || run->status == CONSOLE_RUN_POWER))
        store_set_hung(store, run->case_index);
    if (kind == CONSOLE_RECORD_TEST && run->status == CONSOLE_RUN_POWER)
        store_test_died(store, run->case_index, run->pass);
}

/* The results that count, for the sequence number and for what hung. */
static int32_t read_results(struct store *store)
{
    struct {
        struct console_record record;
        struct console_run_result run;
    } both;
    uint32_t at = 0, count;
    while (at + sizeof both.record <= store->results_bytes) {
        const int32_t result = files_read(store->results, at, &both, sizeof both, &count);
        if (result < 0)
            return result;
        if (count < sizeof both.record || both.record.magic != CONSOLE_RECORD_MAGIC ||
            both.record.sequence != store->sequence)
            break;
        note_bad_end(store, both.record.kind, &both.run);
        store->sequence++;
        at += sizeof both.record + ((both.record.bytes + 3) & ~3u);
    }
    store->results_bytes = at;
    return 0;
}

int32_t store_open(struct store *store, const struct files *files, const struct console_payload *payload)
{
    store->payload = payload;
    int32_t result = files_open(files, payload->name, ".journal", &store->journal);
    if (result >= 0)
        result = files_open(files, payload->name, ".results", &store->results);
    if (result >= 0)
        result = read_journal(store);
    if (result >= 0 && store->journal_bytes > 0)
        return read_results(store);
    if (result >= 0)
        result = files_set_size(store->journal, 0); /* first: without a journal, results are begun anew */
    if (result >= 0)
        result = files_set_size(store->results, 0);
    return result;
}

void store_close(struct store *store)
{
    files_close(store->results);
    files_close(store->journal);
}
