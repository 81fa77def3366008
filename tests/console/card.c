#include "tests/console/card.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void card_insert(struct card *card)
{
    snprintf(card->directory, sizeof card->directory, "/tmp/picafuzz-card-XXXXXX");
    cr_assert_not_null(mkdtemp(card->directory));
}

void card_remove(struct card *card)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", card->directory);
    cr_assert_eq(system(command), 0);
}

static uint8_t *read_file(const struct card *card, const char *name, size_t *size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/3ds/picafuzz/%s", card->directory, name);
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (file == NULL)
        return NULL;
    const size_t most = 1 << 24;
    uint8_t *bytes = malloc(most);
    cr_assert_not_null(bytes);
    *size = fread(bytes, 1, most, file);
    fclose(file);
    return bytes;
}

static void take(struct card_results *results, const struct console_record *record, const uint8_t *payload)
{
    const uint32_t *words = (const uint32_t *)(const void *)payload;
    switch (record->kind) {
    case CONSOLE_RECORD_ABOUT:
        results->abouts++;
        memcpy(&results->about, payload, sizeof results->about);
        break;
    case CONSOLE_RECORD_PAGE:
        results->pages++;
        results->first_page_word = words[3];
        break;
    case CONSOLE_RECORD_REGISTERS: memcpy(results->registers, words + 4, record->bytes - 16); break;
    case CONSOLE_RECORD_STEP: results->crc[results->runs] = words[3]; break;
    case CONSOLE_RECORD_RUN: memcpy(&results->run[results->runs++], payload, sizeof results->run[0]); break;
    case CONSOLE_RECORD_TEST: memcpy(&results->test[results->tests++], payload, sizeof results->test[0]); break;
    case CONSOLE_RECORD_WAY: memcpy(&results->choice, payload, sizeof results->choice); break;
    case CONSOLE_RECORD_END: results->is_over = true; break;
    default: cr_assert_fail("record of kind %u", record->kind);
    }
}

void card_results(const struct card *card, struct card_results *results)
{
    memset(results, 0, sizeof *results);
    uint8_t *bytes = read_file(card, "test.results", &results->bytes);
    size_t at = 0;
    while (at + sizeof(struct console_record) <= results->bytes) {
        struct console_record record;
        memcpy(&record, bytes + at, sizeof record);
        const size_t whole = sizeof record + (record.bytes + 3) / 4 * 4;
        if (record.magic != CONSOLE_RECORD_MAGIC || record.sequence != results->records || whole > results->bytes - at)
            break;
        uint32_t crc = (uint32_t)crc32(0, bytes + at + 4, 12);
        crc = (uint32_t)crc32(crc, bytes + at + sizeof record, record.bytes);
        if (crc != record.crc)
            break;
        take(results, &record, bytes + at + sizeof record);
        results->records++;
        at += whole;
    }
    results->whole_bytes = at;
    free(bytes);
}

uint32_t card_journal_count(const struct card *card, uint32_t kind, uint32_t argument)
{
    size_t size;
    uint32_t count = 0;
    uint8_t *bytes = read_file(card, "test.journal", &size);
    for (size_t at = 0; at + sizeof(struct console_journal) <= size; at += sizeof(struct console_journal)) {
        struct console_journal entry;
        memcpy(&entry, bytes + at, sizeof entry);
        if (entry.magic != CONSOLE_JOURNAL_MAGIC || entry.crc != (uint32_t)crc32(0, bytes + at, 28))
            break;
        count += entry.kind == kind && (argument == UINT32_MAX || entry.argument == argument);
    }
    free(bytes);
    return count;
}

const char *card_summary(const struct card_results *results, char *out, size_t size)
{
    static const char *const statuses[CONSOLE_RUN_STATUSES] = { "ok",      "hang",   "interrupted", "power",  "skipped",
                                                                "refused", "failed", "unread",      "differs" };
    size_t length = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < results->runs && length < size; i++) {
        const struct console_run_result *run = &results->run[i];
        length += (size_t)snprintf(out + length, size - length, "%s%u:%s/%u", i == 0 ? "" : " ", run->case_index,
                                   statuses[run->status], run->pass);
    }
    return out;
}
