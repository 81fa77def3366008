#include "harness/console/pack.h"

#include "harness/case/formats.h"
#include "harness/case/state.h"
#include "harness/console/commands.h"
#include "harness/console/payload.h"
#include "harness/console/show.h"
#include "harness/run/blocks.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    HEADER_WORDS = sizeof(struct console_payload) / 4,
    CASE_WORDS = sizeof(struct console_case) / 4,
    RUN_WORDS = sizeof(struct console_run) / 4,
    MOST_PAYLOAD = 48 << 20,     /* bytes: the program, its payload and its linear memory share 64 MiB */
    MOST_LINEAR = 24 << 20,      /* bytes */
    HANG_MICROSECONDS = 1000000, /* CON-50 */
    RESULTS_SLACK = 1 << 16      /* bytes for ABOUT and END records of many starts */
};

struct console_pack {
    char name[CONSOLE_NAME_BYTES];
    struct console_commands commands; /* the body and what lies in it */
    struct console_words cases;       /* struct console_case, one after another */
    uint32_t case_count, self_test_count;
    uint64_t results_most;
    uint32_t show_blanks;             /* 0: nothing is shown */
    uint32_t show_count, shown_cases; /* pictures so far, and cases that have some */
};

_Static_assert(sizeof(struct console_payload) % 4 == 0, "the payload's header is words");

bool console_pack_name_is_good(const char *name)
{
    const size_t size = strlen(name);
    return size != 0 && size < CONSOLE_NAME_BYTES && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == size;
}

struct console_pack *console_pack_create(const char *name, uint32_t show_blanks)
{
    struct console_pack *const pack = calloc(1, sizeof *pack);
    if (pack == NULL || strlen(name) >= sizeof pack->name) {
        free(pack);
        return NULL;
    }
    memcpy(pack->name, name, strlen(name) + 1);
    pack->results_most = RESULTS_SLACK;
    pack->show_blanks = show_blanks;
    pack->commands.base = HEADER_WORDS * 4;
    return pack;
}

void console_pack_destroy(struct console_pack *pack)
{
    if (pack == NULL)
        return;
    console_commands_free(&pack->commands);
    console_words_free(&pack->cases);
    free(pack);
}

uint32_t console_pack_shown(const struct console_pack *pack)
{
    return pack->shown_cases;
}

uint32_t console_pack_count(const struct console_pack *pack)
{
    return pack->case_count - pack->self_test_count;
}

uint64_t console_pack_results(const struct console_pack *pack)
{
    return pack->results_most;
}

/* The case itself, for whoever imports its results. */
static enum harness_status add_source(struct console_pack *pack, const struct harness_case *test_case,
                                      struct console_case *out, struct harness_error *error)
{
    struct harness_text text = { 0 }, deflated = { 0 };
    enum harness_status status = harness_pcase_write(test_case, &text, error);
    harness_put_deflated(&deflated, &text, 9);
    if (status == HARNESS_OK && deflated.failed)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK) {
        out->source = console_commands_blob(&pack->commands, deflated.data, (uint32_t)deflated.size);
        out->source_bytes = (uint32_t)deflated.size;
        out->source_raw = (uint32_t)text.size;
    }
    harness_text_free(&deflated);
    harness_text_free(&text);
    return status;
}

/* Bytes on the card at most: the pages of all steps, if every one of them changes, and the records of both passes. */
static uint64_t results_most(const struct harness_program *program, uint32_t steps, uint32_t registers)
{
    const uint64_t blocks = registers / (CONSOLE_REGISTER_CHUNK / 4) + (registers != 0 ? 2 : 0);
    uint64_t pages = 0;
    for (uint32_t w = 0; w < program->setup.window_count; w++)
        pages += program->setup.windows[w].size / CONSOLE_PAGE;
    const uint64_t record = sizeof(struct console_record);
    return 2 * steps * blocks * (record + sizeof(struct console_register_block) + CONSOLE_REGISTER_CHUNK) +
           (uint64_t)steps * pages * (record + sizeof(struct console_page)) +
           2 * (uint64_t)steps * (record + sizeof(struct console_step_result)) +
           2 * (record + sizeof(struct console_run_result));
}

