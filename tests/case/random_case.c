#include "harness/case/pcase_names.h"
#include "pica/memory.h"
#include "pica/regs.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <string.h>

void test_random_seed(struct test_random *random, uint64_t seed)
{
    random->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

uint32_t test_random_word(struct test_random *random)
{
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return (uint32_t)(random->state >> 32);
}

uint32_t test_random_below(struct test_random *random, uint32_t limit)
{
    return (uint32_t)(((uint64_t)test_random_word(random) * limit) >> 32);
}

uint32_t test_random_edge(struct test_random *random)
{
    static const uint32_t edges[] = { 0,          1,          UINT32_MAX, 0x80000000, 0x7FFFFFFF,
                                      0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x00000001,
                                      0x3F800000, 0x00FFFFFF, 0x18000000, 0x20000000 };
    const uint32_t choice = test_random_below(random, 4);
    if (choice == 0)
        return edges[test_random_below(random, sizeof edges / sizeof edges[0])];
    if (choice == 1)
        return (uint32_t)1 << test_random_below(random, 32);
    return test_random_word(random);
}

static bool chance(struct test_random *random, uint32_t one_in)
{
    return test_random_below(random, one_in) == 0;
}

/* NULL mostly. Lines, blanks, quotes and UTF-8 in the others. */
static const char *random_text(struct test_random *random, struct harness_case *test_case, bool one_line)
{
    static const char *const texts[] = { "",
                                         "a plain remark",
                                         " leading and trailing ",
                                         "\"quoted\" \\ back",
                                         "# ; { } =",
                                         "\xC3\xBC\xC3\x9F",
                                         "two\nlines",
                                         "\n\nempty lines\n" };
    return harness_case_text(test_case, texts[test_random_below(random, sizeof texts / sizeof texts[0])], one_line);
}

static const char *random_comment(struct test_random *random, struct harness_case *test_case, bool wanted)
{
    return wanted && chance(random, 4) ? random_text(random, test_case, false) : NULL;
}

/* Mostly registers that exist, with the shader ports often. */
static uint16_t random_id(struct test_random *random)
{
    static const uint16_t ports[] = { 0x2CB, 0x2CC, 0x2CD, 0x2D5, 0x2D6, 0x2C0, 0x2C1, 0x29B, 0x29C, 0x2A5,
                                      0x2A6, 0x290, 0x291, 0x232, 0x233, 0x22E, 0x1C8, 0x0E8, 0x2BA, 0x010 };
    const uint32_t choice = test_random_below(random, 8);
    if (choice < 3)
        return ports[test_random_below(random, sizeof ports / sizeof ports[0])];
    return (uint16_t)(choice == 7 ? test_random_word(random) : test_random_below(random, 0x300));
}

static void random_list(struct test_random *random, struct harness_case *test_case, struct harness_list *list,
                        bool with_comments)
{
    uint32_t parameters[HARNESS_MAX_PARAMETERS];
    const uint32_t count = test_random_below(random, 12);
    memset(list, 0, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = chance(random, 3) ? 1 + test_random_below(random, chance(random, 8) ? 256 : 24) : 1;
        for (uint32_t k = 0; k < length; k++)
            parameters[k] = test_random_edge(random);
        struct harness_writes writes = { .parameters = parameters, .count = length };
        writes.id = random_id(random);
        writes.mask = chance(random, 4) ? (uint8_t)test_random_below(random, 16) : 0xF;
        writes.consecutive = chance(random, 3);
        struct harness_command *const command = harness_list_insert(test_case, list, list->count, &writes);
        cr_assert_not_null(command);
        command->ignored = chance(random, 6) ? (uint8_t)test_random_below(random, 8) : 0;
        command->padding = length % 2 == 0 && chance(random, 3) ? test_random_edge(random) : 0;
        command->comment = random_comment(random, test_case, with_comments);
    }
    if (!chance(random, 6))
        return;
    list->tail_count = test_random_below(random, 5);
    list->tail = harness_arena_array(&test_case->arena, list->tail_count, sizeof *list->tail);
    for (uint32_t i = 0; i < list->tail_count; i++)
        list->tail[i] = test_random_edge(random);
}

static void random_bytes(struct test_random *random, uint8_t *bytes, uint32_t size)
{
    const bool flat = chance(random, 3);
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = flat && i > 3 && i + 3 < size ? bytes[1] : (uint8_t)test_random_edge(random);
}

static void random_layout(struct test_random *random, struct harness_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    layout->field_count = (uint8_t)(1 + test_random_below(random, chance(random, 8) ? HARNESS_MAX_LAYOUT_FIELDS : 3));
    for (uint32_t i = 0; i < layout->field_count; i++) {
        layout->fields[i].element = (uint8_t)test_random_below(random, HARNESS_ELEMENT_NAMES);
        layout->fields[i].count = (uint8_t)(1 + test_random_below(random, chance(random, 16) ? 255 : 4));
    }
}

static void random_data(struct test_random *random, struct harness_case *test_case, struct harness_data *data,
                        bool with_comments)
{
    uint8_t bytes[600];
    struct harness_layout layout;
    struct harness_list list;
    const uint32_t size = test_random_below(random, sizeof bytes + 1);
    random_bytes(random, bytes, size);
    switch (test_random_below(random, 4)) {
    case 0: cr_assert(harness_data_bytes(test_case, data, bytes, size)); return;
    case 1:
        random_layout(random, &layout);
        cr_assert(harness_data_table(test_case, data, &layout, bytes, size));
        return;
    case 2:
        harness_data_pattern(data, (enum harness_pattern)test_random_below(random, HARNESS_PATTERN_NAMES),
                             test_random_edge(random), test_random_below(random, 5000));
        return;
    default:
        random_list(random, test_case, &list, with_comments);
        harness_data_list(data, &list);
        return;
    }
}

static void random_operation(struct test_random *random, struct harness_case *test_case, bool with_comments)
{
    struct harness_operation operation = { .kind = (enum harness_operation_kind)test_random_below(random, 8) };
    struct harness_list list;
    const uint32_t words = operation.kind == HARNESS_FILL       ? 4
                           : operation.kind == HARNESS_TRANSFER ? 9
                           : operation.kind == HARNESS_WRITE    ? 1
                                                                : 0;
    for (uint32_t i = 0; i < words; i++)
        operation.words[i] = test_random_edge(random);
    if (operation.kind == HARNESS_FILL || operation.kind == HARNESS_VBLANK)
        operation.unit = test_random_below(random, 2);
    if (operation.kind == HARNESS_LOAD || operation.kind == HARNESS_RUN || operation.kind == HARNESS_SUBMIT)
        operation.address = test_random_edge(random);
    if (operation.kind == HARNESS_SUBMIT)
        operation.size = test_random_edge(random);
    if (operation.kind == HARNESS_WRITE)
        operation.address =
            chance(random, 2) ? 0x10400000 + test_random_below(random, 0x2000) : test_random_edge(random);
    if (operation.kind == HARNESS_LOAD)
        random_data(random, test_case, &operation.data, with_comments);
    if (operation.kind == HARNESS_RUN) {
        random_list(random, test_case, &list, with_comments);
        harness_data_list(&operation.data, &list);
    }
    if (operation.kind == HARNESS_NOTE)
        operation.text = random_text(random, test_case, true);
    operation.comment = random_comment(random, test_case, with_comments);
    cr_assert_not_null(harness_case_insert(test_case, test_case->operation_count, &operation));
}

static void random_state(struct test_random *random, struct harness_case *test_case)
{
    struct harness_state *const state = harness_case_state(test_case);
    cr_assert_not_null(state);
    const uint32_t parts = test_random_below(random, 6);
    for (uint32_t i = 0; i < parts; i++) {
        const uint32_t part = test_random_below(random, harness_part_count);
        const uint32_t writes = test_random_below(random, 40);
        state->given |= (uint64_t)1 << part;
        for (uint32_t k = 0; k < writes; k++)
            harness_part_set(&state->values, part, test_random_below(random, harness_parts[part].count),
                             test_random_edge(random));
    }
    harness_state_normalise(state);
}

void test_random_case(struct test_random *random, struct harness_case *out, bool with_comments)
{
    harness_case_reset(out);
    out->comment = random_comment(random, out, with_comments);
    out->profile = chance(random, 3) ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++)
        if (chance(random, 3))
            harness_limit_set(out, i, 1 + test_random_below(random, HARNESS_MAX_BUDGET));
    const uint32_t windows = 1 + test_random_below(random, PICA_MAX_WINDOWS);
    for (uint32_t i = 0; i < windows; i++)
        cr_assert(harness_case_add_window(out, test_random_edge(random), test_random_below(random, 0x80000)));
    harness_case_fix_windows(out, HARNESS_PCB_MAX_WINDOW_BYTES);
    if (chance(random, 4))
        random_state(random, out);
    for (uint32_t i = test_random_below(random, 4); i > 0; i--) {
        struct harness_data data;
        random_data(random, out, &data, with_comments);
        struct harness_chunk *const chunk = harness_case_add_chunk(out, test_random_edge(random), &data);
        cr_assert_not_null(chunk);
        chunk->comment = random_comment(random, out, with_comments);
    }
    for (uint32_t i = test_random_below(random, 8); i > 0; i--)
        random_operation(random, out, with_comments);
}

