/*
 * Lists. While a case is scrubbed its typed lists are plain bytes, so that vertices in them are replaced like others;
 * backends see the same as before. The replacement bytes for vertices in lists come from a variant of the case with
 * other vertices.
 */
#include "harness/reduce/reduce_stream.h"
#include "harness/reduce/scrub_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTES = 16,
    VECTOR_WORDS = 3,       /* four float24 */
    INVERTED = SCRUB_IMAGES /* a variant with all vertex words inverted, to find these words */
};

/* ------------------------------------------------------------------------------------------------------ to and fro */

static bool to_bytes(struct harness_case *test_case, struct harness_data *data, bool padded)
{
    const uint64_t size = harness_data_size(data, padded);
    if (data->kind != HARNESS_DATA_LIST)
        return true;
    uint8_t *const bytes = malloc(size != 0 ? (size_t)size : 1);
    if (bytes == NULL)
        return false;
    harness_data_write(data, padded, bytes);
    const bool good = harness_data_bytes(test_case, data, bytes, (size_t)size);
    free(bytes);
    return good;
}

bool scrub_flatten(struct harness_case *test_case)
{
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (!to_bytes(test_case, &test_case->chunks[i].data, false))
            return false;
    for (uint32_t i = test_case->operation_count; i-- != 0;) {
        struct harness_operation *const operation = &test_case->operations[i];
        const bool runs = operation->kind == HARNESS_RUN;
        if ((!runs && operation->kind != HARNESS_LOAD) || operation->data.kind != HARNESS_DATA_LIST)
            continue;
        if (!to_bytes(test_case, &operation->data, runs))
            return false;
        const struct harness_operation submit = { .kind = HARNESS_SUBMIT,
                                                  .address = operation->address,
                                                  .size = operation->data.size };
        operation->kind = HARNESS_LOAD;
        if (runs && harness_case_insert(test_case, i + 1, &submit) == NULL)
            return false;
    }
    return true;
}

/* Replaces the bytes by a new copy, since two contents of a case may share theirs. */
static bool replace_bytes(struct harness_case *test_case, struct harness_data *data, const uint8_t *bytes)
{
    struct harness_data copy;
    if (!harness_data_bytes(test_case, &copy, bytes, data->size))
        return false;
    data->bytes = copy.bytes;
    return true;
}

/* Takes over the bytes of contents that may have been a list; an unchanged list is left as it is. */
static bool take_bytes(struct harness_case *test_case, struct harness_data *data, const struct harness_data *flat,
                       bool padded)
{
    struct harness_data before = *data;
    if (data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE)
        return replace_bytes(test_case, data, flat->bytes);
    if (data->kind != HARNESS_DATA_LIST)
        return true;
    if (!to_bytes(test_case, &before, padded))
        return false;
    if (memcmp(before.bytes, flat->bytes, flat->size) == 0)
        return true;
    return harness_data_decode(test_case, data, flat->bytes, (size_t)harness_data_size(data, false));
}

bool scrub_restore(struct harness_case *test_case, const struct harness_case *flat)
{
    bool good = true;
    for (uint32_t i = 0; i < test_case->chunk_count && good; i++)
        good = take_bytes(test_case, &test_case->chunks[i].data, &flat->chunks[i].data, false);
    for (uint32_t i = 0, k = 0; i < test_case->operation_count && good; i++, k++) {
        struct harness_operation *const operation = &test_case->operations[i];
        const bool runs = operation->kind == HARNESS_RUN;
        if (runs || operation->kind == HARNESS_LOAD)
            good = take_bytes(test_case, &operation->data, &flat->operations[k].data, runs);
        k += runs;
    }
    return good;
}

/* -------------------------------------------------------------------------------------------------------- vertices */

/* One attribute of a vertex that a list sends (REG-25, VTX-41). */
struct sent {
    uint32_t attribute, vertex;
    uint32_t *words[VECTOR_WORDS]; /* may lie in different commands */
};

struct varying {
    bool measures;
    uint32_t variant;
    struct scrub_box boxes[ATTRIBUTES]; /* of all vertices that lists send */
};

