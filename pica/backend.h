/*
 * The interface between picafuzz and anything that executes PICA200 work: a "backend".
 *
 * This file is self-contained and valid C99 and C++: to put an emulator under test, copy it, fill in one
 * `struct pica_backend` and export a function `pica_backend_entry` that returns its address. Five functions suffice:
 * create, destroy, load, run, read_memory. With these only guest memory is compared; `struct pica_models` declares what
 * else can be.
 *
 * Conventions. Every pointer parameter is borrowed for the call, unless its comment says otherwise. Buffers are passed
 * with their length. Guest addresses are physical. At any time at most one thread calls functions of an instance. Rule
 * ids (MEM-01) refer to docs/spec.
 */
#ifndef PICA_BACKEND_H
#define PICA_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Changes whenever a struct or a meaning in this file changes. Structs with a member `size` may grow at their end
 * without a new number: members beyond `size` are taken as 0. Plug-ins of ABI 2 are still loaded: their struct ends
 * before `size`, and they count as modelling all parts, float24, and all budgets but PICA_BUDGET_WORK.
 */
enum {
    PICA_BACKEND_ABI = 3
};

/* Outcome of a call on the host. Invalid guest input is never an error: every guest input has a defined result. */
enum pica_status {
    PICA_OK = 0,
    PICA_NOT_SUPPORTED = 1, /* the backend lacks this call or this option; nothing happened */
    PICA_BAD_ARGUMENT = 2,  /* the caller broke a rule of this file (say, a window outside VRAM and FCRAM) */
    PICA_NO_MEMORY = 3,     /* the host refused memory; the instance can be destroyed or loaded again */
    PICA_FAILED = 4         /* any other failure of the host; the instance can only be destroyed */
};

/* ---------------------------------------------------------------------------------------------- memory and limits */

enum {
    PICA_PAGE_SIZE = 4096, /* bytes; unit of windows and of page reports */
    PICA_MAX_WINDOWS = 16  /* MEM-01 */
};

/* MEM-01: one range of guest memory that exists. Base and size are multiples of PICA_PAGE_SIZE, size > 0. */
struct pica_window {
    uint32_t address;
    uint32_t size; /* bytes */
};

/* Initial contents: `size` bytes at `address`. Bytes outside the windows are dropped (MEM-08). */
struct pica_chunk {
    uint32_t address;
    uint32_t size; /* bytes */
    const uint8_t *data;
};

/*
 * CMD-20: budgets that end work which would never end, each 1 .. 0x10000000. `commands`, `vertices` and `pixels` are
 * counted per CPU submission (one start of a list with all its jumps, or one register write by the CPU), the other two
 * per shader invocation. A backend that declares a budget (struct pica_models) has to stop exactly when it is used up.
 * `commands` is the most useful one: with it the command that causes a difference is found quickly. A backend may
 * ignore a budget that it does not declare; a case that exhausts that budget is then not tested.
 */
struct pica_limits {
    uint32_t commands;     /* command headers, those of jumped-to lists included */
    uint32_t vertices;     /* of all draws, and of immediate mode (VTX-23, VTX-44) */
    uint32_t instructions; /* of one invocation of a shader (SHD-14) */
    uint32_t emits;        /* of one invocation of a geometry shader (GSH-34) */
    uint32_t pixels;       /* in the bounding boxes of all triangles (RST-08) */
};

/* FLT-03: the arithmetic of shader values. */
enum pica_profile {
    PICA_PROFILE_F32 = 0,
    PICA_PROFILE_F24 = 1
};

/* ----------------------------------------------------------------------------------------------------------- state */

enum {
    PICA_REGISTERS = 0x300,
    PICA_EXTERNAL_WORDS = 0x400, /* 0x10400000-0x10400FFF */
    PICA_CODE_WORDS = 4096,
    PICA_OPDESC_WORDS = 4096, /* only 0-127 can be referenced, REG-21 */
    PICA_FLOAT_UNIFORMS = 96,
    PICA_INTERRUPTS = 6 /* EXT-CMD-10, in this order: PSC0 PSC1 PDC0 PDC1 PPF P3D */
};

