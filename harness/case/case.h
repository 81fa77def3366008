/*
 * The model of a test case: what one case is, in memory. Generators build it, mutators change it, the reducer shrinks
 * it, the runner lowers it to what `pica/backend.h` takes. Files: harness/case/formats.h.
 *
 * Ownership. A case owns one arena; every array, string and byte reachable from it lies there and goes with it.
 * Nothing is freed singly: functions that replace something leave the old bytes until the case is reset or copied (a
 * copy is compact). So pointers taken from a case stay readable until then, but array pointers (`operations`,
 * `commands`) move when something is inserted. Never store a pointer into another case's arena.
 *
 * Functions that can run out of memory return false (or NULL) and leave the case as it was.
 */
#ifndef HARNESS_CASE_H
#define HARNESS_CASE_H

#include "harness/case/arena.h"
#include "harness/case/error.h"
#include "harness/case/state.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------------------------------------------------- limits */

/* harness_case_check refuses anything beyond these; every decoder stays below them. */
enum {
    HARNESS_MAX_CHUNKS = 65536,
    HARNESS_MAX_OPERATIONS = 65536,
    HARNESS_MAX_DATA = 1 << 26,      /* bytes of all memory contents of a case, lists included */
    HARNESS_MAX_COMMANDS = 1 << 22,  /* of all lists of a case */
    HARNESS_MAX_TEXT = 4096,         /* bytes of one comment or note */
    HARNESS_MAX_PARAMETERS = 256,    /* CMD-02: 1 + N */
    HARNESS_MAX_LAYOUT_FIELDS = 16,  /* of a data table */
    HARNESS_MAX_BUDGET = 0x10000000, /* CMD-20 */
    HARNESS_DEFAULT_WORK = 0x1000000 /* CMD-20: LIM_WORK */
};

/* Bounds of the binary form: what a fuzzer may build. Generators stay below them. */
enum {
    HARNESS_PCB_USUAL_WINDOW = 0x10000,     /* bytes at the start of VRAM: what a file without windows has */
    HARNESS_PCB_MAX_WINDOW_BYTES = 1 << 22, /* sum of all windows */
    HARNESS_PCB_MAX_OPERATIONS = 1024,
    HARNESS_PCB_MAX_CHUNKS = 1024,
    HARNESS_PCB_MAX_COMMANDS = 1 << 16, /* of all lists */
    HARNESS_PCB_MAX_DATA = 1 << 20      /* bytes of all contents, patterns expanded, 16 more for each list */
};

/* -------------------------------------------------------------------------------------------------- command lists */

/* One command of a list (CMD-01, CMD-02). Every bit that the list holds is here, whether it means something or not.
 * Commands of a list and parameters are read-only: harness_list_edit gives one that may be changed. */
struct harness_command {
    uint16_t id;
    uint16_t count;             /* parameters: 1-256 (header N + 1) */
    uint8_t mask;               /* 0-15 */
    uint8_t ignored;            /* header bits 30:28, 0-7 */
    bool consecutive;           /* header bit 31 */
    uint32_t padding;           /* the padding word, if count is even; 0 otherwise */
    const uint32_t *parameters; /* count words */
    const char *comment;        /* or NULL; lines end with \n, but for the last */
};

/* A list in memory: commands, then words that do not form a whole command. Any sequence of words is such a list. */
struct harness_list {
    const struct harness_command *commands;
    uint32_t count;
    uint32_t capacity;
    uint32_t *tail;
    uint32_t tail_count;
};

/* ------------------------------------------------------------------------------------------------- memory contents */

enum harness_data_kind {
    HARNESS_DATA_BYTES = 0,   /* bytes[size] */
    HARNESS_DATA_TABLE = 1,   /* bytes[size], shown and mutated as rows of `layout` */
    HARNESS_DATA_PATTERN = 2, /* `size` bytes computed from `pattern` and `value` */
    HARNESS_DATA_LIST = 3     /* `list`, encoded; size is that of the encoding */
};

enum harness_element {
    HARNESS_ELEMENT_S8 = 0,
    HARNESS_ELEMENT_U8 = 1,
    HARNESS_ELEMENT_S16 = 2,
    HARNESS_ELEMENT_F32 = 3, /* 0-3 as VTX-02 numbers them */
    HARNESS_ELEMENT_U16 = 4,
    HARNESS_ELEMENT_U32 = 5,
    HARNESS_ELEMENT_PAD = 6 /* bytes */
};

