#include "tests/console_second/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    R0 = 0,
    R1 = 1,
    R8 = 8, /* scratch, with R10 */
    R9 = 9,
    R10 = 10
};

void program_word(struct program *p, uint32_t instruction)
{
    assert(p->words < MOST_CODE);
    p->code[p->words++] = instruction;
}

void program_begin(struct program *p)
{
    p->words = 0;
    program_word(p, 0xEA000006); /* b over the block */
    program_word(p, 0x6D72705F); /* "_prm" */
    for (int i = 0; i < 6; i++)
        program_word(p, 0);
    program_word(p, 0xEE1D9F70); /* mrc p15, 0, r9, c13, c0, 3 */
}

/* ldr reg, [pc]; b over the literal; the literal */
void program_set(struct program *p, uint32_t reg, uint32_t value)
{
    program_word(p, 0xE59F0000 | reg << 12);
    program_word(p, 0xEA000000);
    program_word(p, value);
}

static void store_register(struct program *p, uint32_t reg, uint32_t base, uint32_t offset)
{
    program_word(p, 0xE5800000 | base << 16 | reg << 12 | offset);
}

static void load_register(struct program *p, uint32_t reg, uint32_t base, uint32_t offset)
{
    program_word(p, 0xE5900000 | base << 16 | reg << 12 | offset);
}

void program_save(struct program *p, enum slot slot, uint32_t reg)
{
    program_set(p, R10, STACK);
    store_register(p, reg, R10, 4 * (uint32_t)slot);
}

void program_load(struct program *p, uint32_t reg, enum slot slot)
{
    program_set(p, R10, STACK);
    load_register(p, reg, R10, 4 * (uint32_t)slot);
}

void program_store(struct program *p, uint32_t address, uint32_t value)
{
    program_set(p, R8, value);
    program_set(p, R10, address);
    store_register(p, R8, R10, 0);
}

void program_store_exclusive(struct program *p, uint32_t address, uint32_t value)
{
    program_set(p, R8, value);
    program_set(p, R10, address);
    program_word(p, 0xE19ABF9F); /* ldrex r11, [r10] */
    program_word(p, 0xE18ABF98); /* strex r11, r8, [r10] */
}

void program_expect(struct program *p, uint32_t address, uint32_t value)
{
    program_set(p, R8, value);
    program_set(p, R10, address);
    load_register(p, R10, R10, 0);
    program_word(p, 0xE158000A); /* cmp r8, r10 */
    program_word(p, 0x0A000000); /* beq over the next */
    program_word(p, 0xEF00003C); /* Break */
}

void program_call(struct program *p, uint32_t number)
{
    program_word(p, 0xEF000000 | number);
}

void program_call_with(struct program *p, uint32_t number, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3)
{
    const uint32_t values[] = { r0, r1, r2, r3 };
    for (uint32_t i = 0; i < 4; i++)
        program_set(p, i, values[i]);
    program_call(p, number);
}

void program_send(struct program *p, enum slot session, uint32_t header, const uint64_t *words, uint32_t count)
{
    program_set(p, R8, header);
    store_register(p, R8, R9, 0x80);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] >> 32 != 0)
            program_load(p, R8, (enum slot)(uint32_t)words[i]);
        else
            program_set(p, R8, (uint32_t)words[i]);
        store_register(p, R8, R9, 0x84 + 4 * i);
    }
    program_load(p, R0, session);
    program_call(p, 0x32);
}

void program_send_list(struct program *p, enum slot session, const uint64_t *header_and_words, uint32_t count)
{
    program_send(p, session, (uint32_t)header_and_words[0], header_and_words + 1, count - 1);
}

void program_receive(struct program *p, uint32_t slot, uint32_t address, uint32_t bytes)
{
    program_set(p, R8, bytes << 14 | 2);
    store_register(p, R8, R9, 0x180 + 8 * slot);
    program_set(p, R8, address);
    store_register(p, R8, R9, 0x184 + 8 * slot);
}

void program_answer(struct program *p, enum slot slot, uint32_t word)
{
    load_register(p, R8, R9, 0x80 + 4 * word);
    program_save(p, slot, R8);
}

int program_write(const struct program *p, const char *file)
{
    const uint32_t code = 4 * p->words, pages = (code + 0xFFF) / 0x1000 * 0x1000;
    const uint32_t header[] = { 0x58534433, 8u << 16 | 32, 0, 0, code, 8, 8, 4, 0, 0, 1, 0, 0, 0 };
    const uint32_t segments[] = { pages, 0x600D600D, 0x11223344 }; /* rodata, data; the first word is relocated */
    const uint32_t relocation = 1u << 16;                          /* skip 0, patch 1 */
    FILE *const out = fopen(file, "wb");
    if (out == NULL)
        return -1;
    fwrite(header, 4, sizeof header / 4, out);
    fwrite(p->code, 4, p->words, out);
    fwrite(segments, 4, 3, out);
    fwrite(&relocation, 4, 1, out);
    return fclose(out);
}