/*
 * REG-02: the internal registers that are not 0 after a reset, as X(id, value). Everything else in the reset state is
 * 0, also the assembler, the geometry stage, the shader units, the tables and the engine registers (REG-04).
 */
#define PICA_RESET_VALUES(X)                    \
    X(0x020, 0x12345678) /* IRQ_COMPARE0 */     \
    X(0x030, 0xFFFFFFF0) /* IRQ_MASK_LOW */     \
    X(0x031, 0xFFFFFFFF) /* IRQ_MASK_HIGH */    \
    X(0x034, 0x00000001) /* IRQ_AUTOSTOP */     \
    X(0x245, 0x00000001) /* START_DRAW_FUNC0 */ \
    X(0x289, 0xA0000001) /* GSH_INPUTBUFFER_CONFIG */

/* Components x, y, z, w as binary32 bit patterns. In dumps every NaN is 0x7FC00000 (GEN-02). */
struct pica_vector {
    uint32_t bits[4];
};

/* Index of the two shader units in `struct pica_state`. */
enum {
    PICA_UNIT_VERTEX = 0,
    PICA_UNIT_GEOMETRY = 1
};

struct pica_shader_unit {
    uint32_t code[PICA_CODE_WORDS];
    uint32_t opdesc[PICA_OPDESC_WORDS];
    struct pica_vector uniforms[PICA_FLOAT_UNIFORMS]; /* c0-c95 */
    uint8_t integers[4][4];                           /* i0-i3, x y z w */
    uint16_t booleans;                                /* bit k = bk */
    uint16_t queue_length;                            /* 0-3 */
    uint32_t queue[4];                                /* REG-22; words from queue_length on are 0 */
};

/* What the geometry stage and its shader unit keep between invocations and draws (SHD-11, GSH-05, GSH-20..31). */
struct pica_geometry_state {
    struct pica_vector temporaries[16]; /* r */
    struct pica_vector inputs[16];      /* v */
    struct pica_vector outputs[2][16];  /* o, both banks */
    struct pica_vector slots[4][16];    /* emission slots */
    int32_t address[2];                 /* a0.x, a0.y */
    int32_t loop_counter;               /* aL */
    uint8_t compare[2];                 /* cmp.x, cmp.y: 0 or 1 */
    uint8_t bank;                       /* 0 or 1 */
    uint8_t emit_vertex;                /* SETEMIT: 0-3 */
    uint8_t emit_primitive;             /* 0 or 1 */
    uint8_t emit_winding;               /* 0 or 1 */
    /* Latched by GSH-05 when a draw begins; all 0 before the first time. NV, NG, FN and FS are names of that rule. */
    uint8_t in_use;                /* 0 or 1 */
    uint8_t mode;                  /* 0-3 */
    uint8_t vectors_per_vertex;    /* NV, 1-16 */
    uint8_t input_vectors;         /* NG, 1-16 */
    uint8_t fixed_vertices;        /* FN, 1-16 */
    uint8_t fixed_first;           /* FS, 0-255 */
    uint16_t output_mask;          /* 0x28D bits 15:0 */
    uint8_t want_count;            /* 0 or 1 */
    uint8_t buffer_length;         /* vectors in `buffer` */
    uint32_t main_left;            /* GSH-20 "main"; dumped as 0 (REG-04) */
    uint32_t left;                 /* GSH-20 "left"; dumped as 0 (REG-04) */
    uint32_t pointer;              /* next c register to write (variable and fixed mode) */
    uint32_t vertex_count;         /* fixed mode */
    struct pica_vector buffer[16]; /* GSH-10; vectors from buffer_length on are dumped as 0 */
};

/* SHD-80: the 24 slots of a final vertex, binary32 bit patterns. */
struct pica_final_vertex {
    uint32_t slots[24];
};

/* PRM: the primitive assembler. buffer[i] is dumped as 0 unless i < count or ready. */
struct pica_assembler_state {
    struct pica_final_vertex buffer[2];
    uint8_t topology; /* 0-3 */
    uint8_t count;    /* n, 0-2 */
    uint8_t ready;    /* 0 or 1 */
    uint8_t winding;  /* 0 or 1 */
};

