/* Measures the size of a case. */
#include "harness/reduce/reduce.h"

#include "harness/case/formats.h"
#include "harness/reduce/reduce_pass.h"

uint64_t harness_case_bytes(const struct harness_case *test_case)
{
    size_t size = 0;
    (void)harness_pcb_encode(test_case, NULL, 0, &size, NULL);
    if (size != 0)
        return size;
    struct harness_text text = { 0 };
    (void)harness_pcase_write(test_case, &text, NULL);
    size = text.size;
    harness_text_free(&text);
    return size;
}

uint32_t harness_case_writes(const struct harness_case *test_case)
{
    struct harness_case view = *test_case; /* walking takes a case that is not const */
    struct reduce_blocks blocks = { .test_case = &view };
    uint32_t count = 0;
    for (const struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            count += list->commands[i].consecutive ? list->commands[i].count : 1u;
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        count += test_case->operations[i].kind == HARNESS_WRITE;
    return count;
}