/* A row is fields one after another without alignment; `count` elements each, 1-255. At most 16 fields. */
struct harness_layout {
    uint8_t field_count; /* at least 1 in a table */
    struct {
        uint8_t element; /* enum harness_element */
        uint8_t count;
    } fields[HARNESS_MAX_LAYOUT_FIELDS];
};

enum harness_pattern {
    HARNESS_PATTERN_FILL = 0, /* the little-endian bytes of `value`, repeated */
    HARNESS_PATTERN_RAMP = 1, /* byte i = value[7:0] + i * value[15:8] + (i >> 8) * value[23:16] */
    HARNESS_PATTERN_NOISE = 2 /* pseudo-random bytes, seed = value */
};

struct harness_data {
    enum harness_data_kind kind;
    uint32_t size;                /* bytes; for a list use harness_data_size */
    uint8_t *bytes;               /* BYTES, TABLE; NULL otherwise */
    struct harness_layout layout; /* TABLE */
    enum harness_pattern pattern; /* PATTERN */
    uint32_t value;               /* PATTERN */
    struct harness_list list;     /* LIST */
};

/* ------------------------------------------------------------------------------------------------------------ case */

/* Initial contents of memory. */
struct harness_chunk {
    uint32_t address;
    struct harness_data data;
    const char *comment; /* as in struct harness_command */
};

enum harness_operation_kind {
    HARNESS_LOAD = 0,     /* MEM-08: data to address */
    HARNESS_RUN = 1,      /* load the list `data` at address, padded to 16 bytes, then submit exactly it */
    HARNESS_SUBMIT = 2,   /* EXT-CMD-14: the list of `size` bytes at address */
    HARNESS_WRITE = 3,    /* PSC-12: CPU write of words[0] to address */
    HARNESS_FILL = 4,     /* fill unit `unit`: START END VALUE CTRL = words[0..3] */
    HARNESS_TRANSFER = 5, /* C00 C04 C08 C0C C10 C14 C20 C24 C28 = words[0..8], then C18 = 1; also texture copies */
    HARNESS_VBLANK = 6,   /* vertical blank of screen `unit`: 0 top, 1 bottom */
    HARNESS_NOTE = 7      /* text, no effect */
};

/* One step. Members that a kind does not name are 0 or NULL. */
struct harness_operation {
    enum harness_operation_kind kind;
    uint32_t unit;
    uint32_t address;
    uint32_t size;
    uint32_t words[9];
    struct harness_data data; /* LOAD, RUN (always a list) */
    const char *text;         /* NOTE; one line */
    const char *comment;      /* as in struct harness_command */
};

struct harness_case {
    const char *comment; /* head of the file, or NULL */
    struct pica_window windows[PICA_MAX_WINDOWS];
    uint32_t window_count;
    struct pica_limits limits;
    uint32_t work; /* CMD-23; a case always has this limit */
    enum pica_profile profile;
    struct harness_state *state; /* NULL: reset state (REG-02, REG-04) */
    struct harness_chunk *chunks;
    uint32_t chunk_count;
    uint32_t chunk_capacity;
    struct harness_operation *operations;
    uint32_t operation_count;
    uint32_t operation_capacity;
    struct harness_arena arena;
};

/* -------------------------------------------------------------------------------------------------- life of a case */

/* The empty case: no window, default limits (CMD-20), profile f32. NULL if the host refuses memory. */
struct harness_case *harness_case_create(void);
void harness_case_destroy(struct harness_case *test_case); /* accepts NULL */

/* Back to the empty case, keeping memory for the next use. */
void harness_case_reset(struct harness_case *test_case);

/* Makes `to` a deep, compact copy of `from`. On failure `to` is empty. */
bool harness_case_copy(struct harness_case *to, const struct harness_case *from);
struct harness_case *harness_case_clone(const struct harness_case *test_case);

/* The same windows, limits, profile, state, chunks and operations, kind by kind and word by word.
 * `with_comments`: also the same comments (notes are operations and always compared). */
bool harness_case_equal(const struct harness_case *a, const struct harness_case *b, bool with_comments);

/* Can a backend take this case? MEM-01, CMD-20, ranges of all members. The message names the member. */
enum harness_status harness_case_check(const struct harness_case *test_case, struct harness_error *error);

/* CMD-20: the defaults of the specification, and the smaller ones it calls sensible for fuzzing. */
struct pica_limits harness_limits_default(void);
struct pica_limits harness_limits_fuzzing(void);

/* ------------------------------------------------------------------------------------------- building and changing */

