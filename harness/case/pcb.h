/*
 * The binary form, shared by its two directions. docs/formats/pcb.md explains it.
 *
 * A file is a sequence of records; each starts with a little-endian 16-bit head:
 *   bit 15 = 0: a command of the open list. Bits 9:0 id code, 13:10 byte mask XOR 0xF, 14 long form.
 *   bits 15:12 = 8: a record. Bits 11:8 the kind below, bits 7:0 a small argument.
 *   bits 15:12 = 9: the same, its words packed.
 *   bits 15:13 = 5: a command of several parameters, or an odd one, in short.
 *   bits 15:14 = 3: a plain command of one parameter in short. Bits 9:0 id code, 13:10 which bytes follow.
 *
 * Packed words: before each pair a byte whose low half says which bytes of the first follow, the high half which of the
 * second; the others are 0.
 */
#ifndef HARNESS_PCB_H
#define HARNESS_PCB_H

#include <stdint.h>

/* The argument of a LIMIT record that means the limit of work. Every other argument counts modulo 5, as all did before
 * there was this limit, so that arbitrary bytes still decode to the same case. */
enum {
    PCB_LIMIT_WORK = 5
};

enum pcb_kind {
    PCB_WINDOW = 0,    /* arg bit 0: FCRAM; u32: bits 15:0 page, 31:16 pages */
    PCB_LIMIT = 1,     /* arg: PCB_LIMIT_WORK, or mod 5 the index in struct pica_limits; u32 */
    PCB_PROFILE = 2,   /* arg bit 0: f24 */
    PCB_STATE = 3,     /* arg: part, or none of them; varint first, varint count, elements of 1, 2 or 4 bytes */
    PCB_BYTES = 4,     /* arg bit 0: load, else initial memory; u32 address, varint size, bytes */
    PCB_TABLE = 5,     /* as BYTES; between address and size: u8 fields, then two bytes a field */
    PCB_PATTERN = 6,   /* arg bit 0 as BYTES, bits 2:1 pattern; u32 address, u32 value, varint size */
    PCB_LIST = 7,      /* arg bit 0 as BYTES; u32 address; opens a list */
    PCB_RUN = 8,       /* u32 address; opens a list that is run */
    PCB_TAIL = 9,      /* varint count, words: the tail of the open list, which it closes */
    PCB_SUBMIT = 10,   /* u32 address, u32 size */
    PCB_WRITE = 11,    /* arg 0: u32 address, u32 value; arg > 0: u32 value to register arg of the table */
    PCB_FILL = 12,     /* arg bit 0: unit; 4 words */
    PCB_TRANSFER = 13, /* 9 words */
    PCB_VBLANK = 14,   /* arg bit 0: screen */
    PCB_NOTE = 15      /* varint length, bytes */
};

enum {
    PCB_RECORD = 0x8000, /* head bit 15 */
    PCB_LONG = 0x4000,   /* of a command, head bit 14: a second 16-bit head follows */
    PCB_PACKED = 0x1000, /* of a record, head bit 12 */
    PCB_SHORT_WRITE = 0xC000,
    /* u8 extra parameters; if bit 12, u8: bits 3:0 mask XOR 0xF, 6:4 ignored, 7 padding word follows. */
    PCB_SHORT_COMMAND = 0xA000,
    PCB_SHORT_CONSECUTIVE = 0x0400,
    PCB_SHORT_PACKED = 0x0800,
    PCB_SHORT_ODD = 0x1000,
    PCB_IDS = 0x300,  /* id codes from here on are the hot registers */
    PCB_WRITES = 256, /* entries of the table of CPU-visible registers, 0 for none */
    /* The second head: bits 7:0 extra parameters, 8 consecutive, 11:9 ignored, 12 padding follows, 13 u16 id
     * follows. */
    PCB_CONSECUTIVE = 0x0100,
    PCB_PADDING = 0x1000,
    PCB_WIDE_ID = 0x2000
};

/* The register that the 10-bit id code of a command stands for: below PCB_IDS the code itself, above it one of the hot
 * registers. Frozen. */
uint16_t harness_pcb_id(uint32_t code);

/* Physical address of entry 1-255 of the table of CPU-visible registers. Frozen. */
uint32_t harness_pcb_write_address(uint32_t index);

/* The entry for an address, or 0. */
uint32_t harness_pcb_write_index(uint32_t address);

#endif
