#include "harness/case/import.h"
#include "harness/case/formats.h"
#include "harness/case/import_tables.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdarg.h>
#include <stdio.h>

void harness_import_start(struct harness_import *import, struct harness_case *out)
{
    harness_case_reset(out);
    out->work = HARNESS_MAX_BUDGET; /* CAP-15 */
    import->test_case = out;
    import->group = 0;
    import->data_total = 0;
}

enum harness_status harness_import_fail(const struct harness_import *import, uint64_t offset, const char *expected,
                                        const char *format, ...)
{
    char found[160];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(found, sizeof found, format, arguments) < 0)
        found[0] = '\0';
    va_end(arguments);
    return harness_fail(import->error, HARNESS_BAD_INPUT, "%.200s: offset 0x%llX: expected %s, found %s", import->name,
                        (unsigned long long)offset, expected, found);
}

void harness_import_warn(const struct harness_import *import, const char *format, ...)
{
    char line[200];
    va_list arguments;
    if (import->warnings == NULL)
        return;
    va_start(arguments, format);
    if (vsnprintf(line, sizeof line, format, arguments) < 0)
        line[0] = '\0';
    va_end(arguments);
    harness_text_format(import->warnings, "%.200s: %s\n", import->name, line);
}

/* ------------------------------------------------------------------------------------------------------ operations */

static enum harness_status append(struct harness_import *import, const struct harness_operation *operation)
{
    if (import->test_case->operation_count >= HARNESS_MAX_OPERATIONS)
        return harness_fail(import->error, HARNESS_TOO_LARGE, "%.200s: expected at most %u operations", import->name,
                            (unsigned)HARNESS_MAX_OPERATIONS);
    if (harness_case_insert(import->test_case, import->test_case->operation_count, operation) == NULL)
        return harness_fail_memory(import->error);
    return HARNESS_OK;
}

static enum harness_status count_data(struct harness_import *import, uint32_t size)
{
    import->data_total += size;
    if (import->data_total > HARNESS_MAX_DATA)
        return harness_fail(import->error, HARNESS_TOO_LARGE, "%.200s: expected at most 0x%X bytes of loads in all",
                            import->name, (unsigned)HARNESS_MAX_DATA);
    return HARNESS_OK;
}

enum harness_status harness_import_zeros(struct harness_import *import, uint32_t address, uint32_t size)
{
    struct harness_operation load = { .kind = HARNESS_LOAD, .address = address };
    harness_data_pattern(&load.data, HARNESS_PATTERN_FILL, 0, size);
    const enum harness_status status = count_data(import, size);
    return status == HARNESS_OK ? append(import, &load) : status;
}

enum harness_status harness_import_load(struct harness_import *import, uint32_t address, const uint8_t *bytes,
                                        uint32_t size)
{
    struct harness_operation load = { .kind = HARNESS_LOAD, .address = address };
    const enum harness_status status = count_data(import, size);
    if (status != HARNESS_OK)
        return status;
    if (!harness_data_bytes(import->test_case, &load.data, bytes, size))
        return harness_fail_memory(import->error);
    return append(import, &load);
}

enum harness_status harness_import_add(struct harness_import *import, const struct harness_operation *operation)
{
    const enum harness_status status = append(import, operation);
    import->group = import->test_case->operation_count;
    return status;
}

enum harness_status harness_import_note(struct harness_import *import, const char *text)
{
    const struct harness_operation note = { .kind = HARNESS_NOTE,
                                            .text = harness_case_text(import->test_case, text, true) };
    return note.text == NULL ? harness_fail_memory(import->error) : harness_import_add(import, &note);
}

/* ---------------------------------------------------------------------------------------------------- typed lists */

static uint64_t end_of(const struct harness_operation *load)
{
    return (uint64_t)load->address + harness_data_size(&load->data, false);
}

/* Index of the group's load that holds the whole range, or `operation_count` if no single one does. */
static uint32_t find_load(const struct harness_import *import, uint32_t address, uint64_t size)
{
    const struct harness_case *const test_case = import->test_case;
    for (uint32_t i = test_case->operation_count; i-- > import->group;) {
        const struct harness_operation *const load = &test_case->operations[i];
        const bool overlaps = load->address < address + size && address < end_of(load);
        const bool contains = load->address <= address && address + size <= end_of(load);
        if (overlaps)
            return contains && load->data.kind == HARNESS_DATA_BYTES ? i : test_case->operation_count;
    }
    return test_case->operation_count;
}

/* A load of `size` bytes from `skip` bytes into `whole`, whose bytes it shares. */
static struct harness_operation slice(const struct harness_operation *whole, uint32_t skip, uint32_t size)
{
    struct harness_operation part = *whole;
    part.address += skip;
    part.data.bytes += skip;
    part.data.size = size;
    return part;
}

/* Cuts the range out of the load that contains it, as a load of its own with a typed list. Returns its index, or
 * operation_count if no single load contains the range. Sets *status. */