static void vary(struct varying *varying, const struct sent *sent)
{
    uint32_t words[VECTOR_WORDS];
    double vector[4];
    for (uint32_t i = 0; i < VECTOR_WORDS; i++)
        words[i] = *sent->words[i];
    harness_reduce_unpack(words, false, vector);
    for (uint32_t i = 0; i < 4; i++) {
        const struct scrub_place place = { .piece = sent->attribute, .vertex = sent->vertex, .component = i };
        struct scrub_box *const box = &varying->boxes[sent->attribute];
        const double number = isfinite(vector[i]) ? vector[i] : (double)NAN;
        if (varying->measures)
            scrub_box_take(box, i, number);
        else
            vector[i] = scrub_box_number(box, &place, number, varying->variant);
    }
    if (varying->measures)
        return;
    harness_reduce_pack(vector, false, words);
    for (uint32_t i = 0; i < VECTOR_WORDS; i++)
        *sent->words[i] = varying->variant == INVERTED ? ~*sent->words[i] : words[i];
}

/* Words waiting for the rest of their vector. */
struct waiting {
    uint32_t *words[VECTOR_WORDS];
    uint32_t count;
};

/* Follows one command and varies the vertices in it. Masked writes are left alone, because they do not store their
 * whole parameter. */
static void vary_command(struct oracle_follower *registers, struct harness_command *command, struct waiting *waiting,
                         struct varying *varying)
{
    uint32_t *const parameters = harness_command_edit(command);
    for (uint32_t k = 0; k < command->count; k++) {
        uint32_t unit = 0;
        const uint32_t id = harness_command_register(command, k);
        const struct oracle_element element = oracle_follow_write(registers, id, command->mask, parameters[k]);
        if (oracle_port_of(id, &unit) != ORACLE_PORT_FIXED)
            continue;
        if (command->mask == 0xF && waiting->count < VECTOR_WORDS)
            waiting->words[waiting->count++] = &parameters[k];
        if (element.port == ORACLE_PORT_NONE)
            continue;
        struct sent sent = { element.index % ATTRIBUTES, element.vertex, { NULL } };
        memcpy(sent.words, waiting->words, sizeof sent.words);
        if (element.is_known && element.immediate && waiting->count == VECTOR_WORDS)
            vary(varying, &sent);
        waiting->count = 0;
    }
}

static void vary_lists(struct harness_case *test_case, struct varying *varying)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct waiting waiting = { .count = 0 };
    struct oracle_follower registers;
    oracle_follow_start(&registers, test_case->state != NULL ? test_case->state->values.registers : NULL);
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            vary_command(&registers, harness_list_edit(list, i), &waiting, varying);
}

/* A copy of the case with other vertices in its lists, as bytes. NULL if memory runs out. */
static struct harness_case *make_variant(const struct harness_case *typed, struct varying *varying)
{
    struct harness_case *const variant = harness_case_clone(typed);
    if (variant == NULL)
        return NULL;
    vary_lists(variant, varying);
    if (scrub_flatten(variant))
        return variant;
    harness_case_destroy(variant);
    return NULL;
}

static void take_image(struct scrub_plan *plan, const struct harness_case *variant, uint32_t image)
{
    for (uint32_t b = 0; b < plan->block_count; b++) {
        struct scrub_block *const block = &plan->blocks[b];
        const uint8_t *const bytes = block->fixed ? NULL : scrub_block_bytes(variant, block);
        for (uint32_t i = 0; bytes != NULL && i < block->size; i++) {
            const struct scrub_piece *const piece = &plan->pieces[block->pieces[i]];
            if (piece->read.kind != HARNESS_READ_SENT)
                continue;
            if (image == INVERTED && bytes[i] == block->bytes[i])
                block->pieces[i] = plan->unknown;
            else if (image != INVERTED)
                block->images[image][i] = bytes[i];
        }
    }
}

bool scrub_lists_fill(struct scrub_plan *plan, const struct harness_case *typed)
{
    struct varying varying = { .measures = true };
    struct harness_case view = *typed; /* safe: measuring changes nothing */
    for (uint32_t i = 0; i < ATTRIBUTES; i++)
        scrub_box_clear(&varying.boxes[i]);
    vary_lists(&view, &varying);
    varying.measures = false;
    for (varying.variant = 0; varying.variant <= INVERTED; varying.variant++) {
        struct harness_case *const variant = make_variant(typed, &varying);
        if (variant == NULL)
            return false;
        take_image(plan, variant, varying.variant);
        harness_case_destroy(variant);
    }
    return true;
}
