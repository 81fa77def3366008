#include "harness/reduce/reduce_state.h"

#include "harness/reduce/reduce_pass.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "# picafuzz reduce, unfinished work: ";

/*
 * File format: magic and identity; a line of numbers, of which the first identifies the list of passes and the last is
 * the size in bytes of the best case's text; the best case; then the sure case, if it is another one.
 */
enum {
    NUMBERS = 14
};

enum harness_status harness_reduce_save(const char *path, const char *identity, const struct reduce_saved *saved,
                                        const struct reduce_cases *cases, struct harness_error *error)
{
    struct harness_text text = { 0 }, best = { 0 };
    enum harness_status status = harness_pcase_write(cases->best, &best, error);
    harness_text_format(&text, "%s%s\n", mark, identity);
    harness_text_format(&text, "# %u %u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %u %u %zu\n",
                        (unsigned)harness_reduce_passes_digest(), (unsigned)saved->cursor.round,
                        (unsigned)saved->cursor.pass, (unsigned)saved->cursor.size, (unsigned)saved->cursor.end,
                        (unsigned)saved->cursor.variant, (unsigned)saved->round_accepted, saved->tried, saved->accepted,
                        saved->first_bytes, (unsigned)saved->first_writes, (unsigned)saved->careful,
                        (unsigned)saved->blame_after, best.size);
    harness_text_add(&text, harness_text_string(&best));
    if (status == HARNESS_OK && cases->sure != NULL)
        status = harness_pcase_write(cases->sure, &text, error);
    if (status == HARNESS_OK && (text.failed || best.failed))
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    harness_text_free(&best);
    return status;
}

static bool parse_numbers(const char *line, struct reduce_saved *out, uint64_t *best_size)
{
    uint64_t numbers[NUMBERS];
    const char *const line_end = line + strcspn(line, "\n");
    for (size_t i = 0; i < NUMBERS; i++) {
        char *end = NULL;
        line += strspn(line, "# ");
        numbers[i] = strtoull(line, &end, 10);
        if (end == line || end > line_end)
            return false;
        line = end;
    }
    *out = (struct reduce_saved){ 0 };
    if (numbers[0] == harness_reduce_passes_digest()) {
        out->cursor = (struct reduce_cursor){ .round = (uint32_t)numbers[1],
                                              .pass = (uint32_t)numbers[2],
                                              .size = (uint32_t)numbers[3],
                                              .end = (uint32_t)numbers[4],
                                              .variant = (uint32_t)numbers[5] };
        out->round_accepted = (uint32_t)numbers[6];
    }
    out->tried = numbers[7];
    out->accepted = numbers[8];
    out->first_bytes = numbers[9];
    out->first_writes = (uint32_t)numbers[10];
    out->careful = numbers[11] != 0;
    out->blame_after = (uint32_t)numbers[12];
    *best_size = numbers[13];
    return *line == '\n';
}

/* The cases after the line of numbers. */
static bool restore_cases(const char *text, size_t size, size_t best_size, const struct reduce_cases *cases)
{
    struct harness_error error = { "" };
    struct harness_case *const best = harness_case_create();
    struct harness_case *const sure = harness_case_create();
    const bool good = best != NULL && sure != NULL && best_size <= size &&
                      harness_pcase_read(best, text, best_size, "state", &error) == HARNESS_OK &&
                      (best_size == size ? harness_case_copy(sure, best)
                                         : harness_pcase_read(sure, text + best_size, size - best_size, "state",
                                                              &error) == HARNESS_OK) &&
                      harness_case_copy(cases->best, best) && harness_case_copy(cases->sure, sure);
    harness_case_destroy(best);
    harness_case_destroy(sure);
    return good;
}

static bool restore(const char *text, size_t size, const char *identity, struct reduce_saved *saved,
                    const struct reduce_cases *cases)
{
    const size_t identity_length = strlen(identity);
    const char *const second = text + strlen(mark) + identity_length + 1;
    struct reduce_saved read;
    uint64_t best_size = 0;
    if (size <= strlen(mark) + identity_length + 1 || memcmp(text, mark, strlen(mark)) != 0 ||
        memcmp(text + strlen(mark), identity, identity_length) != 0 || second[-1] != '\n' ||
        !parse_numbers(second, &read, &best_size))
        return false;
    const char *const third = second + strcspn(second, "\n") + 1;
    if (!restore_cases(third, size - (size_t)(third - text), (size_t)best_size, cases))
        return false;
    *saved = read;
    return true;
}

bool harness_reduce_restore(const char *path, const char *identity, struct reduce_saved *saved,
                            const struct reduce_cases *cases)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (harness_file_read(path, &bytes, &size, NULL) != HARNESS_OK)
        return false;
    const bool good = restore((const char *)bytes, size, identity, saved, cases);
    free(bytes);
    return good;
}
