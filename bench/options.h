/* Numbers on the command lines of the programs here: taken whole, within bounds, or complained of on stderr. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What is complained of: "PROGRAM: WHAT: 'text' is not ..." */
struct bench_option {
    const char *program;
    const char *what; /* "--runs", or the name of an argument */
};

/* A number from `least` to `most`, in decimal, or in hexadecimal behind 0x. */
bool bench_option_number(struct bench_option option, const char *text, uint64_t least, uint64_t most, uint64_t *out);

/* Seconds, of which there must be some, and less than a day. */
bool bench_option_seconds(struct bench_option option, const char *text, double *out);

#endif
