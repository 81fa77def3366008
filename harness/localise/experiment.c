#include "harness/localise/experiment.h"
#include "harness/case/little.h"

#include "pica/fields.h"
#include "pica/memory.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- preparing */

uint32_t experiment_free_address(const struct pica_setup *setup, uint32_t size)
{
    for (uint32_t address = PICA_FCRAM_ADDRESS; address - PICA_FCRAM_ADDRESS <= PICA_FCRAM_SIZE - size;
         address += size) {
        bool taken = false;
        for (uint32_t i = 0; i < setup->window_count; i++)
            taken = taken || (address < setup->windows[i].address + setup->windows[i].size &&
                              setup->windows[i].address < address + size);
        if (!taken)
            return address;
    }
    return 0;
}

/* Ends a list of `bytes` bytes at a multiple of 16 (SUB-02): a command with an empty mask does nothing (CMD-05). */
static void end_list(struct experiment *experiment, uint32_t bytes)
{
    while (bytes % 16u != 0) {
        (void)harness_store32(experiment->bytes + bytes, 0);
        (void)harness_store32(experiment->bytes + bytes + 4, PICA_REG_FACECULLING_CONFIG);
        bytes += 8;
    }
    experiment->list_bytes = bytes;
}

/* The commands after the first `first`, to the end of command `last`. False if there is no room. */
static bool copy_list(struct experiment *experiment, uint32_t first, uint32_t last)
{
    const struct harness_localise *const search = experiment->search;
    experiment->list_bytes = 0;
    if (search->words == NULL)
        return first == 0;
    const uint32_t begin = search->starts[first], end = search->starts[last];
    if ((end - begin) * 4u > EXPERIMENT_LIST - 16u)
        return false;
    for (uint32_t i = begin; i < end; i++)
        (void)harness_store32(experiment->bytes + 4u * (i - begin), search->words[i]);
    end_list(experiment, 4u * (end - begin));
    return true;
}

/* Brings the teller to the state after `first` commands, and takes it. */
static bool take_state(struct experiment *experiment, uint32_t first)
{
    struct harness_localise *const search = experiment->search;
    struct harness_runner *const runner = search->runners[experiment->teller];
    return harness_localise_load(search, experiment->teller, first != 0 ? first : 1) == PICA_OK &&
           ((first == 0 && !search->replays) || harness_localise_run(search, experiment->teller, first) == PICA_OK) &&
           harness_checkpoint_take(experiment->checkpoint, runner, &search->program->setup) == PICA_OK;
}

static bool add_scratch(struct experiment *experiment, const struct pica_setup *setup)
{
    experiment->scratch = experiment_free_address(setup, EXPERIMENT_BYTES);
    if (experiment->scratch == 0 || setup->window_count >= PICA_MAX_WINDOWS)
        return false;
    memcpy(experiment->windows, setup->windows, setup->window_count * sizeof *setup->windows);
    memcpy(experiment->chunks, setup->chunks, setup->chunk_count * sizeof *setup->chunks);
    experiment->windows[setup->window_count] = (struct pica_window){ experiment->scratch, EXPERIMENT_BYTES };
    experiment->chunks[setup->chunk_count] =
        (struct pica_chunk){ experiment->scratch, EXPERIMENT_BYTES, experiment->bytes };
    experiment->window_count = setup->window_count + 1;
    return true;
}

bool experiment_prepare(struct experiment *experiment, uint32_t first, uint32_t last)
{
    memset(experiment->bytes, 0, sizeof experiment->bytes);
    if (!take_state(experiment, first) || !copy_list(experiment, first, last))
        return false;
    const struct pica_setup *const setup = harness_checkpoint_setup(experiment->checkpoint);
    experiment->first = first;
    experiment->state = *setup->initial_state;
    return add_scratch(experiment, setup);
}

bool experiment_put_skipped(struct experiment *experiment, uint32_t command, uint32_t last)
{
    const struct harness_localise *const search = experiment->search;
    const uint32_t header = search->words[search->starts[command - 1] + 1];
    uint32_t skipped = pica_command_header_set_id(0, PICA_REG_FACECULLING_CONFIG);
    skipped = pica_command_header_set_extra_parameters(skipped, pica_command_header_extra_parameters(header));
    if (!copy_list(experiment, command - 1, last))
        return false;
    (void)harness_store32(experiment->bytes + 4, skipped);
    return true;
}

