/* A location as text and as JSON. */
#include "harness/case/field_text.h"
#include "harness/localise/localise.h"
#include "harness/run/step_values.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/stage_words.h"

#include <inttypes.h>
#include <string.h>

static const char *kind_name(enum pica_operation_kind kind)
{
    switch (kind) {
    case PICA_OPERATION_LOAD_MEMORY: return "load";
    case PICA_OPERATION_SUBMIT_LIST: return "run list";
    case PICA_OPERATION_WRITE_REGISTER: return "write register";
    case PICA_OPERATION_MEMORY_FILL: return "memory fill";
    case PICA_OPERATION_DISPLAY_TRANSFER: return "transfer";
    case PICA_OPERATION_VERTICAL_BLANK: return "vertical blank";
    }
    return "operation"; /* not reached */
}

/* What the CPU writes: the register by its name, inside or outside the register file, or its address. */
static void add_write(const struct harness_location *location, struct harness_text *out)
{
    const uint32_t address = location->write_address;
    const uint32_t id = (address - PICA_INTERNAL_ADDRESS) / 4u;
    if (address >= PICA_INTERNAL_ADDRESS && id < PICA_REGISTERS) {
        harness_text_format(out, ": 0x%03" PRIX32 " %s", id, pica_reg_info(id)->name);
        harness_value_print(pica_reg_info(id)->layout, location->write_value, 0, out);
        return;
    }
    const struct pica_extreg_info *const info = address >= PICA_EXTERNAL_ADDRESS && address < PICA_INTERNAL_ADDRESS
                                                    ? pica_extreg_info(address - PICA_EXTERNAL_ADDRESS)
                                                    : NULL;
    harness_text_format(out, ": 0x%08" PRIX32 " %s", address, info != NULL ? info->name : "");
    if (info != NULL)
        harness_value_print(info->layout, location->write_value, 0, out);
    else
        harness_text_format(out, "= 0x%08" PRIX32, location->write_value);
}

/* "operation 3 (run list)" and the command in it. */
static void add_command(const struct harness_location *location, struct harness_text *out)
{
    harness_text_format(out, "operation  %" PRIu32 " (%s)", location->operation, kind_name(location->kind));
    if (location->kind == PICA_OPERATION_WRITE_REGISTER)
        add_write(location, out);
    harness_text_add(out, "\n");
    if (!location->has_command)
        return;
    if (location->kind != PICA_OPERATION_SUBMIT_LIST && location->command_word == UINT32_MAX)
        return; /* a CPU write: the write itself is all there is */
    harness_text_format(out, "command    number %" PRIu32 " of the submission", location->command);
    if (location->command_word == UINT32_MAX) {
        harness_text_add(out, ", in a list that is not known\n");
        return;
    }
    const uint32_t id = pica_command_header_id(location->header);
    const struct pica_reg_info *const info = id < PICA_REGISTERS ? pica_reg_info(id) : NULL;
    harness_text_format(out, ", word 0x%" PRIX32 " of the list at 0x%08" PRIX32 ": 0x%03" PRIX32 " %s",
                        location->command_word, location->command_list, id,
                        info != NULL ? info->name : "(no register)");
    if (info != NULL)
        harness_value_print(info->layout, location->parameter, 0, out);
    harness_text_add(out, "\n");
}

static void add_draw(const struct harness_location *location, struct harness_text *out)
{
    if (!location->has_draw)
        return;
    const struct pica_reg_info *const info = pica_reg_info(location->trigger);
    harness_text_format(out, "draw       %" PRIu32 " of the operation, by %s", location->draw,
                        info != NULL ? info->name : "no register that there is");
    if (location->list_address != 0)
        harness_text_format(out, " at word 0x%" PRIX32 " of the list at 0x%08" PRIX32, location->list_word,
                            location->list_address);
    harness_text_add(out, "\n");
    if (location->has_vertex)
        harness_text_format(out, "vertex     %" PRIu32 " of the draw\n", location->vertex);
    if (!location->has_triangle)
        return;
    harness_text_format(out, "triangle   %" PRIu32 " of those that cover the pixel, corners", location->triangle);
    for (int i = 0; i < 3; i++)
        harness_text_format(out, " (%.4f, %.4f)", (double)location->corners[i][0] / 16.0,
                            (double)location->corners[i][1] / 16.0);
    harness_text_add(out, "\n");
}

