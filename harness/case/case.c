/* Life, comparison and editing of cases. */
#include "harness/case/case.h"
#include "pica/memory.h"

#include <stdlib.h>
#include <string.h>

/* CMD-20 */
struct pica_limits harness_limits_default(void)
{
    return (struct pica_limits){
        .commands = 0x100000, .vertices = 0x40000, .instructions = 0x4000, .emits = 0x400, .pixels = 0x10000000
    };
}

/* CMD-20. It gives no number of commands; 0x1000 is more than any generated list has. */
struct pica_limits harness_limits_fuzzing(void)
{
    return (struct pica_limits){
        .commands = 0x1000, .vertices = 0x1000, .instructions = 0x800, .emits = 0x40, .pixels = 0x20000
    };
}

/* ----------------------------------------------------------------------------------------------------------- life */

static void make_empty(struct harness_case *test_case)
{
    const struct harness_arena arena = test_case->arena;
    memset(test_case, 0, sizeof *test_case);
    test_case->arena = arena;
    test_case->limits = harness_limits_default();
    test_case->work = HARNESS_DEFAULT_WORK;
    test_case->profile = PICA_PROFILE_F32;
}

struct harness_case *harness_case_create(void)
{
    struct harness_case *const test_case = malloc(sizeof *test_case);
    if (test_case == NULL)
        return NULL;
    harness_arena_init(&test_case->arena);
    make_empty(test_case);
    return test_case;
}

void harness_case_destroy(struct harness_case *test_case)
{
    if (test_case == NULL)
        return;
    harness_arena_free(&test_case->arena);
    free(test_case);
}

void harness_case_reset(struct harness_case *test_case)
{
    harness_arena_reset(&test_case->arena);
    make_empty(test_case);
}

/* ----------------------------------------------------------------------------------------------------------- copy */

bool harness_case_copy_text(struct harness_case *to, const char **out, const char *from)
{
    *out = from == NULL ? NULL : harness_arena_text(&to->arena, from, strlen(from));
    return from == NULL || *out != NULL;
}

static bool copy_chunks(struct harness_case *to, const struct harness_case *from)
{
    to->chunks = harness_arena_array(&to->arena, from->chunk_count, sizeof *to->chunks);
    if (to->chunks == NULL)
        return false;
    to->chunk_capacity = from->chunk_count;
    for (; to->chunk_count < from->chunk_count; to->chunk_count++) {
        const struct harness_chunk *const source = &from->chunks[to->chunk_count];
        struct harness_chunk *const chunk = &to->chunks[to->chunk_count];
        chunk->address = source->address;
        if (!harness_data_copy(to, &chunk->data, &source->data) ||
            !harness_case_copy_text(to, &chunk->comment, source->comment))
            return false;
    }
    return true;
}

static bool copy_operations(struct harness_case *to, const struct harness_case *from)
{
    to->operations = harness_arena_array(&to->arena, from->operation_count, sizeof *to->operations);
    if (to->operations == NULL)
        return false;
    to->operation_capacity = from->operation_count;
    for (; to->operation_count < from->operation_count; to->operation_count++) {
        const struct harness_operation *const source = &from->operations[to->operation_count];
        struct harness_operation *const operation = &to->operations[to->operation_count];
        *operation = *source;
        if (!harness_data_copy(to, &operation->data, &source->data) ||
            !harness_case_copy_text(to, &operation->text, source->text) ||
            !harness_case_copy_text(to, &operation->comment, source->comment))
            return false;
    }
    return true;
}

static bool copy_all(struct harness_case *to, const struct harness_case *from)
{
    memcpy(to->windows, from->windows, sizeof to->windows);
    to->window_count = from->window_count;
    to->limits = from->limits;
    to->work = from->work;
    to->profile = from->profile;
    if (from->state != NULL) {
        to->state = harness_arena_copy(&to->arena, from->state, sizeof *from->state);
        if (to->state == NULL)
            return false;
    }
    return harness_case_copy_text(to, &to->comment, from->comment) && copy_chunks(to, from) &&
           copy_operations(to, from);
}

