/* Register writes that go on to tables, shader units and fixed attributes (spec 10). Private to list.c. */
#ifndef FAST_COMMAND_PORT_H
#define FAST_COMMAND_PORT_H

#include <stdint.h>

struct fast_gpu;

/* REG-30 to REG-33: a write to an id of 0x040-0x1FF, whether it is a port of a table or not. */
void fast_write_table(struct fast_gpu *gpu, uint32_t id, uint32_t parameter);

/* REG-20 to REG-28: a write to an id of 0x280-0x2DF; `merged`: what the register holds now (CMD-05). */
void fast_write_shader_unit(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t merged);

/* REG-27: VSH_OUTMAP_MASK was written. */
void fast_write_output_mask(struct fast_gpu *gpu, uint32_t parameter);

/* REG-25, VTX-40, VTX-41: FIXEDATTRIB_INDEX and its three ports; a complete immediate vertex is drawn. */
void fast_write_fixed_index(struct fast_gpu *gpu);
void fast_write_fixed_data(struct fast_gpu *gpu, uint32_t id, uint32_t value);

#endif
