/*
 * The base of the conformance tests: one backend at a time, command lists built by hand, and a small pipeline to
 * probe pixels with (`struct probe_vertex`, at the end).
 *
 *     EACH_MACHINE(blend, BLD_02_min_multiplies_by_factors_first)
 *     {
 *         struct list list = { 0 };
 *         list_write(&list, PICA_REG_BLEND_FUNC, 0x01010303);
 *         machine_submit(m, &list);
 *         EXPECT_EQ(m, "REG-01", machine_register(m, PICA_REG_BLEND_FUNC), 0x01010303);
 *         EXPECT_NO_EVENTS(m, "GEN-08");
 *     }
 *
 * EACH_MACHINE is a test whose body runs, as `struct machine *m`, for every configuration of every linked backend: the
 * reference; fast with all instruction sets of the host and two threads; fast scalar without threads. Each run starts
 * from the reset state.
 * EXPECT_* are cr_expect with the backend, the rule and the row of the table (machine_case) in the message; a failed
 * expectation does not end the test, so every backend and every row is seen.
 */
#ifndef TESTS_CONFORMANCE_MACHINE_H
#define TESTS_CONFORMANCE_MACHINE_H

#include "pica/backend.h"
#include "pica/events.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ------------------------------------------------------------------------------------------------ command lists */

enum {
    LIST_WORDS = 8192
};

/* A command list under construction; { 0 } is an empty one. */
struct list {
    uint32_t words[LIST_WORDS];
    uint32_t count;
};

/* One raw word. The other functions keep commands at even positions (CMD-01), this one does not. */
void list_word(struct list *list, uint32_t word);

/* One command with mask 0xF / with the given byte mask. */
void list_write(struct list *list, uint32_t id, uint32_t value);
void list_write_masked(struct list *list, uint32_t id, uint32_t value, uint32_t mask);

/* One command of n parameters (1..256) to id, id + 1, .. if consecutive, else all to id; mask 0xF; padded. */
void list_write_many(struct list *list, uint32_t id, bool consecutive, const uint32_t *words, uint32_t n);

/* Draws n vertices, of the arrays or by the index list; the registers are set. */
void list_draw(struct list *list, uint32_t n);
void list_draw_indexed(struct list *list, uint32_t n);

/* PICA_UNIT_VERTEX or PICA_UNIT_GEOMETRY in `unit`. Code: index register, ports, CODETRANSFER_END (REG-21, REG-42). */
void list_code(struct list *list, uint32_t unit, uint32_t first, const uint32_t *words, uint32_t n);
void list_opdescs(struct list *list, uint32_t unit, uint32_t first, const uint32_t *words, uint32_t n);

/* REG-23: c[index] = (x, y, z, w), binary32 bits, through the float32 mode of the port. */
void list_uniform(struct list *list, uint32_t unit, uint32_t index, uint32_t x, uint32_t y, uint32_t z, uint32_t w);

/* The three port words of a vector of raw float24 values (REG-23). */
void float24_words(uint32_t x, uint32_t y, uint32_t z, uint32_t w, uint32_t out[3]);

/* REG-25: 0x232 = index, then the vector of raw float24 values; index 15 is immediate mode. */
void list_fixed_attribute(struct list *list, uint32_t index, uint32_t x, uint32_t y, uint32_t z, uint32_t w);

/* -------------------------------------------------------------------------------------------------------- numbers */

uint32_t f32_bits(float value);
float f32_from_bits(uint32_t bits);

/* Raw encodings by FLT-10 of values that the format holds exactly (normal numbers and zero; asserted). */
uint32_t float16(double value);
uint32_t float20(double value);
uint32_t float24(double value);
uint32_t float31(double value);

/* -------------------------------------------------------------------------------------------------------- machine */

/* Default windows and the places in them where the helpers put things. */
enum {
    VRAM_WINDOW_SIZE = 0x40000,
    FCRAM_WINDOW_SIZE = 0x40000
};
static const uint32_t COLOR_ADDRESS = 0x18000000u;  /* probe: colour buffer */
static const uint32_t DEPTH_ADDRESS = 0x18010000u;  /* probe: depth buffer */
static const uint32_t VERTEX_ADDRESS = 0x20000000u; /* probe: vertices */
static const uint32_t INDEX_ADDRESS = 0x20010000u;
static const uint32_t TEXTURE_ADDRESS = 0x20020000u; /* free for textures */
static const uint32_t LIST_ADDRESS = 0x20030000u;    /* machine_submit */

