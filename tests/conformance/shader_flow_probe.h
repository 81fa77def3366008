/*
 * Programs that leave a trace of their flow: mark(k) is r0 = r0 * 16 + k, so that the hexadecimal digits of r0.x are
 * the marks in the order of execution (at most six); count_one is r1 = r1 + 1, count_loop_register r1 = r1 + c[aL],
 * where c[n] = n. Every program ends with a jump to TAIL, which copies r0, r1 and c0[aL] out.
 */
#ifndef TESTS_CONFORMANCE_SHADER_FLOW_PROBE_H
#define TESTS_CONFORMANCE_SHADER_FLOW_PROBE_H

#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

enum {
    CODE_SIZE = 128,
    TAIL = 120
};

static const uint32_t NOP = 0x84000000;

/* A program and its inputs; words that are 0 become NOP. */
struct program {
    uint32_t code[CODE_SIZE];
    uint32_t integers[4]; /* i0-i3: x | y << 8 | z << 16 */
    uint32_t booleans;    /* b15 must be 0 */
};

uint32_t mark(uint32_t k);
uint32_t count_one(void);
uint32_t count_loop_register(void);
uint32_t jump(uint32_t dst); /* JMPU of b15 = 0 with the inverting num: always taken */
uint32_t call(uint32_t dst, uint32_t num);
uint32_t ifu(uint32_t b, uint32_t dst, uint32_t num);
uint32_t loop(uint32_t i, uint32_t dst);
uint32_t compare_true(void);  /* cmp = (true, true) */
uint32_t compare_false(void); /* cmp = (false, false) */

void run_program(struct machine *m, const struct program *program);

/* What the program left: the marks; r1; aL (0-95). */
void expect_trace(struct machine *m, const char *rule, uint32_t marks);
void expect_count(struct machine *m, const char *rule, uint32_t count);
void expect_loop_register(struct machine *m, const char *rule, uint32_t value);

#endif
