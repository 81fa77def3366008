/* Clock and statistics of the benchmarks. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Monotonic clock. */
double bench_seconds(void);

/* Processor time of this process: what a rate per core means while other programs run. */
double bench_cpu_seconds(void);

/* Sorts `values` and returns the middle one. */
double bench_median(double *values, size_t count);

#endif
