/*
 * How base and variant of a relation are built. For each submission whose list can be followed (walk.h), a relation
 * sees each command before it takes effect and writes two streams of commands: base (mostly the same commands) and
 * variant. If it changed
 * anything, both lists and whatever data the relation needs are loaded, in both scripts, into a window that the case
 * does not have ("fresh"), and each script submits its own list from there. The registers that name the submitted list
 * get back what they held, by CPU writes.
 */
#ifndef ORACLES_RELATE_H
#define ORACLES_RELATE_H

#include "oracles/walk.h"

enum {
    ORACLE_STREAM_SIZE = 0x10000, /* bytes of the longest list of a relation */
    ORACLE_DATA_SIZE = 0x20000,   /* bytes of indices, vertices, texels */
    ORACLE_FRESH_BASE = 0,        /* offsets in the fresh window */
    ORACLE_FRESH_VARIANT = ORACLE_STREAM_SIZE,
    ORACLE_FRESH_DATA = 2 * ORACLE_STREAM_SIZE,
    ORACLE_FRESH_SIZE = 2 * ORACLE_STREAM_SIZE + ORACLE_DATA_SIZE,
    ORACLE_STREAM_WORDS = ORACLE_STREAM_SIZE / 4,
    ORACLE_NO_SPLIT = UINT32_MAX
};

/* A command list under construction. */
struct oracle_stream {
    uint32_t words[ORACLE_STREAM_WORDS];
    uint32_t count;
    uint32_t commands;
};

/* Commands that a relation holds back (relate_commands.c). */
struct oracle_pending {
    uint32_t id, mask, count;
    bool consecutive;
    uint32_t ids[16]; /* of writes to be reordered */
    uint32_t masks[16];
    uint32_t parameters[256];
};

struct oracle_job {
    const struct oracle_relation *relation;
    struct oracle_workspace *space;
    struct oracle_twins *twins;
    struct oracle_walk *walk;
    struct oracle_stream *base, *variant;
    struct oracle_pending *pending;
    uint64_t seed, random;
    struct oracle_part part;
    uint32_t commands;    /* of this list so far */
    uint32_t fresh;       /* address of the fresh window */
    uint8_t *data;        /* ORACLE_DATA_SIZE bytes that are loaded at fresh + ORACLE_FRESH_DATA */
    uint32_t data_used;   /* bytes */
    uint32_t changed;     /* places changed in this list */
    bool failed;          /* a stream or the data is full: the list is left unchanged */
    bool base_in_place;   /* the base submits the original list where it is */
    uint32_t split;       /* word of the variant at which a second submission begins, or ORACLE_NO_SPLIT */
    uint32_t patch, rest; /* relate_commands.c: words of the variant where the size of the rest is put, and where the
                             rest begins */
    struct pica_operation *operations[2]; /* of base and variant */
    uint32_t counts[2];
    uint32_t capacity;
};

/* A random number 0 .. bound - 1 (bound > 0) from the relation's own seed. */
uint32_t oracle_below(struct oracle_job *job, uint32_t bound);
uint32_t oracle_random_word(struct oracle_job *job);

/* Appends a command. `noise`: value for the bits and words that CMD-02 and CMD-03 ignore. */
void oracle_emit(struct oracle_job *job, struct oracle_stream *stream, const struct oracle_command *command,
                 uint32_t noise);

/* Appends `id = value` under a mask. */
void oracle_emit_masked(struct oracle_job *job, struct oracle_stream *stream, uint32_t id, uint32_t mask,
                        uint32_t value);
void oracle_emit_write(struct oracle_job *job, struct oracle_stream *stream, uint32_t id, uint32_t value);

/* Appends the command unchanged, to the base or to both streams. */
void oracle_copy_base(struct oracle_job *job, const struct oracle_command *command);
void oracle_copy(struct oracle_job *job, const struct oracle_command *command);

/* Fills a stream up to a multiple of 16 bytes with commands without effect (SUB-02). */
void oracle_pad(struct oracle_job *job, struct oracle_stream *stream);

