/*
 * The calls between the stages of the pipeline. One draw runs down this page:
 *
 *   list.c -> state.c -> fetch.c -> shader.c -> geometry.c -> output_map.c -> assembly.c
 *          -> clip.c -> viewport.c -> raster.c (raster.h) -> fragment.c (fragment.h, shading.h) -> framebuffer_batch.c
 *
 * Example: a list of 4 words that writes DRAWARRAYS with 3 vertices passes each of these once for the batch, three
 * times for the vertices, and once for the triangle.
 */
#ifndef REFERENCE_PIPELINE_H
#define REFERENCE_PIPELINE_H

#include "reference/gpu.h"

/* The outputs of a shader after its output mask: `count` vectors, the others are 0 (SHD-70, SHD-71). */
struct ref_outputs {
    struct pica_vector vectors[16];
    uint32_t count;
    uint8_t written[16]; /* bit 0 = x .. bit 3 = w: the vertex shader wrote the component; for an event only */
};

/* list.c: a CPU write of `value` to internal register `id`, 0-0x3FF (EXT-CMD-02, EXT-CMD-05). */
void ref_internal_write(struct ref_gpu *gpu, uint32_t id, uint32_t value);

/* state.c: one register write by a command list, `mask` in bits 3:0; one by the CPU, to any id but 0x23C and 0x23D. */
void ref_list_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask);
void ref_cpu_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t value);

/* state.c: REG-10, REG-12: whether one of the four lines of request word 0-15 requests the P3D interrupt. */
bool ref_request_matches(const struct ref_gpu *gpu, uint32_t word);

/* port.c: around the `count` extra parameters of a command that writes id alone (REG-24). */
void ref_bulk_begin(struct ref_gpu *gpu, uint32_t id, uint32_t count);
void ref_bulk_end(struct ref_gpu *gpu);

/* state.c: sets the words that nobody can write (REG-15). */
void ref_clear_fixed_words(struct ref_gpu *gpu);

/* fetch.c: the draw triggers, and one complete immediate vertex (port: the id that completed it). */
void ref_draw(struct ref_gpu *gpu, uint32_t trigger);
void ref_immediate_vertex(struct ref_gpu *gpu, uint32_t port);

/* shader.c: one invocation. `attributes` are the 16 vectors before the permutation of VTX-12; `plain`: without it. */
void ref_run_vertex_shader(struct ref_gpu *gpu, const struct pica_vector attributes[16], bool plain,
                           struct ref_outputs *outputs);

/* shader.c: SHD-10, other side: a draw or an immediate vertex begins. */
void ref_forget_vertex_registers(struct ref_gpu *gpu);
void ref_run_geometry_shader(struct ref_gpu *gpu);

/* shader.c: SHD-12: the event of a draw or an immediate vertex. */
void ref_shader_unit_events(struct ref_gpu *gpu);

/* shader.c: creates the cache of decoded instructions; NULL: no host memory. */
struct ref_programs *ref_programs_create(void);
void ref_programs_destroy(struct ref_programs *programs);

/* shader.c: SHD-70, SHD-71: picks the registers of `mask`, in ascending order. */
void ref_mask_outputs(const struct pica_vector registers[16], uint32_t mask, struct ref_outputs *outputs);

/* geometry.c: GSH-05; one result of the vertex shader; an index that may be a count (GSH-20: true if it was one); EMIT
 * (GSH-30); see the definitions. */
void ref_geometry_configure(struct ref_gpu *gpu);
void ref_geometry_events(struct ref_gpu *gpu);
void ref_geometry_vertex(struct ref_gpu *gpu, const struct ref_outputs *outputs, bool element_draw);
bool ref_geometry_count(struct ref_gpu *gpu, uint32_t index);
void ref_geometry_emit(struct ref_gpu *gpu);

/* output_map.c: a final vertex; the events of a draw, and of one result of the vertex shader. */
void ref_map_outputs(const struct ref_gpu *gpu, const struct ref_outputs *outputs, struct pica_final_vertex *vertex);
void ref_output_map_events(struct ref_gpu *gpu);
void ref_output_events(struct ref_gpu *gpu, const struct ref_outputs *outputs);

/* assembly.c: one vertex for the assembler; PRM-01. */
void ref_submit_vertex(struct ref_gpu *gpu, const struct ref_outputs *outputs);
void ref_assembler_reset(struct ref_gpu *gpu);

/* framebuffer_batch.c: FBF-18, one batch = one draw trigger, or one triangle in immediate mode. */
struct ref_batch *ref_batch_create(void); /* NULL: no host memory */
void ref_batch_destroy(struct ref_batch *batch);
void ref_batch_begin(struct ref_gpu *gpu);
void ref_batch_end(struct ref_gpu *gpu);

/* framebuffer_surface.c: the little-endian number that these bytes would be if the running batch ended now (TEX-90). */
uint32_t ref_live_bytes(const struct ref_gpu *gpu, uint32_t address, uint32_t count);

/* framebuffer_batch.c: the running batch reads these bytes as index or attribute (FBF-34). */
void ref_batch_note_read(struct ref_gpu *gpu, uint32_t address, uint32_t size);

/* clip.c: a triangle after PRM-08, between begin and end. */
void ref_draw_triangle(struct ref_gpu *gpu, const struct pica_final_vertex triangle[3]);

/* engine.c: a CPU write to 0x10400000-0x10400FFF or one of the two LCD words; nothing elsewhere (PSC-12). */
void ref_external_write(struct ref_gpu *gpu, uint32_t address, uint32_t value);

/* engine.c: PSC-01: an initial state may have bits that no register keeps. */
void ref_clear_lost_bits(struct ref_gpu *gpu);

/* engine.c: what a CPU would read at 0x10400000 + offset, a multiple of 4 below 0x1000 (PSC-13). */
uint32_t ref_external_read(const struct ref_gpu *gpu, uint32_t offset);

#endif
