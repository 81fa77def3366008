/* Where the attributes of array draws come from (VTX-01 to VTX-10): registers -> one source per attribute. */
#ifndef FAST_VERTEX_FETCH_LAYOUT_H
#define FAST_VERTEX_FETCH_LAYOUT_H

#include <stdint.h>

struct fast_gpu;

/* VTX-08. */
enum fast_attribute_kind {
    FAST_ATTRIBUTE_FROM_ARRAY,
    FAST_ATTRIBUTE_FIXED,
    FAST_ATTRIBUTE_MISSING
};

struct fast_layout_attribute {
    enum fast_attribute_kind kind;
    uint32_t type;         /* enum pica_attribute_type */
    uint32_t elements;     /* n */
    uint32_t element_size; /* es */
    uint32_t source;       /* offset from the base, of vertex 0 */
    uint32_t stride;
};

struct fast_vertex_layout {
    uint32_t base;
    uint32_t attribute_count; /* NA */
    uint32_t listed;          /* bit i: attribute i occurs in the lists of arrays */
    uint32_t repeated;        /* and more than once */
    struct fast_layout_attribute attributes[16];
};

/* Decodes the registers and records the draw-level events loader-*, stride-mismatch, fixed-and-array, attr-*, but
 * attr-count. */
void fast_vertex_layout_decode(struct fast_gpu *gpu, struct fast_vertex_layout *layout);

#endif