/* Allocates `size` bytes of fresh data, at an address `skew` above a multiple of `alignment`; NULL if there is no
 * room. */
uint8_t *oracle_take_data(struct oracle_job *job, uint32_t size, uint32_t alignment, uint32_t skew, uint32_t *address);

/* Appends an operation to the base (0) or the variant (1). */
void oracle_append(struct oracle_job *job, int side, const struct pica_operation *operation);
void oracle_append_write(struct oracle_job *job, int side, uint32_t address, uint32_t value);

/* A plain configuration register: stored, sampled when used, nothing else (class C of REG). */
static inline bool oracle_is_plain(uint32_t id)
{
    return id < PICA_REGISTERS && pica_reg_info(id)->reg_class == PICA_REG_CLASS_CONFIG;
}

/* True if an additional list write to the id records no event now (REG-43, REG-44). */
bool oracle_quiet(const struct oracle_walk *walk, uint32_t id);

/* ---------------------------------------------------------------------------------------------------------- draws */

/* Where an attribute comes from (VTX-04, VTX-08). */
struct oracle_source {
    bool array;
    uint32_t array_index;
    uint32_t address;  /* of vertex 0 */
    uint32_t stride;   /* bytes */
    uint32_t elements; /* 1-4 */
    enum pica_attribute_type type;
};

/* A draw trigger with all registers that matter here known. */
struct oracle_draw {
    bool elements;
    uint32_t trigger;   /* register id */
    uint32_t parameter; /* what is written to it */
    uint32_t mask;
    uint32_t count;      /* vertices */
    uint32_t first;      /* 0x22A */
    uint32_t base;       /* VTX-01 */
    uint32_t index_size; /* bytes: 1 or 2 */
    uint32_t index_address;
    uint32_t attributes; /* NA */
    bool geometry;       /* geometry stage in use */
    uint32_t topology;   /* 0-3 */
    struct oracle_range color, depth;
    struct oracle_source sources[12];
};

/* True if the command is exactly one draw trigger and everything in struct oracle_draw is known. */
bool oracle_describe_draw(const struct oracle_walk *walk, const struct oracle_command *command,
                          struct oracle_draw *out);

/* Bytes of an element (VTX-02). */
uint32_t oracle_element_size(enum pica_attribute_type type);

/*
 * True if the draw reads nothing that it may write (indices and textures included), and its two surfaces do not
 * overlap. By FBF-19 such a draw is the same as writing memory directly, and may be split into several draws.
 */
bool oracle_draw_is_direct(const struct oracle_walk *walk, struct oracle_workspace *space,
                           const struct oracle_draw *draw);

/* Index i of an element draw from its known index bytes. */
uint32_t oracle_index_at(const struct oracle_draw *draw, const uint8_t *bytes, uint32_t i);

/* The bytes of the index list, in `space` (which the caller resets), or NULL if they are not known. */
const uint8_t *oracle_draw_indices(const struct oracle_walk *walk, struct oracle_workspace *space,
                                   const struct oracle_draw *draw);

/* The smallest and largest vertex number; false if there are no vertices, or they are not known. */
bool oracle_draw_vertices(const struct oracle_walk *walk, struct oracle_workspace *space,
                          const struct oracle_draw *draw, uint32_t *first, uint32_t *last);

/* VTX-09: from the first byte of vertex `first` to the last byte of vertex `last`; false if addresses wrap. */
bool oracle_source_range(const struct oracle_source *source, uint32_t first, uint32_t last, struct oracle_range *out);

/* `size` bytes of the workspace; NULL if it is full. */
void *oracle_take(struct oracle_workspace *space, size_t size);

/* The relations of each file. */
extern const struct oracle_relation oracle_command_relations[], oracle_draw_relations[], oracle_vertex_relations[],
    oracle_pixel_relations[], oracle_shader_relations[], oracle_engine_relations[];
extern const size_t oracle_command_relation_count, oracle_draw_relation_count, oracle_vertex_relation_count,
    oracle_pixel_relation_count, oracle_shader_relation_count, oracle_engine_relation_count;

#endif
