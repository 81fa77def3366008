/*
 * Payloads made by hand, for what the exporter never makes: each case fills a page of VRAM with a word of its own and
 * runs a list that holds another, by which a fault can find it (mock.h, hang_word).
 */
#ifndef TESTS_CONSOLE_CARTRIDGE_H
#define TESTS_CONSOLE_CARTRIDGE_H

#include "harness/console/payload.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CARTRIDGE_WORDS = 1 << 16,
    CARTRIDGE_CASES = 64,
    CARTRIDGE_LINEAR = 0x4000 /* bytes: image, buffer, list */
};

struct cartridge {
    uint32_t words[CARTRIDGE_WORDS];
    uint32_t count; /* words */
    struct console_case cases[CARTRIDGE_CASES];
    uint32_t case_count;
    uint32_t self_tests;
    uint32_t results_most;
};

/* What a test case leaves out or has in addition. */
enum cartridge_oddity {
    CARTRIDGE_NO_FLUSH = 1,      /* of its list and of its first contents */
    CARTRIDGE_WRITES_LCD = 2,    /* a WRITE command that must be refused */
    CARTRIDGE_FILLS_OUTSIDE = 4, /* VRAM's end */
    CARTRIDGE_WRONG_CRC = 8,     /* a self-test that fails */
    CARTRIDGE_REGISTERS = 16,    /* reads a block */
    CARTRIDGE_ODD_LIST = 32      /* a list that does not begin on 8 bytes */
};

/* The word by which a fault finds case `index`, and the one that it fills its page with. */
uint32_t cartridge_marker(uint32_t index);
uint32_t cartridge_filling(uint32_t index);

void cartridge_init(struct cartridge *cartridge);
/* Before all cases. A required one is that of loaded bytes: by it a way is chosen. */
void cartridge_self_test(struct cartridge *cartridge, uint32_t flags, uint32_t oddities);
void cartridge_case(struct cartridge *cartridge, uint32_t flags, uint32_t oddities);

/* A .3dsx: `cases` twice, the second time backwards. To be freed; NULL: the host or the program refuse. */
uint8_t *cartridge_finish(struct cartridge *cartridge, uint32_t id, size_t *size);

#endif
