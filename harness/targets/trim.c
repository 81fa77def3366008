#include "harness/targets/trim.h"

#include "harness/case/formats.h"
#include "harness/run/pair.h"
#include "pica/regs.h"

#include <stdlib.h>

/* In this order: large things first, so that few candidates are spent on parts of what goes as a whole. */
enum pass {
    WHOLE,      /* the same case, written as this program writes it */
    STATE,      /* the initial state: element 0 all of it, then part by part */
    OPERATIONS, /* runs of them, from half of all down to one */
    DRAWS,      /* a draw and the commands since the draw before it */
    CHUNKS,     /* blocks of initial memory, as operations */
    COMMANDS,   /* as operations, over all lists */
    PARAMETERS, /* the second half of a command's parameters */
    VERTICES,   /* half of a vertex count or less; saves no bytes itself, but data may go afterwards */
    CONTENTS,   /* the second half of a memory block or load */
    TAILS,      /* words after the last whole command */
    WINDOWS,
    PASSES
};

enum {
    MOST_LOOKS = 65536, /* elements looked at for one input, with or without a candidate */
    /* Failed candidates in a row before a kind of change is given up. Engines demand the same coverage with the same
     * counts, which few changes keep: an input that resists is not worth hundreds of executions. */
    PATIENCE = 4
};

struct harness_trimmer {
    struct harness_case *kept;      /* the smallest that behaves the same */
    struct harness_case *candidate; /* what is being tried */
    uint8_t *bytes;                 /* the candidate: HARNESS_MAX_INPUT */
    size_t size;                    /* of the candidate; 0 = there is none */
    size_t kept_size;
    enum pass pass;
    uint32_t at;   /* first element to change */
    uint32_t span; /* elements to change together */
    uint32_t steps;
    uint32_t looks;
    uint32_t failures; /* in a row, in this pass */
};

struct harness_trimmer *harness_trimmer_create(void)
{
    struct harness_trimmer *const trimmer = calloc(1, sizeof *trimmer);
    if (trimmer == NULL)
        return NULL;
    trimmer->kept = harness_case_create();
    trimmer->candidate = harness_case_create();
    trimmer->bytes = malloc(HARNESS_MAX_INPUT);
    if (trimmer->kept != NULL && trimmer->candidate != NULL && trimmer->bytes != NULL)
        return trimmer;
    harness_trimmer_destroy(trimmer);
    return NULL;
}

void harness_trimmer_destroy(struct harness_trimmer *trimmer)
{
    if (trimmer == NULL)
        return;
    harness_case_destroy(trimmer->kept);
    harness_case_destroy(trimmer->candidate);
    free(trimmer->bytes);
    free(trimmer);
}

/* ----------------------------------------------------------------------------------------------- parts of a case */

/* Memory contents, of blocks first and then of operations: NULL for any index past the last. */
static struct harness_data *contents_at(const struct harness_case *test_case, uint32_t index)
{
    if (index < test_case->chunk_count)
        return &test_case->chunks[index].data;
    index -= test_case->chunk_count;
    return index < test_case->operation_count ? &test_case->operations[index].data : NULL;
}

/* Only RUN (its list) and LOAD (its data) carry contents. */
static bool has_contents(const struct harness_case *test_case, uint32_t index)
{
    if (index < test_case->chunk_count)
        return true;
    const enum harness_operation_kind kind = test_case->operations[index - test_case->chunk_count].kind;
    return kind == HARNESS_LOAD || kind == HARNESS_RUN;
}

static uint32_t contents_total(const struct harness_case *test_case)
{
    return test_case->chunk_count + test_case->operation_count;
}

static struct harness_list *list_at(const struct harness_case *test_case, uint32_t index)
{
    struct harness_data *const data = contents_at(test_case, index);
    return has_contents(test_case, index) && data->kind == HARNESS_DATA_LIST ? &data->list : NULL;
}

static bool is_draw(const struct harness_command *command)
{
    return command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS;
}

static bool is_command(const struct harness_command *command)
{
    (void)command;
    return true;
}

/* A command of a case: its list, and where it is there. */
struct place {
    struct harness_list *list; /* NULL: none */
    uint32_t command;
};

typedef bool (*command_test)(const struct harness_command *command);

static uint32_t count_commands(const struct harness_case *test_case, command_test test)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < contents_total(test_case); i++) {
        const struct harness_list *const list = list_at(test_case, i);
        for (uint32_t c = 0; list != NULL && c < list->count; c++)
            count += test(&list->commands[c]);
    }
    return count;
}

