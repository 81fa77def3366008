#include "harness/cli/pixel.h"

#include "harness/explore/draws.h"
#include "harness/explore/step_text.h"
#include "harness/explore/touch.h"
#include "pica/regs.h"
#include "pica/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TARGETS = 64 /* buffers that have the pixel */
};

/* The pixel of one buffer. */
struct target {
    struct oracle_surface surface;
    bool is_depth;
    uint32_t address;
    uint8_t now[4];
};

struct teller {
    struct harness_runner *runner;
    const struct harness_program *program;
    uint32_t x, y;
    struct harness_draws draws;
    struct target targets[MOST_TARGETS];
    size_t target_count;
    struct harness_text steps; /* of the fragment that runs */
    uint32_t told;             /* draw whose head is printed; UINT32_MAX: none */
    uint32_t fragments;        /* of the draw; all */
    uint32_t fragments_in_all;
    uint32_t step; /* that runs */
};

/* ---------------------------------------------------------------------------------------------------------- numbers */

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

static void put_bytes(uint32_t bits, uint8_t out[4])
{
    for (uint32_t i = 0; i < 4; i++)
        out[i] = (uint8_t)(bits >> (8 * i) & 0xFFu);
}

/* "0xFF0000FF (255 0 0 255)", "0x00FFFFFF (depth 0xFFFFFF, stencil 0x00)". */
static void add_pixel(enum oracle_format format, bool is_depth, const uint8_t bytes[4], struct harness_text *out)
{
    const uint32_t size = oracle_bytes_per_pixel(format);
    const uint32_t *c;
    const struct oracle_pixel pixel = oracle_pixel_decode(format, bytes);
    c = pixel.channel;
    harness_text_add(out, "0x");
    for (uint32_t i = size; i-- > 0;)
        harness_text_format(out, "%02X", bytes[i]);
    if (!is_depth)
        harness_text_format(out, " (%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 ")", c[0], c[1], c[2], c[3]);
    else if (format == ORACLE_FORMAT_DEPTH24_STENCIL8)
        harness_text_format(out, " (depth 0x%06" PRIX32 ", stencil 0x%02" PRIX32 ")", c[0], c[3]);
}

/* ---------------------------------------------------------------------------------------------------------- targets */

static bool is_same(const struct target *target, const struct oracle_surface *surface, bool is_depth)
{
    return target->is_depth == is_depth && target->surface.address == surface->address &&
           target->surface.format == surface->format && target->surface.width == surface->width &&
           target->surface.height == surface->height && target->surface.pitch == surface->pitch &&
           target->surface.layout == surface->layout && target->surface.rows_reversed == surface->rows_reversed;
}

static void add_target(struct teller *teller, const struct oracle_surface *surface, bool is_depth)
{
    struct target target = { *surface, is_depth, 0, { 0 } };
    if (!harness_pixel_address(surface, teller->x, teller->y, &target.address) || teller->target_count == MOST_TARGETS)
        return;
    for (size_t i = 0; i < teller->target_count; i++)
        if (is_same(&teller->targets[i], surface, is_depth))
            return;
    teller->targets[teller->target_count++] = target;
}

static void find_targets(struct teller *teller)
{
    for (uint32_t i = 0; i < teller->draws.count; i++) {
        const struct harness_drawn *const drawn = &teller->draws.items[i];
        if (drawn->has_color)
            add_target(teller, &drawn->color, false);
        if (drawn->has_depth)
            add_target(teller, &drawn->depth, true);
    }
}

static bool read_target(const struct teller *teller, const struct target *target, uint8_t out[4])
{
    const struct pica_backend *const backend = harness_runner_backend(teller->runner);
    memset(out, 0, 4);
    return backend->read_memory(harness_runner_instance(teller->runner), target->address, out,
                                oracle_bytes_per_pixel(target->surface.format)) == PICA_OK;
}

static bool finish(const struct teller *teller)
{
    const struct pica_backend *const backend = harness_runner_backend(teller->runner);
    return backend->finish == NULL || backend->finish(harness_runner_instance(teller->runner)) == PICA_OK;
}

