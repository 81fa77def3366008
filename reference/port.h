/*
 * The ports: registers whose writes go somewhere else than into a word of the register file. state.c calls these with
 * the id and the parameter as sent; the merged word is in the register file already.
 */
#ifndef REFERENCE_PORT_H
#define REFERENCE_PORT_H

#include <stdint.h>

struct ref_gpu;

void ref_port_proctex_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_fog_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_gas_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_lighting_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_booleans(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_integers(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_output_mask(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_code(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_code_end(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_descriptor(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_uniform_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_uniform(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_fixed_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
void ref_port_fixed(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);

/* REG-21: code that the vertex unit has no room for is 0, also where an initial state gives it. */
void ref_port_clear_code(struct ref_gpu *gpu);

/* state.c: CMD-05, REG-01: bit i of the mask lets byte i through. */
uint32_t ref_merge(uint32_t old, uint32_t parameter, uint32_t mask);

#endif