bool harness_case_copy(struct harness_case *to, const struct harness_case *from)
{
    harness_case_reset(to);
    if (copy_all(to, from))
        return true;
    harness_case_reset(to);
    return false;
}

struct harness_case *harness_case_clone(const struct harness_case *test_case)
{
    struct harness_case *const copy = harness_case_create();
    if (copy != NULL && !harness_case_copy(copy, test_case)) {
        harness_case_destroy(copy);
        return NULL;
    }
    return copy;
}

/* ----------------------------------------------------------------------------------------------------- comparison */

bool harness_texts_equal(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Only LOAD and RUN have contents. */
static bool operations_equal(const struct harness_operation *a, const struct harness_operation *b, bool with_comments)
{
    const bool has_data = a->kind == HARNESS_LOAD || a->kind == HARNESS_RUN;
    return a->kind == b->kind && a->unit == b->unit && a->address == b->address && a->size == b->size &&
           memcmp(a->words, b->words, sizeof a->words) == 0 && harness_texts_equal(a->text, b->text) &&
           (!with_comments || harness_texts_equal(a->comment, b->comment)) &&
           (!has_data || harness_data_equal(&a->data, &b->data, with_comments));
}

static bool contents_equal(const struct harness_case *a, const struct harness_case *b, bool with_comments)
{
    for (uint32_t i = 0; i < a->chunk_count; i++) {
        const struct harness_chunk *const x = &a->chunks[i];
        const struct harness_chunk *const y = &b->chunks[i];
        if (x->address != y->address || !harness_data_equal(&x->data, &y->data, with_comments) ||
            (with_comments && !harness_texts_equal(x->comment, y->comment)))
            return false;
    }
    for (uint32_t i = 0; i < a->operation_count; i++)
        if (!operations_equal(&a->operations[i], &b->operations[i], with_comments))
            return false;
    return true;
}

static bool limits_equal(const struct harness_case *a, const struct harness_case *b)
{
    return a->limits.commands == b->limits.commands && a->limits.vertices == b->limits.vertices &&
           a->limits.instructions == b->limits.instructions && a->limits.emits == b->limits.emits &&
           a->limits.pixels == b->limits.pixels && a->work == b->work;
}

static bool windows_equal(const struct harness_case *a, const struct harness_case *b)
{
    if (a->window_count != b->window_count)
        return false;
    for (uint32_t i = 0; i < a->window_count; i++)
        if (a->windows[i].address != b->windows[i].address || a->windows[i].size != b->windows[i].size)
            return false;
    return true;
}

bool harness_case_equal(const struct harness_case *a, const struct harness_case *b, bool with_comments)
{
    if (!windows_equal(a, b) || !limits_equal(a, b) || a->profile != b->profile || a->chunk_count != b->chunk_count ||
        a->operation_count != b->operation_count)
        return false;
    if (with_comments && !harness_texts_equal(a->comment, b->comment))
        return false;
    if (a->state == NULL || b->state == NULL ? a->state != b->state : !harness_state_equal(a->state, b->state))
        return false;
    return contents_equal(a, b, with_comments);
}

/* -------------------------------------------------------------------------------------------------------- windows */

bool harness_case_add_window(struct harness_case *test_case, uint32_t address, uint32_t size)
{
    if (test_case->window_count >= PICA_MAX_WINDOWS)
        return false;
    test_case->windows[test_case->window_count++] = (struct pica_window){ address, size };
    return true;
}

/* The region that `address` is in, or that gets it: everything below FCRAM goes to VRAM. */
static struct pica_window region_of(uint32_t address)
{
    if (address < PICA_FCRAM_ADDRESS)
        return (struct pica_window){ PICA_VRAM_ADDRESS, PICA_VRAM_SIZE };
    return (struct pica_window){ PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE };
}

/* Moves and cuts one window so that it lies in its region and clear of those before it; size 0 if it cannot. */
static struct pica_window fitted(const struct harness_case *test_case, uint32_t kept, struct pica_window window)
{
    const struct pica_window region = region_of(window.address);
    uint64_t start = window.address - (window.address % PICA_PAGE_SIZE);
    const uint64_t end_of_region = (uint64_t)region.address + region.size;
    if (start < region.address || start >= end_of_region)
        start = region.address + (start - region.address) % region.size;
    const uint64_t whole = window.size < PICA_PAGE_SIZE ? PICA_PAGE_SIZE : window.size - window.size % PICA_PAGE_SIZE;
    /* Each pass can only move the start upwards past one kept window. */
    for (uint32_t pass = 0; pass < kept; pass++)
        for (uint32_t i = 0; i < kept; i++) {
            const struct pica_window *const other = &test_case->windows[i];
            if (start >= other->address && start < (uint64_t)other->address + other->size)
                start = (uint64_t)other->address + other->size;
        }
    uint64_t end = start + whole < end_of_region ? start + whole : end_of_region;
    for (uint32_t i = 0; i < kept; i++)
        if (test_case->windows[i].address > start && test_case->windows[i].address < end)
            end = test_case->windows[i].address;
    if (start >= end)
        return (struct pica_window){ 0, 0 };
    return (struct pica_window){ (uint32_t)start, (uint32_t)(end - start) };
}

void harness_case_fix_windows(struct harness_case *test_case, uint32_t bytes)
{
    uint32_t kept = 0;
    uint32_t left = bytes - bytes % PICA_PAGE_SIZE;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        struct pica_window window = fitted(test_case, kept, test_case->windows[i]);
        if (window.size > left)
            window.size = left;
        if (window.size == 0)
            continue;
        left -= window.size;
        test_case->windows[kept++] = window;
    }
    if (kept == 0)
        test_case->windows[kept++] = (struct pica_window){ PICA_VRAM_ADDRESS, HARNESS_PCB_USUAL_WINDOW };
    test_case->window_count = kept;
}