/* The command number `index` of those that pass the test. */
static struct place find_command(const struct harness_case *test_case, uint32_t index, command_test test)
{
    for (uint32_t i = 0; i < contents_total(test_case); i++) {
        struct harness_list *const list = list_at(test_case, i);
        for (uint32_t c = 0; list != NULL && c < list->count; c++)
            if (test(&list->commands[c]) && index-- == 0)
                return (struct place){ list, c };
    }
    return (struct place){ NULL, 0 };
}

/* ------------------------------------------------------------------------------------------------------- the edits */

static uint32_t elements(const struct harness_case *test_case, enum pass pass)
{
    switch (pass) {
    case WHOLE: return 1;
    case STATE: return test_case->state != NULL ? 1 + harness_part_count : 0;
    case OPERATIONS: return test_case->operation_count;
    case DRAWS: return count_commands(test_case, is_draw);
    case CHUNKS: return test_case->chunk_count;
    case COMMANDS:
    case PARAMETERS:
    case VERTICES: return count_commands(test_case, is_command);
    case CONTENTS:
    case TAILS: return contents_total(test_case);
    case WINDOWS: return test_case->window_count > 1 ? test_case->window_count : 0;
    case PASSES: break;
    }
    return 0;
}

static bool edit_state(struct harness_case *test_case, uint32_t at)
{
    if (at == 0) {
        test_case->state = NULL;
        return true;
    }
    const uint64_t part = (uint64_t)1 << (at - 1);
    const bool given = (test_case->state->given & part) != 0;
    test_case->state->given &= ~part;
    harness_state_normalise(test_case->state);
    return given;
}

static bool edit_draw(struct harness_case *test_case, uint32_t at)
{
    const struct place place = find_command(test_case, at, is_draw);
    if (place.list == NULL)
        return false;
    uint32_t first = place.command;
    while (first != 0 && !is_draw(&place.list->commands[first - 1]))
        first--;
    harness_list_remove(place.list, first, place.command - first + 1);
    return true;
}

static bool edit_commands(struct harness_case *test_case, uint32_t at, uint32_t span)
{
    uint32_t left = span;
    for (uint32_t i = 0; left != 0 && i < contents_total(test_case); i++) {
        struct harness_list *const list = list_at(test_case, i);
        if (list == NULL)
            continue;
        if (at >= list->count) {
            at -= list->count;
            continue;
        }
        const uint32_t count = left < list->count - at ? left : list->count - at;
        harness_list_remove(list, at, count);
        left -= count;
        at = 0;
    }
    return left < span;
}

static bool edit_parameters(struct harness_case *test_case, uint32_t at)
{
    const struct place place = find_command(test_case, at, is_command);
    if (place.list == NULL || place.list->commands[place.command].count == 1)
        return false;
    struct harness_command *const command = harness_list_edit(place.list, place.command);
    command->count = (uint16_t)(command->count / 2u);
    command->padding = 0;
    return true;
}

static uint32_t bytes_present(uint32_t word)
{
    uint32_t count = 0;
    for (; word != 0; word >>= 8)
        count += (word & 0xFFu) != 0;
    return count;
}

/* The binary form drops bytes that are 0, and half of 0x300 has more that are not: low bytes go until it
 * has not. */
static uint32_t half_of(uint32_t value)
{
    uint32_t half = value / 2;
    for (uint32_t low = 0xFF; bytes_present(half) > bytes_present(value); low <<= 8)
        half &= ~low;
    return half;
}

static bool edit_vertices(struct harness_case *test_case, uint32_t at)
{
    const struct place place = find_command(test_case, at, is_command);
    if (place.list == NULL)
        return false;
    const struct harness_command *const command = &place.list->commands[place.command];
    if (command->id != PICA_REG_NUMVERTICES || command->parameters[0] < 2)
        return false;
    *harness_command_edit(harness_list_edit(place.list, place.command)) = half_of(command->parameters[0]);
    return true;
}

/* Whole rows of a table, whole words of anything else, if there are that many. */
static bool edit_contents(struct harness_case *test_case, uint32_t at)
{
    struct harness_data *const data = contents_at(test_case, at);
    if (!has_contents(test_case, at) || data->kind == HARNESS_DATA_LIST || data->size == 0)
        return false;
    const uint32_t unit = data->kind == HARNESS_DATA_TABLE ? harness_layout_size(&data->layout) : 4;
    const uint32_t half = data->size / 2;
    data->size = unit != 0 && half >= unit ? half - half % unit : half;
    return true;
}

static bool edit_tail(struct harness_case *test_case, uint32_t at)
{
    struct harness_list *const list = list_at(test_case, at);
    if (list == NULL || list->tail_count == 0)
        return false;
    list->tail_count = 0;
    return true;
}