/* REG-30: raw words as written. */
struct pica_tables {
    uint32_t lighting[24][256];
    uint32_t fog[128];
    uint32_t gas[16];
    uint32_t proctex_noise[128];
    uint32_t proctex_color_map[128];
    uint32_t proctex_alpha_map[128];
    uint32_t proctex_color[256];
    uint32_t proctex_difference[256];
};

/*
 * Everything except memory that later operations of a case can observe (REG-03, REG-04, PSC-13). It has no pointers and
 * no padding, so two states that read_state gave can be compared byte by byte.
 */
struct pica_state {
    uint32_t registers[PICA_REGISTERS];
    uint32_t external[PICA_EXTERNAL_WORDS]; /* as a CPU would read them */
    uint32_t lcd_fill[2];                   /* 0x10202204, 0x10202A04 */
    uint32_t interrupts[PICA_INTERRUPTS];   /* how often each was raised */
    struct pica_tables tables;
    struct pica_shader_unit units[2];
    struct pica_vector fixed[16];     /* REG-25 */
    uint32_t fixed_queue[3];          /* words from fixed_queue_length on are 0 */
    uint8_t fixed_queue_length;       /* 0-2 */
    uint8_t immediate_count;          /* VTX-41, 0-15 */
    uint8_t reset_armed;              /* VTX-40, 0 or 1 */
    uint8_t reserved;                 /* 0 */
    struct pica_vector immediate[16]; /* imm[], VTX-41 */
    struct pica_geometry_state geometry;
    struct pica_assembler_state assembler;
};

/* A set of `UB:` events (undefined behaviour, GEN-08), one bit each, in the order of pica/events.def. */
struct pica_events {
    uint64_t words[4];
};

/* ------------------------------------------------------------------------------------------------------ operations */

enum pica_operation_kind {
    PICA_OPERATION_LOAD_MEMORY = 0,    /* MEM-08: data[0..size) to address */
    PICA_OPERATION_SUBMIT_LIST = 1,    /* EXT-CMD-14: list of `size` bytes at `address` */
    PICA_OPERATION_WRITE_REGISTER = 2, /* PSC-12: CPU write of words[0] to physical `address` */
    PICA_OPERATION_MEMORY_FILL = 3,    /* CPU writes of unit `unit`: START END VALUE CTRL = words[0..3] */
    PICA_OPERATION_DISPLAY_TRANSFER =
        4,                            /* CPU writes C00 C04 C08 C0C C10 C14 C20 C24 C28 = words[0..8], then C18 = 1 */
    PICA_OPERATION_VERTICAL_BLANK = 5 /* EXT-CMD-11: one vertical blank of screen `unit` (0 top, 1 bottom) */
};

/* One step of a case. Members that the comment of its kind does not name are ignored. A texture copy is a display
 * transfer with bit 3 set in the flags word (C10). */
struct pica_operation {
    enum pica_operation_kind kind;
    uint32_t unit;    /* 0 or 1 */
    uint32_t address; /* physical */
    uint32_t size;    /* bytes */
    const uint8_t *data;
    uint32_t words[9];
};

/* --------------------------------------------------------------------------------------------------------- backend */

enum {
    PICA_OPTION_TRACK_READS = 1u << 0, /* also report pages that were read (slow; for importing captures) */
    PICA_OPTION_CAPACITY = 1u << 1     /* struct pica_options has the member `capacity`, and it applies */
};

struct pica_options {
    uint32_t flags;            /* PICA_OPTION_* */
    uint32_t threads;          /* worker threads beside the caller's: 0 = none. A backend without threads ignores it. */
    uint32_t instruction_sets; /* mask of the backend's own meaning; UINT32_MAX = whatever the host has */

    /*
     * Present only with PICA_OPTION_CAPACITY. An upper bound, 1 or more, for the entries of each internal queue, pool
     * and cache, and for the thresholds from which on work is given to threads, compiled, or decoded ahead. It lets
     * small fuzzing cases fill and wrap queues and evict cache entries, as otherwise only large cases do. It must not
     * change any result. A queue that needs more for a single item takes more. A backend may ignore the bound, or
     * refuse it (PICA_NOT_SUPPORTED from create): then create is called again without it.
     */
    uint32_t capacity;
};

