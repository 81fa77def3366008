#include "harness/cli/pixel.h"

#include "harness/explore/pixel_history.h"
#include "harness/explore/pixel_text.h"
#include "harness/explore/step_rows.h"
#include "harness/explore/touch.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 36,
    LINE_COLUMNS = 100
};

/* One backend's side, and how far it is printed. */
struct side {
    const char *name;
    struct harness_pixel_history history;
    size_t fragment, touch; /* the next ones */
};

struct page {
    const struct harness_program *program;
    struct side sides[2];
    size_t count; /* of sides */
    uint32_t step;
    bool differs;                   /* somewhere above */
    bool has_both;                  /* sides have the running fragment */
    bool explained[PICA_TRACE_IDS]; /* what the values are was said once */
    struct harness_text first, second;
};

/* ---------------------------------------------------------------------------------------------------------- options */

int cli_pixel_take(const char *command, const struct cli_list *words, uint32_t out[2])
{
    for (size_t i = 0; i < 2; i++) {
        char *end = NULL;
        const unsigned long value = strtoul(words->items[i], &end, 10);
        if (words->items[i][0] < '0' || words->items[i][0] > '9' || *end != '\0' || value > 0xFFFF)
            return cli_usage(command, "--pixel: '%s' is not a number from 0 to 65535", words->items[i]);
        out[i] = (uint32_t)value;
    }
    return CLI_OK;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Ends a line of two that say different things; the first one of the page is marked. */
static const char *mark(struct page *page)
{
    const char *const text = page->differs ? "" : "   <-- first difference";
    page->differs = true;
    return text;
}

static const char *or_nothing(const char *text)
{
    return text[0] != '\0' ? text : "(nothing)";
}

/*
 * "    LABEL   FIRST", or where two sides say different things a line for each. "" of a side: it says nothing. `note`
 * stands at the end, if the line has room for it.
 */
static void put_line(struct page *page, const char *label, const char *first, const char *second, bool differs,
                     const char *note)
{
    const char *const one = first[0] != '\0' ? first : second;
    const bool fits = note[0] != '\0' && 4 + LABEL_COLUMNS + strlen(one) + 5 + strlen(note) <= LINE_COLUMNS;
    if (!differs) {
        cli_print(stdout, "    %-*s %s%s%s%s\n", LABEL_COLUMNS - 1, label, one, fits ? "   (" : "", fits ? note : "",
                  fits ? ")" : "");
        return;
    }
    const size_t lengths[2] = { strlen(page->sides[0].name), strlen(page->sides[1].name) };
    const int width = (int)(lengths[0] > lengths[1] ? lengths[0] : lengths[1]);
    cli_print(stdout, "    %-*s %-*s  %s\n", LABEL_COLUMNS - 1, label, width, page->sides[0].name, or_nothing(first));
    cli_print(stdout, "    %-*s %-*s  %s%s\n", LABEL_COLUMNS - 1, "", width, page->sides[1].name, or_nothing(second),
              mark(page));
}

/* "colour", and where the pixel is if there are several such buffers. */
static void add_target_name(const struct page *page, const struct harness_pixel_target *target,
                            struct harness_text *out)
{
    size_t alike = 0;
    for (size_t i = 0; i < page->sides[0].history.target_count; i++)
        alike += page->sides[0].history.targets[i].is_depth == target->is_depth;
    harness_text_add(out, target->is_depth ? "depth" : "colour");
    if (alike > 1)
        harness_text_format(out, " at 0x%08" PRIX32, target->address);
}

static void clear(struct page *page)
{
    harness_text_clear(&page->first);
    harness_text_clear(&page->second);
}

/* Two texts as a line. */
static void put_texts(struct page *page, const char *label)
{
    const char *const first = harness_text_string(&page->first), *const second = harness_text_string(&page->second);
    put_line(page, label, first, second, page->count > 1 && strcmp(first, second) != 0, "");
}

/* The target of the other side that is the same buffer; NULL: it has none. */
static const struct harness_pixel_target *same_target(const struct side *side,
                                                      const struct harness_pixel_target *target)
{
    for (size_t i = 0; i < side->history.target_count; i++) {
        const struct harness_pixel_target *const other = &side->history.targets[i];
        if (other->is_depth == target->is_depth && other->address == target->address &&
            other->surface.format == target->surface.format && other->surface.address == target->surface.address)
            return other;
    }
    return NULL;
}

/* --------------------------------------------------------------------------------------------------- first and last */

static void put_target(struct page *page, const struct harness_pixel_target *target, bool is_last)
{
    const struct harness_pixel_target *const other = page->count > 1 ? same_target(&page->sides[1], target) : NULL;
    struct harness_text label = { 0 };
    add_target_name(page, target, &label);
    clear(page);
    harness_pixel_text(target, is_last ? target->last : target->first, &page->first);
    if (other != NULL)
        harness_pixel_text(other, is_last ? other->last : other->first, &page->second);
    put_texts(page, harness_text_string(&label));
    harness_text_free(&label);
}

static void put_targets(struct page *page, bool is_last)
{
    const struct harness_pixel_history *const history = &page->sides[0].history;
    cli_print(stdout, is_last ? "\nat last\n" : "\nat first\n");
    for (size_t i = 0; i < history->target_count; i++)
        put_target(page, &history->targets[i], is_last);
}

/* Which buffers there are. */
static void put_buffers(const struct page *page)
{
    const struct harness_pixel_history *const history = &page->sides[0].history;
    for (size_t i = 0; i < history->target_count; i++) {
        const struct harness_pixel_target *const target = &history->targets[i];
        cli_print(stdout,
                  "%s buffer at 0x%08" PRIX32 ", %" PRIu32 " x %" PRIu32 " %s: the pixel is at 0x%08" PRIX32 "\n",
                  target->is_depth ? "depth" : "colour", target->surface.address, target->surface.width,
                  target->surface.height, oracle_format_name(target->surface.format), target->address);
    }
}

/* -------------------------------------------------------------------------------------------------------- fragments */

static bool has_visits(const struct side *side)
{
    return side->history.source == HARNESS_PIXEL_VISITS;
}

/* The next fragment of this draw on a side, or NULL. */
static const struct harness_pixel_fragment *next_of(const struct side *side, uint32_t draw)
{
    const struct harness_pixel_history *const history = &side->history;
    if (side->fragment == history->fragment_count || history->fragments[side->fragment].draw != draw)
        return NULL;
    return &history->fragments[side->fragment];
}

/* What a target of the draw held before the fragment and afterwards; nothing if that is not known. */
static void add_visit(const struct side *side, const struct harness_pixel_fragment *fragment,
                      const struct harness_pixel_target *target, struct harness_text *out)
{
    if (fragment == NULL || !has_visits(side))
        return;
    const struct pica_visit_pixel *const pixel = target->is_depth ? &fragment->visit.depth : &fragment->visit.color;
    if (pixel->bytes != oracle_bytes_per_pixel(target->surface.format) || pixel->address != target->address)
        return;
    harness_pixel_visit_text(target, pixel, out);
}

static void put_changes(struct page *page, const struct harness_pixel_fragment *const fragments[2])
{
    const struct harness_pixel_history *const history = &page->sides[0].history;
    const bool both = page->count > 1 && fragments[0] != NULL && fragments[1] != NULL && has_visits(&page->sides[0]) &&
                      has_visits(&page->sides[1]);
    for (size_t i = 0; i < history->target_count; i++) {
        const struct harness_pixel_target *const target = &history->targets[i];
        clear(page);
        add_visit(&page->sides[0], fragments[0], target, &page->first);
        if (page->count > 1)
            add_visit(&page->sides[1], fragments[1], target, &page->second);
        const char *const first = harness_text_string(&page->first);
        const char *const second = harness_text_string(&page->second);
        if (first[0] != '\0' || second[0] != '\0')
            put_line(page, target->is_depth ? "depth buffer" : "colour buffer", first, second,
                     both && strcmp(first, second) != 0, "");
    }
}

/* What the values are, the first time: up to the first semicolon. */
static void add_note(struct page *page, const struct pica_trace_step *step, char note[LINE_COLUMNS])
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    note[0] = '\0';
    for (uint32_t id = 0; info != NULL && id < PICA_TRACE_IDS; id++)
        if (pica_trace_info((enum pica_trace_id)id) == info && !page->explained[id]) {
            page->explained[id] = true;
            (void)snprintf(note, LINE_COLUMNS, "%s", harness_step_note(info));
            note[strcspn(note, ";")] = '\0';
        }
}

