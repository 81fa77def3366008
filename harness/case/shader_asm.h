/*
 * Shader assembly with the mnemonics of the 3DS community: words -> text -> the same words, for every word.
 *
 *     main:   dp4 o0.x, c0, v0          @1
 *             mad r0.xyz, v0, c[a0.x+2], -r1.wzyx @2
 *             ifc cmp.x && !cmp.y, else, end
 *             loop i1, last             ; last = address of the last instruction of the body
 *             jmpu !b3, main ^ 0x300    ; "^ bits" = bits of the word that differ from what the operands give
 *             .word 0x40000000
 *
 * An instruction holds registers; masks, swizzles and signs lie in the operand descriptor that "@n" names (SHD-21). The
 * disassembler shows them if it is given the descriptors. The assembler takes "@n" as it is and reports what the text
 * says about descriptor n; with source->allocate that descriptor gets it, and without "@n" one is found or made.
 * Comments start with ';' or '#'.
 */
#ifndef HARNESS_SHADER_ASM_H
#define HARNESS_SHADER_ASM_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_DESCRIPTORS = 128, /* REG-21: those an instruction can name */
    HARNESS_MAX_CODE = 4096
};

/* Operand descriptors as far as they are known. */
struct harness_descriptors {
    uint32_t words[HARNESS_DESCRIPTORS];
    uint32_t known[HARNESS_DESCRIPTORS]; /* the bits of words[i] that are decided; 0 = free */
};

/* A piece of code, and how its text says it. */
struct harness_code {
    const uint32_t *words;
    uint32_t count;
    uint32_t first;                                /* code address of the first word */
    const struct harness_descriptors *descriptors; /* NULL: none; of entries with known = 0 nothing is shown */
    const char *const *labels; /* names of the addresses first + i, 0 <= i <= count. Without a name (NULL here or as an
                                * element) an address that something jumps to is called "L12". */
    /* May be NULL. Appends to the line of an instruction, `line` being its text so far. */
    void (*remark)(void *user, uint32_t address, const char *line, struct harness_text *out);
    void *user;
};

/* Appends the instruction without a newline. Jump targets inside `code` (may be NULL) are labels, others numbers. */
void harness_shader_print(uint32_t word, const struct harness_descriptors *descriptors, const struct harness_code *code,
                          struct harness_text *out);

/* Appends a line for each word, indented, with labels. */
void harness_shader_disassemble(const struct harness_code *code, uint32_t indent, struct harness_text *out);

/* Is the text a valid label, and not one of those that the disassembler makes up ("L12")? */
bool harness_shader_is_label(const char *text);

/* What the text of one instruction says about its descriptor. */
struct harness_shader_use {
    uint32_t line; /* of the text, counted from first_line */
    uint32_t number;
    uint32_t bits;
    uint32_t mask; /* the bits that the text decides */
};

struct harness_shader_source {
    const char *text;
    size_t size;
    const char *name;    /* for messages */
    uint32_t first_line; /* number of the first line, for messages */
    uint32_t first;      /* code address of the first instruction */
    bool allocate;       /* instructions without "@n" get a descriptor; otherwise they are errors */
};

/*
 * Assembles at most HARNESS_MAX_CODE instructions. words and uses (may be NULL) have room for as many; *count is set.
 * With source->allocate, `descriptors` (not NULL) holds what may be used already and gets what is new; two instructions
 * that say different things about a descriptor are an error.
 */
enum harness_status harness_shader_assemble(const struct harness_shader_source *source,
                                            struct harness_descriptors *descriptors, uint32_t *words,
                                            struct harness_shader_use *uses, uint32_t *count,
                                            struct harness_error *error);

/* "xyzw, xyzw, -wzyx, xyzw": destination mask and the three sources of a descriptor; bit 31 as "| 0x80000000". */
void harness_descriptor_print(uint32_t word, struct harness_text *out);

#endif