/*
 * What a case starts from. This can be any state, not only that after a reset: a generated case may set every register,
 * leave half a uniform in its queue, or keep a vertex in the assembler. Take over everything that your GPU has, also
 * what you do not declare in struct pica_models, because later commands use it. If you cannot take over a state, return
 * PICA_NOT_SUPPORTED: the case is then not tested.
 */
struct pica_setup {
    const struct pica_window *windows; /* 1 .. PICA_MAX_WINDOWS, not overlapping */
    uint32_t window_count;
    const struct pica_chunk *chunks; /* written in this order; before that all windows hold zeros */
    uint32_t chunk_count;
    const struct pica_state *initial_state; /* NULL: the reset state (PICA_RESET_VALUES, all else 0) */
    struct pica_limits limits;
    enum pica_profile profile; /* PICA_PROFILE_F24 only if pica_models.float24 is 1 */
    uint32_t work;             /* CMD-23: budget of the whole case, 1 .. 0x10000000; 0: no bound */
};

/* One draw, reported after its last pixel. Pointers are valid during the call only. */
struct pica_draw {
    const uint32_t *registers; /* PICA_REGISTERS words, as the draw saw them */
    uint32_t list_address;     /* of the running list, 0 for a CPU write */
    uint32_t list_word;        /* index in the list of the header word of the command that drew */
    uint32_t trigger;          /* register id: 0x22E, 0x22F or 0x233-0x235 (one immediate vertex) */
    uint32_t pixels;           /* pixel visits (RST-06) that wrote colour, depth or stencil, even the same value or
                                * outside the windows; saturating; UINT32_MAX: the backend does not count */
};
typedef void (*pica_draw_observer)(void *user, const struct pica_draw *draw);

enum pica_trace_type {
    PICA_TRACE_UNSIGNED = 0,
    PICA_TRACE_SIGNED = 1,
    PICA_TRACE_FLOAT = 2 /* binary32 bits */
};

/* Some values of one pipeline stage for the traced pixel or vertex. The strings have to live as long as the library. */
struct pica_trace_step {
    const char *stage; /* "fetch", "shader", "interpolation", "texture", ...: see pica/trace.def */
    const char *name;  /* "texel", ... */
    uint32_t index;    /* unit, combiner stage, instruction address, ... */
    enum pica_trace_type type;
    uint32_t count; /* of values, 1-16 */
    uint32_t values[16];
};
typedef void (*pica_trace_sink)(void *user, const struct pica_trace_step *step);

enum pica_trace_subject {
    PICA_TRACE_PIXEL = 0,   /* pixel (x, y) */
    PICA_TRACE_VERTEX = 1,  /* vertex `x` of the draw, counted from 0 in the order of the loader (VTX-20) */
    PICA_TRACE_VERTICES = 2 /* every vertex of the draw, one after the other */
};

struct pica_trace_request {
    uint32_t draw; /* counted from load, 0 = first draw trigger or immediate vertex */
    enum pica_trace_subject subject;
    uint32_t x, y; /* of a pixel: RST-01 coordinates (y up); else as the subject says */
};

enum {
    PICA_SCREEN_LINES = 240,
    PICA_TOP_COLUMNS = 400,
    PICA_BOTTOM_COLUMNS = 320
};

enum {
    PICA_PAGES_WRITTEN = 0,
    PICA_PAGES_READ = 1
};

/* --------------------------------------------------------------------------------------------------- what it models */

/* Parts of a result. Most are ranges of members of struct pica_state, named below; MEMORY, EVENTS and SCREENS are what
 * read_memory, read_events and scan_out give. A backend has the part SCREENS exactly if it has a scan_out, whatever it
 * declares. */
