/*
 * The GPU: the backend `reference` behind its public interface. It has VRAM and the one block of linear memory, so an
 * access outside of them is noticed. Before a program uses it VRAM is full of garbage, as a console's is of a game's.
 */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

#include "pica/events.h"
#include "pica/memory.h"
#include "reference/reference.h"

enum {
    ENGINE_OFFSET = 0x400000, /* of 0x10400000, as gsp counts from 0x1EB00000 (CON-30) */
    MOST_WORK = 0x10000000,   /* the highest budget there is */
    MOST_COMMANDS = 0x1000000 /* a list that runs longer hangs */
};

static bool works(struct second_machine *m, enum pica_status status)
{
    if (status == PICA_OK)
        return true;
    m->gpu_failed = true;
    second_finish(m, SECOND_TROUBLE, "the GPU's backend fails with status %d", (int)status);
    return false;
}

static bool load(struct second_machine *m, const uint8_t *vram, const struct pica_state *state)
{
    const struct pica_window windows[] = { { PICA_VRAM_ADDRESS, VRAM_BYTES },
                                           { FCRAM_PHYSICAL + m->options.linear, m->linear_bytes } };
    const struct pica_chunk chunk = { PICA_VRAM_ADDRESS, VRAM_BYTES, vram };
    const struct pica_setup setup = {
        .windows = windows,
        .window_count = m->linear != NULL ? 2 : 1,
        .chunks = &chunk,
        .chunk_count = 1,
        .initial_state = state,
        .profile = m->options.float24 ? PICA_PROFILE_F24 : PICA_PROFILE_F32,
        .limits = { MOST_COMMANDS, MOST_WORK, MOST_WORK, MOST_WORK, MOST_WORK },
    };
    return works(m, ref_backend()->load(m->gpu, &setup));
}

bool second_gpu_start(struct second_machine *m)
{
    if (m->gpu != NULL)
        return !m->gpu_failed;
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    if (!works(m, ref_backend()->create(&options, &m->gpu)))
        return false;
    uint8_t *const garbage = malloc(VRAM_BYTES);
    if (garbage == NULL) {
        second_finish(m, SECOND_TROUBLE, "no memory");
        return false;
    }
    uint32_t state = 0x2545F491;
    for (size_t i = 0; i < VRAM_BYTES; i += 4) {
        state = state * 1664525u + 1013904223u;
        put32(garbage + i, state);
    }
    memcpy(m->vram, garbage, VRAM_BYTES);
    const bool loaded = load(m, garbage, NULL);
    if (m->options.no_write_back)
        m->guest_vram = garbage;
    else
        free(garbage);
    second_gpu_set(m, PICA_LCD_FILL_TOP_ADDRESS, 1u << 24); /* the screens are dark */
    second_gpu_set(m, PICA_LCD_FILL_BOTTOM_ADDRESS, 1u << 24);
    return loaded;
}

void second_gpu_again(struct second_machine *m)
{
    if (m->gpu == NULL)
        return;
    uint8_t *const vram = malloc(VRAM_BYTES);
    struct pica_state *const state = malloc(sizeof *state);
    if (vram == NULL || state == NULL)
        second_finish(m, SECOND_TROUBLE, "no memory");
    else if (works(m, ref_backend()->read_memory(m->gpu, PICA_VRAM_ADDRESS, vram, VRAM_BYTES)) &&
             works(m, ref_backend()->read_state(m->gpu, state)))
        load(m, vram, state);
    free(vram);
    free(state);
}

void second_gpu_destroy(struct second_machine *m)
{
    if (m->gpu != NULL)
        ref_backend()->destroy(m->gpu);
}

static bool interrupts(struct second_machine *m, uint32_t counts[PICA_INTERRUPTS])
{
    struct pica_state *const state = malloc(sizeof *state);
    const bool read = state != NULL && works(m, ref_backend()->read_state(m->gpu, state));
    if (read)
        memcpy(counts, state->interrupts, sizeof state->interrupts);
    free(state);
    return read;
}

/* The GPU's interrupts by its own numbers (EXT-CMD-10), as gsp counts them (CON-41). */
bool second_gpu_run(struct second_machine *m, const struct pica_operation *operation, uint32_t muted)
{
    uint32_t before[PICA_INTERRUPTS], after[PICA_INTERRUPTS];
    struct pica_events events;
    if (!second_gpu_start(m) || !interrupts(m, before) || !works(m, ref_backend()->run(m->gpu, operation)) ||
        !interrupts(m, after) || !works(m, ref_backend()->read_events(m->gpu, &events)))
        return false;
    static const char *const OUTSIDE = "the GPU reaches memory outside of VRAM and the linear block";
    if (!second_must(m, !pica_events_has(&events, PICA_EVENT_MEM_OOB), "%s", OUTSIDE))
        return false;
    for (uint8_t i = 0; i < PICA_INTERRUPTS; i++)
        if (after[i] != before[i] && (muted >> i & 1u) == 0)
            second_interrupt(m, i);
    return after[5] != before[5] || operation->kind != PICA_OPERATION_SUBMIT_LIST;
}

void second_gpu_read(struct second_machine *m, uint32_t physical, uint8_t *out, uint32_t bytes)
{
    if (second_gpu_start(m))
        works(m, ref_backend()->read_memory(m->gpu, physical, out, bytes));
}

void second_gpu_write(struct second_machine *m, uint32_t physical, const uint8_t *bytes, uint32_t count)
{
    const struct pica_operation operation = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = physical, .size = count, .data = bytes
    };
    if (second_gpu_start(m))
        works(m, ref_backend()->run(m->gpu, &operation));
}

bool second_gpu_register(struct second_machine *m, uint32_t offset, uint32_t *value)
{
    struct pica_state *const state = malloc(sizeof *state);
    const bool read = state != NULL && second_gpu_start(m) && works(m, ref_backend()->read_state(m->gpu, state));
    if (read) {
        const uint32_t word = (offset - ENGINE_OFFSET) / 4;
        if (word < PICA_EXTERNAL_WORDS)
            *value = state->external[word];
        else
            *value = word - PICA_EXTERNAL_WORDS < PICA_REGISTERS ? state->registers[word - PICA_EXTERNAL_WORDS] : 0;
    }
    free(state);
    return read;
}

void second_gpu_set(struct second_machine *m, uint32_t physical, uint32_t value)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                              .address = physical,
                                              .words = { value } };
    second_gpu_run(m, &operation, 0);
}

bool second_gpu_differs(struct second_machine *m, uint32_t vram_offset, const uint8_t *page)
{
    const uint8_t *bytes = NULL;
    return works(m, ref_backend()->view_memory(m->gpu, 0, &bytes)) && memcmp(bytes + vram_offset, page, PAGE) != 0;
}

bool second_gpu_picture(struct second_machine *m, uint32_t screen, uint8_t *rgb, size_t bytes)
{
    if (m->gpu == NULL || m->gpu_failed) {
        memset(rgb, 0, bytes);
        return true;
    }
    return ref_backend()->scan_out(m->gpu, screen, 0, rgb, bytes) == PICA_OK;
}
