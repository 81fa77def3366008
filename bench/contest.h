/*
 * Configurations of renderers measured on one scene. They take turns, so that a machine that is busy for a while
 * disturbs all alike.
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "bench/scenes.h"

enum {
    BENCH_MOST_RUNS = 99,
    BENCH_MOST_CONFIGURATIONS = 24,
    BENCH_MOST_WORKERS = 64,
    BENCH_MOST_SIDE = 1016, /* pixels, of a target */
    BENCH_MOST_LAYERS = 64,
    BENCH_MOST_PIXELS = 786432 /* of a target: both buffers have four bytes a pixel, within 6 MiB */
};

enum bench_renderer {
    BENCH_REFERENCE,
    BENCH_FAST,
    BENCH_LLVMPIPE
};

/* What is measured. */
struct bench_configuration {
    char name[32];
    enum bench_renderer renderer;
    const char *isa;  /* for harness_instruction_set; static */
    uint32_t workers; /* beside the caller's thread */
};

/* Units of the scene's plan a second; per second of processor time, of all threads. 0: not measured. */
struct bench_rates {
    double median, best, cpu_median, cpu_best;
    /* Of configurations with workers, if contest.shares (hand_over.h): how many times as fast as one thread idle cores
     * are by the model, and which share of the work is not handed over. 0: not known. */
    double model, alone;
};

struct bench_contest {
    struct bench_configuration configurations[BENCH_MOST_CONFIGURATIONS];
    size_t count;
    double seconds;         /* of each measurement, > 0 */
    size_t runs;            /* measurements of each configuration, 1 .. BENCH_MOST_RUNS */
    bool shares;            /* measure what is said of them in struct bench_rates */
    struct bench_size size; /* of scenes that count pixels; width 0: as the plan says */
    struct bench_rates rates[BENCH_MOST_CONFIGURATIONS];
    char key[256];     /* fast's name of the state of the scene's last draw (fast/fast.h); "" if it took no part */
    char message[800]; /* why the last contest failed, or llvmpipe was left out; "" otherwise */
};

/* Takes --size: "WIDTHxHEIGHT" or "WIDTHxHEIGHTxLAYERS", with one layer if none is given; false, with a word on stderr,
 * if the value is impossible. */
bool bench_contest_size(struct bench_contest *contest, const char *program, const char *text);

/* The size at which a scene is measured. */
struct bench_size bench_contest_scene_size(const struct bench_contest *contest, enum bench_scene scene);

/* `isa` is static. False if there is no room. */
bool bench_contest_add(struct bench_contest *contest, const char *name, enum bench_renderer renderer, const char *isa,
                       uint32_t workers);

/* False if a backend failed. llvmpipe takes no part where it is not installed, and in scenes that are cases. */
bool bench_contest_run(struct bench_contest *contest, enum bench_scene scene);

/* How many times as fast as configuration `base`: processor time where there are no workers, else the clock; medians.
 * 0 if either was not measured. */
double bench_contest_ratio(const struct bench_contest *contest, size_t index, size_t base);

/* True if this host and build have the instruction set. */
bool bench_host_has(const char *isa);

#endif
