/* Memory fills of the target. */
#include "harness/grammar/gen_parts.h"

/* What can be odd about a fill; the backends record an event for ODD_SIZE and those after it. */
enum {
    ODD_WIDTH = 1,
    ODD_VALUE = 2,
    ODD_CONTROL = 4,
    ODD_SIZE = 8,
    ODD_TAIL = 16,
    ODD_ADDRESS = 32
};

/* PSC-07: 24-bit patterns fill whole pixels. Makes *size a multiple of those, unless ODD_TAIL. */
static uint32_t draw_width(struct gen *gen, uint32_t *size, uint32_t odd)
{
    static const uint32_t widths[] = { PICA_FILL_WIDTH_16, PICA_FILL_WIDTH_32, PICA_FILL_WIDTH_24 };
    const uint32_t width = (odd & ODD_TAIL) != 0 ? PICA_FILL_WIDTH_24 : widths[gen_below(gen, 3)];
    if (width != PICA_FILL_WIDTH_24 || (odd & ODD_TAIL) != 0)
        return width;
    if (*size < 48)
        return PICA_FILL_WIDTH_16;
    *size -= *size % 48u; /* ends are multiples of 16 */
    return (odd & ODD_WIDTH) != 0 ? PICA_FILL_WIDTH_24_3 : width;
}

/* PSC-05: higher bits are ignored; programs leave them 0, or repeat the pattern there. */
static uint32_t draw_value(struct gen *gen, uint32_t width, uint32_t odd)
{
    const uint32_t value = gen_percent(gen, 30) ? gen_below(gen, 256) * 0x01010101u : gen_below(gen, UINT32_MAX);
    if ((odd & ODD_VALUE) != 0 || width == PICA_FILL_WIDTH_32)
        return value;
    if (width == PICA_FILL_WIDTH_16)
        return (value & 0xFFFFu) * (gen_percent(gen, 30) ? 0x10001u : 1u);
    return value & 0xFFFFFFu;
}

static uint32_t draw_control(struct gen *gen, uint32_t width, uint32_t odd)
{
    const uint32_t word = (odd & ODD_CONTROL) != 0 && !gen->exportable
                              ? harness_layout_draw(&gen->random, PICA_LAYOUT_FILL_CTRL, gen->defined)
                              : 0;
    return pica_fill_ctrl_set_width(pica_fill_ctrl_set_start(word, 1), width);
}

void gen_fill(struct gen *gen)
{
    const bool depth = gen_percent(gen, 40);
    const uint32_t address = depth ? gen->target.depth_address : gen->target.color_address;
    const uint32_t bytes = depth ? gen->target.depth_bytes : gen->target.color_bytes;
    const uint32_t odd = gen_odd_parts(gen, 3, 6);
    uint32_t size = gen_percent(gen, 60) ? bytes : 16u * gen_between(gen, 1, bytes / 16u);
    const uint32_t start = gen_percent(gen, 60) ? 0 : 16u * gen_below(gen, (bytes - size) / 16u + 1u);
    const uint32_t width = draw_width(gen, &size, odd);
    if ((odd & ODD_SIZE) != 0) /* PSC-08 */
        size = gen_percent(gen, 50) ? 0 : 0u - 16u;
    uint32_t words[4] = { (address + start) >> 3, (address + start + size) >> 3, draw_value(gen, width, odd), 0 };
    words[3] = draw_control(gen, width, odd);
    if ((odd & ODD_ADDRESS) != 0) /* PSC-02 */
        gen_spoil_address(gen, words);
    (void)harness_case_add_fill(gen->out, gen_below(gen, 2), words);
}
