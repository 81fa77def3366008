/* 70-gx-engines.md: the steps of fills, transfers and copies (PSC-14). */
#include "tests/conformance/transfer_probe.h"

enum {
    PSC0 = 0,
    PPF = 4,
    COPY = 1 << 3
};

/* An engine's work, which writes the word at OUT, and what it costs. */
struct work {
    void (*start)(struct machine *m);
    uint32_t steps;
};

static void fill_in_memory(struct machine *m)
{
    machine_fill(m, 0, OUT, OUT + 640, 0x12345678, 0x201);
}

/* The windows are 256 KiB; the range goes on behind the first. */
static void fill_that_leaves_memory(struct machine *m)
{
    machine_fill(m, 0, OUT, OUT + VRAM_WINDOW_SIZE, 0x12345678, 0x201);
}

/* 16 bytes are less than 64: one step nevertheless. */
static void small_fill(struct machine *m)
{
    machine_fill(m, 0, OUT, OUT + 16, 0x12345678, 0x201);
}

static void plain_transfer(struct machine *m)
{
    transfer(m, 16, 8, 16, 0);
}

/* What is read counts, not what is written. */
static void halving_transfer(struct machine *m)
{
    transfer(m, 16, 16, 16, SCALE_2X2);
}

static void copy(struct machine *m)
{
    machine_transfer(m, &(struct transfer){ .in = IN, .out = OUT, .flags = COPY, .copy_size = 0x100F });
}

static const struct work works[] = {
    { fill_in_memory, 1 + 10 }, { fill_that_leaves_memory, 1 + (VRAM_WINDOW_SIZE - 0x20000) / 64 },
    { small_fill, 1 },          { plain_transfer, 128 },
    { halving_transfer, 256 },  { copy, 0x100 },
};

/* Twice each: the second start is allowed if both together are. */
EACH_MACHINE(fill, PSC_14_an_engine_starts_only_if_its_steps_fit)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        for (uint32_t enough = 0; enough < 2; enough++) {
            if (works[i].steps == 1u && !enough)
                continue; /* there is no limit of 1 step that one step does not fit into */
            machine_load_work(m, 2 * works[i].steps - 1u + enough);
            machine_case(m, "row %zu, %s", i, enough ? "enough" : "one less");
            load_numbers(m, IN, 256);
            works[i].start(m);
            EXPECT(m, "PSC-14", machine_word(m, OUT) != 0u);
            EXPECT_NO_EVENT(m, "PSC-14", PICA_EVENT_BUDGET_WORK);
            machine_load_word(m, OUT, 0);
            works[i].start(m);
            EXPECT_EQ(m, "PSC-14", machine_word(m, OUT) != 0u, enough);
            EXPECT_EQ(m, "PSC-14", machine_event(m, PICA_EVENT_BUDGET_WORK), !enough);
            EXPECT_EQ(m, "PSC-14", machine_interrupts(m, PSC0) + machine_interrupts(m, PPF), 2);
        }
}

/* The steps are spent then, for smaller work and for lists too. */
EACH_MACHINE(fill, PSC_14_a_start_that_does_not_fit_spends_the_steps)
{
    machine_load_work(m, 100);
    plain_transfer(m);
    EXPECT_EVENT(m, "PSC-14", PICA_EVENT_BUDGET_WORK);
    small_fill(m);
    EXPECT_EQ(m, "PSC-14", machine_word(m, OUT), 0);
    EXPECT_EQ(m, "PSC-14, PSC-10", machine_interrupts(m, PSC0), 1);
    EXPECT_EQ(m, "PSC-14, PSC-03", machine_external(m, 0x1C) & 3u, 2);
    machine_list_write(m, 0x045, 7);
    EXPECT_EQ(m, "PSC-14, CMD-24", machine_register(m, 0x045), 0);
}

/* Neither fill-24-tail nor what a transfer records. */
EACH_MACHINE(fill, PSC_14_a_start_that_does_not_fit_has_no_other_event)
{
    machine_load_work(m, 1);
    machine_fill(m, 0, 0x18000000, 0x18001000, 1, 0x101);
    EXPECT_ONLY_EVENTS(m, "PSC-14", PICA_EVENT_BUDGET_WORK);
    machine_load_work(m, 1);
    transfer(m, 16, 8, 16, 0x7700 | BLOCK32);
    EXPECT_ONLY_EVENTS(m, "PSC-14, PPF-15", PICA_EVENT_BUDGET_WORK);
    machine_reset(m);
    transfer(m, 16, 8, 16, SCALE_3);
    EXPECT_ONLY_EVENTS(m, "PPF-15", PICA_EVENT_XFER_SCALE_3); /* tested before, and counts nothing */
    machine_reset(m);
    machine_fill(m, 0, 0x18000010, 0x18000010, 1, 0x101);
    small_fill(m);
    EXPECT_ONLY_EVENTS(m, "PSC-14, PSC-08", PICA_EVENT_FILL_EMPTY); /* an empty fill counts nothing */
}
