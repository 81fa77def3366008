#include "bench/measure.h"

#include <stdlib.h>
#include <time.h>

double bench_seconds(void)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double bench_cpu_seconds(void)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return count != 0 ? values[count / 2] : 0.0;
}
