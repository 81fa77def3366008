#include "harness/run/assemble.h"

#include "harness/case/import.h"
#include "harness/run/image.h"
#include "harness/run/touched.h"
#include "pica/memory.h"
#include "pica/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANGES_SAID = 8 /* ranges of missing memory that are named; more are counted */
};

struct assembly {
    struct harness_import import;
    const struct harness_dumped *dumped;
    struct harness_page_reports reports;
    uint8_t *bytes;                /* of the touched pages that are being gathered */
    uint32_t address, size;        /* of those */
    uint32_t missing, missing_end; /* the last range that is read and not given; end 0: none */
    uint32_t missing_count;        /* of such ranges */
    char missing_ranges[RANGES_SAID * sizeof ", 0x18000000-0x18000FFF"]; /* those before the last */
};

/* ------------------------------------------------------------------------------------------------------------ state */

static enum harness_status give_parts(const struct assembly *assembly)
{
    const struct harness_dumped *const dumped = assembly->dumped;
    if (dumped->part_count == 0)
        return HARNESS_OK;
    struct harness_state *const state = harness_case_state(assembly->import.test_case);
    if (state == NULL)
        return harness_fail_memory(assembly->import.error);
    for (uint32_t p = 0; p < dumped->part_count; p++) {
        const struct harness_dumped_part *const part = &dumped->parts[p];
        const enum harness_status status =
            harness_state_words_read(state, part->part, part->bytes, part->size, part->name, assembly->import.error);
        if (status != HARNESS_OK)
            return status;
    }
    harness_state_normalise(state);
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* What was given of a page goes to `out`, which holds zeros. False: nothing was. */
static bool fill_page(const struct harness_dumped *dumped, uint32_t page, uint8_t *out)
{
    bool given = false;
    for (uint32_t i = 0; i < dumped->memory_count; i++) {
        const struct pica_chunk *const chunk = &dumped->memory[i];
        const uint32_t from = chunk->address > page ? chunk->address : page;
        const uint64_t chunk_end = (uint64_t)chunk->address + chunk->size;
        const uint64_t to = chunk_end < (uint64_t)page + PICA_PAGE_SIZE ? chunk_end : (uint64_t)page + PICA_PAGE_SIZE;
        if (from >= to)
            continue;
        memcpy(out + (from - page), chunk->data + (from - chunk->address), (size_t)(to - from));
        given = true;
    }
    return given;
}

static void end_missing_range(struct assembly *assembly)
{
    const size_t used = strlen(assembly->missing_ranges);
    if (assembly->missing_end == 0)
        return;
    if (assembly->missing_count++ < RANGES_SAID)
        (void)snprintf(assembly->missing_ranges + used, sizeof assembly->missing_ranges - used, "%s0x%08X-0x%08X",
                       used != 0 ? ", " : "", (unsigned)assembly->missing, (unsigned)assembly->missing_end - 1);
    assembly->missing_end = 0;
}

/* One line, however many ranges there are. */
static void say_missing(struct assembly *assembly)
{
    char more[32] = "";
    end_missing_range(assembly);
    if (assembly->missing_count == 0 || assembly->import.warnings == NULL)
        return;
    if (assembly->missing_count > RANGES_SAID)
        (void)snprintf(more, sizeof more, " and %u more", (unsigned)assembly->missing_count - RANGES_SAID);
    harness_text_format(assembly->import.warnings, "%.200s: the list reads %s%s, which %s not given: zeros there\n",
                        assembly->import.name, assembly->missing_ranges, more,
                        assembly->missing_count == 1 ? "is" : "are");
}

static void note_missing(struct assembly *assembly, uint32_t page)
{
    if (assembly->missing_end != page)
        end_missing_range(assembly);
    if (assembly->missing_end == 0)
        assembly->missing = page;
    assembly->missing_end = page + PICA_PAGE_SIZE;
}

/* The pages gathered so far become one load. */
static enum harness_status end_load(struct assembly *assembly)
{
    const uint32_t size = assembly->size;
    assembly->size = 0;
    return size == 0 ? HARNESS_OK : harness_import_load(&assembly->import, assembly->address, assembly->bytes, size);
}

static enum harness_status take_page(struct assembly *assembly, uint32_t page, bool is_read)
{
    if (assembly->size != 0 && assembly->address + assembly->size != page) {
        const enum harness_status status = end_load(assembly);
        if (status != HARNESS_OK)
            return status;
    }
    uint8_t *const bytes = assembly->bytes + assembly->size;
    memset(bytes, 0, PICA_PAGE_SIZE);
    if (!fill_page(assembly->dumped, page, bytes) && is_read)
        note_missing(assembly, page);
    for (uint32_t i = 0; i < PICA_PAGE_SIZE; i++)
        if (bytes[i] != 0) {
            assembly->address = assembly->size == 0 ? page : assembly->address;
            assembly->size += PICA_PAGE_SIZE;
            return HARNESS_OK;
        }
    return HARNESS_OK; /* memory begins as zeros */
}

static enum harness_status take_window(struct assembly *assembly, uint32_t index)
{
    const struct pica_window window = assembly->import.test_case->windows[index];
    const struct harness_touched *const touched = &assembly->reports.windows[index];
    enum harness_status status = HARNESS_OK;
    for (uint32_t page = 0; page < window.size / PICA_PAGE_SIZE && status == HARNESS_OK; page++)
        if (harness_has_page(touched->read, page) || harness_has_page(touched->written, page))
            status = take_page(assembly, window.address + page * PICA_PAGE_SIZE, harness_has_page(touched->read, page));
    return status == HARNESS_OK ? end_load(assembly) : status;
}

/* -------------------------------------------------------------------------------------------------------- the case */

/* What the list touches: it is run with all memory at once, of which a case could not hold as much. */
static enum harness_status find_pages(struct assembly *assembly)
{
    const struct harness_dumped *const dumped = assembly->dumped;
    struct harness_case *const test_case = assembly->import.test_case;
    harness_import_wide_windows(test_case);
    if (harness_case_add_submit(test_case, dumped->list_address, dumped->list_size) == NULL)
        return harness_fail_memory(assembly->import.error);
    const enum harness_status status = harness_touched_pages(test_case, dumped->memory, dumped->memory_count,
                                                             &assembly->reports, assembly->import.error);
    harness_case_remove(test_case, 0, 1);
    return status;
}

static enum harness_status assemble(struct assembly *assembly)
{
    const struct harness_dumped *const dumped = assembly->dumped;
    enum harness_status status = give_parts(assembly);
    if (status == HARNESS_OK)
        status = find_pages(assembly);
    for (uint32_t i = 0; i < 2 && status == HARNESS_OK; i++)
        status = take_window(assembly, i);
    say_missing(assembly);
    if (status == HARNESS_OK)
        status = harness_import_submit(&assembly->import, dumped->list_address, dumped->list_size);
    if (status == HARNESS_OK)
        status = harness_import_finish(&assembly->import);
    if (status == HARNESS_OK)
        status = harness_import_windows(assembly->import.test_case, assembly->reports.windows,
                                        assembly->import.warnings, assembly->import.error);
    return status;
}

enum harness_status harness_assemble(struct harness_case *out, const struct harness_dumped *dumped,
                                     struct harness_text *warnings, struct harness_error *error)
{
    struct assembly assembly = { .import = { .name = dumped->name, .error = error, .warnings = warnings },
                                 .dumped = dumped,
                                 .bytes = malloc(PICA_FCRAM_SIZE) };
    harness_import_start(&assembly.import, out);
    const enum harness_status status = assembly.bytes == NULL ? harness_fail_memory(error) : assemble(&assembly);
    harness_page_reports_free(&assembly.reports);
    free(assembly.bytes);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