/* Takes what the targets hold now; false if the backend cannot say. */
static bool look(struct teller *teller)
{
    bool good = finish(teller);
    for (size_t i = 0; good && i < teller->target_count; i++)
        good = read_target(teller, &teller->targets[i], teller->targets[i].now);
    return good;
}

static void print_targets(struct teller *teller, const char *what)
{
    struct harness_text text;
    harness_text_init(&text);
    for (size_t i = 0; i < teller->target_count; i++) {
        const struct target *const target = &teller->targets[i];
        harness_text_format(&text,
                            "%s%s buffer at 0x%08" PRIX32 ", %" PRIu32 " x %" PRIu32 " %s, byte 0x%08" PRIX32 ": ",
                            what, target->is_depth ? "depth" : "colour", target->surface.address, target->surface.width,
                            target->surface.height, oracle_format_name(target->surface.format), target->address);
        add_pixel(target->surface.format, target->is_depth, target->now, &text);
        harness_text_add(&text, "\n");
    }
    cli_print(stdout, "%s", harness_text_string(&text));
    harness_text_free(&text);
}

/* ------------------------------------------------------------------------------------------------------- operations */

static void add_head(const struct teller *teller, struct harness_text *out)
{
    harness_text_format(out, "operation %" PRIu32 ": ", teller->program->origins[teller->step]);
    harness_operation_text(&teller->program->operations[teller->step], out);
}

/* What the operation that has just run says of the pixel of a target, and whether it changed; "" if neither. */
static void add_touch(const struct teller *teller, const struct target *target, const uint8_t now[4],
                      struct harness_text *out)
{
    const struct pica_operation *const operation = &teller->program->operations[teller->step];
    const struct harness_touch touch = harness_touch_of(operation, &teller->draws.choices);
    const uint32_t bytes = oracle_bytes_per_pixel(target->surface.format);
    const bool writes = harness_range_has(&touch.writes, target->address, bytes);
    const bool reads = harness_range_has(&touch.reads, target->address, bytes);
    const bool changes = memcmp(now, target->now, 4) != 0;
    if (!writes && !reads && !changes)
        return;
    harness_text_format(out, "  %s at 0x%08" PRIX32 ": %s", target->is_depth ? "depth" : "colour", target->address,
                        reads && !writes ? "is read; " : "");
    add_pixel(target->surface.format, target->is_depth, target->now, out);
    if (changes || writes) {
        harness_text_add(out, " -> ");
        add_pixel(target->surface.format, target->is_depth, now, out);
    }
    harness_text_add(out, "\n");
}