static bool edit_windows(struct harness_case *test_case, uint32_t at)
{
    for (uint32_t i = at; i + 1 < test_case->window_count; i++)
        test_case->windows[i] = test_case->windows[i + 1];
    test_case->window_count--;
    return true;
}

/* False if there is nothing to change at these elements. */
static bool edit(struct harness_case *test_case, enum pass pass, uint32_t at, uint32_t span)
{
    switch (pass) {
    case WHOLE: return true;
    case STATE: return edit_state(test_case, at);
    case OPERATIONS: harness_case_remove(test_case, at, span); return true;
    case DRAWS: return edit_draw(test_case, at);
    case CHUNKS: harness_case_remove_chunks(test_case, at, span); return true;
    case COMMANDS: return edit_commands(test_case, at, span);
    case PARAMETERS: return edit_parameters(test_case, at);
    case VERTICES: return edit_vertices(test_case, at);
    case CONTENTS: return edit_contents(test_case, at);
    case TAILS: return edit_tail(test_case, at);
    case WINDOWS: return edit_windows(test_case, at);
    case PASSES: break;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------- the sequence */

static bool in_runs(enum pass pass)
{
    return pass == OPERATIONS || pass == CHUNKS || pass == COMMANDS;
}

static void enter(struct harness_trimmer *trimmer, enum pass pass)
{
    trimmer->pass = pass;
    trimmer->at = 0;
    trimmer->span = 1;
    trimmer->failures = 0;
    if (pass != PASSES && in_runs(pass))
        while (2 * trimmer->span <= elements(trimmer->kept, pass))
            trimmer->span *= 2;
}

/* The candidate at the current place; false if there is none or it is no smaller. */
static bool build(struct harness_trimmer *trimmer)
{
    const uint32_t left = elements(trimmer->kept, trimmer->pass) - trimmer->at;
    trimmer->size = 0;
    if (!harness_case_copy(trimmer->candidate, trimmer->kept) ||
        !edit(trimmer->candidate, trimmer->pass, trimmer->at, trimmer->span < left ? trimmer->span : left))
        return false;
    size_t size = 0;
    if (harness_pcb_encode(trimmer->candidate, trimmer->bytes, HARNESS_MAX_INPUT, &size, NULL) != HARNESS_OK ||
        size == 0 || size > trimmer->kept_size || (size == trimmer->kept_size && trimmer->pass != VERTICES))
        return false;
    trimmer->size = size;
    return true;
}

/* Finds the next candidate, from the current place on. */
static bool search(struct harness_trimmer *trimmer)
{
    trimmer->size = 0;
    while (trimmer->pass != PASSES && trimmer->steps < HARNESS_TRIM_STEPS && trimmer->looks < MOST_LOOKS) {
        trimmer->looks++;
        if (trimmer->failures == PATIENCE) {
            enter(trimmer, (enum pass)(trimmer->pass + 1));
        } else if (trimmer->at < elements(trimmer->kept, trimmer->pass)) {
            if (build(trimmer))
                return true;
            trimmer->at += trimmer->span;
        } else if (trimmer->span > 1) {
            trimmer->at = 0;
            trimmer->span /= 2;
        } else {
            enter(trimmer, (enum pass)(trimmer->pass + 1));
        }
    }
    return false;
}

bool harness_trim_begin(struct harness_trimmer *trimmer, const uint8_t *bytes, size_t size)
{
    trimmer->size = 0;
    trimmer->steps = 0;
    trimmer->looks = 0;
    trimmer->kept_size = size;
    harness_case_reset(trimmer->kept);
    if (size > HARNESS_MAX_INPUT || !harness_pcb_decode(trimmer->kept, bytes, size))
        return false;
    enter(trimmer, WHOLE);
    return search(trimmer);
}

size_t harness_trim_candidate(struct harness_trimmer *trimmer, uint8_t **out)
{
    *out = trimmer->bytes;
    return trimmer->size;
}

uint32_t harness_trim_judge(struct harness_trimmer *trimmer, bool same)
{
    trimmer->steps++;
    trimmer->failures = same ? 0 : trimmer->failures + 1;
    if (same) {
        struct harness_case *const before = trimmer->kept;
        trimmer->kept = trimmer->candidate;
        trimmer->candidate = before;
        trimmer->kept_size = trimmer->size;
    }
    if (!same || trimmer->pass == WHOLE)
        trimmer->at += trimmer->span; /* after a removal the next elements are at the same place */
    return search(trimmer) ? trimmer->steps : HARNESS_TRIM_STEPS;
}
