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

/* A number from `least` to `most`, in decimal, or in hexadecimal after 0x. */
bool bench_option_number(struct bench_option option, const char *text, uint64_t least, uint64_t most, uint64_t *out);

/* Seconds: more than 0, and up to a day. */
bool bench_option_seconds(struct bench_option option, const char *text, double *out);

#endif