static bool is_depth(enum oracle_format format)
{
    return format == ORACLE_FORMAT_DEPTH16 || format == ORACLE_FORMAT_DEPTH24 ||
           format == ORACLE_FORMAT_DEPTH24_STENCIL8;
}

static void add_pixel_value(enum oracle_format format, const char *name, const struct oracle_pixel *pixel,
                            struct harness_text *out)
{
    const uint32_t *const c = pixel->channel;
    if (is_depth(format)) { /* as many digits as the format has */
        harness_text_format(out, "%s depth 0x%0*" PRIX32, name, format == ORACLE_FORMAT_DEPTH16 ? 4 : 6, c[0]);
        if (format == ORACLE_FORMAT_DEPTH24_STENCIL8)
            harness_text_format(out, " stencil 0x%02" PRIX32, c[3]);
    } else
        harness_text_format(out, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, name, c[0], c[1], c[2], c[3]);
}

static void add_pixel(const struct harness_location *location, struct harness_text *out)
{
    const struct harness_location_pixel *const pixel = &location->pixel;
    if (!location->has_pixel)
        return;
    harness_text_format(
        out, "pixel      (%" PRIu32 ", %" PRIu32 ") of the %s at 0x%08" PRIX32 " (%" PRIu64 " differ): ", pixel->x,
        pixel->y, pixel->origin, pixel->surface.address, pixel->differing);
    add_pixel_value(pixel->surface.format, location->first, &pixel->first, out);
    harness_text_add(out, ", ");
    add_pixel_value(pixel->surface.format, location->second, &pixel->second, out);
    harness_text_add(out, "\n");
    if (pixel->pattern[0] != '\0')
        harness_text_format(out, "pattern    %s\n", pixel->pattern);
}

/* One backend's value, after its name; the values of both are aligned. */
static void add_side(const struct harness_location *location, bool is_first, bool with_name, struct harness_text *out)
{
    const size_t first = strlen(location->first), second = strlen(location->second);
    const bool has = is_first ? location->has_first : location->has_second;
    const struct pica_trace_step *const step = is_first ? &location->step_first : &location->step_second;
    harness_text_format(out, "  %-*s  ", (int)(first > second ? first : second),
                        is_first ? location->first : location->second);
    if (!has) {
        harness_text_add(out, "nothing there\n");
        return;
    }
    if (with_name)
        harness_text_format(out, "%s, %s %" PRIu32 ": ", step->stage, step->name, step->index);
    harness_step_values(step, out);
    harness_text_add(out, "\n");
}

static void add_step(const struct harness_location *location, struct harness_text *out)
{
    harness_text_format(out, "stage      %s", location->stage);
    if (location->display_register != NULL) {
        harness_text_format(out, ", register %s (%s)%s%s\n", location->display_register, location->rule,
                            location->inferred ? ", inferred: one side shows what the other would if " : "",
                            location->experiment);
        return;
    }
    if (location->inferred) {
        harness_text_format(out, ", inferred%s%s\n", location->experiment[0] != '\0' ? ": the two agree if " : "",
                            location->experiment);
        return;
    }
    if (!location->has_step) {
        harness_text_format(out, location->rule[0] != '\0' ? " (%s)\n" : "\n", location->rule);
        return;
    }
    if (location->whole_part) {
        harness_text_format(out, " (%s): only %s draws this triangle here\n", location->rule,
                            location->has_first ? location->first : location->second);
        return;
    }
    if (location->has_instruction)
        harness_text_format(out, " at 0x%03" PRIX32 " `%s`", location->instruction_address, location->instruction);
    const struct pica_trace_step *const step = location->has_first ? &location->step_first : &location->step_second;
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    const bool other_way = location->relation == ORACLE_TRACE_PATH;
    if (other_way)
        harness_text_add(out, ": the two go on differently");
    else if (info == NULL && pica_stage_word_of_rule(step->name) != NULL) { /* pica/trace.def */
        harness_text_format(out, ": what %s gives", step->name);
        if (strcmp(location->value, step->name) != 0)
            harness_text_format(out, ", on the way to %s", location->value);
    } else {
        harness_text_format(out, ": %s", step->name);
        if (info != NULL && strcmp(info->index, "-") != 0 && !location->has_instruction)
            harness_text_format(out, " %" PRIu32, step->index);
    }
    if (location->rule[0] != '\0' && (other_way || strcmp(location->rule, step->name) != 0))
        harness_text_format(out, " (%s)", location->rule);
    if (!other_way && info != NULL)
        harness_text_format(out, ": %s", info->values);
    harness_text_add(out, "\n");
    add_side(location, true, other_way, out);
    add_side(location, false, other_way, out);
}

