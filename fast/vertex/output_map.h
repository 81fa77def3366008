/* The output map (SHD-70 to SHD-80), decoded once a draw. The kernels apply it to 16 vertices at a time. */
#ifndef FAST_VERTEX_OUTPUT_MAP_H
#define FAST_VERTEX_OUTPUT_MAP_H

struct fast_gpu;

/* SHD-80: what the output map names. */
void fast_decode_output_map(struct fast_gpu *gpu);

/* SHD-70: what the vertex shader enables of it. After fast_decode_output_map. */
void fast_decode_outputs(struct fast_gpu *gpu);

#endif
