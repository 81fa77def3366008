/* What the generators of the areas share. Private to harness/grammar. */
#ifndef HARNESS_GEN_PARTS_H
#define HARNESS_GEN_PARTS_H

#include "harness/case/case.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/grammar/values.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

/* One bit each of struct gen.features: what this case may contain. */
enum gen_feature {
    GEN_TEXTURES,
    GEN_PROCTEX,
    GEN_LIGHTING,
    GEN_FOG,
    GEN_COMBINER,
    GEN_GEOMETRY,
    GEN_IMMEDIATE,
    GEN_ELEMENTS,
    GEN_FIXED,
    GEN_EXTRA_ATTRIBUTES,
    GEN_FLOW,
    GEN_ALU,
    GEN_BLEND,
    GEN_LOGIC,
    GEN_STENCIL,
    GEN_DEPTH,
    GEN_ALPHA_TEST,
    GEN_SCISSOR,
    GEN_CLIP_PLANE,
    GEN_CULL,
    GEN_PERSPECTIVE,
    GEN_OVERFLOW, /* triangles that leave the view volume */
    GEN_SHADOW_MODE,
    GEN_MASKS,
    GEN_ENGINES,
    GEN_JUMPS,
    GEN_CPU_WRITES,
    GEN_INITIAL_STATE,
    GEN_UNUSED_REGISTERS,
    GEN_INTERRUPTS,
    GEN_REUSE,    /* memory that was read is written, then read again */
    GEN_DELTA,    /* draws that differ from the one before in one thing */
    GEN_CAPACITY, /* few draws, but large ones */
    GEN_FEATURES
};

enum {
    GEN_REGIONS = 2,
    GEN_REGION_BYTES = 0x40000,
    GEN_MAX_ROWS = 24,
    GEN_MAX_CROWD = 1000, /* vertices of a draw in a case with GEN_CAPACITY */
    GEN_MAX_ATTRIBUTES = 16,
    GEN_MAX_CODE = 320,
    GEN_VERTEX_CODE = 512, /* words that the vertex unit takes (REG-20) */
    GEN_DESCRIPTORS = 128,
    GEN_NARROW_DESCRIPTORS = 32, /* MAD and MADI can name only these */
    GEN_OUTPUTS = 7,             /* SHD-80 */
    GEN_NO_PART = 255,
    GEN_NOTES = 16 /* the latest uploads, which are remembered */
};

/* What a vertex carries to the rasteriser. */
enum gen_role {
    GEN_POSITION,
    GEN_COLOR,
    GEN_TEXCOORD0,
    GEN_TEXCOORD1,
    GEN_TEXCOORD2,
    GEN_QUATERNION,
    GEN_VIEW,
    GEN_ROLES,
    GEN_EXTRA = GEN_ROLES /* an attribute that only feeds the shader's arithmetic */
};

/* The shader computes raw * scale + bias of each component to get what the role needs. */
struct gen_attribute {
    uint32_t role;
    enum pica_attribute_type type;
    uint32_t elements; /* 1-4 */
    bool fixed;        /* comes from a fixed attribute */
    uint32_t input;    /* v register */
    float scale[4];
    float bias[4];
};

/* One draw in the making. */
struct gen_draw {
    uint32_t roles; /* bit per role that the fragments need */
    struct gen_attribute attributes[GEN_MAX_ATTRIBUTES];
    uint32_t attribute_count;
    float values[GEN_MAX_ROWS][GEN_MAX_ATTRIBUTES][4]; /* what the shader gets after scale and bias */
    uint32_t rows;                                     /* vertices that exist */
    uint32_t count;                                    /* NUMVERTICES */
    uint32_t crowd;                                    /* a seed; not 0: rows beyond GEN_MAX_ROWS (gen_capacity.c) */
    enum pica_topology topology;
    bool immediate;
    bool elements;
    bool spread; /* more rows than vertices: indices far apart */
    bool geometry;
    enum pica_gsh_mode gsh_mode;
    uint32_t vertices_per_run;        /* of the geometry shader */
    uint32_t output_roles[GEN_ROLES]; /* role of out[k] */
    uint32_t output_count;
    bool scattered;                        /* output_parts instead of output_roles */
    uint8_t output_parts[4 * GEN_OUTPUTS]; /* of component i % 4 of out[i / 4]: role * 4 + component, or GEN_NO_PART */
};