/* After an operation. A list shows itself what it does, where the backend tells of fragments. */
static bool tell_operation(struct teller *teller, bool shows_lists)
{
    const bool is_list = teller->program->operations[teller->step].kind == PICA_OPERATION_SUBMIT_LIST;
    struct harness_text text;
    bool good = finish(teller);
    harness_text_init(&text);
    for (size_t i = 0; good && i < teller->target_count; i++) {
        struct target *const target = &teller->targets[i];
        uint8_t now[4];
        good = read_target(teller, target, now);
        if (good && (!is_list || shows_lists))
            add_touch(teller, target, now, &text);
        memcpy(target->now, now, 4);
    }
    if (text.size != 0) {
        struct harness_text head;
        harness_text_init(&head);
        add_head(teller, &head);
        cli_print(stdout, "%s\n%s", harness_text_string(&head), harness_text_string(&text));
        harness_text_free(&head);
    }
    harness_text_free(&text);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------ draws */

static void print_draw_head(struct teller *teller, uint32_t draw)
{
    if (teller->told == draw)
        return;
    struct harness_text text;
    harness_text_init(&text);
    teller->told = draw;
    teller->fragments = 0;
    harness_text_format(&text, "operation %" PRIu32, teller->program->origins[teller->step]);
    if (draw < teller->draws.count) {
        const struct harness_drawn *const drawn = &teller->draws.items[draw];
        const struct pica_reg_info *const info = pica_reg_info(drawn->trigger);
        harness_text_format(&text, ", draw %" PRIu32 " (%" PRIu32 " since the start), %s", drawn->number, draw,
                            info != NULL ? info->name : "no register that there is");
        if (drawn->list_address != 0)
            harness_text_format(&text, " at word 0x%" PRIX32 " of the list at 0x%08" PRIX32, drawn->list_word,
                                drawn->list_address);
    }
    cli_print(stdout, "%s\n", harness_text_string(&text));
    harness_text_free(&text);
}

static const char *end_text(enum pica_visit_end end, bool has_written)
{
    switch (end) {
    case PICA_VISIT_ALPHA_TEST: return "ended by the alpha test";
    case PICA_VISIT_STENCIL_TEST:
        return has_written ? "ended by the stencil test, which wrote" : "ended by the stencil test";
    case PICA_VISIT_DEPTH_TEST:
        return has_written ? "ended by the depth test, stencil was written" : "ended by the depth test";
    case PICA_VISIT_PASSED: break;
    }
    return has_written ? "written" : "passed, and wrote nothing";
}

static void add_change(const char *name, enum oracle_format format, bool is_depth, const struct pica_visit_pixel *pixel,
                       struct harness_text *out)
{
    uint8_t before[4], after[4];
    if (pixel->bytes == 0)
        return;
    put_bytes(pixel->before, before);
    put_bytes(pixel->after, after);
    harness_text_format(out, "    %s at 0x%08" PRIX32 ": ", name, pixel->address);
    add_pixel(format, is_depth, before, out);
    harness_text_add(out, pixel->before == pixel->after ? ", stays" : " -> ");
    if (pixel->before != pixel->after)
        add_pixel(format, is_depth, after, out);
    harness_text_add(out, "\n");
}

/* -------------------------------------------------------------------------------------------- a backend with visits */

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct teller *const teller = user;
    (void)draw;
    return x == teller->x && y == teller->y ? PICA_VISIT_WITH_STEPS : PICA_VISIT_UNWANTED;
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct teller *const teller = user;
    harness_text_add(&teller->steps, "    ");
    harness_step_text(step, &teller->steps);
    harness_text_add(&teller->steps, "\n");
}

static void take_visit(void *user, const struct pica_visit *visit)
{
    struct teller *const teller = user;
    const struct harness_drawn *const drawn =
        visit->draw < teller->draws.count ? &teller->draws.items[visit->draw] : NULL;
    struct harness_text text;
    harness_text_init(&text);
    print_draw_head(teller, visit->draw);
    harness_text_format(&text, "  fragment %" PRIu32 ", of triangle %" PRIu32 ": %s\n", teller->fragments++,
                        visit->triangle, end_text(visit->end, visit->has_written));
    teller->fragments_in_all++;
    if (drawn != NULL && drawn->has_color)
        add_change("colour", drawn->color.format, false, &visit->color, &text);
    if (drawn != NULL && drawn->has_depth)
        add_change("depth", drawn->depth.format, true, &visit->depth, &text);
    cli_print(stdout, "%s%s", harness_text_string(&text), harness_text_string(&teller->steps));
    harness_text_clear(&teller->steps);
    harness_text_free(&text);
}

/* Every operation in turn. False: the backend failed. */
static bool run_all(struct teller *teller, bool shows_lists)
{
    const struct harness_program *const program = teller->program;
    bool good = harness_runner_load(teller->runner, &program->setup) == PICA_OK && look(teller);
    if (good)
        print_targets(teller, "at first: ");
    for (teller->step = 0; good && teller->step < program->count; teller->step++)
        good = harness_runner_step(teller->runner, &program->operations[teller->step]) == PICA_OK &&
               tell_operation(teller, shows_lists);
    if (good)
        print_targets(teller, "at last: ");
    return good;
}

/* -------------------------------------------------------------------------------------------- a backend with traces */

/* The first step of a visit of the pixel, for those that report no positions before clipping. */
static bool begins_fragment(const struct pica_trace_step *step)
{
    const struct pica_trace_info *const info = pica_trace_info(PICA_TRACE_ID_SCREEN_POSITION);
    return step->stage != NULL && step->name != NULL && step->index == 0 && strcmp(step->stage, info->stage) == 0 &&
           strcmp(step->name, info->name) == 0;
}

static void take_traced(void *user, const struct pica_trace_step *step)
{
    struct teller *const teller = user;
    if (begins_fragment(step)) {
        harness_text_format(&teller->steps, "  fragment %" PRIu32 "\n", teller->fragments++);
        teller->fragments_in_all++;
    }
    take_step(user, step);
}

