/*
 * The perf guard: how many times as fast as the reference each instruction set of `fast` draws each scene, compared
 * with ratios that were recorded on the same kind of processor. Ratios, because absolute times say more about the
 * machine.
 */
#ifndef BENCH_GUARD_H
#define BENCH_GUARD_H

#include "bench/scenes.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BENCH_GUARD_SETS = 4
};

/* "scalar", "avx2", "avx512", "neon". Static. */
const char *bench_guard_set(size_t index);

/* One processor's ratios; 0: none. */
struct bench_ratios {
    double of[BENCH_SCENES][BENCH_GUARD_SETS];
};

/* Percent by which a ratio may fall. */
struct bench_guard_limits {
    double warn, fail;
};

enum bench_guard_verdict {
    BENCH_GUARD_FINE,
    BENCH_GUARD_FASTER, /* by more than `warn`: time to record */
    BENCH_GUARD_WARNING,
    BENCH_GUARD_FAILURE,
    BENCH_GUARD_UNKNOWN /* nothing was recorded, or nothing measured */
};

enum bench_guard_verdict bench_guard_judge(double measured, double recorded, const struct bench_guard_limits *limits);

/* What tells processors apart, from the text of /proc/cpuinfo: "AuthenticAMD 25 17". "unknown" if there is nothing. */
void bench_guard_processor(const char *cpuinfo, char *out, size_t size);

struct bench_guard_error {
    char message[1024];
};

/* Reads limits and the ratios of `processor`; *is_known tells whether there are any (if not, those of the file's first
 * processor are taken). False if the file cannot be read or is not such a file. */
bool bench_guard_load(const char *path, const char *processor, struct bench_guard_limits *limits,
                      struct bench_ratios *ratios, bool *is_known, struct bench_guard_error *error);

/* Replaces the ratios of `processor`, but for those that are 0 in `ratios`; the rest of the file stays. */
bool bench_guard_record(const char *path, const char *processor, const struct bench_ratios *ratios,
                        struct bench_guard_error *error);

#endif