struct gen_region {
    uint32_t address;
    uint32_t used;
};

/* What a buffer holds before the first draw, as far as depth and stencil tests are concerned. */
enum gen_contents {
    GEN_CONTENTS_ZEROS,
    GEN_CONTENTS_ONES,
    GEN_CONTENTS_MIXED
};

/* The buffers that are drawn to. */
struct gen_target {
    uint32_t width;
    uint32_t height;
    uint32_t rows; /* height in whole tiles */
    uint32_t color_address;
    uint32_t depth_address;
    uint32_t color_bytes; /* of the whole buffer */
    uint32_t depth_bytes;
    enum pica_color_format color_format;
    enum pica_depth_format depth_format;
    enum gen_contents depth_contents;
};

/* An upload: words that went through a port, and the index that was set before. */
struct gen_note {
    uint32_t index_id, index;
    uint32_t port_id;
    const uint32_t *words;
    uint32_t count;
};

struct gen {
    struct harness_case *out;
    struct harness_random random;
    bool defined;    /* no event intended */
    uint32_t odd;    /* percent of operations with a value that no program sends */
    bool exportable; /* to a console: harness_generate_options */
    bool drew;       /* the current list has a draw */
    uint64_t features;
    uint32_t shared_random; /* decisions that hold for the whole case */

    struct harness_list list;       /* the commands of the next submission */
    uint32_t want[PICA_REGISTERS];  /* words that the registers should hold at the next draw */
    uint32_t known[PICA_REGISTERS]; /* words that they hold, as far as lists and CPU writes set them */
    bool dirty[PICA_REGISTERS];     /* gen_set was called since the last gen_commit */
    uint32_t join_percent;          /* style of gen_commit, with the two below */
    uint32_t masked_percent;
    uint32_t cpu_percent;

    struct gen_note notes[GEN_NOTES];
    uint32_t note_count;                   /* of all that were ever made, not only those kept */
    uint32_t vertex_code[GEN_VERTEX_CODE]; /* what the vertex unit holds, as far as lists set it */
    uint32_t vertex_descriptors[GEN_DESCRIPTORS];
    struct gen_region regions[GEN_REGIONS];
    uint32_t list_address; /* of a list that has run */
    uint32_t list_bytes;   /* the room there; 0: no list has run yet */
    struct gen_target target;
    float screen_half[2]; /* half the size of a huge viewport in pixels; 0: the viewport is not huge */
    float screen_origin[2];
    uint64_t pixels;        /* of the bounding boxes of all triangles in this submission, at most */
    uint64_t most_pixels;   /* the largest such number of all submissions */
    uint32_t most_commands; /* of the longest list */
    uint32_t textures;      /* units 0-3 that are set up: bit per unit */
    struct gen_draw draw;
    uint64_t draw_pixels; /* of the bounding boxes of the triangles of `draw`, at most */
};

/* --------------------------------------------------------------------------------------------------- gen_core.c */

void gen_begin(struct gen *gen, struct harness_case *out, uint64_t seed, bool defined);

static inline bool gen_has(const struct gen *gen, enum gen_feature feature)
{
    return (gen->features >> feature & 1u) != 0;
}

/* Short names for draws from gen->random. */
static inline uint32_t gen_below(struct gen *gen, uint32_t bound)
{
    return harness_random_below(&gen->random, bound);
}

static inline uint32_t gen_between(struct gen *gen, uint32_t low, uint32_t high)
{
    return harness_random_between(&gen->random, low, high);
}

static inline bool gen_percent(struct gen *gen, uint32_t percent)
{
    return harness_random_percent(&gen->random, percent);
}

static inline float gen_float(struct gen *gen, float low, float high)
{
    return harness_random_float(&gen->random, low, high);
}

/* True in `percent` of the calls in a case that may do undefined things, and never in others. The percentage counts for
 * the usual share of odd values and rises and falls with that. */
static inline bool gen_wild(struct gen *gen, uint32_t percent)
{
    return !gen->defined && gen_percent(gen, percent * gen->odd / (100u - HARNESS_GENERATE_PLAIN));
}

/* Should the next value be odd, that is, one that no program sends although it is defined (plausible.h)? */
static inline bool gen_odd(struct gen *gen)
{
    return gen_percent(gen, gen->odd);
}

