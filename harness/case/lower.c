/* From the model to what pica/backend.h takes. */
#include "harness/case/case.h"

#include <stdlib.h>

struct harness_program *harness_program_create(void)
{
    struct harness_program *const program = calloc(1, sizeof *program);
    if (program != NULL)
        harness_arena_init(&program->arena);
    return program;
}

void harness_program_destroy(struct harness_program *program)
{
    if (program == NULL)
        return;
    harness_arena_free(&program->arena);
    free(program);
}

/* The bytes of contents: those of the case itself, or computed ones in the program's arena. */
static const uint8_t *lower_data(struct harness_program *program, const struct harness_data *data, bool padded,
                                 uint32_t *size)
{
    *size = (uint32_t)harness_data_size(data, padded);
    if (data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE)
        return data->size == 0 ? (const uint8_t *)"" : data->bytes;
    uint8_t *const bytes = harness_arena_raw(&program->arena, *size);
    if (bytes != NULL)
        harness_data_write(data, padded, bytes);
    return bytes;
}

static bool lower_chunks(const struct harness_case *test_case, struct harness_program *program)
{
    struct pica_chunk *const chunks = harness_arena_array(&program->arena, test_case->chunk_count, sizeof *chunks);
    if (chunks == NULL)
        return false;
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        chunks[i].address = test_case->chunks[i].address;
        chunks[i].data = lower_data(program, &test_case->chunks[i].data, false, &chunks[i].size);
        if (chunks[i].data == NULL)
            return false;
    }
    program->setup.chunks = chunks;
    program->setup.chunk_count = test_case->chunk_count;
    return true;
}

static struct pica_operation *append(struct harness_program *program, uint32_t origin)
{
    program->origins[program->count] = origin;
    return &program->operations[program->count++];
}

static bool lower_load(struct harness_program *program, const struct harness_operation *operation, uint32_t origin)
{
    const bool runs = operation->kind == HARNESS_RUN;
    struct pica_operation *const load = append(program, origin);
    load->kind = PICA_OPERATION_LOAD_MEMORY;
    load->address = operation->address;
    load->data = lower_data(program, &operation->data, runs, &load->size);
    if (load->data == NULL)
        return false;
    if (runs) {
        struct pica_operation *const submit = append(program, origin);
        submit->kind = PICA_OPERATION_SUBMIT_LIST;
        submit->address = operation->address;
        submit->size = load->size;
    }
    return true;
}

static void lower_words(struct harness_program *program, const struct harness_operation *operation, uint32_t origin,
                        enum pica_operation_kind kind)
{
    struct pica_operation *const out = append(program, origin);
    out->kind = kind;
    out->unit = operation->unit;
    out->address = operation->address;
    out->size = operation->size;
    for (uint32_t i = 0; i < 9; i++)
        out->words[i] = operation->words[i];
}

static bool lower_operation(struct harness_program *program, const struct harness_operation *operation, uint32_t origin)
{
    switch (operation->kind) {
    case HARNESS_LOAD:
    case HARNESS_RUN: return lower_load(program, operation, origin);
    case HARNESS_SUBMIT: lower_words(program, operation, origin, PICA_OPERATION_SUBMIT_LIST); return true;
    case HARNESS_WRITE: lower_words(program, operation, origin, PICA_OPERATION_WRITE_REGISTER); return true;
    case HARNESS_FILL: lower_words(program, operation, origin, PICA_OPERATION_MEMORY_FILL); return true;
    case HARNESS_TRANSFER: lower_words(program, operation, origin, PICA_OPERATION_DISPLAY_TRANSFER); return true;
    case HARNESS_VBLANK: lower_words(program, operation, origin, PICA_OPERATION_VERTICAL_BLANK); return true;
    case HARNESS_NOTE: return true;
    }
    return true; /* not reached: harness_case_check knows the kinds */
}

static bool lower_operations(const struct harness_case *test_case, struct harness_program *program)
{
    const size_t most = 2 * (size_t)test_case->operation_count;
    program->operations = harness_arena_array(&program->arena, most, sizeof *program->operations);
    program->origins = harness_arena_array(&program->arena, most, sizeof *program->origins);
    if (program->operations == NULL || program->origins == NULL)
        return false;
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (!lower_operation(program, &test_case->operations[i], i))
            return false;
    return true;
}

/* REG-45 */
static bool lower_state(const struct harness_case *test_case, struct harness_program *program)
{
    program->setup.initial_state = NULL;
    if (test_case->state == NULL)
        return true;
    struct pica_state *const state = harness_arena_raw(&program->arena, sizeof *state);
    if (state == NULL)
        return false;
    harness_state_complete(test_case->state, test_case->profile, state);
    program->setup.initial_state = state;
    return true;
}

enum harness_status harness_case_setup(const struct harness_case *test_case, struct harness_program *program,
                                       struct harness_error *error)
{
    const enum harness_status status = harness_case_check(test_case, error);
    if (status != HARNESS_OK)
        return status;
    harness_arena_reset(&program->arena);
    program->count = 0;
    program->setup.windows = test_case->windows;
    program->setup.window_count = test_case->window_count;
    program->setup.limits = test_case->limits;
    program->setup.work = test_case->work;
    program->setup.profile = test_case->profile;
    if (!lower_chunks(test_case, program) || !lower_operations(test_case, program) || !lower_state(test_case, program))
        return harness_fail_memory(error);
    return HARNESS_OK;
}
