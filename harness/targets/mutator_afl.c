/*
 * A custom mutator library for AFL++, written for the loader of 4.04c (Debian 12), which installs no header.
 * Peculiarities of the loader: max_size is 1 MiB whatever -G says, so the size is limited here; what *out_buf points to
 * must stay unchanged until the next call, and NULL there is fatal; without the trim hooks it would trim bytewise.
 */
#include "harness/grammar/random.h"
#include "harness/targets/hook.h"

#include <stdlib.h>
#include <string.h>

/* As in mutator_libfuzzer.c, but higher: there an input is changed several times in a row, here each call starts from
 * an input of the queue. */
enum {
    FRESH_PERCENT = 80
};

struct afl_mutator {
    struct harness_hook hook;
    struct harness_random random; /* from the seed of afl_custom_init alone: two draws a call */
    uint8_t out[HARNESS_MAX_INPUT];
    const char *what; /* what the last call of afl_custom_fuzz did */
};

#define AFL_EXPORT __attribute__((visibility("default")))

/* The types are those of the loader: u8 = unsigned char, u32 = unsigned int, s32 = int. */
AFL_EXPORT void *afl_custom_init(void *afl, unsigned int seed);
AFL_EXPORT void afl_custom_deinit(void *data);
AFL_EXPORT size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf,
                                  size_t add_buf_size, size_t max_size);
AFL_EXPORT unsigned int afl_custom_fuzz_count(void *data, const uint8_t *buf, size_t buf_size);
AFL_EXPORT const char *afl_custom_describe(void *data, size_t max_description_len);
AFL_EXPORT int afl_custom_init_trim(void *data, uint8_t *buf, size_t buf_size);
AFL_EXPORT size_t afl_custom_trim(void *data, uint8_t **out_buf);
AFL_EXPORT int afl_custom_post_trim(void *data, unsigned char success);

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl; /* not used: its layout changes between versions */
    struct afl_mutator *const mutator = calloc(1, sizeof *mutator);
    if (mutator == NULL)
        return NULL;
    mutator->what = "none";
    harness_random_init(&mutator->random, seed);
    if (harness_hook_init(&mutator->hook, FRESH_PERCENT))
        return mutator;
    afl_custom_deinit(mutator);
    return NULL;
}

void afl_custom_deinit(void *data)
{
    struct afl_mutator *const mutator = data;
    if (mutator == NULL)
        return;
    harness_hook_finish(&mutator->hook);
    free(mutator);
}

/* As in libFuzzer, half of the calls use the second input, if there is one. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf,
                       size_t add_buf_size, size_t max_size)
{
    struct afl_mutator *const mutator = data;
    const size_t most = max_size < sizeof mutator->out ? max_size : sizeof mutator->out;
    const unsigned int seed = (unsigned int)harness_random_next(&mutator->random);
    const bool both = harness_random_percent(&mutator->random, 50);
    *out_buf = mutator->out;
    if (both && add_buf != NULL && add_buf_size != 0) {
        const struct harness_input inputs[2] = { { buf, buf_size }, { add_buf, add_buf_size } };
        mutator->what = "pica-combine";
        return harness_hook_combine(&mutator->hook, inputs, mutator->out, most, seed, NULL);
    }
    const size_t size = buf_size < most ? buf_size : most;
    if (size != 0)
        memcpy(mutator->out, buf, size);
    mutator->what = "pica-mutate";
    return harness_hook_mutate(&mutator->hook, mutator->out, size, most, seed, NULL);
}

/* How often an input is mutated when its turn comes. The engine's own number ignores the input's size, which here
 * decides how long a run takes. The numbers are large, because before each turn afl-fuzz spends some milliseconds to go
 * through an eighth of its map for each input that it favours, and because the choice of the input matters little where
 * most calls generate a new case. */
unsigned int afl_custom_fuzz_count(void *data, const uint8_t *buf, size_t buf_size)
{
    (void)data;
    (void)buf;
    return buf_size <= 1024 ? 4096 : buf_size <= 8192 ? 2048 : 512;
}

/* A part of file names, so without slash, blank or colon. */
const char *afl_custom_describe(void *data, size_t max_description_len)
{
    const struct afl_mutator *const mutator = data;
    return strlen(mutator->what) <= max_description_len ? mutator->what : "";
}

/* 0 candidates: nothing is trimmed. A trim must leave exactly the same coverage, and since feedback includes each
 * register, hardly any does. */
int afl_custom_init_trim(void *data, uint8_t *buf, size_t buf_size)
{
    (void)data;
    (void)buf;
    (void)buf_size;
    return 0;
}

/* Never called, as there are no candidates, but the loader requires all three trim hooks. */
size_t afl_custom_trim(void *data, uint8_t **out_buf)
{
    struct afl_mutator *const mutator = data;
    *out_buf = mutator->out;
    return 0;
}

int afl_custom_post_trim(void *data, unsigned char success)
{
    (void)data;
    (void)success;
    return 0;
}
