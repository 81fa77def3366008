/* Writes compiled shader files, field by field from docs/formats/shader.md, without what reads them. */
#ifndef TESTS_SHADER_DVLB_H
#define TESTS_SHADER_DVLB_H

#include "harness/case/text.h"

#include <stdint.h>

enum {
    DVLB_MOST = 160
};

struct dvlb_program {
    uint8_t unit; /* 0 vertex, 1 geometry */
    uint32_t entry, end;
    uint16_t input_mask, output_mask;
    uint8_t geometry[4];
    struct {
        uint16_t kind, number; /* 0 bool, 1 integers, 2 float24 */
        uint32_t words[4];     /* integers: all four bytes in the first */
    } constants[DVLB_MOST];
    struct {
        const char *name;
        uint32_t address;
    } labels[DVLB_MOST];
    struct {
        uint16_t meaning, number, mask;
    } outputs[16];
    struct {
        const char *name;
        uint16_t first, last; /* as the format numbers registers */
    } names[DVLB_MOST];
    uint32_t constant_count, label_count, output_count, name_count;
};

/* Appends a file of that code, with 8 bytes for each descriptor. */
void dvlb_write(const uint32_t *code, uint32_t code_count, const uint32_t *descriptors, uint32_t descriptor_count,
                const struct dvlb_program *programs, uint32_t program_count, struct harness_text *out);

#endif