static void put_row(struct page *page, const struct harness_step_row *row)
{
    const struct pica_trace_step *const step = row->a != NULL ? row->a : row->b;
    struct harness_text label = { 0 };
    char note[LINE_COLUMNS];
    harness_step_label(step, &label);
    clear(page);
    add_note(page, step, note);
    if (page->has_both && !row->differs && (row->a == NULL || row->b == NULL))
        (void)snprintf(note, sizeof note, "%s alone says this", page->sides[row->a != NULL ? 0 : 1].name);
    if (row->a != NULL)
        harness_step_table_text(row->a, row->differs, &page->first);
    if (row->b != NULL)
        harness_step_table_text(row->b, row->differs, &page->second);
    put_line(page, harness_text_string(&label), harness_text_string(&page->first), harness_text_string(&page->second),
             row->differs, note);
    harness_text_free(&label);
}

static void put_rows(struct page *page, const struct harness_step_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t idle = harness_step_rows_idle(rows, count, i);
        const struct pica_trace_step *const step = rows[i].a != NULL ? rows[i].a : rows[i].b;
        if (idle == 0) {
            put_row(page, &rows[i]);
            continue;
        }
        cli_print(stdout, "    combiner, stages %" PRIu32 " to %" PRIu32 " pass it on\n", step->index,
                  step->index + (uint32_t)idle - 1);
        i += 2 * idle - 1;
    }
}

