/* The interpreter's state: contexts with their stacks, and the machine around them. Part of kernels/shader.c. */
#ifndef FAST_KERNELS_SHADER_MACHINE_H
#define FAST_KERNELS_SHADER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/simd/simd.h"
#include "fast/vertex/shader_program.h"

enum {
    END_OF_CODE = 4095,      /* SHD-13 */
    VERTEX_CODE_WORDS = 512, /* SHD-13 */
    CALL_DEPTH = 4,          /* SHD-40 */
    IF_DEPTH = 8,
    LOOP_DEPTH = 4,
    NO_END = UINT32_MAX >> 1 /* no instruction ends here: the stack is empty */
};

struct call_entry {
    uint32_t end, ret;
};

struct if_entry {
    uint32_t otherwise, end;
};

struct loop_entry {
    uint32_t entry, end, count, increment, saved;
};

/* One or more lanes that have taken the same path. SHD-40: three stacks, the newest entry last. */
struct context {
    uint32_t lanes;
    uint32_t pc;
    uint32_t executed; /* SHD-14 */
    int32_t loop_counter;
    uint32_t call_count, if_count, loop_count;
    bool has_scopes;                           /* some stack is not empty */
    uint32_t call_end, if_otherwise, loop_end; /* ends of the top entries; NO_END if there is none */
    struct call_entry calls[CALL_DEPTH];
    struct if_entry ifs[IF_DEPTH];
    struct loop_entry loops[LOOP_DEPTH];
};

/* The invocations of one run. There is at most one context per lane, because every split divides the lanes. */
struct machine {
    struct fast_shader_run *run;
    bool f24;         /* FLT-03 */
    bool partial;     /* the running context does not have all lanes: writes are masked */
    bool short_cuts;  /* neither f24 nor partial */
    v_mask lane_mask; /* of the running context */
    struct context context;
    uint32_t waiting_count;
    struct context waiting[FAST_FILE_LANES];
};

#endif
