/* What the tests of the PC's side share: cases from text, an export in memory, results made by hand. */
#ifndef TESTS_CONSOLE_HOST_BENCH_H
#define TESTS_CONSOLE_HOST_BENCH_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "harness/console/export.h"
#include "harness/console/view.h"

#include <stdbool.h>

/* Two cases that may be exported, and one list of a draw, for tests that change something about it. */
extern const char bench_fill[];
extern const char bench_triangle[];

struct harness_case *bench_case(const char *text);

/* Asks the gates about a case that is text. The reasons, "" if it is taken; to be freed. */
char *bench_ask(const char *text, bool may_hang, const char **suspect);

/* A program as small as can be: code, and data that points at rodata, at itself, and at code. */
void bench_program(struct harness_text *out);

/* An export of both cases above, and its payload. Freed with bench_close. */
struct bench {
    struct harness_text file;
    struct console_view view;
};
void bench_open(struct bench *bench);
void bench_close(struct bench *bench);

/* ---------------------------------------------------------------------------- results as a console would write them */

struct bench_results {
    struct harness_text bytes;
    uint32_t sequence;
};

void bench_record(struct bench_results *results, uint32_t kind, const void *payload, size_t size);
void bench_about(struct bench_results *results, const struct bench *bench);
void bench_stranger(struct bench_results *results,
                    const struct bench *bench);                  /* ABOUT of a machine that says nothing */
void bench_way(struct bench_results *results, uint32_t missing); /* enum console_case_flag, or'ed */

/* A step in which `pages` pages of 0xAA from 0x18000000 on changed: PAGE records too in pass 0. */
void bench_step(struct bench_results *results, uint32_t run, uint32_t step, uint32_t pages, uint8_t byte,
                bool is_first);

/* A step of which only the page at that address did not come back. */
void bench_unread(struct bench_results *results, uint32_t run, uint32_t step, uint32_t address);
void bench_over(struct bench_results *results, uint32_t run, uint32_t status);

#endif
