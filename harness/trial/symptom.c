#include "harness/trial/symptom.h"

#include "harness/case/state.h"
#include "harness/run/compare.h"
#include "harness/run/image.h"
#include "oracles/equal.h"
#include "oracles/screens.h"
#include "pica/events.h"
#include "pica/extregs.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- memory */

/* Kinds of memory, the most telling first. */
enum region {
    REGION_COLOR = 0,
    REGION_TEXTURE,
    REGION_DEPTH,
    REGION_OTHER,
    REGIONS
};

static const char *const region_names[REGIONS] = { "color", "texture", "depth", "other" };

struct memory_search {
    const struct oracle_run *a, *b;
    const struct harness_surfaces *surfaces;
    const struct oracle_surface *last; /* most differing bytes lie where the one before lay */
    bool found[REGIONS];
    uint32_t channels[REGIONS];
};

static bool surface_holds(const struct oracle_surface *surface, uint32_t address)
{
    return address >= surface->address && address - surface->address < oracle_surface_bytes(surface);
}

/* Of several surfaces at one place, the one drawn to last says more. */
static const struct oracle_surface *surface_at(struct memory_search *search, uint32_t address)
{
    if (search->last != NULL && surface_holds(search->last, address))
        return search->last;
    search->last = NULL;
    for (size_t i = search->surfaces->count; i-- > 0;)
        if (search->surfaces->items[i].origin != HARNESS_SURFACE_TRANSFER &&
            surface_holds(&search->surfaces->items[i].surface, address)) {
            search->last = &search->surfaces->items[i].surface;
            break;
        }
    return search->last;
}

static bool is_depth(enum oracle_format format)
{
    return format == ORACLE_FORMAT_DEPTH16 || format == ORACLE_FORMAT_DEPTH24 ||
           format == ORACLE_FORMAT_DEPTH24_STENCIL8;
}

/* The first four channels of a decoded pixel are r g b a, or depth - - stencil. */
static uint32_t differing_channels(const struct oracle_surface *surface, const uint8_t *a, const uint8_t *b)
{
    const struct oracle_pixel pixel_a = oracle_pixel_decode(surface->format, a);
    const struct oracle_pixel pixel_b = oracle_pixel_decode(surface->format, b);
    const bool depth = is_depth(surface->format);
    uint32_t channels = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const bool differs = pixel_a.channel[i] != pixel_b.channel[i];
        const uint32_t low = depth ? HARNESS_CHANNEL_DEPTH : HARNESS_CHANNEL_COLOR;
        const uint32_t high = depth ? HARNESS_CHANNEL_STENCIL : HARNESS_CHANNEL_ALPHA;
        channels |= differs ? (i == 3 ? high : low) : 0u;
    }
    return channels;
}

/* The texture of an enabled unit; four bytes a texel is the largest format, so the range may be too long. */
static bool in_texture(const uint32_t *registers, uint32_t address)
{
    const struct pica_field_info *const field = pica_field_by_name(PICA_LAYOUT_TEXUNIT_ADDR, "address");
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t dim = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)];
        const uint64_t bytes = 4u * (uint64_t)pica_texunit_dim_width(dim) * pica_texunit_dim_height(dim);
        const uint32_t start = pica_field_get(field, registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)])
                               << field->unit;
        if (pica_texunit_config_unit_enable_at(registers[PICA_REG_TEXUNIT_CONFIG], unit) != 0 && address >= start &&
            address - start < bytes)
            return true;
    }
    return false;
}

static void add_byte(struct memory_search *search, uint32_t window, uint32_t offset)
{
    const uint32_t address = search->a->windows[window].address + offset;
    const struct oracle_surface *const surface = surface_at(search, address);
    if (surface == NULL) {
        search->found[in_texture(search->a->state->registers, address) ? REGION_TEXTURE : REGION_OTHER] = true;
        return;
    }
    const enum region region = is_depth(surface->format) ? REGION_DEPTH : REGION_COLOR;
    const uint32_t size = oracle_bytes_per_pixel(surface->format);
    const uint32_t into = (address - surface->address) % size;
    search->found[region] = true;
    if (into <= offset && offset - into + size <= search->a->windows[window].size)
        search->channels[region] |= differing_channels(surface, search->a->memory[window] + offset - into,
                                                       search->b->memory[window] + offset - into);
}

static bool touched(const struct oracle_run *run, uint32_t window, uint32_t page)
{
    return run->touched[window] == NULL || harness_has_page(run->touched[window], page);
}

static void search_page(struct memory_search *search, uint32_t window, uint32_t page)
{
    const uint32_t start = page * PICA_PAGE_SIZE;
    const uint8_t *const a = search->a->memory[window] + start;
    const uint8_t *const b = search->b->memory[window] + start;
    if (memcmp(a, b, PICA_PAGE_SIZE) == 0)
        return;
    for (uint32_t i = 0; i < PICA_PAGE_SIZE; i++)
        if (a[i] != b[i])
            add_byte(search, window, start + i);
}

