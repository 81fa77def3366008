/*
 * The plug-in: what each draw needs is fetched from guest memory, drawn, and put back. The environment variable
 * GL_BUG=factors exchanges the two blend factors of the colour.
 */
#include "docs/example/gl/gl.h"

#include "docs/example/processor.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIDE = 1024
};

struct plug_in {
    struct processor processor;
    struct gl_host *host;
    uint32_t draws; /* since load: how a trace names one */
    bool collecting;
    struct gl_draw draw;
    uint32_t registers[PICA_REGISTERS]; /* of the draw */
    float shaded[GL_MOST_VERTICES][GL_SLOTS];
    uint32_t shaded_count;
    float corners[GL_MOST_VERTICES][GL_SLOTS];
    uint8_t guest[4 * MOST_SIDE * MOST_SIDE];
    uint8_t target[4 * MOST_SIDE * MOST_SIDE], texture[4 * MOST_SIDE * MOST_SIDE];
};

/* -------------------------------------------------------------------------------------------------------- vertices */

/* A final vertex, slot by slot (SHD-80). */
static void on_step(void *user, const struct pica_trace_step *step)
{
    struct plug_in *const plug_in = user;
    if (strcmp(step->name, "vertex number") == 0 && plug_in->shaded_count < GL_MOST_VERTICES)
        plug_in->shaded_count++;
    if (strcmp(step->name, "slot") == 0 && step->index < GL_SLOTS && plug_in->shaded_count > 0)
        memcpy(&plug_in->shaded[plug_in->shaded_count - 1][step->index], &step->values[0], sizeof(float));
}

static void add_corner(struct plug_in *plug_in, uint32_t vertex)
{
    if (plug_in->draw.vertex_count < GL_MOST_VERTICES)
        memcpy(plug_in->corners[plug_in->draw.vertex_count++], plug_in->shaded[vertex], sizeof plug_in->shaded[0]);
}

/* PRM, from an empty assembler. */
static void assemble(struct plug_in *plug_in)
{
    const uint32_t topology = pica_primitive_config_topology(plug_in->registers[PICA_REG_PRIMITIVE_CONFIG]);
    const bool is_strip = topology == PICA_TOPOLOGY_STRIP, is_fan = topology == PICA_TOPOLOGY_FAN;
    plug_in->draw.vertex_count = 0;
    for (uint32_t i = 2; i < plug_in->shaded_count; i += is_strip || is_fan ? 1 : 3) {
        add_corner(plug_in, is_fan ? 0 : i - 2);
        add_corner(plug_in, i - 1);
        add_corner(plug_in, i);
    }
}

/* -------------------------------------------------------------------------------------------------------- pictures */

/* FBF-07, TEX-22. */
static uint32_t tiled(uint32_t x, uint32_t y, uint32_t pitch)
{
    uint32_t inside = 0;
    for (uint32_t bit = 0; bit < 3; bit++)
        inside |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
    return 4 * ((y & ~UINT32_C(7)) * pitch + (x & ~UINT32_C(7)) * 8 + inside);
}

/* Copies a picture from guest memory, or to it (`to_guest`). RGBA8 pixels of guest memory are a, b, g, r; rows of the
 * picture count from the bottom, so they are flipped if memory begins with the top row. */
static void copy_pixels(struct plug_in *plug_in, const struct gl_picture *picture, bool top_first, bool to_guest)
{
    const uint32_t pitch = (picture->width + 7) & ~UINT32_C(7);
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++) {
            const uint32_t row = top_first ? picture->height - 1 - y : y;
            uint8_t *const guest = plug_in->guest + tiled(x, row, pitch);
            uint8_t *const pixel = picture->pixels + 4 * (y * picture->width + x);
            for (int k = 0; k < 4; k++)
                *(to_guest ? &guest[3 - k] : &pixel[k]) = *(to_guest ? &pixel[k] : &guest[3 - k]);
        }
}

static uint32_t guest_size(const struct gl_picture *picture)
{
    return 4 * ((picture->width + 7) & ~UINT32_C(7)) * ((picture->height + 7) & ~UINT32_C(7));
}

static enum pica_status fetch(struct plug_in *plug_in, uint32_t address, const struct gl_picture *picture,
                              bool top_first)
{
    const enum pica_status status =
        ref_backend()->read_memory(plug_in->processor.core, address, plug_in->guest, guest_size(picture));
    copy_pixels(plug_in, picture, top_first, false);
    return status;
}