enum pica_part {
    PICA_PART_MEMORY = 1 << 0,
    PICA_PART_REGISTERS = 1 << 1,  /* registers */
    PICA_PART_ENGINES = 1 << 2,    /* external, lcd_fill */
    PICA_PART_INTERRUPTS = 1 << 3, /* interrupts */
    PICA_PART_TABLES = 1 << 4,     /* tables */
    PICA_PART_UNITS = 1 << 5,      /* units: code, descriptors, uniforms, their queues */
    PICA_PART_FIXED = 1 << 6,      /* all from `fixed` to `immediate`: fixed attributes, immediate vertex, queue */
    PICA_PART_GEOMETRY = 1 << 7,   /* geometry */
    PICA_PART_ASSEMBLER = 1 << 8,  /* assembler */
    PICA_PART_EVENTS = 1 << 9,     /* the class M events of pica/events.def (GEN-08) */
    PICA_PART_SCREENS = 1 << 10,   /* the pictures on the screens that the case makes show something (PDC) */
    PICA_PARTS_ALL = (1 << 11) - 1
};

/* Members of struct pica_limits, and `work` of struct pica_setup. */
enum pica_budget {
    PICA_BUDGET_COMMANDS = 1 << 0,
    PICA_BUDGET_VERTICES = 1 << 1,
    PICA_BUDGET_INSTRUCTIONS = 1 << 2,
    PICA_BUDGET_EMITS = 1 << 3,
    PICA_BUDGET_PIXELS = 1 << 4,
    PICA_BUDGET_WORK = 1 << 5,
    PICA_BUDGETS_ALL = (1 << 6) - 1
};

/*
 * What a backend models. What it does not model is not compared with other backends, and never counts as agreement:
 * picafuzz then says "agree (memory, registers)". Set at least `size` and `parts`; with 0 in all other members the
 * backend computes in binary32, stops at no budget, and keeps every register of its parts. Arrays must live as long as
 * the library.
 */
struct pica_models {
    size_t size;                        /* sizeof(struct pica_models) */
    uint32_t parts;                     /* enum pica_part, or'ed: what read_memory, read_state, read_events give */
    uint32_t budgets;                   /* enum pica_budget, or'ed: those at which it stops exactly (pica_limits) */
    uint32_t float24;                   /* 1: it takes PICA_PROFILE_F24; 0: cases that ask for it are not tested */
    const uint16_t *registers_not_kept; /* ids 0x000-0x2FF of part REGISTERS that it does not keep, in any order */
    uint32_t registers_not_kept_count;  /* 0 .. PICA_REGISTERS */
    const uint32_t *engine_registers;   /* physical addresses of part ENGINES that it keeps (0x10400000-0x10400FFC,
                                          * 0x10202204, 0x10202A04); NULL: all of them */
    uint32_t engine_registers_count;    /* 0 .. PICA_EXTERNAL_WORDS + 2 */
    uint32_t fresh_every;               /* number of cases after which picafuzz starts a new process for the backend,
                                           for emulators whose static variables outlive an instance; 0: never */
    uint64_t state_not_kept;            /* bit n: it does not keep the member with number n of pica/state.def (enum
                                           pica_state_part), although it declares the part that the member belongs to;
                                           a GPU without gas has UINT64_C(1) << PICA_STATE_TABLES_GAS */
};

/*
 * A backend. Functions after `read_memory` are optional: NULL means PICA_NOT_SUPPORTED. Set `size` in any case.
 * Order of calls: create, then any number of (load, any number of the others), then destroy. The observers (draws,
 * trace, features) may also be set before the first load.
 *
 * A call that returns PICA_NOT_SUPPORTED or PICA_BAD_ARGUMENT has changed nothing that the caller can see. What is
 * possible after PICA_NO_MEMORY and PICA_FAILED is said at enum pica_status. PICA_NOT_SUPPORTED from load or run means
 * that the case is not tested, and is no fault; any other status but PICA_OK is reported as a failure of the host.
 */
struct pica_backend {
    uint32_t abi;        /* PICA_BACKEND_ABI */
    const char *name;    /* short, lower case: "reference" */
    const char *summary; /* one line for people */

    /* Allocate here all memory of the instance that does not depend on the case. An emulator with static variables or
     * a single graphics context may refuse a second instance with PICA_NOT_SUPPORTED while the first one exists. The
     * caller passes `*instance` to all other functions, and frees it with destroy. */
    enum pica_status (*create)(const struct pica_options *options, void **instance);
    void (*destroy)(void *instance); /* accepts NULL */