/* Puts a command at the end of the list: `count` words, all to the register `id`. False if there is no room. */
static bool put_command(struct experiment *experiment, uint32_t id, const uint32_t *words, uint32_t count)
{
    const uint32_t padded = count + 1u + (count + 1u) % 2u; /* CMD-03 */
    uint32_t header = pica_command_header_set_id(0, id);
    header = pica_command_header_set_mask(header, 0xF);
    header = pica_command_header_set_extra_parameters(header, count - 1u);
    uint8_t *const bytes = experiment->bytes + experiment->list_bytes;
    if (4u * padded + 16u > EXPERIMENT_LIST - experiment->list_bytes)
        return false;
    (void)harness_store32(bytes, words[0]);
    (void)harness_store32(bytes + 4, header);
    for (uint32_t i = 1; i < count; i++)
        (void)harness_store32(bytes + 4u * (i + 1u), words[i]);
    if (padded != count + 1u)
        (void)harness_store32(bytes + 4u * (padded - 1u), 0);
    experiment->list_bytes += 4u * padded;
    return true;
}

void experiment_write_list(struct experiment *experiment, uint32_t id, uint32_t value)
{
    experiment->list_bytes = 0;
    (void)put_command(experiment, id, &value, 1);
    end_list(experiment, experiment->list_bytes);
}

bool experiment_write_port(struct experiment *experiment, uint32_t id, uint32_t value, uint32_t port,
                           const uint32_t *words, uint32_t count)
{
    const uint32_t most = 240; /* words of a command: there is room for 256 (CMD-02) */
    experiment->list_bytes = 0;
    bool put = put_command(experiment, id, &value, 1);
    for (uint32_t i = 0; i < count && put; i += most)
        put = put_command(experiment, port, words + i, count - i < most ? count - i : most);
    end_list(experiment, experiment->list_bytes);
    return put;
}

/* --------------------------------------------------------------------------------------------------------- running */

static const uint8_t *find_pixel(const struct experiment *experiment, const struct oracle_run *run)
{
    const uint64_t address =
        experiment->surface.address + oracle_pixel_offset(&experiment->surface, experiment->x, experiment->y);
    for (uint32_t i = 0; i < run->window_count; i++)
        if (address >= run->windows[i].address && address + oracle_bytes_per_pixel(experiment->surface.format) <=
                                                      (uint64_t)run->windows[i].address + run->windows[i].size)
            return run->memory[i] + (address - run->windows[i].address);
    return NULL;
}

static bool pixel_is(const struct experiment *experiment, const uint8_t *pixel, const uint8_t *other)
{
    return pixel != NULL && other != NULL &&
           memcmp(pixel, other, oracle_bytes_per_pixel(experiment->surface.format)) == 0;
}

/* Memory as the checkpoint has it after `experiment_keep`: the teller's own outcome. */
static bool is_kept(const struct experiment *experiment, const struct oracle_run *run)
{
    for (uint32_t i = 0; i + 1 < run->window_count; i++)
        if (memcmp(experiment->search->kept[i], run->memory[i], run->windows[i].size) != 0)
            return false;
    return true;
}

static enum pica_status put_background(const struct experiment *experiment, struct harness_runner *runner)
{
    const struct pica_operation load = { .kind = PICA_OPERATION_LOAD_MEMORY,
                                         .address = experiment->surface.address +
                                                    (uint32_t)oracle_pixel_offset(&experiment->surface, experiment->x,
                                                                                  experiment->y),
                                         .size = oracle_bytes_per_pixel(experiment->surface.format),
                                         .data = experiment->before };
    return experiment->has_background ? harness_runner_step(runner, &load) : PICA_OK;
}

static bool run_side(struct experiment *experiment, int side)
{
    struct harness_localise *const search = experiment->search;
    experiment->setup = *harness_checkpoint_setup(experiment->checkpoint);
    experiment->setup.windows = experiment->windows;
    experiment->setup.window_count = experiment->window_count;
    experiment->setup.chunks = experiment->chunks;
    experiment->setup.chunk_count = experiment->window_count;
    experiment->setup.initial_state = &experiment->state;
    const struct pica_operation list = { .kind = PICA_OPERATION_SUBMIT_LIST,
                                         .address = experiment->scratch,
                                         .size = experiment->list_bytes };
    struct harness_runner *const runner = search->runners[side];
    return harness_runner_load(runner, &experiment->setup) == PICA_OK &&
           put_background(experiment, runner) == PICA_OK &&
           harness_runner_step(runner, experiment->list_bytes != 0 ? &list : search->operation) == PICA_OK &&
           harness_runner_collect(runner, &search->runs[side]) == PICA_OK;
}

static bool same_memory(const struct oracle_run *a, const struct oracle_run *b)
{
    for (uint32_t i = 0; i + 1 < a->window_count; i++)
        if (memcmp(a->memory[i], b->memory[i], a->windows[i].size) != 0)
            return false;
    return true;
}

