/* Cases without intent: any registers, any values, any operations. They reach what nobody thought of. */
#include "harness/case/pcase_names.h"
#include "harness/grammar/gen_parts.h"
#include "pica/extregs.h"

static uint32_t any_address(struct gen *gen)
{
    const struct pica_window *const window = &gen->out->windows[gen_below(gen, gen->out->window_count)];
    if (gen_percent(gen, 10))
        return harness_random_number(&gen->random, 32);
    const uint32_t offset = gen_below(gen, window->size);
    return window->address + (gen_percent(gen, 80) ? offset & ~63u : offset);
}

static uint32_t any_id(struct gen *gen)
{
    static const uint32_t triggers[] = { PICA_REG_DRAWARRAYS,        PICA_REG_DRAWELEMENTS,
                                         PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_PRIMITIVE_CONFIG,
                                         PICA_REG_RESTART_PRIMITIVE, PICA_REG_FIXEDATTRIB_INDEX,
                                         PICA_REG_CMDBUF_JUMP0 };
    if (gen_percent(gen, 15))
        return triggers[gen_below(gen, sizeof triggers / sizeof triggers[0])];
    return gen_percent(gen, 2) ? harness_random_number(&gen->random, 16) : gen_below(gen, PICA_REGISTERS);
}

/* Words that mean something to the register, and addresses in its unit. */
static uint32_t any_value(struct gen *gen, uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (info == NULL || gen_percent(gen, 20))
        return harness_random_number(&gen->random, 32);
    if (id == PICA_REG_NUMVERTICES)
        return harness_random_number(&gen->random, gen_percent(gen, 80) ? 6 : 32);
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    uint32_t word = harness_layout_draw(&gen->random, info->layout, gen_percent(gen, 60));
    for (size_t f = 0; f < count; f++)
        if (fields[f].type == PICA_FIELD_ADDRESS && gen_percent(gen, 80))
            word = pica_field_set(&fields[f], word, any_address(gen) >> fields[f].unit);
    return word;
}

static void add_command(struct gen *gen)
{
    uint32_t parameters[48];
    const uint32_t id = any_id(gen);
    const bool consecutive = gen_percent(gen, 40);
    const uint32_t count = gen_percent(gen, 70) ? 1 : gen_between(gen, 1, gen_percent(gen, 80) ? 8 : 48);
    for (uint32_t i = 0; i < count; i++)
        parameters[i] = any_value(gen, consecutive ? id + i : id);
    const struct harness_writes writes = { .id = (uint16_t)id,
                                           .mask = gen_percent(gen, 85) ? 15 : (uint8_t)gen_below(gen, 16),
                                           .consecutive = consecutive,
                                           .parameters = parameters,
                                           .count = count };
    (void)harness_list_insert(gen->out, &gen->list, gen->list.count, &writes);
}

static void add_list(struct gen *gen)
{
    for (uint32_t i = gen_between(gen, 1, gen_percent(gen, 70) ? 60 : 250); i > 0; i--)
        add_command(gen);
    if (gen_percent(gen, 80))
        gen_write(gen, PICA_REG_FINALIZE, 0x12345678);
    struct harness_operation *const run = harness_case_add_run(gen->out, any_address(gen));
    if (run != NULL)
        run->data.list = gen->list;
    gen->list = (struct harness_list){ 0 };
}

static void add_words(struct gen *gen)
{
    uint32_t words[9];
    for (uint32_t i = 0; i < 9; i++) {
        words[i] = harness_layout_draw(&gen->random, pica_extreg_info(harness_transfer_registers[i])->layout,
                                       gen_percent(gen, 70));
        if (i < 2 && gen_percent(gen, 90))
            words[i] = any_address(gen) >> 3;
        if (i == 4 && gen_percent(gen, 50))
            words[i] = pica_xfer_flags_set_copy(words[i], 0);
        if (i == 6)
            words[i] = harness_random_number(&gen->random, 14);
    }
    if (gen_percent(gen, 70)) {
        (void)harness_case_add_transfer(gen->out, words);
        return;
    }
    const uint32_t start = any_address(gen);
    const uint32_t size = harness_random_number(&gen->random, 14);
    const uint32_t fill[4] = { start >> 3, (start + size) >> 3, words[4],
                               harness_layout_draw(&gen->random, PICA_LAYOUT_FILL_CTRL, false) | 1u };
    (void)harness_case_add_fill(gen->out, gen_below(gen, 2), fill);
}

static void add_contents(struct gen *gen)
{
    struct harness_data data;
    const uint32_t size = gen_between(gen, 1, gen_percent(gen, 80) ? 0x400 : 0x4000);
    const enum harness_pattern pattern = (enum harness_pattern)gen_below(gen, 3);
    harness_data_pattern(&data, pattern, gen_below(gen, UINT32_MAX), size);
    if (gen_percent(gen, 50))
        (void)harness_case_add_chunk(gen->out, any_address(gen), &data);
    else
        (void)harness_case_add_load(gen->out, any_address(gen), &data);
}

static void add_write(struct gen *gen)
{
    const uint32_t id = any_id(gen);
    const uint32_t offset = 4u * gen_below(gen, 0x400);
    if (gen_percent(gen, 60))
        (void)harness_case_add_write(gen->out, PICA_INTERNAL_ADDRESS + 4u * id, any_value(gen, id));
    else
        (void)harness_case_add_write(gen->out, PICA_EXTERNAL_ADDRESS + offset, harness_random_number(&gen->random, 32));
}

static void add_submit(struct gen *gen)
{
    const uint32_t address = any_address(gen);
    (void)harness_case_add_submit(gen->out, address, harness_random_number(&gen->random, 12));
}

void gen_raw(struct gen *gen)
{
    static const uint32_t weights[] = { 50, 15, 15, 15, 3, 2 };
    for (uint32_t i = gen_between(gen, 1, 3); i > 0; i--) {
        const struct gen_region *const region = &gen->regions[i & 1u];
        (void)harness_case_add_window(gen->out, region->address + 0x20000u * (i >> 1),
                                      PICA_PAGE_SIZE * gen_between(gen, 1, 16));
    }
    add_contents(gen);
    for (uint32_t i = gen_between(gen, 1, 8); i > 0; i--)
        switch (harness_random_weighted(&gen->random, weights, 6)) {
        case 0: add_list(gen); break;
        case 1: add_words(gen); break;
        case 2: add_contents(gen); break;
        case 3: add_write(gen); break;
        case 4: add_submit(gen); break;
        default: (void)harness_case_add_vblank(gen->out, gen_below(gen, 2)); break;
        }
}