/* One draw, by a run of the case up to its operation. */
static bool trace_draw(struct teller *teller, uint32_t draw)
{
    const struct pica_backend *const backend = harness_runner_backend(teller->runner);
    void *const instance = harness_runner_instance(teller->runner);
    const struct pica_trace_request request = { draw, PICA_TRACE_PIXEL, teller->x, teller->y };
    size_t failed = 0;
    teller->fragments = 0;
    const bool good =
        harness_runner_load(teller->runner, &teller->program->setup) == PICA_OK &&
        backend->trace(instance, &request, take_traced, teller) == PICA_OK &&
        harness_runner_run(teller->runner, teller->program->operations, teller->step + 1, &failed) == PICA_OK;
    (void)backend->trace(instance, NULL, NULL, NULL);
    if (teller->steps.size != 0) {
        print_draw_head(teller, draw);
        cli_print(stdout, "%s", harness_text_string(&teller->steps));
        harness_text_clear(&teller->steps);
    }
    return good;
}

static bool trace_all(struct teller *teller)
{
    bool good = true;
    for (uint32_t draw = 0; good && draw < teller->draws.count; draw++) {
        teller->step = teller->draws.items[draw].step;
        good = trace_draw(teller, draw);
    }
    return good;
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Which draws there are: the backend says so, or else `reference` does. */
static enum harness_status find_draws(struct teller *teller, struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *linked[1];
    struct harness_runner *reference = NULL;
    if (harness_runner_backend(teller->runner)->observe_draws != NULL) {
        const enum pica_status status = harness_draws_find(&teller->draws, teller->runner, teller->program);
        return status == PICA_OK ? HARNESS_OK : harness_runner_fail(teller->runner, "running the case", status, error);
    }
    if (harness_linked_backends(linked, 1) == 0 || harness_runner_create(linked[0], &options, &reference) != PICA_OK)
        return harness_fail_memory(error);
    const enum pica_status status = harness_draws_find(&teller->draws, reference, teller->program);
    harness_runner_destroy(reference);
    return status == PICA_OK ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "reference: %d", (int)status);
}

static bool tell(struct teller *teller)
{
    const struct pica_backend *const backend = harness_runner_backend(teller->runner);
    const struct pica_visits visits = { wants, NULL, take_step, take_visit, teller };
    if (harness_observe_visits(teller->runner, &visits) == PICA_OK) {
        const bool good = run_all(teller, false);
        (void)harness_observe_visits(teller->runner, NULL);
        return good;
    }
    const bool good = run_all(teller, true);
    if (backend->trace == NULL) {
        cli_print(stdout, "backend %s has no traces: nothing is known of fragments\n", backend->name);
        return good;
    }
    return good && trace_all(teller);
}

enum harness_status cli_pixel_print(struct harness_runner *runner, const struct harness_program *program,
                                    const char *path, const uint32_t pixel[2], struct harness_error *error)
{
    struct teller teller = { .runner = runner, .program = program, .x = pixel[0], .y = pixel[1], .told = UINT32_MAX };
    struct pica_choices choices;
    harness_runners_choices(&runner, 1, &choices);
    harness_draws_init(&teller.draws, &choices);
    harness_text_init(&teller.steps);
    enum harness_status status = find_draws(&teller, error);
    if (status == HARNESS_OK) {
        cli_print(stdout, "%s: %s: pixel %" PRIu32 ",%" PRIu32 " (from the left, from the bottom), %" PRIu32 " %s\n",
                  path, harness_runner_backend(runner)->name, teller.x, teller.y, teller.draws.count,
                  cli_word(teller.draws.count, "draw", "draws"));
        find_targets(&teller);
        if (teller.target_count == 0)
            cli_print(stdout, "no draw has a buffer with that pixel\n");
        else if (!tell(&teller))
            status = harness_runner_fail(runner, "running the case", PICA_FAILED, error);
        else
            cli_print(stdout, "%" PRIu32 " %s\n", teller.fragments_in_all,
                      cli_word(teller.fragments_in_all, "fragment", "fragments"));
    }
    harness_draws_free(&teller.draws);
    harness_text_free(&teller.steps);
    return status;
}
