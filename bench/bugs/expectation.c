#include "bench/bugs/expectation.h"

#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- reading */

static void take_line(const char *line, const char *key, char value[BUG_LINE])
{
    const size_t length = strlen(key);
    if (line[0] != '#' || line[1] != ' ' || strncmp(line + 2, key, length) != 0 || line[2 + length] != ':')
        return;
    const char *const text = line + 2 + length + 1 + (line[2 + length + 1] == ' ');
    (void)snprintf(value, BUG_LINE, "%.*s", (int)strcspn(text, "\n"), text);
}

enum harness_status bug_expectation_read(const char *path, struct bug_expectation *out, struct harness_error *error)
{
    char line[BUG_LINE + 16];
    FILE *const file = fopen(path, "r");
    memset(out, 0, sizeof *out);
    if (file == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: cannot be read", path);
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
        take_line(line, "bug", out->name);
        take_line(line, "rule", out->rule);
        take_line(line, "operation", out->operation);
        take_line(line, "trigger", out->trigger);
        take_line(line, "stage", out->stage);
    }
    (void)fclose(file);
    if (out->name[0] == '\0' || out->rule[0] == '\0' || out->operation[0] == '\0' || out->trigger[0] == '\0' ||
        out->stage[0] == '\0')
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: a line is missing: bug, rule, operation, trigger, stage",
                            path);
    return HARNESS_OK;
}

/* ---------------------------------------------------------------------------------------------------------- judging */

/* Is `word` an element of the list? */
static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    while (*list != '\0') {
        const size_t element = strcspn(list, ",");
        if (element == length && strncmp(list, word, length) == 0)
            return true;
        list += element + (list[element] == ',');
        list += strspn(list, " ");
    }
    return false;
}

const char *bug_operation_name(const struct harness_location *location)
{
    switch (location->kind) {
    case PICA_OPERATION_LOAD_MEMORY: return "load";
    case PICA_OPERATION_SUBMIT_LIST: return "run list";
    case PICA_OPERATION_WRITE_REGISTER: return "write register";
    case PICA_OPERATION_MEMORY_FILL: return "memory fill";
    case PICA_OPERATION_DISPLAY_TRANSFER: return "display transfer";
    case PICA_OPERATION_VERTICAL_BLANK: return "vertical blank";
    }
    return "unknown"; /* not reached */
}

/* The operation of the program that the location names. A RUN of the case is two: the list comes second. */
static const struct pica_operation *located_operation(const struct harness_location *location,
                                                      const struct harness_program *program)
{
    for (uint32_t i = program->count; i-- > 0;)
        if (program->origins[i] == location->operation && program->operations[i].kind == location->kind)
            return &program->operations[i];
    return NULL;
}

static bool writes_listed_register(const struct bug_expectation *expected, uint32_t header)
{
    const uint32_t count = pica_command_header_extra_parameters(header) + 1u;
    const uint32_t step = pica_command_header_consecutive(header);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t id = pica_command_header_id(header) + step * k;
        if (id < PICA_REGISTERS && lists(expected->trigger, pica_reg_info(id)->name))
            return true;
    }
    return false;
}

/* A command whose consecutive writes begin inside the register file and end outside. */
static bool runs_past_end(uint32_t header)
{
    const uint32_t id = pica_command_header_id(header);
    return pica_command_header_consecutive(header) != 0 && id < PICA_REGISTERS &&
           id + pica_command_header_extra_parameters(header) >= PICA_REGISTERS;
}

/* A command that writes an id from 0x300 on. */
static bool names_high_id(uint32_t header)
{
    const uint32_t last = pica_command_header_id(header) +
                          pica_command_header_consecutive(header) * pica_command_header_extra_parameters(header);
    return last >= PICA_REGISTERS;
}

/* Does the command come right after one that is padded? Its list is in the data of the load before the submission. */
static bool follows_padding(const struct harness_location *location, const struct harness_program *program,
                            const struct pica_operation *operation)
{
    for (const struct pica_operation *load = operation; load-- > program->operations;) {
        if (load->kind != PICA_OPERATION_LOAD_MEMORY || operation->address < load->address ||
            operation->address - load->address > load->size)
            continue;
        const uint8_t *const words = load->data + (operation->address - load->address);
        bool padded = false;
        for (uint32_t at = 1; at < location->command_word && 4u * at + 4u <= load->size;) {
            const uint32_t header = (uint32_t)words[4u * at] | (uint32_t)words[4u * at + 1u] << 8 |
                                    (uint32_t)words[4u * at + 2u] << 16 | (uint32_t)words[4u * at + 3u] << 24;
            const uint32_t extra = pica_command_header_extra_parameters(header);
            padded = extra % 2u != 0;
            at += 2u + extra + extra % 2u;
        }
        return padded;
    }
    return false;
}

static bool list_command_is_right(const struct bug_expectation *expected, const struct harness_location *location,
                                  const struct harness_program *program, const struct pica_operation *operation)
{
    if (location->has_draw && lists(expected->trigger, "DRAW"))
        return true;
    if (!location->has_command || location->command_word == UINT32_MAX)
        return false;
    if (lists(expected->trigger, "PAST_END") && runs_past_end(location->header))
        return true;
    if (lists(expected->trigger, "HIGH_ID") && names_high_id(location->header))
        return true;
    if (lists(expected->trigger, "AFTER_ODD") && follows_padding(location, program, operation))
        return true;
    return writes_listed_register(expected, location->header);
}

/* A CPU write: of an internal register (EXT-CMD-01), or of an external one, by name. */
static bool write_is_right(const struct bug_expectation *expected, const struct harness_location *location,
                           const struct pica_operation *operation)
{
    const uint32_t offset = operation->address - PICA_EXTERNAL_ADDRESS;
    const uint32_t internal = offset - 4u * PICA_EXTERNAL_WORDS; /* EXT-CMD-01: after the external ones */
    const struct pica_extreg_info *const external = offset < 4u * PICA_EXTERNAL_WORDS ? pica_extreg_info(offset) : NULL;
    if (location->has_draw && lists(expected->trigger, "DRAW"))
        return true;
    if (internal < 4u * PICA_REGISTERS)
        return lists(expected->trigger, pica_reg_info(internal / 4u)->name);
    return external != NULL && lists(expected->trigger, external->name);
}

bool bug_operation_is_right(const struct bug_expectation *expected, const struct harness_location *location)
{
    return location->differs && lists(expected->operation, bug_operation_name(location));
}

bool bug_command_is_right(const struct bug_expectation *expected, const struct harness_location *location,
                          const struct harness_program *program)
{
    const struct pica_operation *const operation = located_operation(location, program);
    if (operation == NULL || !bug_operation_is_right(expected, location))
        return false;
    if (location->display_register != NULL)
        return lists(expected->trigger, location->display_register);
    if (location->kind == PICA_OPERATION_SUBMIT_LIST)
        return list_command_is_right(expected, location, program, operation);
    if (location->kind == PICA_OPERATION_WRITE_REGISTER)
        return write_is_right(expected, location, operation);
    return true;
}

bool bug_stage_is_right(const struct bug_expectation *expected, const struct harness_location *location)
{
    return location->differs && location->stage != NULL && lists(expected->stage, location->stage);
}

bool bug_rule_is_right(const struct bug_expectation *expected, const struct harness_location *location)
{
    return location->differs && location->broken[0] != NULL && lists(expected->rule, location->broken[0]);
}