static bool locate_memory(struct harness_symptom *symptom, const struct oracle_run *a, const struct oracle_run *b,
                          const struct harness_surfaces *surfaces, const struct pica_operation *operation)
{
    struct memory_search search = { .a = a, .b = b, .surfaces = surfaces };
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    if ((scope.parts & PICA_PART_MEMORY) == 0)
        return false;
    for (uint32_t window = 0; window < a->window_count; window++)
        for (uint32_t page = 0; page < a->windows[window].size / PICA_PAGE_SIZE; page++)
            if (touched(a, window, page) || touched(b, window, page))
                search_page(&search, window, page);
    for (uint32_t region = 0; region < REGIONS; region++) {
        if (!search.found[region])
            continue;
        const char *name = region_names[region];
        symptom->fields = search.channels[region];
        if (operation->kind == PICA_OPERATION_MEMORY_FILL || operation->kind == PICA_OPERATION_DISPLAY_TRANSFER) {
            name = operation->kind == PICA_OPERATION_MEMORY_FILL ? "fill" : "transfer";
            symptom->fields = 0;
        }
        symptom->place = HARNESS_PLACE_MEMORY;
        (void)snprintf(symptom->what, sizeof symptom->what, "%s", name);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------- registers, state and events */

static uint32_t differing_fields(enum pica_layout layout, uint32_t a, uint32_t b)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    uint32_t differing = 0;
    for (size_t i = 0; i < count && i < 32; i++)
        if (pica_field_get(&fields[i], a) != pica_field_get(&fields[i], b))
            differing |= 1u << i;
    return differing;
}

static enum harness_habit habit_of(const struct pica_reg_info *info, uint32_t a, uint32_t b)
{
    if (a != info->reset && b == info->reset)
        return HARNESS_HABIT_FORGETS;
    if (a == info->reset)
        return HARNESS_HABIT_KEEPS;
    return differing_fields(info->layout, a, b) == 0 ? HARNESS_HABIT_BITS : HARNESS_HABIT_NONE;
}

static bool set_register(struct harness_symptom *symptom, const char *name, uint32_t fields)
{
    symptom->place = HARNESS_PLACE_REGISTER;
    symptom->fields = fields;
    (void)snprintf(symptom->what, sizeof symptom->what, "%s", name);
    return true;
}

static bool locate_register(struct harness_symptom *symptom, const struct pica_state *a, const struct pica_state *b,
                            const struct oracle_scope *scope)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (a->registers[id] != b->registers[id] && oracle_scope_has_register(scope, id)) {
            const struct pica_reg_info *const info = pica_reg_info(id);
            symptom->habit = habit_of(info, a->registers[id], b->registers[id]);
            return set_register(symptom, info->name,
                                differing_fields(info->layout, a->registers[id], b->registers[id]));
        }
    for (uint32_t word = 0; word < PICA_EXTERNAL_WORDS; word++)
        if (a->external[word] != b->external[word] && oracle_scope_has_engine(scope, word)) {
            const struct pica_extreg_info *const info = pica_extreg_info(4 * word);
            return set_register(symptom, info != NULL ? info->name : "external",
                                info != NULL ? differing_fields(info->layout, a->external[word], b->external[word])
                                             : 0);
        }
    return false;
}

/* Is this element compared? */
static bool counts(const struct oracle_scope *scope, uint32_t part, uint32_t index)
{
    if (part == PICA_STATE_REGISTERS)
        return oracle_scope_has_register(scope, index);
    if (part == PICA_STATE_EXTERNAL)
        return oracle_scope_has_engine(scope, index);
    if (part == PICA_STATE_LCD_FILL)
        return oracle_scope_has_lcd_fill(scope, index);
    return oracle_scope_has_line(scope, part);
}

static bool locate_state(struct harness_symptom *symptom, const struct pica_state *a, const struct pica_state *b,
                         const struct oracle_scope *scope)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            if (harness_part_get(a, part, i) == harness_part_get(b, part, i) || !counts(scope, part, i))
                continue;
            symptom->place = HARNESS_PLACE_STATE;
            (void)snprintf(symptom->what, sizeof symptom->what, "%s", harness_parts[part].name);
            return true;
        }
    return false;
}

static bool locate_screen(struct harness_symptom *symptom, const struct oracle_run *a, const struct oracle_run *b)
{
    struct oracle_report report;
    oracle_screens_equal(a, b, &report);
    if (report.verdict != ORACLE_DIVERGE)
        return false;
    symptom->place = HARNESS_PLACE_SCREEN;
    (void)snprintf(symptom->what, sizeof symptom->what, "%s", oracle_screen_name((enum oracle_screen)report.first));
    return true;
}

static void locate_event(struct harness_symptom *symptom, const struct oracle_run *a, const struct oracle_run *b)
{
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)event);
        if (info->event_class != PICA_EVENT_CLASS_M ||
            pica_events_has(&a->events, info->event) == pica_events_has(&b->events, info->event))
            continue;
        symptom->place = HARNESS_PLACE_EVENT;
        (void)snprintf(symptom->what, sizeof symptom->what, "%s", info->name);
        return;
    }
}

