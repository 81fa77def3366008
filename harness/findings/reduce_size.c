/* How large a case is, and what is said about a reduced one. */
#include "harness/findings/reduce.h"

#include "harness/case/formats.h"
#include "harness/findings/bucket.h"
#include "harness/findings/reduce_pass.h"

#include <inttypes.h>
#include <string.h>

uint64_t harness_case_bytes(const struct harness_case *test_case)
{
    size_t size = 0;
    (void)harness_pcb_encode(test_case, NULL, 0, &size, NULL);
    if (size != 0)
        return size;
    struct harness_text text;
    harness_text_init(&text);
    (void)harness_pcase_write(test_case, &text, NULL);
    size = text.size;
    harness_text_free(&text);
    return size;
}

uint32_t harness_case_writes(const struct harness_case *test_case)
{
    struct harness_case view = *test_case; /* walking needs a case that could be changed */
    struct reduce_blocks blocks = { .test_case = &view };
    uint32_t count = 0;
    for (const struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            count += list->commands[i].consecutive ? list->commands[i].count : 1u;
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        count += test_case->operations[i].kind == HARNESS_WRITE;
    return count;
}

bool harness_reduce_head(struct harness_case *test_case, const char *name, const struct harness_reduce_result *result,
                         const struct harness_bucket *bucket)
{
    struct harness_text head;
    harness_text_init(&head);
    harness_text_format(&head, "Reduced from %s, %" PRIu64 " to %" PRIu64 " bytes.\nBucket %s:\n%s", name,
                        result->progress.first_bytes, result->progress.bytes, bucket->name,
                        harness_text_string(&bucket->key));
    for (const char *line = result->message; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        harness_text_format(&head, "\n%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (!head.failed && head.size > HARNESS_MAX_TEXT)
        head.data[HARNESS_MAX_TEXT] = '\0';
    test_case->comment = head.failed ? NULL : harness_case_text(test_case, head.data, false);
    harness_text_free(&head);
    return test_case->comment != NULL;
}