/* ----------------------------------------------------------------------------------------------- state and arrays */

struct harness_state *harness_case_state(struct harness_case *test_case)
{
    if (test_case->state != NULL)
        return test_case->state;
    test_case->state = harness_arena_raw(&test_case->arena, sizeof *test_case->state);
    if (test_case->state != NULL)
        harness_state_init(test_case->state);
    return test_case->state;
}

/* Room for one more element of `size` bytes; the array moves when it grows. */
static bool reserve(struct harness_case *test_case, void **array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    const uint32_t grown = *capacity < 4 ? 8 : *capacity * 2; /* at most twice HARNESS_MAX_OPERATIONS */
    void *const copy = harness_arena_raw(&test_case->arena, grown * size);
    if (copy == NULL)
        return false;
    if (count != 0)
        memcpy(copy, *array, count * size);
    *array = copy;
    *capacity = grown;
    return true;
}

struct harness_chunk *harness_case_insert_chunk(struct harness_case *test_case, uint32_t index, uint32_t address,
                                                const struct harness_data *data)
{
    void *array = test_case->chunks;
    if (index > test_case->chunk_count || test_case->chunk_count >= HARNESS_MAX_CHUNKS ||
        !reserve(test_case, &array, test_case->chunk_count, &test_case->chunk_capacity, sizeof *test_case->chunks))
        return NULL;
    test_case->chunks = array;
    struct harness_chunk *const place = &test_case->chunks[index];
    if (index < test_case->chunk_count)
        memmove(place + 1, place, (test_case->chunk_count - index) * sizeof *place);
    *place = (struct harness_chunk){ .address = address, .data = *data };
    test_case->chunk_count++;
    return place;
}

struct harness_operation *harness_case_insert(struct harness_case *test_case, uint32_t index,
                                              const struct harness_operation *operation)
{
    void *array = test_case->operations;
    const struct harness_operation copy = *operation;
    if (index > test_case->operation_count || test_case->operation_count >= HARNESS_MAX_OPERATIONS ||
        !reserve(test_case, &array, test_case->operation_count, &test_case->operation_capacity, sizeof copy))
        return NULL;
    test_case->operations = array;
    struct harness_operation *const place = &test_case->operations[index];
    if (index < test_case->operation_count)
        memmove(place + 1, place, (test_case->operation_count - index) * sizeof *place);
    *place = copy;
    test_case->operation_count++;
    return place;
}