void harness_symptom_locate(struct harness_symptom *symptom, const struct oracle_run *a, const struct oracle_run *b,
                            const struct harness_surfaces *surfaces, const struct pica_operation *operation)
{
    symptom->kind = HARNESS_DIVERGE;
    symptom->place = HARNESS_PLACE_NONE;
    symptom->what[0] = '\0';
    symptom->fields = 0;
    symptom->habit = HARNESS_HABIT_NONE;
    symptom->events = a->events;
    symptom->operation_kind = (uint32_t)operation->kind;
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    if (!locate_memory(symptom, a, b, surfaces, operation) && !locate_register(symptom, a->state, b->state, &scope) &&
        !locate_state(symptom, a->state, b->state, &scope) && !locate_screen(symptom, a, b))
        locate_event(symptom, a, b);
}

/* --------------------------------------------------------------------------------------------------------- keeping */

/* A smaller case that crashes elsewhere shows something else. */
static bool same_place(const struct harness_crash_place *a, const struct harness_crash_place *b)
{
    return strcmp(a->name, b->name) == 0 && a->offset == b->offset && a->is_function == b->is_function;
}

/* No others than before; but the channels of a colour are one thing: to keep alpha alone, blending would be built
 * around a fault. */
static bool fields_within(const struct harness_symptom *now, const struct harness_symptom *kept)
{
    const uint32_t colors = HARNESS_CHANNEL_COLOR | HARNESS_CHANNEL_ALPHA;
    uint32_t allowed = kept->fields;
    if (kept->place == HARNESS_PLACE_MEMORY && (kept->fields & colors) != 0)
        allowed |= colors;
    return (now->fields & ~allowed) == 0;
}

bool harness_symptom_survives(const struct harness_symptom *kept, const struct harness_symptom *now, bool any)
{
    if (any)
        return harness_outcome_is_finding(now->kind);
    if (now->kind != kept->kind || now->backend != kept->backend || now->operation_kind != kept->operation_kind)
        return false;
    if (now->kind == HARNESS_CRASH)
        return now->code == kept->code && strcmp(now->detail, kept->detail) == 0 &&
               same_place(&now->crash, &kept->crash);
    if (now->kind == HARNESS_RELATION)
        return strcmp(now->what, kept->what) == 0 && now->undefined <= kept->undefined;
    if (now->kind != HARNESS_DIVERGE)
        return true;
    return now->place == kept->place && strcmp(now->what, kept->what) == 0 && fields_within(now, kept) &&
           (now->fields != 0) == (kept->fields != 0) && harness_events_within(&now->events, &kept->events);
}

/* ------------------------------------------------------------------------------------------------------------ text */

const char harness_symptom_scribble[] = "a backend wrote over memory that is not its own";
const char harness_symptom_stray[] = "a backend wrote to descriptors that are not its own";
const char harness_symptom_cut_off[] = "a backend closed the descriptors of its process";

const char *harness_symptom_deed(const struct harness_symptom *symptom)
{
    static const char *const deeds[] = { harness_symptom_scribble, harness_symptom_stray, harness_symptom_cut_off };
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (strcmp(symptom->detail, deeds[i]) == 0)
            return deeds[i] + sizeof "a backend " - 1;
    return NULL;
}

static void add_death(const struct harness_symptom *symptom, struct harness_text *out)
{
    if (symptom->crash.name[0] != '\0')
        harness_text_format(out, ", in %s%s", symptom->crash.name, symptom->crash.is_function ? "()" : "");
    if (symptom->code >= 256)
        harness_text_format(out, ": it ended its process with exit code %d", symptom->code - 256);
    else
        harness_text_format(out, ": %s", strsignal(symptom->code));
    if (symptom->memory_mib != 0)
        harness_text_format(out, ": out of memory: its limit is %" PRIu32 " MiB", symptom->memory_mib);
    else if (symptom->detail[0] != '\0')
        harness_text_format(out, ": %s", symptom->detail);
}

void harness_symptom_death_text(const struct harness_symptom *symptom, struct harness_text *out)
{
    const char *const deed = harness_symptom_deed(symptom);
    if (deed != NULL) {
        harness_text_add(out, deed);
        return;
    }
    const bool loading = symptom->operation_kind == HARNESS_SYMPTOM_LOADING;
    harness_text_add(out, symptom->kind == HARNESS_HANG ? "hung" : "crashed");
    if (symptom->what[0] != '\0')
        harness_text_format(out, " in %s", symptom->what);
    else if (loading)
        harness_text_add(out, " while the case was loaded");
    else
        harness_text_format(out, " in operation %" PRIu32 " (%s)", symptom->operation,
                            harness_symptom_operation_name(symptom));
    if (symptom->kind == HARNESS_CRASH)
        add_death(symptom, out);
}

const char *harness_symptom_operation_name(const struct harness_symptom *symptom)
{
    const char *const name = harness_operation_name(symptom->operation_kind);
    return name != NULL ? name : "loading";
}