/* Which of the `count` parts of an operation are odd, a bit for each: usually none, and then usually only one, so that
 * no part hides what another one does. The parts from `quiet` on may record events, so defined cases leave them
 * alone. */
uint32_t gen_odd_parts(struct gen *gen, uint32_t quiet, uint32_t count);

/* Sets a bit in one of an engine's first two words, which are addresses in units of 8 bytes: the address is then not a
 * multiple of 16 bytes, or beyond all memory. */
void gen_spoil_address(struct gen *gen, uint32_t *words);

/* The numbers from 0 to count - 1 in random order; in order, and without a draw, if `orderly`. */
void gen_permutation(struct gen *gen, uint32_t *numbers, uint32_t count, bool orderly);

uint32_t gen_float24(float value);
uint32_t gen_float16(float value);

/* The address of `size` bytes that nothing else uses, in the memory of the case. `align` is a power of two. */
uint32_t gen_allocate(struct gen *gen, uint32_t size, uint32_t align);

/* The same for what engines, which write blocks of 16 bytes, may overwrite: if it begins at a block, its last block
 * holds nothing else. */
uint32_t gen_allocate_blocks(struct gen *gen, uint32_t size, uint32_t align);

/* Declares windows around all that was allocated. */
void gen_windows(struct gen *gen);

/* Append to the list at once, unlike gen_set. */
void gen_write(struct gen *gen, uint32_t id, uint32_t value);
void gen_write_port(struct gen *gen, uint32_t id, const uint32_t *words, uint32_t count);

/* Appends a write of an index register, then words for its port; if that starts right after the index, and has a
 * register for each word, sometimes as one consecutive command. */
void gen_upload(struct gen *gen, uint32_t index_id, uint32_t index, uint32_t port_id, const uint32_t *words,
                uint32_t count);

/* Sets a configuration word for the next draw; gen_commit writes what differs, in this case's style. */
void gen_set(struct gen *gen, uint32_t id, uint32_t value);
void gen_commit(struct gen *gen);

/* Sets all registers of class CONFIG in first..last to words that are drawn field by field. */
void gen_set_drawn(struct gen *gen, uint32_t first, uint32_t last);

/* Ends the list with an interrupt and turns it into an operation. */
void gen_submit(struct gen *gen);

/* Contents of `size` zero bytes in the arena of the case; false without memory. */
bool gen_bytes(struct gen *gen, struct harness_data *out, uint32_t size);
void gen_load(struct gen *gen, uint32_t address, const struct harness_data *data);

/* --------------------------------------------------------------------------------------------------- the areas */

/* Each is in the file of its name, except where the comment names another. */
void gen_target(struct gen *gen); /* gen_framebuffer.c: buffers and their contents, viewport */
void gen_access(struct gen *gen); /* gen_framebuffer.c */
void gen_viewport(struct gen *gen);
/* gen_viewport.c: x or y (component 0 or 1) divided by w, -1 to 1, of a vertex that is placed in pixels. Only in a huge
 * viewport. */