/* Appends a window without checking the rules of MEM-01. False if there are 16 already. */
bool harness_case_add_window(struct harness_case *test_case, uint32_t address, uint32_t size);

/* Makes the windows valid in place (MEM-01): rounds, moves, cuts, drops. At most `bytes` in all; at least one remains
 * (VRAM's first 64 KiB if nothing else). Valid windows within `bytes` stay as they are. */
void harness_case_fix_windows(struct harness_case *test_case, uint32_t bytes);

/* The initial state, which is created with nothing given if the case has none; NULL without memory. */
struct harness_state *harness_case_state(struct harness_case *test_case);

/* Insert before `index` (the count: append) and return the new element, whose other members are 0; NULL without memory
 * or at the limit. Contents are taken over as they are: bytes and lists must lie in this case's arena. */
struct harness_chunk *harness_case_insert_chunk(struct harness_case *test_case, uint32_t index, uint32_t address,
                                                const struct harness_data *data);
struct harness_operation *harness_case_insert(struct harness_case *test_case, uint32_t index,
                                              const struct harness_operation *operation);

void harness_case_remove_chunks(struct harness_case *test_case, uint32_t index, uint32_t count);
void harness_case_remove(struct harness_case *test_case, uint32_t index, uint32_t count);

/* Append one element and return it, or NULL as above; harness_case_append leaves all members but the kind 0. */
struct harness_chunk *harness_case_add_chunk(struct harness_case *test_case, uint32_t address,
                                             const struct harness_data *data);
struct harness_operation *harness_case_append(struct harness_case *test_case, enum harness_operation_kind kind);
struct harness_operation *harness_case_add_load(struct harness_case *test_case, uint32_t address,
                                                const struct harness_data *data);
struct harness_operation *harness_case_add_run(struct harness_case *test_case, uint32_t address); /* empty list */
struct harness_operation *harness_case_add_submit(struct harness_case *test_case, uint32_t address, uint32_t size);
struct harness_operation *harness_case_add_write(struct harness_case *test_case, uint32_t address, uint32_t value);
struct harness_operation *harness_case_add_fill(struct harness_case *test_case, uint32_t unit, const uint32_t words[4]);
struct harness_operation *harness_case_add_transfer(struct harness_case *test_case, const uint32_t words[9]);
struct harness_operation *harness_case_add_vblank(struct harness_case *test_case, uint32_t screen);

/* Copies `text` into the arena; newlines and control characters of one-line texts become spaces. */
const char *harness_case_text(struct harness_case *test_case, const char *text, bool one_line);

/* Copies `from`, which may be NULL, into the arena as it is. False without memory. */
bool harness_case_copy_text(struct harness_case *to, const char **out, const char *from);

/* NULL equals only NULL. */
bool harness_texts_equal(const char *a, const char *b);

/* Memory contents in the arena of `test_case`. False without memory. */
bool harness_data_bytes(struct harness_case *test_case, struct harness_data *out, const uint8_t *bytes, size_t size);
bool harness_data_table(struct harness_case *test_case, struct harness_data *out, const struct harness_layout *layout,
                        const uint8_t *bytes, size_t size);
void harness_data_pattern(struct harness_data *out, enum harness_pattern pattern, uint32_t value, uint32_t size);
void harness_data_list(struct harness_data *out, const struct harness_list *list);
bool harness_data_decode(struct harness_case *test_case, struct harness_data *out, const uint8_t *bytes,
                         size_t size); /* the list that the words of these bytes are */

/* Deep copy of contents or of a list into the arena of `to` (also from another case: crossover). */
bool harness_data_copy(struct harness_case *to, struct harness_data *out, const struct harness_data *from);
bool harness_list_copy(struct harness_case *to, struct harness_list *out, const struct harness_list *from);

bool harness_data_equal(const struct harness_data *a, const struct harness_data *b, bool with_comments);

/* Bytes that the contents occupy in memory (`padded`: as RUN loads a list, a multiple of 16). */
uint64_t harness_data_size(const struct harness_data *data, bool padded);

/* Writes the contents as memory gets them; `out` holds harness_data_size(data, padded) bytes. */
void harness_data_write(const struct harness_data *data, bool padded, uint8_t *out);

/* Turns a PATTERN into BYTES with the same contents, a TABLE into BYTES; false without memory. */
bool harness_data_flatten(struct harness_case *test_case, struct harness_data *data);

uint32_t harness_element_size(enum harness_element element); /* bytes */
uint32_t harness_layout_size(const struct harness_layout *layout);