/* What the side that can tell has there. */
static void add_known(const struct harness_location *location, struct harness_text *out)
{
    if (location->value_count != 0)
        harness_text_format(out, "values     of the pixel in %s:\n", location->teller);
    for (uint32_t i = 0; i < location->value_count; i++) {
        const struct pica_trace_step *const step = &location->values[i];
        const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
        harness_text_format(out, "  %s, %s", step->stage, step->name);
        if (info != NULL && strcmp(info->index, "-") != 0)
            harness_text_format(out, " %" PRIu32, step->index);
        harness_text_add(out, ": ");
        harness_step_values(step, out);
        harness_text_add(out, "\n");
    }
}

/* A rule that is named, or those of the stage. */
static void add_rules(const struct harness_location *location, struct harness_text *out)
{
    const struct pica_stage_word_info *const word = harness_location_word(location);
    if (word != NULL)
        harness_text_format(out, "rules      %s: docs/spec/%s, %s\n", word->areas, word->page, word->section);
}

/* What a machine may do against, the likeliest first (broken_rule.def). */
static void add_broken(const struct harness_location *location, struct harness_text *out)
{
    for (uint32_t i = 0; i < HARNESS_LOCATION_RULES && location->broken[i] != NULL; i++)
        harness_text_format(out, "%s%s", i == 0 ? "broken     " : i == 1 ? "; or " : ", ", location->broken[i]);
    if (location->broken[0] != NULL)
        harness_text_add(out, "\n");
}

/* A reduced case has one small window, so its target may be where its list is. */
static void add_overlap(const struct harness_location *location, struct harness_text *out)
{
    const struct oracle_surface *const surface = &location->pixel.surface;
    const uint64_t bytes = (uint64_t)surface->width * surface->height * oracle_bytes_per_pixel(surface->format);
    const uint64_t list = location->list_address, end = list + 4u * (uint64_t)location->list_word;
    if (location->has_pixel && list != 0 && list < surface->address + bytes && end >= surface->address)
        harness_text_format(out,
                            "note       the %s lies over the list that draws it: pixels fall on commands that have "
                            "done their work\n",
                            location->pixel.origin);
}

const struct pica_stage_word_info *harness_location_word(const struct harness_location *location)
{
    const char *const memory = pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text;
    if (!location->differs || location->stage == NULL || (location->rule != NULL && location->rule[0] != '\0'))
        return NULL;
    if (location->has_draw && strcmp(location->stage, memory) == 0) /* any stage of the draw may be it */
        return NULL;
    for (uint32_t i = 0; i < PICA_STAGE_WORDS; i++) {
        const struct pica_stage_word_info *const word = pica_stage_word_info((enum pica_stage_word)i);
        if (strcmp(word->text, location->stage) == 0 && word->page[0] != '\0')
            return word;
    }
    return NULL;
}

void harness_location_text(const struct harness_location *location, struct harness_text *out)
{
    if (!location->differs) {
        if (location->note[0] != '\0')
            harness_text_format(out, "note       %s\n", location->note);
        return;
    }
    add_command(location, out);
    add_draw(location, out);
    add_pixel(location, out);
    add_step(location, out);
    add_rules(location, out);
    add_broken(location, out);
    add_known(location, out);
    add_overlap(location, out);
    if (location->note[0] != '\0')
        harness_text_format(out, "note       %s\n", location->note);
}