/* One instance of one backend. Tests may read `name`, `is_reference` and `setup`. */
struct machine {
    const char *name; /* "reference", "fast", "fast scalar" */
    bool is_reference;
    const struct pica_backend *backend;
    void *instance;
    struct pica_setup setup; /* what machine_reset loads */
    struct pica_window windows[PICA_MAX_WINDOWS];
    struct pica_state state; /* of the last machine_state */
    struct record *record;   /* tests/conformance/record.h; usually NULL */
    char row[160];           /* machine_case */
    char message[512];       /* of the last failed expectation */
};

typedef void (*machine_test)(struct machine *m);

/* Default setup: two windows of 256 KiB (VRAM 0x18000000, FCRAM 0x20000000), default limits, profile f32. */
struct pica_setup machine_default_setup(void);
struct pica_limits machine_default_limits(void); /* CMD-20 */

/* Runs the test once for each configuration. */
void machine_each(machine_test test);
void machine_each_with(const struct pica_setup *setup, machine_test test);

/* The head of a test; the body that follows is a function of `struct machine *m` that machine_each runs. */
#define EACH_MACHINE(suite, name)                  \
    static void suite##_##name(struct machine *m); \
    Test(suite, name)                              \
    {                                              \
        machine_each(suite##_##name);              \
    }                                              \
    static void suite##_##name(struct machine *m)

/* Back to the initial state of the setup, without memory contents, events or row label. */
void machine_reset(struct machine *m);
/* The same with another setup; what it points to is borrowed until the next load, windows are copied. */
void machine_load_setup(struct machine *m, const struct pica_setup *setup);
void machine_load_limits(struct machine *m, const struct pica_limits *limits);
/* The default limits but for one field, LOAD_LIMIT(m, pixels, 19). */
#define LOAD_LIMIT(m, field, value) machine_load_limit(m, offsetof(struct pica_limits, field), value)
void machine_load_limit(struct machine *m, size_t field, uint32_t value);
void machine_load_work(struct machine *m, uint32_t work); /* CMD-23; 0: none */
void machine_load_profile(struct machine *m, enum pica_profile profile);

/* Labels the messages of what follows: printf style; until the next of these or reset. */
void machine_case(struct machine *m, const char *format, ...);
/* machine_reset, and that label: for the rows of a table. */
void machine_row(struct machine *m, const char *format, ...);

/* Operations. Addresses are physical. */
void machine_run(struct machine *m, const struct pica_operation *operation);
void machine_load(struct machine *m, uint32_t address, const void *bytes, size_t n);
void machine_load_words(struct machine *m, uint32_t address, const uint32_t *words, size_t n); /* little-endian */
void machine_load_word(struct machine *m, uint32_t address, uint32_t word);
void machine_cpu_write(struct machine *m, uint32_t address, uint32_t value);
void machine_cpu_write_id(struct machine *m, uint32_t id, uint32_t value); /* EXT-CMD-01 */
void machine_fill(struct machine *m, uint32_t unit, uint32_t start, uint32_t end, uint32_t value, uint32_t control);
void machine_vertical_blank(struct machine *m, uint32_t screen);

/* Register words of a DISPLAY_TRANSFER; `in`, `out` are byte addresses. Texture copies set bit 3 of flags. */
struct transfer {
    uint32_t in, out;
    uint32_t dim, indim, flags, unknown14;
    uint32_t copy_size, copy_in, copy_out;
};
void machine_transfer(struct machine *m, const struct transfer *transfer);

/*
 * Appends FINALIZE (0x010 = 0x12345678), pads to 16 bytes before it (with a command of mask 0 to the unused id 0x22B,
 * which no rule looks at), loads the list to LIST_ADDRESS and submits it. The list is not emptied and keeps the
 * padding.
 */
void machine_submit(struct machine *m, struct list *list);
/* As above at another address. */
void machine_submit_at(struct machine *m, struct list *list, uint32_t address);
/* n words to LIST_ADDRESS as they are, submitted with 4 * n bytes: no FINALIZE, no padding. */
void machine_submit_words(struct machine *m, const uint32_t *words, uint32_t n);
/* EXT-CMD-14 for a list that is in memory already. */
void machine_submit_raw(struct machine *m, uint32_t address, uint32_t size);
/* One list write, submitted alone. */
void machine_list_write(struct machine *m, uint32_t id, uint32_t value);

/* Results. */
void machine_memory(struct machine *m, uint32_t address, void *out, size_t n);
uint32_t machine_word(struct machine *m, uint32_t address); /* little-endian */
uint32_t machine_byte(struct machine *m, uint32_t address);
const struct pica_state *machine_state(struct machine *m); /* valid until the next one */
uint32_t machine_register(struct machine *m, uint32_t id);
uint32_t machine_external(struct machine *m, uint32_t offset);  /* PICA_EXTREG_* */
uint32_t machine_interrupts(struct machine *m, uint32_t index); /* EXT-CMD-10 */
bool machine_event(struct machine *m, enum pica_event event);
struct pica_events machine_events(struct machine *m);

/* --------------------------------------------------------------------------------------------------- expectations */

bool machine_equal(struct machine *m, const char *rule, const char *what, uint32_t got, uint32_t expected);
bool machine_holds(struct machine *m, const char *rule, const char *what, bool holds);
bool machine_bytes_equal(struct machine *m, const char *rule, uint32_t address, const uint8_t *expected, size_t n);
bool machine_vector_equal(struct machine *m, const char *rule, const char *what, const struct pica_vector *got,
                          uint32_t x, uint32_t y, uint32_t z, uint32_t w);
bool machine_event_is(struct machine *m, const char *rule, enum pica_event event, bool expected);
bool machine_has_only_events(struct machine *m, const char *rule, const enum pica_event *events, size_t n);

#define EXPECT_EQ(m, rule, got, expected) cr_expect(machine_equal(m, rule, #got, got, expected), "%s", (m)->message)
#define EXPECT(m, rule, condition)        cr_expect(machine_holds(m, rule, #condition, condition), "%s", (m)->message)
/* `expected`: array of uint8_t */
#define EXPECT_BYTES(m, rule, address, expected, n) \
    cr_expect(machine_bytes_equal(m, rule, address, expected, n), "%s", (m)->message)
/* `got`: struct pica_vector; then binary32 bits */
#define EXPECT_VECTOR(m, rule, got, x, y, z, w) \
    cr_expect(machine_vector_equal(m, rule, #got, &(got), x, y, z, w), "%s", (m)->message)
/* Class R events are looked at in the reference only (GEN-08). */
#define EXPECT_EVENT(m, rule, event)    cr_expect(machine_event_is(m, rule, event, true), "%s", (m)->message)
#define EXPECT_NO_EVENT(m, rule, event) cr_expect(machine_event_is(m, rule, event, false), "%s", (m)->message)
/* No event at all; or no event but these (further arguments). */
#define EXPECT_NO_EVENTS(m, rule) cr_expect(machine_has_only_events(m, rule, NULL, 0), "%s", (m)->message)
#define EXPECT_ONLY_EVENTS(m, rule, ...)                                                                           \
    cr_expect(machine_has_only_events(m, rule, (const enum pica_event[]){ __VA_ARGS__ },                           \
                                      sizeof((const enum pica_event[]){ __VA_ARGS__ }) / sizeof(enum pica_event)), \
              "%s", (m)->message)

/* ---------------------------------------------------------------------------------------------------- pixel probe */

/*
 * A complete minimal pipeline that records no event (GEN-08): the vertex shader copies six attributes of four f32 to
 * six outputs that reach every slot; an 8x8 RGBA8 colour buffer at COLOR_ADDRESS and a D24S8 depth buffer at
 * DEPTH_ADDRESS, memory row = screen row (FBF-06, bit 24 = 0); half width and height 4, so that clip (-1,-1) is the
 * lower left corner; no scissor, culling, lighting, alpha, stencil or depth test; depth = -z/w (z buffer) is written;
 * blending replaces the colour exactly (one, zero); combiner stage 0 passes the primary colour, stages 1-5 the previous
 * one.
 *
 *     struct probe_vertex quad[4];
 *     probe_quad(quad);                                // 4 strip vertices covering the whole target
 *     probe_color(quad, 4, 200, 100, 50, 128);
 *     struct list list = probe_list();
 *     list_write(&list, PICA_REG_BLEND_FUNC, ...);     // the one register the test cares about
 *     probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
 *     EXPECT_PIXEL(m, "BLD-02", 3, 4, 200, 100, 50, 128);
 */
struct probe_vertex {
    float position[4];   /* x y z w, slots 00-03 */
    float quaternion[4]; /* 04-07 */
    float color[4];      /* 08-0B */
    float texcoord0[2];  /* 0C-0D */
    float texcoord1[2];  /* 0E-0F */
    float texcoord0_w;   /* 10 */
    float unused0;       /* 1F */
    float texcoord2[2];  /* 16-17 */
    float view[3];       /* 12-14 */
    float unused1;       /* 1F */
};

enum {
    PROBE_SIZE = 8,         /* pixels, width and height */
    PROBE_VERTEX_SIZE = 96, /* bytes */
    PROBE_ATTRIBUTES = 6
};

/*
 * Four strip vertices (-1,-1) (1,-1) (-1,1) (1,1), z = -0.5, w = 1, white, quaternion (0,0,0,1), all texture
 * coordinates (x+1)/2, (y+1)/2, texcoord0_w 1, view (0,0,1).
 */
void probe_quad(struct probe_vertex out[4]);
/* One vertex with the same defaults at clip position (x, y, z, w). */
struct probe_vertex probe_vertex_at(float x, float y, float z, float w);
/* color = byte / 255 in all n vertices: the primary colour (ITP-13) is then these bytes. */
void probe_color(struct probe_vertex *vertices, size_t n, uint32_t r, uint32_t g, uint32_t b, uint32_t a);
/* All three texture coordinates of all n vertices. */
void probe_texcoord(struct probe_vertex *vertices, size_t n, float u, float v);

/* Appends the whole pipeline, shader code included (from 0x245 = 1, left at 0). Everything else is at reset. */
void probe_pipeline(struct list *list);
struct list probe_list(void); /* a list of that */
/* Stage 0 passes this source (enum pica_tev_source) for colour and alpha. */
void probe_source(struct list *list, uint32_t source);
/* Other sizes: viewport covers them; sets 0x041, 0x043, 0x11E, 0x06E (bit 24 of both 0). */
void probe_size(struct list *list, uint32_t width, uint32_t height);

/* Loads the vertices, appends count, topology and DRAWARRAYS, submits. Restarts the assembler (0x25E). */
void probe_draw(struct machine *m, struct list *list, const struct probe_vertex *vertices, uint32_t n,
                uint32_t topology);
void probe_load_vertices(struct machine *m, const struct probe_vertex *vertices, uint32_t n);

/* FBF-07: index of pixel (x, y) of a tiled buffer; `width` is a multiple of 8. */
uint32_t probe_index(uint32_t x, uint32_t y, uint32_t width);

/*
 * Colour as r<<24 | g<<16 | b<<8 | a; depth24 | stencil<<24: of an 8 pixels wide target, screen coordinates (RST-01).
 */
uint32_t probe_pixel(struct machine *m, uint32_t x, uint32_t y);
uint32_t probe_depth_stencil(struct machine *m, uint32_t x, uint32_t y);
uint32_t probe_depth(struct machine *m, uint32_t x, uint32_t y);
uint32_t probe_stencil(struct machine *m, uint32_t x, uint32_t y);
/* All 64 pixels. */
void probe_clear_color(struct machine *m, uint32_t r, uint32_t g, uint32_t b, uint32_t a);
void probe_clear_depth_stencil(struct machine *m, uint32_t depth24, uint32_t stencil);
/* Number of pixels whose colour word is not `background`. */
uint32_t probe_covered(struct machine *m, uint32_t background);

#define EXPECT_PIXEL(m, rule, x, y, r, g, b, a)                                                              \
    cr_expect(machine_equal(m, rule, "pixel " #x "," #y " (rgba)", probe_pixel(m, x, y),                     \
                            (uint32_t)(r) << 24 | (uint32_t)(g) << 16 | (uint32_t)(b) << 8 | (uint32_t)(a)), \
              "%s", (m)->message)
#define EXPECT_DEPTH(m, rule, x, y, depth24) \
    cr_expect(machine_equal(m, rule, "depth " #x "," #y, probe_depth(m, x, y), depth24), "%s", (m)->message)
#define EXPECT_STENCIL(m, rule, x, y, stencil) \
    cr_expect(machine_equal(m, rule, "stencil " #x "," #y, probe_stencil(m, x, y), stencil), "%s", (m)->message)

#endif