/* Removes up to `count` of the `*length` elements of `size` bytes, from `index` on. */
static void cut(void *array, uint32_t *length, size_t size, uint32_t index, uint32_t count)
{
    if (index >= *length)
        return;
    const uint32_t left = *length - index;
    const uint32_t removed = count < left ? count : left;
    unsigned char *const place = (unsigned char *)array + index * size;
    memmove(place, place + removed * size, (left - removed) * size);
    *length -= removed;
}

void harness_case_remove_chunks(struct harness_case *test_case, uint32_t index, uint32_t count)
{
    cut(test_case->chunks, &test_case->chunk_count, sizeof *test_case->chunks, index, count);
}

void harness_case_remove(struct harness_case *test_case, uint32_t index, uint32_t count)
{
    cut(test_case->operations, &test_case->operation_count, sizeof *test_case->operations, index, count);
}

/* ------------------------------------------------------------------------------------------------------ appending */

struct harness_chunk *harness_case_add_chunk(struct harness_case *test_case, uint32_t address,
                                             const struct harness_data *data)
{
    return harness_case_insert_chunk(test_case, test_case->chunk_count, address, data);
}

static struct harness_operation *append(struct harness_case *test_case, const struct harness_operation *operation)
{
    return harness_case_insert(test_case, test_case->operation_count, operation);
}

struct harness_operation *harness_case_append(struct harness_case *test_case, enum harness_operation_kind kind)
{
    return append(test_case, &(struct harness_operation){ .kind = kind });
}

struct harness_operation *harness_case_add_load(struct harness_case *test_case, uint32_t address,
                                                const struct harness_data *data)
{
    return append(test_case, &(struct harness_operation){ .kind = HARNESS_LOAD, .address = address, .data = *data });
}

struct harness_operation *harness_case_add_run(struct harness_case *test_case, uint32_t address)
{
    return append(test_case, &(struct harness_operation){
                                 .kind = HARNESS_RUN, .address = address, .data = { .kind = HARNESS_DATA_LIST } });
}

struct harness_operation *harness_case_add_submit(struct harness_case *test_case, uint32_t address, uint32_t size)
{
    return append(test_case, &(struct harness_operation){ .kind = HARNESS_SUBMIT, .address = address, .size = size });
}

struct harness_operation *harness_case_add_write(struct harness_case *test_case, uint32_t address, uint32_t value)
{
    return append(test_case,
                  &(struct harness_operation){ .kind = HARNESS_WRITE, .address = address, .words = { value } });
}

struct harness_operation *harness_case_add_fill(struct harness_case *test_case, uint32_t unit, const uint32_t words[4])
{
    return append(test_case, &(struct harness_operation){ .kind = HARNESS_FILL,
                                                          .unit = unit & 1u,
                                                          .words = { words[0], words[1], words[2], words[3] } });
}

struct harness_operation *harness_case_add_transfer(struct harness_case *test_case, const uint32_t words[9])
{
    struct harness_operation operation = { .kind = HARNESS_TRANSFER };
    memcpy(operation.words, words, sizeof operation.words);
    return append(test_case, &operation);
}

struct harness_operation *harness_case_add_vblank(struct harness_case *test_case, uint32_t screen)
{
    return append(test_case, &(struct harness_operation){ .kind = HARNESS_VBLANK, .unit = screen & 1u });
}

/* Control characters would not survive the text form. */
const char *harness_case_text(struct harness_case *test_case, const char *text, bool one_line)
{
    size_t length = strlen(text);
    if (length > HARNESS_MAX_TEXT)
        length = HARNESS_MAX_TEXT;
    char *const copy = harness_arena_text(&test_case->arena, text, length);
    for (size_t i = 0; copy != NULL && i < length; i++)
        if ((unsigned char)copy[i] < 0x20 && (copy[i] != '\n' || one_line))
            copy[i] = ' ';
    return copy;
}
