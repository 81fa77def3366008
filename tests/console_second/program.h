/*
 * Writes small programs for the console, instruction by instruction, so that tests need no compiler for ARM. A program
 * is a straight line. It keeps handles in `slots`, words of the launcher's stack, and r9 is its thread's memory.
 */
#ifndef CONSOLE_SECOND_PROGRAM_H
#define CONSOLE_SECOND_PROGRAM_H

#include <stdint.h>

enum {
    MOST_CODE = 8192, /* words */
    STACK = 0x0FFFF000,
    TEXT = STACK + 0x800, /* where texts are put */
    LINEAR = 0x30000000,
    VRAM = 0x1F000000,
    SHARED = 0x10000000 /* gsp's page */
};

/* What a program keeps. */
enum slot {
    SLOT_NONE,
    SLOT_SRV,
    SLOT_FS,
    SLOT_FILE,
    SLOT_GSP,
    SLOT_EVENT,
    SLOT_PAGE,
    SLOT_APT,
    SLOT_LOCK,
    SLOT_RESUME
};

struct program {
    uint32_t code[MOST_CODE];
    uint32_t words;
};

void program_begin(struct program *p); /* with a block "_prm", and r9 set */
void program_word(struct program *p, uint32_t instruction);
void program_set(struct program *p, uint32_t reg, uint32_t value);
void program_save(struct program *p, enum slot slot, uint32_t reg);
void program_load(struct program *p, uint32_t reg, enum slot slot);
void program_store(struct program *p, uint32_t address, uint32_t value);           /* one word */
void program_store_exclusive(struct program *p, uint32_t address, uint32_t value); /* LDREX, STREX */
void program_expect(struct program *p, uint32_t address, uint32_t value);          /* else Break */
void program_call(struct program *p, uint32_t number); /* the system call, with the registers as they are */
void program_call_with(struct program *p, uint32_t number, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3);

/* A message to the service in `session`: its header and `count` words. A word of the kind HANDLE(slot) is a handle. */
#define HANDLE(slot) (UINT64_C(1) << 32 | (uint64_t)(slot))
void program_send(struct program *p, enum slot session, uint32_t header, const uint64_t *words, uint32_t count);
#define SEND(p, session, ...) \
    program_send_list(p, session, (const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)
void program_send_list(struct program *p, enum slot session, const uint64_t *header_and_words, uint32_t count);
void program_receive(struct program *p, uint32_t slot, uint32_t address, uint32_t bytes); /* a static buffer */
void program_answer(struct program *p, enum slot slot, uint32_t word); /* keeps a word of the reply */

/* Writes it as a .3dsx file, with segments rodata (8 bytes: the address of itself, 0x600D600D) and data (4 bytes, and 4
 * of bss). 0, or -1 where the file cannot be written. */
int program_write(const struct program *p, const char *file);

#endif