static enum pica_status rasterize(struct plug_in *plug_in)
{
    const uint32_t *const registers = plug_in->registers;
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM], texture_dim = registers[PICA_REG_TEXUNIT0_DIM];
    const uint32_t address = pica_buffer_loc_address(registers[PICA_REG_COLORBUFFER_LOC]) << 6;
    const bool is_textured = pica_texunit_config_unit0_enable(registers[PICA_REG_TEXUNIT_CONFIG]);
    const bool top_first = pica_framebuffer_dim_top_row_first(dim);
    struct gl_picture target = { pica_framebuffer_dim_width(dim), pica_framebuffer_dim_height_minus_1(dim) + 1,
                                 plug_in->target };
    const struct gl_picture texture = { pica_texunit_dim_width(texture_dim), pica_texunit_dim_height(texture_dim),
                                        plug_in->texture };
    enum pica_status status = PICA_OK;
    if (is_textured) /* TEX-21: t counts from the last row of memory */
        status = fetch(plug_in, pica_texunit_addr_address(registers[PICA_REG_TEXUNIT0_ADDR1]) << 3, &texture, true);
    if (status == PICA_OK)
        status = fetch(plug_in, address, &target, top_first);
    if (status != PICA_OK)
        return status;
    plug_in->draw.registers = registers;
    plug_in->draw.vertices = plug_in->corners;
    if (!gl_host_draw(plug_in->host, &plug_in->draw, &target, is_textured ? &texture : NULL))
        return PICA_FAILED;
    copy_pixels(plug_in, &target, top_first, true);
    return ref_backend()->run(plug_in->processor.core, &(struct pica_operation){ .kind = PICA_OPERATION_LOAD_MEMORY,
                                                                                 .address = address,
                                                                                 .size = guest_size(&target),
                                                                                 .data = plug_in->guest });
}

/* ----------------------------------------------------------------------------------------------------------- draws */

/* The CPU shades the vertices and draws nothing; what it shades is listened to. */
static enum pica_status before_draw(void *user, uint32_t id, uint32_t *bent)
{
    struct plug_in *const plug_in = user;
    const bool is_draw = id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS;
    const bool is_immediate = !is_draw && pica_fixedattrib_index_index(bent[PICA_REG_FIXEDATTRIB_INDEX]) == 15;
    plug_in->collecting = is_draw;
    if (!is_draw)
        return is_immediate ? PICA_NOT_SUPPORTED : PICA_OK;
    if (!gl_supports(bent) || bent[PICA_REG_NUMVERTICES] > GL_MOST_VERTICES / 3 ||
        ref_backend()->read_state(plug_in->processor.core, &plug_in->processor.state) != PICA_OK ||
        plug_in->processor.state.assembler.count != 0 || plug_in->processor.state.assembler.ready != 0)
        return PICA_NOT_SUPPORTED;
    memcpy(plug_in->registers, bent, sizeof plug_in->registers);
    bent[PICA_REG_COLORBUFFER_WRITE] = 0;
    plug_in->shaded_count = 0;
    return ref_backend()->trace(
        plug_in->processor.core,
        &(struct pica_trace_request){ .draw = plug_in->draws++, .subject = PICA_TRACE_VERTICES }, on_step, plug_in);
}

static enum pica_status after_draw(void *user)
{
    struct plug_in *const plug_in = user;
    if (!plug_in->collecting)
        return PICA_OK;
    (void)ref_backend()->trace(plug_in->processor.core, NULL, NULL, NULL);
    assemble(plug_in);
    return plug_in->draw.vertex_count > 0 ? rasterize(plug_in) : PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------- interface */

static void destroy(void *instance)
{
    struct plug_in *const plug_in = instance;
    if (plug_in == NULL)
        return;
    ref_backend()->destroy(plug_in->processor.core);
    gl_host_destroy(plug_in->host);
    free(plug_in);
}

/* Only one context is current at a time, so there is one instance; picafuzz creates the next one after the first. */
static enum pica_status create(const struct pica_options *options, void **instance)
{
    const char *const bug = getenv("GL_BUG");
    struct plug_in *const plug_in = calloc(1, sizeof *plug_in);
    *instance = plug_in;
    if (plug_in == NULL)
        return PICA_NO_MEMORY;
    enum pica_status status = ref_backend()->create(options, &plug_in->processor.core);
    plug_in->processor.user = plug_in;
    plug_in->processor.before_draw = before_draw;
    plug_in->processor.after_draw = after_draw;
    plug_in->draw.swap_factors = bug != NULL && strcmp(bug, "factors") == 0;
    plug_in->host = status == PICA_OK ? gl_host_create() : NULL;
    if (status == PICA_OK && plug_in->host == NULL)
        status = PICA_FAILED;
    if (status != PICA_OK) {
        destroy(plug_in);
        *instance = NULL;
    }
    return status;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct plug_in *const plug_in = instance;
    plug_in->draws = 0;
    return processor_load(&plug_in->processor, setup);
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    return processor_run(&((struct plug_in *)instance)->processor, operation);
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    return ref_backend()->read_memory(((struct plug_in *)instance)->processor.core, address, out, size);
}

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const struct pica_backend *
pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static const struct pica_models models = {
        .size = sizeof(struct pica_models),
        .parts = PICA_PART_MEMORY,
        .budgets = PICA_BUDGET_COMMANDS,
        .float24 = 1,
    };
    static const struct pica_backend backend = {
        .abi = PICA_BACKEND_ABI,
        .name = "gl",
        .summary = "triangles by OpenGL ES: colours, one texture, blending",
        .create = create,
        .destroy = destroy,
        .load = load,
        .run = run,
        .read_memory = read_memory,
        .size = sizeof(struct pica_backend),
        .models = &models,
    };
    return &backend;
}