void experiment_run(struct experiment *experiment, struct outcome *out)
{
    struct harness_localise *const search = experiment->search;
    memset(out, 0, sizeof *out);
    out->ran = run_side(experiment, 0) && run_side(experiment, 1);
    if (!out->ran)
        return;
    const struct oracle_run *const teller = &search->runs[experiment->teller];
    const struct oracle_run *const other = &search->runs[1 - experiment->teller];
    out->same = same_memory(teller, other);
    out->teller_whole = search->kept[0] != NULL && is_kept(experiment, teller);
    if (!experiment->has_pixel)
        return;
    const uint8_t *const mine = find_pixel(experiment, teller), *const its = find_pixel(experiment, other);
    out->same_pixel = pixel_is(experiment, mine, its);
    out->teller_pixel = pixel_is(experiment, mine, experiment->pixel);
    if (its != NULL)
        memcpy(experiment->other_pixel, its, oracle_bytes_per_pixel(experiment->surface.format));
    out->other_drew = !pixel_is(experiment, its, experiment->before);
}

bool experiment_other_wrote(const struct experiment *experiment)
{
    const struct oracle_run *const teller = &experiment->search->runs[experiment->teller];
    const struct oracle_run *const other = &experiment->search->runs[1 - experiment->teller];
    for (uint32_t i = 0; i + 1 < other->window_count; i++)
        for (uint32_t at = 0; at < other->windows[i].size; at++)
            if (other->memory[i][at] != teller->memory[i][at] && other->memory[i][at] != experiment->chunks[i].data[at])
                return true;
    return false;
}

enum picture experiment_picture(struct experiment *experiment)
{
    static const uint8_t noise = 0x5A;
    const struct oracle_run *const runs = experiment->search->runs;
    const uint32_t scratch = experiment->window_count - 1u;
    const size_t begin = EXPERIMENT_LIST + EXPERIMENT_VERTICES;
    struct outcome outcome;
    memset(experiment->bytes + begin, noise, EXPERIMENT_PICTURE);
    experiment_run(experiment, &outcome);
    const uint8_t *const told = runs[experiment->teller].memory[scratch] + begin;
    if (!outcome.ran || memcmp(told, experiment->bytes + begin, EXPERIMENT_PICTURE) == 0)
        return PICTURE_UNKNOWN;
    return memcmp(runs[0].memory[scratch] + begin, runs[1].memory[scratch] + begin, EXPERIMENT_PICTURE) == 0
               ? PICTURE_SAME
               : PICTURE_OTHER;
}

static bool keep_windows(struct harness_localise *search, const struct oracle_run *run)
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        free(search->kept[i]);
        search->kept[i] = malloc(run->windows[i].size);
        if (search->kept[i] == NULL)
            return false;
        memcpy(search->kept[i], run->memory[i], run->windows[i].size);
    }
    return true;
}

/* The pixel in the memory that the experiment begins with. */
static void keep_pixel_before(struct experiment *experiment, const struct oracle_run *run)
{
    struct oracle_run before = *run;
    for (uint32_t i = 0; i < run->window_count; i++)
        before.memory[i] = experiment->chunks[i].data;
    const uint8_t *const old = find_pixel(experiment, &before);
    if (old != NULL)
        memcpy(experiment->before, old, oracle_bytes_per_pixel(experiment->surface.format));
}

static bool is_untouched(const struct experiment *experiment, const struct oracle_run *run)
{
    for (uint32_t i = 0; i + 1 < run->window_count; i++)
        if (memcmp(experiment->chunks[i].data, run->memory[i], run->windows[i].size) != 0)
            return false;
    return true;
}

bool experiment_drew_nothing(const struct experiment *experiment)
{
    return is_untouched(experiment, &experiment->search->runs[experiment->teller]);
}

bool experiment_keep(struct experiment *experiment, struct outcome *out)
{
    struct harness_localise *const search = experiment->search;
    const struct oracle_run *const teller = &search->runs[experiment->teller];
    experiment_run(experiment, out);
    if (!out->ran || !keep_windows(search, teller))
        return false;
    experiment->draws_nothing = experiment_drew_nothing(experiment);
    const uint8_t *const pixel = experiment->has_pixel ? find_pixel(experiment, teller) : NULL;
    if (pixel == NULL) {
        experiment->has_pixel = false;
        return true;
    }
    memcpy(experiment->pixel, pixel, oracle_bytes_per_pixel(experiment->surface.format));
    keep_pixel_before(experiment, teller);
    return true;
}

void experiment_put_background(struct experiment *experiment, struct outcome *out)
{
    uint8_t before[EXPERIMENT_PIXEL];
    memcpy(before, experiment->before, sizeof before);
    if (!experiment->has_pixel || !pixel_is(experiment, experiment->pixel, before))
        return;
    for (uint32_t i = 0; i < EXPERIMENT_PIXEL; i++)
        experiment->before[i] ^= (uint8_t)(0x5Bu + 0x4Bu * i);
    experiment->has_background = true;
    experiment_run(experiment, out);
    if (out->ran && out->teller_pixel && !out->same_pixel &&
        keep_windows(experiment->search, &experiment->search->runs[experiment->teller]))
        return;
    memcpy(experiment->before, before, sizeof before);
    experiment->has_background = false;
    (void)experiment_keep(experiment, out);
}
