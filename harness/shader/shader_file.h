/*
 * Shaders as their authors have them: a compiled file (DVLB, "shbin"; docs/formats/shader.md), raw words, or assembly
 * text of our own. Read, they are the same: code, operand descriptors, and one or more programs in it.
 */
#ifndef HARNESS_SHADER_SHADER_FILE_H
#define HARNESS_SHADER_SHADER_FILE_H

#include "harness/case/shader_asm.h"
#include "harness/case/text.h"
#include "pica/backend.h"

enum {
    HARNESS_SHADER_PROGRAMS = 64,
    HARNESS_SHADER_ENTRIES = 1024,     /* of one table of a program */
    HARNESS_SHADER_ALL_ENTRIES = 8192, /* of all tables of all programs */
    HARNESS_SHADER_NAME = 255          /* bytes of a name at most */
};

enum harness_shader_kind {
    HARNESS_SHADER_DVLB,
    HARNESS_SHADER_RAW,
    HARNESS_SHADER_TEXT
};

/* Some registers of one bank, called by a name; `name` is printable ASCII. */
struct harness_shader_name {
    const char *name;
    char bank;            /* v c i b; '?': the file says a register that there is not */
    uint32_t first, last; /* first <= last */
};

struct harness_shader_constant {
    char bank;         /* c i b */
    uint32_t number;   /* of the register */
    uint32_t words[4]; /* c: float24, x first; i: a byte each; b: 0 or 1 in the first */
};

struct harness_shader_label {
    const char *name; /* printable ASCII */
    uint32_t address; /* in code words, 0 .. code_count */
};

/* What an output is for: the component c of the register where mask bit c is set. */
struct harness_shader_output {
    uint32_t meaning; /* 0-9: harness_shader_meaning */
    uint32_t number;  /* o0-o15 */
    uint32_t mask;    /* bit 0: x */
};

/* Uniforms that a hunt varies: a bit or an element for each register. */
struct harness_shader_varied {
    bool floats[96];
    uint32_t integers, booleans;
};

struct harness_shader_program {
    uint32_t unit;                 /* PICA_UNIT_* */
    uint32_t entry, end;           /* in code words; end: of the last instruction of main, as the file says */
    uint32_t input_mask;           /* bit k: vk is read; the file's word, or found in the code */
    uint32_t output_mask;          /* bit k: ok is written */
    uint32_t geometry_mode;        /* 0 point, 1 variable, 2 fixed */
    uint32_t geometry_first;       /* fixed: the c register of the first vertex */
    uint32_t geometry_vertices[2]; /* how many are whole (variable), how many there are (fixed) */
    struct harness_shader_constant *constants;
    struct harness_shader_label *labels;
    struct harness_shader_output *outputs;
    struct harness_shader_name *names;
    uint32_t constant_count, label_count, output_count, name_count;
    struct harness_shader_varied varied; /* shader_vary.h finds it */
};

struct harness_shader_file {
    enum harness_shader_kind kind;
    uint32_t version; /* of a DVLB's code part */
    uint32_t code[HARNESS_MAX_CODE];
    uint32_t code_count;
    struct harness_descriptors descriptors; /* those of the file are known whole */
    uint32_t descriptor_count;
    struct harness_shader_program *programs;
    uint32_t program_count; /* at least 1 */
    char *strings;          /* what names point into; the file's */
    uint32_t digest;        /* of the bytes it was read from (case/hash.h); whoever loads them sets it */
};

/*
 * `name` is what messages call the file: "name: offset 0x40: expected X, found Y". `file` must be zero; it is to be
 * freed whatever the result.
 */
enum harness_status harness_shader_read_dvlb(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                             const char *name, struct harness_error *error);

/* Little-endian words of code; of descriptors (size 0: none are known). One vertex program that begins at word 0. */
enum harness_status harness_shader_read_raw(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                            const char *name, struct harness_error *error);
enum harness_status harness_shader_read_descriptors(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                                    const char *name, struct harness_error *error);

/* What shader_asm.h assembles. */
enum harness_status harness_shader_read_text(struct harness_shader_file *file, const char *text, size_t size,
                                             const char *name, struct harness_error *error);

void harness_shader_file_free(struct harness_shader_file *file);

/* The register that a source (0-2) of an instruction names: v0-v15 are 0 to 15, then r, c. False: there is none. */
bool harness_shader_source(uint32_t word, uint32_t source, uint32_t *number, bool *is_indexed);

/* The first instruction whose operand descriptor the file does not have; code_count: there is none. */
uint32_t harness_shader_undescribed(const struct harness_shader_file *file, uint32_t *descriptor);

/* "position", "color", ...: what an output can be for; NULL beyond the last. */
const char *harness_shader_meaning(uint32_t meaning);

/* SH_OUTMAP_O*: the semantic of component c of an output that is for that; 0x1F: none. */
uint32_t harness_shader_semantic(uint32_t meaning, uint32_t component);

/* What a program calls a register: "projection[1]", "inpos", "position"; false: nothing. `bank` is also o. */
bool harness_shader_register_name(const struct harness_shader_program *program, char bank, uint32_t number,
                                  struct harness_text *out);

/* The same with a space before it; nothing if there is no name. */
void harness_shader_add_name(const struct harness_shader_program *program, char bank, uint32_t number,
                             struct harness_text *out);

/* The beginning of a path, in one line. */
void harness_shader_add_path(const char *path, struct harness_text *out);

struct harness_shader_register {
    char bank; /* v c i b */
    uint32_t number;
    uint32_t count; /* registers that are meant from there on: 4 of a matrix without "[k]" */
};

/* A name, or "c4", "v0", "i1", "b15", with "[k]" behind it or not; false: it names no register. A number that is the
 * first of a name's registers means all of them. */
bool harness_shader_find_register(const struct harness_shader_program *program, const char *text, size_t length,
                                  struct harness_shader_register *out);

#endif
