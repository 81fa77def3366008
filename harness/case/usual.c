#include "harness/case/usual.h"

#include "pica/enums.h"

#include <stddef.h>
#include <string.h>

/* The fields that programs do not leave at their reset value: buffers in the widest format, read and written whole;
 * blending and the logic operation without effect; tests that always pass; rows as the display wants them (FBF-06). */
static const struct {
    enum pica_layout layout;
    const char *field;
    uint32_t value;
} usual[] = {
    { PICA_LAYOUT_LOGIC_OP, "operation", PICA_LOGIC_OP_COPY },
    { PICA_LAYOUT_BLEND_FUNC, "rgb_source", PICA_BLEND_FACTOR_ONE },
    { PICA_LAYOUT_BLEND_FUNC, "alpha_source", PICA_BLEND_FACTOR_ONE },
    { PICA_LAYOUT_FRAGOP_ALPHA_TEST, "function", PICA_COMPARE_FUNC_ALWAYS },
    { PICA_LAYOUT_STENCIL_TEST, "function", PICA_COMPARE_FUNC_ALWAYS },
    { PICA_LAYOUT_STENCIL_TEST, "write_mask", 0xFF },
    { PICA_LAYOUT_STENCIL_TEST, "compare_mask", 0xFF },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "depth_function", PICA_COMPARE_FUNC_ALWAYS },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "red_write", 1 },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "green_write", 1 },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "blue_write", 1 },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "alpha_write", 1 },
    { PICA_LAYOUT_DEPTH_COLOR_MASK, "depth_write", 1 },
    { PICA_LAYOUT_COLORBUFFER_ACCESS, "enable", 0xF },
    { PICA_LAYOUT_DEPTHBUFFER_ACCESS, "enable", 0x3 },
    { PICA_LAYOUT_COLORBUFFER_FORMAT, "pixel_size", PICA_PIXEL_SIZE_32 },
    { PICA_LAYOUT_COLORBUFFER_FORMAT, "format", PICA_COLOR_FORMAT_RGBA8 },
    { PICA_LAYOUT_DEPTHBUFFER_FORMAT, "format", PICA_DEPTH_FORMAT_D24S8 },
    { PICA_LAYOUT_FRAMEBUFFER_DIM, "top_row_first", 1 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot0_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot1_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot2_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot3_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot4_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot5_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot6_light", 0 },
    { PICA_LAYOUT_LIGHTING_LIGHT_PERMUTATION, "slot7_light", 0 },
    { PICA_LAYOUT_FILL_CTRL, "start", 1 },
    { PICA_LAYOUT_FILL_CTRL, "width", PICA_FILL_WIDTH_32 },
};

static size_t place_of(const struct pica_field_info *field)
{
    size_t i = 0;
    while (i < sizeof usual / sizeof usual[0] &&
           (usual[i].layout != field->layout || strcmp(usual[i].field, field->name) != 0))
        i++;
    return i;
}

bool harness_usual_is_named(const struct pica_field_info *field)
{
    return place_of(field) < sizeof usual / sizeof usual[0];
}

uint32_t harness_usual_value(const struct pica_field_info *field, uint32_t reset)
{
    const size_t place = place_of(field);
    return place < sizeof usual / sizeof usual[0] ? usual[place].value : reset;
}
