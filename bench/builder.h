/* A scene under construction: contents of memory one after another, then one command list after them. */
#ifndef BENCH_BUILDER_H
#define BENCH_BUILDER_H

#include "harness/case/case.h"

enum {
    BENCH_COLOR_ADDRESS = 0x18000000, /* the depth buffer follows on the next page */
    BENCH_DATA_ADDRESS = 0x20000000,
    BENCH_MOST_OUTPUTS = 7
};

/* The first failed allocation stops everything after it. */
struct bench_builder {
    struct harness_case *test_case;
    struct harness_list list;
    uint32_t vram_size; /* bytes from BENCH_COLOR_ADDRESS on, a multiple of PICA_PAGE_SIZE */
    uint32_t next;      /* free address, a multiple of 128 */
    uint64_t random;    /* state of bench_random */
    bool good;
};

/* How vertices come in and go out: attribute k is input v[k], output o[k] goes where outputs[k] says (SHD-80). */
struct bench_vertex_stage {
    const char *shader; /* text for harness_shader_assemble; begins at address 0 */
    uint32_t outputs[BENCH_MOST_OUTPUTS];
    uint32_t output_count;
    uint32_t attribute_count; /* 1-8, one after the other in memory */
    uint32_t formats;         /* nibble k: type and elements of attribute k, VTX-02 */
    uint32_t stride;          /* bytes, 0-255 */
};

/* Makes the builder of an empty case. */
void bench_builder_init(struct bench_builder *builder, struct harness_case *test_case);

/* Adds what was built to the case: windows around the contents, and the operation that submits the list. */
bool bench_builder_finish(struct bench_builder *builder);

/* One register write, or `count` writes to a port. */
void bench_put(struct bench_builder *builder, uint16_t id, uint32_t value);
void bench_put_port(struct bench_builder *builder, uint16_t id, const uint32_t *words, size_t count);

/* Contents at the next free address, which is returned. */
uint32_t bench_add_bytes(struct bench_builder *builder, const uint8_t *bytes, uint32_t size);
uint32_t bench_add_noise(struct bench_builder *builder, uint32_t size);

/* RGBA8 and D24S8 buffers of this size, at most 1023 pixels each way; the viewport covers them; all is written. */
void bench_put_target(struct bench_builder *builder, uint32_t width, uint32_t height);

void bench_put_vertex_stage(struct bench_builder *builder, const struct bench_vertex_stage *stage, uint32_t vertices);

/* c[first], c[first + 1] ... (REG-22, float32 mode). */
void bench_put_uniforms(struct bench_builder *builder, uint32_t first, const float (*values)[4], uint32_t count);

/* The combiner passes the vertex colour on. */
void bench_put_vertex_color(struct bench_builder *builder);

/* Stage 0 of the combiner as given, the others pass the previous colour on; sources are packed as TEV-02 does. */
void bench_put_stage(struct bench_builder *builder, uint32_t stage, uint32_t sources, uint32_t mode, uint32_t color);
void bench_put_one_stage(struct bench_builder *builder, uint32_t sources, uint32_t mode);

/* Draws `vertices` vertices as a triangle list, from the arrays or by 16-bit indices at `indices`. */
void bench_put_draw(struct bench_builder *builder, uint32_t vertices);
void bench_put_indexed_draw(struct bench_builder *builder, uint32_t indices, uint32_t vertices);

/* Uniform, [0, 1): the same numbers on every machine. */
float bench_random(struct bench_builder *builder);

/* Little-endian binary32 at `out`; returns the byte after it. */
uint8_t *bench_store_float(uint8_t *out, float value);

#endif
