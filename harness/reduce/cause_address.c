/*
 * Where two sides differ, an address register outside -128 to 127 ("far") may be the cause (SHD-22) or coincidence:
 * other faults in relative addressing show with far and near addresses alike. Two experiments decide. First, all
 * numbers that may become addresses are brought near, by a remainder so that they stay distinct where possible: if the
 * difference still shows, it does not need a far address. Second, all vertices get the same far address: if the
 * difference shows with none, the far address is not what causes it.
 */
#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/reduce_stream.h"
#include "pica/opcodes.h"
#include "pica/state.h"

#include <math.h>
#include <string.h>

static const int near = 128; /* SHD-22: an address of this magnitude or more counts as far */

static bool is_far(double number)
{
    return number >= near || number <= -near;
}

static bool bring_vector(void *user, struct reduce_element *element)
{
    double vector[4];
    bool far = false;
    if (!element->at.is_known || (element->at.port != ORACLE_PORT_UNIFORMS && element->at.port != ORACLE_PORT_FIXED))
        return false;
    harness_reduce_unpack(element->words, element->at.float32, vector);
    for (int i = 0; i < 4; i++)
        if (is_far(vector[i])) {
            vector[i] = isfinite(vector[i]) ? fmod(vector[i], near) : 0.0;
            far = true;
        }
    if (far)
        harness_reduce_pack(vector, element->at.float32, element->words);
    *(bool *)user = *(bool *)user || far;
    return false; /* the element is not removed */
}

/* Brings one element of a vertex array near; true if it was far. Signed bytes are treated as unsigned ones, since a
 * draw may read them as such (VTX-02). */
static bool bring_element(enum harness_element element, uint8_t *bytes)
{
    int16_t number = 0;
    float real = 0.0f;
    if ((element == HARNESS_ELEMENT_U8 || element == HARNESS_ELEMENT_S8) && bytes[0] >= near) {
        bytes[0] = (uint8_t)(bytes[0] - near);
        return true;
    }
    memcpy(&number, bytes, element == HARNESS_ELEMENT_S16 ? sizeof number : 0);
    if (is_far(number)) {
        number = (int16_t)(number % near);
        memcpy(bytes, &number, sizeof number);
        return true;
    }
    memcpy(&real, bytes, element == HARNESS_ELEMENT_F32 ? sizeof real : 0);
    if (!is_far((double)real))
        return false;
    real = isfinite(real) ? fmodf(real, (float)near) : 0.0f;
    memcpy(bytes, &real, sizeof real);
    return true;
}

static bool bring_table(const struct harness_data *data)
{
    bool far = false;
    for (uint32_t at = 0; at < data->size;)
        for (uint32_t field = 0; field < data->layout.field_count && at < data->size; field++) {
            const enum harness_element element = (enum harness_element)data->layout.fields[field].element;
            const uint32_t size = harness_element_size(element);
            for (uint32_t i = 0; i < data->layout.fields[field].count && at + size <= data->size; i++, at += size)
                far = bring_element(element, data->bytes + at) || far;
            if (at + size > data->size)
                at = data->size;
        }
    return far;
}

static bool bring_near(struct harness_case *test_case)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    bool far = false;
    for (const struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;)
        if (data->kind == HARNESS_DATA_TABLE)
            far = bring_table(data) || far;
    return harness_reduce_elements(test_case, bring_vector, &far, NULL) && far;
}

static enum harness_status try_near(struct cause_search *search, bool *needed)
{
    bool shows = false;
    if (!harness_case_copy(search->candidate, search->best))
        return harness_fail_memory(search->error);
    if (!bring_near(search->candidate))
        return HARNESS_OK;
    const enum harness_status status = cause_shows(search, &shows);
    const struct harness_blame *const now = harness_probe_blame(search->probe);
    *needed = !shows || now->relative != 'a' || now->far_address;
    return status;
}

/* -------------------------------------------------------------------------------------------- one for all vertices */

enum {
    SHARED_UNIFORM = REDUCE_UNIFORMS - 1, /* the last one: hardly any program reads it */
    SHARED_STEP = 16 /* a quarter of all offsets lies outside the uniforms (SHD-22), so some tries do */
};

/* SHD-20: source operands from this number on are uniforms. */
static const uint32_t source_uniforms = 0x20;

static void take_shared(void *user, const struct reduce_word *word)
{
    if (!word->is_code || pica_opcode_of(*word->word) != PICA_OPCODE_MOVA)
        return;
    const struct reduce_operands operands = harness_reduce_operands_of(*word->word);
    if (operands.sources[0] != NULL)
        *word->word = pica_field_set(operands.sources[0], *word->word, source_uniforms + SHARED_UNIFORM);
    *(bool *)user = operands.sources[0] != NULL;
}

/* Puts the address into the shared uniform of both shader units in the case's initial state. False if memory runs
 * out. */
static bool share_address(struct harness_case *test_case, float address)
{
    static const uint32_t parts[] = { PICA_STATE_VERTEX_UNIFORMS, PICA_STATE_GEOMETRY_UNIFORMS };
    struct harness_state *const state = harness_case_state(test_case);
    uint32_t bits = 0;
    memcpy(&bits, &address, sizeof bits);
    for (size_t p = 0; state != NULL && p < sizeof parts / sizeof parts[0]; p++) {
        state->given |= UINT64_C(1) << parts[p];
        for (uint32_t i = 0; i < 4; i++)
            harness_part_set(&state->values, parts[p], 4 * SHARED_UNIFORM + i, bits);
    }
    return state != NULL;
}

/* Lets all vertices share one address, from `address` up to `end` (exclusive) in steps, until the difference shows: a
 * fault may need particular addresses. *out: it showed; untouched if the program has no MOVA. */
static enum harness_status try_shared(struct cause_search *search, int address, int end, bool *out)
{
    enum harness_status status = HARNESS_OK;
    bool shows = false, shared = false;
    for (; address < end && status == HARNESS_OK && !shows; address += SHARED_STEP) {
        if (!harness_case_copy(search->candidate, search->best) || !share_address(search->candidate, (float)address))
            return harness_fail_memory(search->error);
        harness_reduce_visit_words(search->candidate, take_shared, &shared);
        if (!shared)
            return HARNESS_OK;
        status = cause_shows(search, &shows);
    }
    *out = shows;
    return status;
}

enum harness_status cause_try_near(struct cause_search *search, struct harness_cause *out)
{
    bool needed = true;
    enum harness_status status = try_near(search, &needed);
    if (status == HARNESS_OK && needed)
        status = try_shared(search, near, 2 * near, &needed);
    if (!needed)
        out->traits &= ~(1u << HARNESS_TRAIT_FAR_ADDRESS);
    return status;
}

enum harness_status cause_try_far(struct cause_search *search, struct harness_cause *out)
{
    bool far = false, close = false;
    enum harness_status status = try_shared(search, near, 2 * near, &far);
    if (status == HARNESS_OK && far)
        status = try_shared(search, 1, near, &close);
    if (far && !close)
        out->traits |= 1u << HARNESS_TRAIT_FAR_ADDRESS;
    return status;
}
