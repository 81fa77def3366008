/*
 * That an address register is beyond -128 to 127 where two sides differ may be the cause (SHD-22) or chance: a fault of
 * another kind in relative addressing shows with such an address as well as with others. All numbers that may become
 * addresses are brought near, and stay different from each other where they can: does it still show?
 */
#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/reduce_stream.h"

#include <math.h>
#include <string.h>

static const int near = 128; /* SHD-22: from here on an address is far */

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
    return false; /* it stays */
}

/* An element of a vertex array. */
static bool bring_element(enum harness_element element, uint8_t *bytes)
{
    int16_t number = 0;
    float real = 0.0f;
    if (element == HARNESS_ELEMENT_U8 && bytes[0] >= near) {
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

enum harness_status cause_try_near(struct cause_search *search, struct harness_cause *out)
{
    bool shows = false;
    if (!harness_case_copy(search->candidate, search->best))
        return harness_fail_memory(search->error);
    if (!bring_near(search->candidate))
        return HARNESS_OK;
    const enum harness_status status = cause_shows(search, &shows);
    const struct harness_blame *const now = harness_probe_blame(search->probe);
    if (status == HARNESS_OK && shows && now->relative == 'a' && !now->far_address)
        out->traits &= ~(1u << HARNESS_TRAIT_FAR_ADDRESS);
    return status;
}
