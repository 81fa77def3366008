/*
 * A chunk is JSON:
 *
 *   { "MOMENT": { "commands": [{ "list": "0x...", "text": "..." }],
 *                 "registers": [[id, name, value, value before]], those that changed,
 *                 "all": [[id, name, value]], those that are not 0, at the first moment of a chunk,
 *                 "vertices": "..." } }
 */
#include "harness/explore/texts.h"

#include "harness/case/formats.h"
#include "harness/explore/buffers.h"
#include "harness/explore/pixel_text.h"
#include "harness/pages/json.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 0x10000 /* of a list between two moments; more is cut */
};

void explore_texts_open(struct explore_texts *texts, struct harness_runner *runner, const char *directory)
{
    memset(texts, 0, sizeof *texts);
    texts->runner = runner;
    texts->directory = directory;
}

void explore_texts_close(struct explore_texts *texts)
{
    cJSON_Delete(texts->chunk);
    harness_text_free(&texts->vertices);
    texts->chunk = NULL;
}

void explore_texts_list(struct explore_texts *texts, uint32_t address, uint32_t size)
{
    texts->list = address;
    texts->size = size;
    texts->position = 0;
}

void explore_texts_vertex(struct explore_texts *texts, uint32_t vertex, const struct pica_trace_step *step)
{
    harness_text_format(&texts->vertices, "%" PRIu32 "\t", vertex);
    harness_step_text(step, &texts->vertices);
    harness_text_add(&texts->vertices, "\n");
}

/* --------------------------------------------------------------------------------------------------------- commands */

/* Commands as text; `until_jump`: no further than the first one that jumps. Returns the words that were shown. */
static uint32_t list_text(const uint32_t *words, uint32_t count, bool until_jump, struct harness_text *out)
{
    struct harness_case *const scratch = harness_case_create();
    struct harness_list list;
    uint32_t shown = 0, commands = 0;
    bool jumps = false;
    if (scratch == NULL || !harness_list_decode(scratch, &list, words, count)) {
        out->failed = true;
        harness_case_destroy(scratch);
        return count;
    }
    while (commands < list.count && !(until_jump && jumps)) {
        const struct harness_command *const command = &list.commands[commands++];
        shown += harness_command_words(command);
        jumps = command->id == PICA_REG_CMDBUF_JUMP0 || command->id == PICA_REG_CMDBUF_JUMP1;
    }
    list.count = commands;
    list.tail_count = 0;
    harness_pcase_write_list(&list, 0, out);
    harness_case_destroy(scratch);
    return shown;
}

/* Shows the list that runs from where it was left up to `end`, words from its start. */
static void add_commands(struct explore_texts *texts, uint32_t end, bool until_jump, cJSON *commands)
{
    const struct pica_backend *const backend = harness_runner_backend(texts->runner);
    const uint32_t wanted = end > texts->position ? end - texts->position : 0;
    const uint32_t count = wanted < MOST_WORDS ? wanted : MOST_WORDS;
    uint32_t *const words = malloc(sizeof *words * (count + 1u));
    struct harness_text text = { 0 };
    if (count == 0 || words == NULL ||
        backend->read_memory(harness_runner_instance(texts->runner), texts->list + 4 * texts->position,
                             (uint8_t *)words, sizeof *words * count) != PICA_OK) {
        free(words);
        return;
    }
    texts->position += list_text(words, count, until_jump, &text);
    if (count < wanted)
        harness_text_add(&text, "# and more, left out\n");
    cJSON *const part = harness_json_row(commands);
    harness_json_hex(part, "list", texts->list);
    cJSON_AddStringToObject(part, "text", harness_text_string(&text));
    harness_text_free(&text);
    free(words);
}