static uint32_t cut_list(struct harness_import *import, uint32_t address, uint32_t size, enum harness_status *status)
{
    struct harness_case *const test_case = import->test_case;
    uint32_t index = find_load(import, address, size);
    *status = HARNESS_OK;
    if (index == test_case->operation_count || size == 0 || size % 4 != 0)
        return test_case->operation_count;
    const struct harness_operation whole = test_case->operations[index];
    const uint32_t before = address - whole.address;
    const uint32_t after = whole.data.size - before - size;
    struct harness_operation list = slice(&whole, before, size);
    if (test_case->operation_count + 2u > HARNESS_MAX_OPERATIONS)
        return test_case->operation_count;
    if (!harness_data_decode(test_case, &list.data, whole.data.bytes + before, size)) {
        *status = harness_fail_memory(import->error);
        return test_case->operation_count;
    }
    test_case->operations[index] = list;
    struct harness_operation part = slice(&whole, 0, before);
    if (before != 0 && harness_case_insert(test_case, index, &part) == NULL)
        *status = harness_fail_memory(import->error);
    index += before != 0 ? 1u : 0u;
    part = slice(&whole, before + size, after);
    if (after != 0 && harness_case_insert(test_case, index + 1, &part) == NULL)
        *status = harness_fail_memory(import->error);
    return index;
}

/* SUB-01: the lists that a list jumps to, as far as its writes alone show. */
struct jumps {
    uint32_t sizes[2];
    uint32_t addresses[2];
    struct {
        uint32_t address;
        uint32_t size;
    } targets[16];
    uint32_t count;
};

static void follow_write(struct jumps *jumps, uint32_t id, uint32_t value)
{
    for (uint32_t channel = 0; channel < 2; channel++) {
        if (id == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0))
            jumps->sizes[channel] = pica_cmdbuf_size_size(value) << 4;
        else if (id == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0))
            jumps->addresses[channel] = pica_cmdbuf_addr_address(value) << 4;
        else if (id == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_JUMP0) && jumps->count < 16) {
            jumps->targets[jumps->count].address = jumps->addresses[channel];
            jumps->targets[jumps->count].size = jumps->sizes[channel];
            jumps->count++;
        }
    }
}

static void follow_list(struct jumps *jumps, const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->commands[i].count; k++)
            follow_write(jumps, harness_command_register(&list->commands[i], k), list->commands[i].parameters[k]);
}

enum harness_status harness_import_submit(struct harness_import *import, uint32_t address, uint32_t size)
{
    struct harness_case *const test_case = import->test_case;
    struct harness_operation submit = { .kind = HARNESS_SUBMIT, .address = address, .size = size };
    struct jumps jumps = { .count = 0 };
    enum harness_status status;
    const uint32_t index = cut_list(import, address, size, &status);
    if (status != HARNESS_OK || index == test_case->operation_count)
        return status != HARNESS_OK ? status : harness_import_add(import, &submit);
    const struct harness_operation list = test_case->operations[index];
    /* Loads of the group after the list's own do not overlap it, so that it can move to the end and be run. */
    if (size % 16 == 0)
        harness_case_remove(test_case, index, 1);
    follow_list(&jumps, &list.data.list);
    for (uint32_t i = 0; i < jumps.count && status == HARNESS_OK; i++) {
        const uint32_t target = cut_list(import, jumps.targets[i].address, jumps.targets[i].size, &status);
        if (target < test_case->operation_count)
            follow_list(&jumps, &test_case->operations[target].data.list);
    }
    if (status != HARNESS_OK)
        return status;
    const struct harness_operation run = { .kind = HARNESS_RUN, .address = address, .data = list.data };
    return harness_import_add(import, size % 16 == 0 ? &run : &submit);
}

enum harness_status harness_import_finish(struct harness_import *import)
{
    harness_import_wide_windows(import->test_case);
    harness_import_tables(import->test_case);
    const enum harness_status status = harness_case_check(import->test_case, import->error);
    if (status != HARNESS_OK)
        harness_error_prefix(import->error, import->name);
    return status;
}

/* --------------------------------------------------------------------------------------------------- raw list dumps */

enum harness_status harness_raw_list_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                          struct harness_error *error)
{
    struct harness_import import = { .bytes = bytes, .size = size, .name = name, .error = error };
    struct harness_operation run = { .kind = HARNESS_RUN };
    harness_import_start(&import, out);
    out->work = HARNESS_DEFAULT_WORK;
    enum harness_status status = HARNESS_OK;
    if (size == 0)
        status = harness_import_fail(&import, 0, "a command list", "nothing");
    else if (size % 4 != 0)
        status = harness_import_fail(&import, size, "a size that is a multiple of 4", "%llu bytes",
                                     (unsigned long long)size);
    else if (size > HARNESS_MAX_DATA / 2)
        status = harness_fail(error, HARNESS_TOO_LARGE, "%.200s: expected at most 0x%X bytes", name,
                              (unsigned)HARNESS_MAX_DATA / 2);
    if (status == HARNESS_OK && !harness_data_decode(out, &run.data, bytes, size))
        status = harness_fail_memory(error);
    if (status == HARNESS_OK) {
        const uint32_t end = PICA_FCRAM_ADDRESS + PICA_FCRAM_SIZE;
        const uint32_t pages = (uint32_t)((size + 16 + PICA_PAGE_SIZE - 1) / PICA_PAGE_SIZE);
        run.address = end - pages * PICA_PAGE_SIZE;
        status = harness_import_add(&import, &run);
    }
    if (status == HARNESS_OK)
        status = harness_import_finish(&import);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