float gen_screen_position(struct gen *gen, uint32_t row, uint32_t component);
void gen_raster(struct gen *gen); /* the following stages except culling */
void gen_scissor(struct gen *gen);
void gen_interpolation(struct gen *gen);
void gen_clip(struct gen *gen);
void gen_early_depth_test(struct gen *gen); /* gen_depth_test.c */
void gen_cull(struct gen *gen);             /* once the vertices are known */
void gen_fragment(struct gen *gen);         /* the following stages */
void gen_plain_fragment(struct gen *gen);   /* gen_fragment.c: no test, no blending, so that all is visible */
void gen_alpha_test(struct gen *gen);
void gen_stencil_test(struct gen *gen);
void gen_depth_test(struct gen *gen); /* and the write masks */
void gen_blend(struct gen *gen);
uint32_t gen_logic_op(struct gen *gen, uint32_t word); /* both: the word of COLOR_OPERATION */
uint32_t gen_shadow(struct gen *gen, uint32_t word);
void gen_textures(struct gen *gen); /* gen_texture.c: units 0-2, sets gen->textures and roles */
void gen_texture_parameters(struct gen *gen, uint32_t unit);
void gen_other_image(struct gen *gen, uint32_t unit); /* gen_texture.c: the same memory as another image */
void gen_proctex(struct gen *gen);
void gen_lighting(struct gen *gen);
void gen_combiner(struct gen *gen);
void gen_fog(struct gen *gen);
void gen_gas(struct gen *gen);
void gen_gas_light(struct gen *gen);                         /* gen_gas.c */
void gen_vertices(struct gen *gen);                          /* gen_fetch.c: plan of attributes and their values */
void gen_vertex_buffers(struct gen *gen);                    /* gen_fetch.c: arrays, indices, fixed attributes */
void gen_immediate(struct gen *gen);                         /* gen_fetch.c: the vertices themselves */
void gen_vertex_program(struct gen *gen);                    /* gen_shader.c */
void gen_geometry_program(struct gen *gen);                  /* gen_geometry.c */
void gen_engine_operations(struct gen *gen, uint32_t count); /* gen_engines.c: the following ones, and CPU writes */
void gen_fill(struct gen *gen);
void gen_transfer(struct gen *gen);
void gen_copy(struct gen *gen);
void gen_reuse(struct gen *gen);           /* writes what the last draw read, and draws again */
void gen_delta(struct gen *gen);           /* changes one thing, and draws again */
void gen_draw_again(struct gen *gen);      /* gen_case.c: the last draw once more */
bool gen_may_go_on(const struct gen *gen); /* gen_case.c: the case is short enough for more submissions */
void gen_display_write(struct gen *gen);   /* gen_display.c */
void gen_display_blank(struct gen *gen);   /* gen_display.c */
void gen_initial_state(struct gen *gen);   /* gen_state.c */
void gen_raw(struct gen *gen);             /* gen_list_raw.c: a whole case without intent */

/* gen_fragment.c: a comparison function, mostly one that lets something through: `a FUNC b` with b small, large or
 * anything. */
uint32_t gen_compare_function(struct gen *gen, enum gen_contents b);

/* SHD-12: while the geometry stage is off, it is undefined what draws do if the vertex units and the geometry unit
 * differ. False if this case may let them differ (gen_case.c). */
bool gen_units_alike(const struct gen *gen);

/* The word of GEOSTAGE_CONFIG (gen_case.c). */
uint32_t gen_geostage(struct gen *gen, enum pica_geostage_mode mode, bool variable);

/* gen_delta.c: remembers an upload, for a change of a few of its words. */
void gen_note_upload(struct gen *gen, uint32_t index_id, uint32_t index, uint32_t port_id, const uint32_t *words,
                     uint32_t count);

/* gen_delta.c: words that went to the vertex unit, if it is one of its two ports for programs. */
void gen_note_program(struct gen *gen, uint32_t index_id, uint32_t index, const uint32_t *words, uint32_t count);

/* gen_delta.c: changes a register between two immediate vertices, returns its id and what it held; and changes it back
 * after the last vertex. */
uint32_t gen_change_between_vertices(struct gen *gen, uint32_t *old);
void gen_change_back(struct gen *gen, uint32_t id, uint32_t old);

/* gen_case.c: appends the state of some area to gen->list, for an existing case (mutate_list.c). */
void gen_block(struct gen *gen);

/* --------------------------------------------------------------------------------------------- gen_shader_code.c */

/* A source of an instruction (SHD-20..22). */
struct gen_source {
    uint32_t number;    /* 0x00 v, 0x10 r, 0x20 c */
    uint32_t selectors; /* x at 7:6 .. w at 1:0 */
    bool negate;
    uint32_t relative; /* enum pica_shader_relative */
};

enum {
    GEN_XYZW = 0x1B
};

struct gen_code {
    uint32_t words[GEN_MAX_CODE];
    uint32_t count;
    uint32_t base; /* address of words[0] */
    uint32_t descriptors[GEN_DESCRIPTORS];
    uint32_t descriptor_count;
    uint32_t reserved; /* descriptors that must stay free for later code */
};

static inline uint32_t gen_here(const struct gen_code *code)
{
    return code->base + code->count;
}

static inline struct gen_source gen_source(uint32_t number)
{
    return (struct gen_source){ .number = number, .selectors = GEN_XYZW };
}

void gen_emit(struct gen_code *code, uint32_t word);

/* An arithmetic instruction of any format. `mask`: x = 8 to w = 1. Sources that the format lacks are ignored. A wide
 * number in a narrow operand loses its high bits: the caller chooses the form. If there is no room for another
 * descriptor, an existing one is used. */