size_t test_mutate(struct test_random *random, uint8_t *bytes, size_t size, size_t capacity)
{
    for (uint32_t steps = 1 + test_random_below(random, 4); steps > 0 && size > 0; steps--) {
        const size_t at = test_random_below(random, (uint32_t)size);
        const size_t length = 1 + test_random_below(random, chance(random, 3) ? 64 : 4);
        switch (test_random_below(random, 6)) {
        case 0: bytes[at] ^= (uint8_t)(1u << test_random_below(random, 8)); break;
        case 1: bytes[at] = (uint8_t)test_random_edge(random); break;
        case 2: /* remove */
            if (at + length < size) {
                memmove(bytes + at, bytes + at + length, size - at - length);
                size -= length;
            }
            break;
        case 3: /* repeat */
            if (at + length < size && size + length <= capacity) {
                memmove(bytes + at + length, bytes + at, size - at);
                size += length;
            }
            break;
        case 4: /* an extreme word */
            for (size_t i = 0; i < 4 && at + i < size; i++)
                bytes[at + i] = (uint8_t)(test_random_below(random, 2) == 0 ? 0xFF : 0);
            break;
        default: /* from elsewhere */ bytes[at] = bytes[test_random_below(random, (uint32_t)size)]; break;
        }
    }
    return chance(random, 8) ? test_random_below(random, (uint32_t)size + 1) : size;
}