/* The steps of one fragment. False: no memory. */
static bool put_steps(struct page *page, const struct harness_pixel_fragment *const fragments[2])
{
    struct oracle_trace traces[2] = { { NULL, 0 }, { NULL, 0 } };
    for (size_t i = 0; i < page->count; i++)
        if (fragments[i] != NULL)
            traces[i] = harness_pixel_steps(&page->sides[i].history, fragments[i]);
    const size_t most = traces[0].count + traces[1].count;
    struct harness_step_row *const rows = calloc(most + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    const size_t one = fragments[0] != NULL ? 0 : 1;
    page->has_both = fragments[0] != NULL && fragments[1] != NULL;
    put_rows(page, rows, harness_step_rows(&traces[one], page->has_both ? &traces[1] : NULL, rows));
    free(rows);
    return true;
}

/* "fragment 0, of triangle 3: written", by a side that knows; then what it changed and its steps. */
static bool put_fragment(struct page *page, const struct harness_pixel_fragment *const fragments[2])
{
    const size_t teller = fragments[0] != NULL && (fragments[1] == NULL || has_visits(&page->sides[0])) ? 0 : 1;
    const struct harness_pixel_fragment *const fragment = fragments[teller];
    const bool is_alone = page->count > 1 && fragments[1 - teller] == NULL &&
                          page->sides[1 - teller].history.source != HARNESS_PIXEL_MEMORY;
    cli_print(stdout, "  fragment %" PRIu32, fragment->number);
    if (has_visits(&page->sides[teller]))
        cli_print(stdout, ", of triangle %" PRIu32 ": %s", fragment->visit.triangle,
                  harness_visit_end_text(&fragment->visit));
    if (is_alone)
        cli_print(stdout, "; on %s alone%s", page->sides[teller].name, mark(page));
    cli_print(stdout, "\n");
    put_changes(page, fragments);
    return put_steps(page, fragments);
}

static void put_draw_head(const struct page *page, const struct harness_draws *draws, uint32_t draw)
{
    const uint32_t operation = page->program->origins[page->step];
    const struct harness_drawn *const drawn = &draws->items[draw];
    const struct pica_reg_info *const info = pica_reg_info(drawn->trigger);
    cli_print(stdout, "\noperation %" PRIu32 ", draw %" PRIu32 " (%" PRIu32 " since the start), %s", operation,
              drawn->number, draw, info != NULL ? info->name : "no register that there is");
    if (drawn->list_address != 0)
        cli_print(stdout, " at word 0x%" PRIX32 " of the list at 0x%08" PRIX32, drawn->list_word, drawn->list_address);
    cli_print(stdout, "\n");
}

/* All fragments of a draw: those with one number together. */
static bool put_draw(struct page *page, uint32_t draw)
{
    const struct harness_pixel_fragment *fragments[2];
    bool good = true;
    for (;;) {
        fragments[0] = next_of(&page->sides[0], draw);
        fragments[1] = page->count > 1 ? next_of(&page->sides[1], draw) : NULL;
        if (!good || (fragments[0] == NULL && fragments[1] == NULL))
            return good;
        good = put_fragment(page, fragments);
        page->sides[0].fragment += fragments[0] != NULL;
        page->sides[1].fragment += fragments[1] != NULL;
    }
}

/* The draws of the operation that have fragments. */
static bool put_draws(struct page *page)
{
    const size_t longer =
        page->count > 1 && page->sides[1].history.draws.count > page->sides[0].history.draws.count ? 1 : 0;
    const struct harness_draws *const draws = &page->sides[longer].history.draws;
    bool good = true;
    for (uint32_t draw = 0; good && draw < draws->count; draw++) {
        if (draws->items[draw].step != page->step)
            continue;
        if (next_of(&page->sides[0], draw) == NULL && (page->count == 1 || next_of(&page->sides[1], draw) == NULL))
            continue;
        put_draw_head(page, draws, draw);
        good = put_draw(page, draw);
    }
    return good;
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* What a side says of the target at this operation, or NULL. */
static const struct harness_pixel_touch *touch_of(const struct page *page, const struct side *side,
                                                  const struct harness_pixel_target *target)
{
    const struct harness_pixel_history *const history = &side->history;
    for (size_t i = side->touch; i < history->touch_count && history->touches[i].step == page->step; i++)
        if (&history->targets[history->touches[i].target] == target)
            return &history->touches[i];
    return NULL;
}

static void add_touch(const struct harness_pixel_target *target, const struct harness_pixel_touch *touch,
                      struct harness_text *out)
{
    if (touch == NULL)
        return;
    if (touch->reads && !touch->writes)
        harness_text_add(out, "is read; ");
    harness_pixel_change_text(target, touch->before, touch->after, out);
}

/* A list whose fragments are shown with what they stored has no more to say, if the two sides agree. */
static bool is_told(const struct page *page)
{
    return page->program->operations[page->step].kind == PICA_OPERATION_SUBMIT_LIST && has_visits(&page->sides[0]) &&
           page->sides[0].fragment > 0 &&
           page->sides[0]
                   .history.draws.items[page->sides[0].history.fragments[page->sides[0].fragment - 1].draw]
                   .step == page->step;
}

static void put_operation_head(const struct page *page)
{
    struct harness_text text = { 0 };
    harness_operation_text(&page->program->operations[page->step], &text);
    cli_print(stdout, "\noperation %" PRIu32 ", %s\n", page->program->origins[page->step], harness_text_string(&text));
    harness_text_free(&text);
}

/* What the operation as a whole did to the pixel of each buffer. */
static void put_touches(struct page *page)
{
    const struct harness_pixel_history *const history = &page->sides[0].history;
    bool has_head = false;
    for (size_t i = 0; i < history->target_count; i++) {
        const struct harness_pixel_target *const target = &history->targets[i];
        const struct harness_pixel_target *const other = page->count > 1 ? same_target(&page->sides[1], target) : NULL;
        clear(page);
        add_touch(target, touch_of(page, &page->sides[0], target), &page->first);
        if (other != NULL)
            add_touch(other, touch_of(page, &page->sides[1], other), &page->second);
        const char *const first = harness_text_string(&page->first), *const second = harness_text_string(&page->second);
        const bool differs = page->count > 1 && strcmp(first, second) != 0;
        if ((first[0] == '\0' && second[0] == '\0') || (is_told(page) && !differs))
            continue;
        if (!has_head)
            put_operation_head(page);
        has_head = true;
        put_line(page, target->is_depth ? "depth buffer" : "colour buffer", first, second, differs, "");
    }
}

static bool put_operation(struct page *page)
{
    if (!put_draws(page))
        return false;
    put_touches(page);
    for (size_t i = 0; i < page->count; i++) {
        struct side *const side = &page->sides[i];
        while (side->touch < side->history.touch_count && side->history.touches[side->touch].step == page->step)
            side->touch++;
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------- together */

static void put_head(const struct page *page, const char *path)
{
    const struct harness_pixel_history *const history = &page->sides[0].history;
    cli_print(stdout, "%s\n", path);
    cli_print(stdout, "pixel %" PRIu32 ",%" PRIu32 " (from the left, from the bottom) on %s%s%s, %" PRIu32 " %s\n",
              history->x, history->y, page->sides[0].name, page->count > 1 ? " and " : "",
              page->count > 1 ? page->sides[1].name : "", history->draws.count,
              cli_word(history->draws.count, "draw", "draws"));
    for (size_t i = 0; i < page->count; i++)
        if (page->sides[i].history.source == HARNESS_PIXEL_MEMORY)
            cli_print(stdout, "%s has no traces: of its fragments nothing is known\n", page->sides[i].name);
    put_buffers(page);
}

static void put_end(const struct page *page)
{
    size_t fragments = 0;
    bool is_known = false;
    for (size_t i = 0; i < page->count; i++) {
        const struct side *const side = &page->sides[i];
        const size_t count = side->history.fragment_count;
        if (side->history.source == HARNESS_PIXEL_MEMORY)
            continue;
        cli_print(stdout, "%s%s: %zu %s", is_known ? ", " : "\n", side->name, count,
                  cli_word(count, "fragment", "fragments"));
        is_known = true;
        fragments += count;
    }
    if (page->count > 1)
        cli_print(stdout, "%s%s", is_known ? "; " : "\n", page->differs ? "the two differ" : "the two agree");
    cli_print(stdout, is_known || page->count > 1 ? "\n" : "");
    if (is_known && fragments == 0)
        cli_print(stdout, "no triangle covers the pixel, or the scissor test removed it\n");
}

static enum harness_status put_page(struct page *page, const char *path, struct harness_error *error)
{
    bool good = true;
    put_head(page, path);
    if (page->sides[0].history.target_count == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%.200s: --pixel: no draw has a buffer with that pixel", path);
    put_targets(page, false);
    for (page->step = 0; good && page->step < page->program->count; page->step++)
        good = put_operation(page);
    if (!good)
        return harness_fail_memory(error);
    put_targets(page, true);
    put_end(page);
    return HARNESS_OK;
}

/* Of one side. `*refusal`: why it does not run the case, or NULL. */
static enum harness_status take_side(struct side *side, const struct cli_pixel *wanted, struct harness_runner *runner,
                                     const char **refusal, struct harness_error *error)
{
    struct pica_choices choices;
    harness_runners_choices(&runner, 1, &choices);
    harness_pixel_history_init(&side->history, wanted->x, wanted->y, &choices);
    const enum pica_status status = harness_pixel_history_take(&side->history, runner, wanted->program);
    if (status == PICA_NOT_SUPPORTED)
        *refusal = harness_runner_refusal(runner);
    return status == PICA_OK || status == PICA_NOT_SUPPORTED
               ? HARNESS_OK
               : harness_runner_fail(runner, "running the case", status, error);
}

enum harness_status cli_pixel_print(const struct cli_pixel *wanted, bool *differs, struct harness_error *error)
{
    struct page page = { .program = wanted->program, .count = wanted->count };
    enum harness_status status = HARNESS_OK;
    const char *refusal = NULL;
    for (size_t i = 0; i < page.count; i++)
        page.sides[i].name = wanted->names[i];
    for (size_t i = 0; i < page.count && status == HARNESS_OK && refusal == NULL; i++)
        status = take_side(&page.sides[i], wanted, wanted->runners[i], &refusal, error);
    if (status == HARNESS_OK && refusal != NULL)
        cli_print(stdout, "%s: not tested: %s\n", wanted->path, refusal);
    else if (status == HARNESS_OK)
        status = put_page(&page, wanted->path, error);
    *differs = page.differs;
    for (size_t i = 0; i < page.count; i++)
        harness_pixel_history_free(&page.sides[i].history);
    harness_text_free(&page.first);
    harness_text_free(&page.second);
    return status;
}