static enum harness_status make_case(struct console_pack *pack, const struct console_pack_case *add,
                                     struct console_case *out, struct harness_error *error)
{
    const size_t name_size = strlen(add->name) + 1;
    *out = (struct console_case){ .flags = add->flags };
    enum harness_status status = add_source(pack, add->test_case, out, error);
    if (status != HARNESS_OK)
        return status;
    out->name = console_commands_blob(&pack->commands, add->name, (uint32_t)name_size);
    struct console_words *const reset = &pack->commands.reset_list;
    if (reset->count == 0)
        console_commands_make_reset(&pack->commands);
    struct console_words words = { .items = NULL };
    struct console_show shows[CONSOLE_MOST_SHOWS];
    const uint32_t show_count =
        pack->show_blanks != 0 ? console_show_parts(add->program, add->plan, pack->show_count, shows) : 0;
    const struct console_lowering lowering = { add->program,   add->plan, add->is_self_test,
                                               add->registers, shows,     show_count };
    out->step_count = console_commands_lower(&pack->commands, &lowering, &words);
    out->words = (uint32_t)words.count;
    out->commands = console_commands_blob(&pack->commands, words.items, (uint32_t)(words.count * 4));
    if (!add->is_self_test)
        out->flags |= add->plan->needs | (console_commands_use_vram_list(add->plan) ? CONSOLE_CASE_VRAM_LIST : 0u) |
                      (add->registers.count != 0 ? CONSOLE_CASE_REGISTERS : 0u);
    pack->show_count += show_count;
    pack->shown_cases += show_count != 0 && !add->is_self_test;
    out->depth = add->plan->depth[0];
    out->depth_bytes = add->plan->depth[1] - add->plan->depth[0];
    const bool failed = words.failed || pack->commands.body.failed;
    console_words_free(&words);
    return failed ? harness_fail_memory(error) : HARNESS_OK;
}

enum harness_status console_pack_add(struct console_pack *pack, const struct console_pack_case *add,
                                     struct harness_error *error)
{
    struct console_case entry;
    const enum harness_status status = make_case(pack, add, &entry, error);
    if (status != HARNESS_OK)
        return status;
    if (pack->commands.body.count * 4 > MOST_PAYLOAD || pack->commands.linear_bytes > MOST_LINEAR)
        return harness_fail(error, HARNESS_TOO_LARGE,
                            "%s: more than a console's memory holds: export fewer cases into one file", add->name);
    uint32_t words[CASE_WORDS];
    memcpy(words, &entry, sizeof entry);
    console_words_add(&pack->cases, words, CASE_WORDS);
    pack->case_count++;
    pack->self_test_count += add->is_self_test ? 1 : 0;
    pack->results_most += results_most(add->program, entry.step_count, add->registers.count) *
                          (add->is_self_test ? (uint64_t)CONSOLE_WAYS : 1);
    return pack->cases.failed ? harness_fail_memory(error) : HARNESS_OK;
}

/* Pass 0 in order; pass 1 shuffled, always in the same way. */
static bool put_runs(const struct console_pack *pack, struct console_words *out)
{
    const uint32_t count = console_pack_count(pack);
    uint32_t *const order = calloc((size_t)count + 1, sizeof *order);
    if (order == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = pack->self_test_count + i;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            console_words_put(out, order[i]);
            console_words_put(out, pass);
        }
        uint32_t seed = 12345;
        for (uint32_t i = count; i > 1; i--) {
            seed = seed * 1664525u + 1013904223u;
            const uint32_t other = (seed >> 8) % i, last = order[i - 1];
            order[i - 1] = order[other];
            order[other] = last;
        }
    }
    free(order);
    return true;
}

/* Head, body, tables. The id and the CRC-32 come last. */
static void put_head(const struct console_pack *pack, uint32_t *words, size_t count)
{
    const uint32_t cases_at = HEADER_WORDS + (uint32_t)pack->commands.body.count;
    struct console_payload head = { .magic = CONSOLE_PAYLOAD_MAGIC,
                                    .version = CONSOLE_PAYLOAD_VERSION,
                                    .bytes = (uint32_t)(count * 4),
                                    .linear_bytes = pack->commands.linear_bytes,
                                    .hang_microseconds = HANG_MICROSECONDS,
                                    .case_count = pack->case_count,
                                    .case_table = cases_at * 4,
                                    .self_test_count = pack->self_test_count,
                                    .run_count = 2 * console_pack_count(pack),
                                    .run_table = (cases_at + (uint32_t)pack->cases.count) * 4,
                                    .show_blanks = pack->show_blanks,
                                    .results_most = { (uint32_t)pack->results_most,
                                                      (uint32_t)(pack->results_most >> 32) } };
    memcpy(head.name, pack->name, sizeof head.name);
    const Bytef *const rest = (const Bytef *)(words + HEADER_WORDS);
    head.id[0] = (uint32_t)crc32(0, rest, (uInt)((count - HEADER_WORDS) * 4));
    head.id[1] = (uint32_t)adler32(1, rest, (uInt)((count - HEADER_WORDS) * 4));
    memcpy(words, &head, sizeof head);
    head.crc = (uint32_t)crc32(0, (const Bytef *)(words + 4), (uInt)((count - 4) * 4));
    memcpy(words, &head, sizeof head);
}

enum harness_status console_pack_finish(struct console_pack *pack, struct console_words *out,
                                        struct harness_error *error)
{
    const size_t start = out->count;
    console_words_add(out, NULL, HEADER_WORDS);
    console_words_add(out, pack->commands.body.items, pack->commands.body.count);
    console_words_add(out, pack->cases.items, pack->cases.count);
    if (!put_runs(pack, out) || out->failed || pack->commands.body.failed || pack->cases.failed)
        return harness_fail_memory(error);
    put_head(pack, out->items + start, out->count - start);
    return HARNESS_OK;
}