/* Words of the command whose header is word `header` of the list that runs, from the list's start to its end. */
static uint32_t end_of_command(const struct explore_texts *texts, uint32_t header)
{
    const struct pica_backend *const backend = harness_runner_backend(texts->runner);
    uint8_t bytes[4] = { 0 };
    (void)backend->read_memory(harness_runner_instance(texts->runner), texts->list + 4 * header, bytes, 4);
    const uint32_t extra = (uint32_t)bytes[2] >> 4 | (uint32_t)(bytes[3] & 0x0Fu) << 4;
    return (header - 1) + ((2u + extra + 1u) & ~1u);
}

/* Up to a draw, or to the end of the operation's list. Where a draw is of another list, the old one is shown up to its
 * jump first, and the new one from its start. */
static cJSON *commands_until(struct explore_texts *texts, const struct pica_draw *draw)
{
    cJSON *const commands = cJSON_CreateArray();
    if (draw == NULL) {
        add_commands(texts, texts->size / 4, true, commands);
        return commands;
    }
    if (draw->list_address == 0)
        return commands;
    if (draw->list_address != texts->list || draw->list_word < texts->position) {
        add_commands(texts, texts->size / 4, true, commands);
        explore_texts_list(texts, draw->list_address, 0);
    }
    add_commands(texts, end_of_command(texts, draw->list_word), false, commands);
    return commands;
}

/* -------------------------------------------------------------------------------------------------------- registers */

static void add_value(cJSON *row, uint32_t id, uint32_t value)
{
    struct harness_text text = { 0 };
    harness_pcase_write_value(id, value, &text);
    cJSON_AddItemToArray(row, cJSON_CreateString(harness_text_string(&text)));
    harness_text_free(&text);
}

/* Those that differ from `was`, with the old value; NULL: all that are not 0. */
static cJSON *register_rows(const uint32_t *registers, const uint32_t *was)
{
    cJSON *const rows = cJSON_CreateArray();
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        if (was != NULL ? registers[id] == was[id] : registers[id] == 0)
            continue;
        cJSON *const row = cJSON_CreateArray();
        cJSON_AddItemToArray(row, cJSON_CreateNumber(id));
        cJSON_AddItemToArray(row, cJSON_CreateString(pica_reg_info(id)->name));
        add_value(row, id, registers[id]);
        if (was != NULL)
            add_value(row, id, was[id]);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

/* ----------------------------------------------------------------------------------------------------------- chunks */

enum harness_status explore_texts_end(struct explore_texts *texts, struct harness_error *error)
{
    char name[64];
    cJSON *const chunk = texts->chunk;
    texts->chunk = NULL;
    if (chunk == NULL)
        return HARNESS_OK;
    (void)snprintf(name, sizeof name, "texts/%u", (unsigned)texts->chunk_number);
    return explore_write_json(texts->directory, name, chunk, &texts->total, error);
}

enum harness_status explore_texts_take(struct explore_texts *texts, uint32_t moment, const uint32_t *registers,
                                       const struct pica_draw *draw, struct harness_error *error)
{
    const bool begins = texts->chunk == NULL || texts->chunk_number != moment / EXPLORE_CHUNK;
    const enum harness_status status = begins ? explore_texts_end(texts, error) : HARNESS_OK;
    char name[16];
    if (status != HARNESS_OK)
        return status;
    if (begins)
        texts->chunk = cJSON_CreateObject();
    texts->chunk_number = moment / EXPLORE_CHUNK;
    cJSON *const entry = cJSON_CreateObject();
    cJSON_AddItemToObject(entry, "commands", commands_until(texts, draw));
    cJSON_AddItemToObject(entry, "registers", register_rows(registers, texts->registers));
    if (begins)
        cJSON_AddItemToObject(entry, "all", register_rows(registers, NULL));
    if (texts->vertices.size != 0)
        cJSON_AddStringToObject(entry, "vertices", texts->vertices.data);
    (void)snprintf(name, sizeof name, "%u", (unsigned)moment);
    cJSON_AddItemToObject(texts->chunk, name, entry);
    memcpy(texts->registers, registers, sizeof texts->registers);
    harness_text_clear(&texts->vertices);
    return HARNESS_OK;
}