/* ------------------------------------------------------------------------------------------------- lists (list.c) */

/* CMD-02: the header word of a command. */
uint32_t harness_command_header(const struct harness_command *command);

/* The register that a parameter goes to (CMD-03, CMD-04): id + parameter if consecutive, else id. */
uint32_t harness_command_register(const struct harness_command *command, uint32_t parameter);

/* Does the command write one of the registers `first` to `last`? */
bool harness_command_writes_to(const struct harness_command *command, uint32_t first, uint32_t last);

/* Does the command draw, or begin immediate vertices (VTX-20, VTX-41)? */
bool harness_command_draws(const struct harness_command *command);

/* What a command writes. */
struct harness_writes {
    uint16_t id;
    uint8_t mask; /* 0-15 */
    bool consecutive;
    const uint32_t *parameters; /* borrowed */
    uint32_t count;             /* 1-256 */
};
struct harness_writes harness_command_writes(const struct harness_command *command);

/* Inserts before `index` (the count: append) one command that makes these writes, with a copy of the parameters; its
 * ignored bits and padding are 0. NULL without memory. */
struct harness_command *harness_list_insert(struct harness_case *test_case, struct harness_list *list, uint32_t index,
                                            const struct harness_writes *writes);

/* Inserts deep copies of `count` commands before `index`; `from` must not lie in the same array. Returns how many were
 * inserted: fewer only without memory. */
uint32_t harness_list_insert_copies(struct harness_case *to, struct harness_list *list, uint32_t index,
                                    const struct harness_command *from, uint32_t count);

/* Appends `id = value` with mask 0xF; false without memory. */
bool harness_list_write(struct harness_case *test_case, struct harness_list *list, uint16_t id, uint32_t value);
bool harness_list_write_masked(struct harness_case *test_case, struct harness_list *list, uint16_t id, uint8_t mask,
                               uint32_t value);

/* Appends writes of `count` words to one port, split into commands of at most 256 parameters. */
bool harness_list_write_port(struct harness_case *test_case, struct harness_list *list, uint16_t id,
                             const uint32_t *words, size_t count);

void harness_list_remove(struct harness_list *list, uint32_t index, uint32_t count);

/* Moves the command to the place of command `to`; those in between move up or down. */
void harness_list_move(struct harness_list *list, uint32_t from, uint32_t to);
void harness_list_swap(struct harness_list *list, uint32_t a, uint32_t b);

/* The command at `index` to be changed, until the list gets or loses commands. The only way to change one: whatever
 * was derived from the command, such as a copy of its encoding, is out of date afterwards. */
struct harness_command *harness_list_edit(struct harness_list *list, uint32_t index);

/* The parameters of such a command, to be changed in place. */
uint32_t *harness_command_edit(struct harness_command *command);

/* Gives a command other parameters (a copy). False without memory. */
bool harness_command_set(struct harness_case *test_case, struct harness_command *command, const uint32_t *parameters,
                         uint32_t count);

/* How many words the encoding takes, and those words. */
uint32_t harness_command_words(const struct harness_command *command);
uint64_t harness_list_words(const struct harness_list *list);
void harness_list_encode(const struct harness_list *list, uint32_t *words); /* harness_list_words(list) of them */

/* Word index of the header of command `index` in the encoding: what `struct pica_draw.list_word` reports. */
uint64_t harness_list_header_word(const struct harness_list *list, uint32_t index);

/* Any words -> a list whose encoding is exactly those words. False without memory. */
bool harness_list_decode(struct harness_case *test_case, struct harness_list *out, const uint32_t *words, size_t count);

/* -------------------------------------------------------------------------------------------- lowering (lower.c) */

/* A case as a backend takes it. Created once, set many times; borrows bytes from the case it is set to. */
struct harness_program {
    struct pica_setup setup;
    struct pica_operation *operations;
    uint32_t *origins; /* operations[i] comes from operation origins[i] of the case */
    uint32_t count;
    struct harness_arena arena;
};

struct harness_program *harness_program_create(void);
void harness_program_destroy(struct harness_program *program); /* accepts NULL */

/*
 * Lowers a valid case: lists are encoded to bytes, RUN becomes LOAD_MEMORY and SUBMIT_LIST, notes vanish, the initial
 * state is completed by REG-45. Valid until the case changes or the program is set again. The caller may change
 * program->setup.limits.
 */
enum harness_status harness_case_setup(const struct harness_case *test_case, struct harness_program *program,
                                       struct harness_error *error);

#endif