    /* Puts the instance into the initial state of a case (struct pica_setup). Nothing of an earlier case may stay
     * observable. `setup` and all that it points to are borrowed until the call returns. */
    enum pica_status (*load)(void *instance, const struct pica_setup *setup);

    /* Executes one operation. If there is a `finish`, the work may still be going on when this returns. */
    enum pica_status (*run)(void *instance, const struct pica_operation *operation);

    /* Copies `size` bytes of guest memory to `out`; bytes outside the windows read as 0. */
    enum pica_status (*read_memory)(void *instance, uint32_t address, uint8_t *out, size_t size);

    /* Required if struct pica_models declares parts that these two functions give. Members of `out` in other parts are
     * not looked at and need not be written. */
    enum pica_status (*read_state)(void *instance, struct pica_state *out);
    enum pica_status (*read_events)(void *instance, struct pica_events *out);

    /* The bytes of window `window` (index into pica_setup.windows), without a copy. They are owned by the instance, and
     * valid until the next call other than view_memory and the read_... functions. */
    enum pica_status (*view_memory)(void *instance, uint32_t window, const uint8_t **bytes);

    /* Sets bit (p % 64) of bitmap[p / 64] for each page p of the window that was touched since load. `which`:
     * PICA_PAGES_WRITTEN, or PICA_PAGES_READ (only with PICA_OPTION_TRACK_READS). Chunks and LOAD_MEMORY count as
     * writes. Pages that were not touched may be reported, too. PICA_BAD_ARGUMENT if `words`, the length of `bitmap`,
     * is too small. */
    enum pica_status (*touched_pages)(void *instance, uint32_t window, int which, uint64_t *bitmap, size_t words);

    /* Calls `observer` for each draw from now on, also of later cases, until it is set to NULL. */
    enum pica_status (*observe_draws)(void *instance, pica_draw_observer observer, void *user);

    /* Reports the stages of one pixel or vertex of a later draw to `sink`. The request is copied, and holds for later
     * cases, too, until `request` is NULL. */
    enum pica_status (*trace)(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user);

    /* Snapshots of the whole machine. A snapshot can be restored any number of times, in the instance that saved it and
     * while that has the same setup as then. The caller frees it with discard. */
    enum pica_status (*save)(void *instance, void **snapshot);
    enum pica_status (*restore)(void *instance, const void *snapshot);
    void (*discard)(void *instance, void *snapshot);

    /* The picture that a screen (0 top, 1 bottom) would show now (PDC-03 to PDC-08): lines from the top, each from the
     * left, bytes r, g, b; PICA_TOP_COLUMNS or PICA_BOTTOM_COLUMNS x PICA_SCREEN_LINES pixels. `right_eye` not 0: the
     * second picture of the top screen (PDC-05). PICA_BAD_ARGUMENT if `size` is not exactly that of the picture.
     * PICA_NOT_SUPPORTED if the picture is not known: it is then not compared. */
    enum pica_status (*scan_out)(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size);

    /* From now on, also in later cases, counts internal happenings in counters[0 .. size), by the index of
     * pica/features.def, until `counters` is NULL. The array is borrowed until then. A counter that reaches 255 stays
     * there. The caller may clear counters between calls and inside the observer of draws. PICA_BAD_ARGUMENT if
     * `counters` is not NULL and `size` is less than the number of counters in features.def. */
    enum pica_status (*observe_features)(void *instance, uint8_t *counters, size_t size);

    /* A struct of ABI 2 ends here. */
    size_t size; /* sizeof(struct pica_backend) */

    /* Which results are compared; NULL: memory, and nothing else. */
    const struct pica_models *models;

    /* When this returns, all operations have been executed and their results are in guest memory: wait for your threads
     * and read your pictures back. Called before results are read, any number of times, also without work to do. */
    enum pica_status (*finish)(void *instance);
};

/* The one symbol a shared-library backend exports: const struct pica_backend *pica_backend_entry(void); */
typedef const struct pica_backend *(*pica_backend_entry_function)(void);

#ifdef __cplusplus
}
#endif

#endif