void gen_alu(struct gen_code *code, enum pica_opcode opcode, uint32_t dest, uint32_t mask,
             const struct gen_source sources[3]);

/* gen_alu with one source, and with two. */
void gen_mov(struct gen_code *code, uint32_t dest, uint32_t mask, struct gen_source source);
void gen_two(struct gen_code *code, enum pica_opcode opcode, uint32_t dest, uint32_t mask, struct gen_source wide,
             struct gen_source narrow);

void gen_flow_condition(struct gen_code *code, enum pica_opcode opcode, uint32_t condition_bits, uint32_t target,
                        uint32_t count);
void gen_flow_uniform(struct gen_code *code, enum pica_opcode opcode, uint32_t uniform, uint32_t target,
                      uint32_t count);

/* Uploads code and descriptors through the ports of a unit. */
void gen_upload_code(struct gen *gen, const struct gen_code *code, uint32_t unit);

/* Uploads c[first..] in one of the two formats of REG-23. */
void gen_upload_uniforms(struct gen *gen, uint32_t unit, uint32_t first, const float (*vectors)[4], uint32_t count);

/* A body of random instructions over temporaries (gen_shader_body.c). */
struct gen_body {
    uint32_t temporaries[8]; /* numbers 0x10-0x1F that hold something and may be written */
    uint32_t temporary_count;
    uint32_t inputs[16]; /* v numbers that hold something */
    uint32_t input_count;
    uint32_t varying[GEN_ROLES]; /* numbers that differ from vertex to vertex; those that may hold NaN first */
    uint32_t varying_count;
    uint32_t varying_finite; /* index of the first without NaN */
    struct gen_source
        spread;     /* a c that scales them to different addresses; the next c registers hold something, too */
    uint32_t safe;  /* a v or r that is never infinite */
    uint32_t items; /* about how many instructions and scopes */
    bool flow;
    uint32_t integers[4]; /* x y z w bytes for i0-i3, chosen here */
};

void gen_body(struct gen *gen, struct gen_code *code, struct gen_body *body);

/* ------------------------------------------------------------------------------------------------ gen_capacity.c */

/* All of these are for cases with GEN_CAPACITY. */
void gen_capacity_begin(struct gen *gen);                                        /* removes other features */
void gen_capacity_size(struct gen *gen);                                         /* of the target */
void gen_capacity_count(struct gen *gen);                                        /* many vertices instead of few */
void gen_capacity_place(const struct gen *gen, uint32_t row, float position[4]); /* x and y; w is set already */
uint32_t gen_capacity_index(const struct gen *gen, uint32_t number);
void gen_capacity_textures(struct gen *gen); /* the last draw again with other textures */

/* -------------------------------------------------------------------------------------------------- gen_lanes.c */

/* Does this body have values that differ from vertex to vertex? Only then the others may be called. An address takes
 * two instructions, the second of which is the MOVA. */
bool gen_lanes_may(const struct gen_body *body);
void gen_lanes_compare(struct gen *gen, struct gen_code *code, const struct gen_body *body);
void gen_lanes_address(struct gen *gen, struct gen_code *code, const struct gen_body *body);
void gen_lanes_read(struct gen *gen, struct gen_code *code, const struct gen_body *body, bool in_loop);

/* ---------------------------------------------------------------------------------------------- gen_output_map.c */

/* Sets the output map for gen->draw.output_roles; orders[k] gets the selectors with which out[k] must be written. */
void gen_outmap(struct gen *gen, uint32_t orders[GEN_ROLES]);

/* For scattered outputs: draws gen->draw.output_parts; sets the output map for them. */
void gen_scatter_outputs(struct gen *gen);
void gen_scattered_outmap(struct gen *gen);

/* A mask of `count` output registers, and the k-th of them. */
uint32_t gen_output_mask(struct gen *gen, uint32_t count);
uint32_t gen_output_register(uint32_t mask, uint32_t k);

/* -------------------------------------------------------------------------------------------------- gen_shader.c */

void gen_write_output(struct gen *gen, struct gen_code *code, uint32_t dest, struct gen_source source);

/* b0-b15 and i0-i3 of a unit. */
void gen_write_uniforms(struct gen *gen, uint32_t unit, const struct gen_body *body);

#endif
