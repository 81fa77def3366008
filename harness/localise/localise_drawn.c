/* Which draws the guilty command makes, what they saw, and what those before them had to do with their textures. */
#include "harness/localise/localise_parts.h"
#include "oracles/pixels.h"
#include "oracles/texture.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    EARLIER = 16 /* draws before the last one that are remembered */
};

/* What a texture unit was told, and where a draw draws. */
struct unit_words {
    uint32_t words[3][3];      /* by unit: address, size, format */
    uint64_t begin[2], end[2]; /* of colour and depth buffer */
};

struct draws {
    uint32_t count;
    const struct pica_choices *choices;
    uint32_t seen;                      /* as `count`, but draws->count loses those of earlier operations in the end */
    struct unit_words earlier[EARLIER]; /* number n is at n % EARLIER */
    uint32_t registers[PICA_REGISTERS]; /* as the last draw saw them */
    uint32_t list_address, list_word, trigger;
};

static void take_unit_words(const struct draws *draws, struct unit_words *out)
{
    static const enum pica_reg ids[3] = { PICA_REG_TEXUNIT0_ADDR1, PICA_REG_TEXUNIT0_DIM, PICA_REG_TEXUNIT0_TYPE };
    struct oracle_surface surface;
    for (uint32_t unit = 0; unit < 3; unit++)
        for (int i = 0; i < 3; i++)
            out->words[unit][i] = draws->registers[pica_reg_texunit(unit, ids[i])];
    for (int i = 0; i < 2; i++) {
        const bool is_there =
            (i == 0 ? oracle_color_surface : oracle_depth_surface)(draws->registers, draws->choices, &surface);
        out->begin[i] = is_there ? surface.address : 0;
        out->end[i] = is_there ? out->begin[i] + oracle_surface_bytes(&surface) : 0;
    }
}

/* What the draws before the last one had to do with its textures. An immediate vertex is a draw of its own (VTX-41):
 * the two before it belong to the same triangle. */
static void take_earlier(const struct draws *draws, struct harness_earlier *out)
{
    struct unit_words last;
    take_unit_words(draws, &last);
    memset(out, 0, sizeof *out);
    const uint32_t first = harness_localise_is_immediate(draws->trigger) ? 4 : 2;
    for (uint32_t back = first; back <= draws->seen && back < EARLIER; back++) {
        const struct unit_words *const before = &draws->earlier[(draws->seen - back) % EARLIER];
        for (uint32_t unit = 0; unit < 3; unit++) {
            const bool same = memcmp(before->words[unit], last.words[unit], sizeof last.words[unit]) == 0;
            out->same[unit] = out->same[unit] || same;
            if (!oracle_texture_is_live(draws->registers, unit))
                continue;
            const uint64_t begin = oracle_texture_address(draws->registers, unit, 0);
            const uint64_t end = begin + oracle_texture_size(draws->registers, unit);
            for (int i = 0; i < 2; i++)
                out->drawn[unit] = out->drawn[unit] || (before->begin[i] < end && begin < before->end[i]);
        }
    }
}

static void observe(void *user, const struct pica_draw *draw)
{
    struct draws *const draws = user;
    if (draws->seen > 0)
        take_unit_words(draws, &draws->earlier[(draws->seen - 1) % EARLIER]);
    draws->seen++;
    draws->count++;
    if (draw->registers != NULL)
        memcpy(draws->registers, draw->registers, sizeof draws->registers);
    draws->list_address = draw->list_address;
    draws->list_word = draw->list_word;
    draws->trigger = draw->trigger;
}

/*
 * The draws of the first `commands` commands, as the first side that can tell sees them; *known is false if neither
 * can. Leaves that side in the state after them.
 */
static enum harness_status count_draws(struct harness_localise *search, uint32_t commands, struct draws *out,
                                       bool *known, struct harness_error *error)
{
    *known = false;
    out->count = out->seen = 0;
    out->choices = &search->choices;
    for (int side = 0; side < 2 && !*known; side++) {
        struct harness_runner *const runner = search->runners[side];
        const struct pica_backend *const backend = harness_runner_backend(runner);
        if (backend->observe_draws == NULL)
            continue;
        if (harness_localise_load(search, side, commands) != PICA_OK)
            return harness_localise_fail(search, "loading", error);
        *known = backend->observe_draws(harness_runner_instance(runner), observe, out) == PICA_OK;
        const enum pica_status status = *known ? harness_localise_run(search, side, commands) : PICA_OK;
        (void)backend->observe_draws(harness_runner_instance(runner), NULL, NULL);
        if (status != PICA_OK)
            return harness_localise_fail(search, "running a part of the case", error);
    }
    return HARNESS_OK;
}

enum harness_status harness_localise_draws_in(struct harness_localise *search, uint32_t commands, uint32_t *out,
                                              struct harness_error *error)
{
    *out = 0;
    if (commands == 0 && !search->replays) /* a CPU write that draws is in no budget of commands */
        return HARNESS_OK;
    struct draws *const draws = calloc(1, sizeof *draws);
    bool known = false;
    if (draws == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = count_draws(search, commands, draws, &known, error);
    *out = draws->count - search->draws_before;
    free(draws);
    return status;
}

/* *first: index of the first draw of the guilty command among those of the operation; draws->count: past its last. */
static enum harness_status find_draws(struct harness_localise *search, uint32_t command, struct draws *draws,
                                      uint32_t *first, bool *known, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    if (search->replays)
        status = count_draws(search, 0, draws, known, error);
    search->draws_before = draws->count;
    *first = 0;
    if (status == HARNESS_OK && command > 1) {
        status = count_draws(search, command - 1u, draws, known, error);
        *first = draws->count - search->draws_before;
    }
    if (status == HARNESS_OK)
        status = count_draws(search, command, draws, known, error);
    draws->count -= *known ? search->draws_before : 0u;
    return status;
}

enum harness_status harness_localise_drawn(struct harness_localise *search, uint32_t command, struct harness_drawn *out,
                                           struct harness_error *error)
{
    struct draws *const draws = calloc(1, sizeof *draws);
    if (draws == NULL)
        return harness_fail_memory(error);
    *out = (struct harness_drawn){ .known = false };
    const enum harness_status status = find_draws(search, command, draws, &out->first, &out->known, error);
    out->end = draws->count;
    if (status == HARNESS_OK && out->end > out->first) {
        out->trigger = draws->trigger;
        out->list_address = draws->list_address;
        out->list_word = draws->list_word;
        memcpy(search->registers, draws->registers, sizeof search->registers);
        memcpy(search->needed, draws->registers, sizeof search->needed);
        take_earlier(draws, &search->earlier);
    }
    free(draws);
    return status;
}
