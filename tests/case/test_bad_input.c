/*
 * Whatever bytes a file holds: a valid case or a message, never a crash. Runs 2 000 mutated files of each kind;
 * PICAFUZZ_BAD_INPUT=100000 in the environment makes it as many (10 000 under sanitizers, in ctest).
 */
#include "harness/case/formats.h"
#include "tests/case/captures.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 18
};

static uint32_t rounds(void)
{
    const char *const wanted = getenv("PICAFUZZ_BAD_INPUT");
    return wanted == NULL ? 2000 : (uint32_t)strtoul(wanted, NULL, 10);
}

/* A file of the kind, from a small capture or a random case; its size. */
static size_t make_file(struct test_random *random, enum harness_format format, struct harness_case *test_case,
                        uint8_t *bytes)
{
    struct harness_text text = { 0 };
    size_t size = 0;
    if (test_random_below(random, 3) == 0)
        test_capture_load(8 + test_random_below(random, 2), test_case);
    else
        test_random_case(random, test_case, true);
    if (format == HARNESS_FORMAT_PCB) {
        cr_assert_eq(harness_pcb_encode(test_case, bytes, CAPACITY, &size, NULL), HARNESS_OK);
        return size;
    }
    cr_assert_eq(harness_pcase_write(test_case, &text, NULL), HARNESS_OK);
    size = text.size < CAPACITY ? text.size : CAPACITY;
    memcpy(bytes, text.data, size);
    harness_text_free(&text);
    return size;
}

/* The reader's result is valid, or there is a message. */
static void expect_civil(struct harness_case *test_case, enum harness_format format, const uint8_t *bytes, size_t size,
                         uint32_t *accepted)
{
    struct harness_error error = { "" };
    uint8_t *const exact = malloc(size + 1); /* so that the address sanitizer sees the end */
    enum harness_status status = HARNESS_OK;
    cr_assert_not_null(exact);
    memcpy(exact, bytes, size);
    uint8_t *const file = realloc(exact, size == 0 ? 1 : size);
    if (format == HARNESS_FORMAT_PCASE)
        status = harness_pcase_read(test_case, (const char *)file, size, "bad", &error);
    else if (format == HARNESS_FORMAT_PICACAP)
        status = harness_picacap_read(test_case, file, size, "bad", NULL, &error);
    else if (format == HARNESS_FORMAT_CTF)
        status = harness_ctf_read(test_case, file, size, "bad", NULL, &error);
    else if (format == HARNESS_FORMAT_RAW_LIST)
        status = harness_raw_list_read(test_case, file, size, "bad", &error);
    else
        cr_assert(harness_pcb_decode(test_case, file, size));
    free(file);
    if (status == HARNESS_OK) {
        *accepted += 1;
        cr_assert_eq(harness_case_check(test_case, &error), HARNESS_OK, "%s", error.message);
    } else {
        cr_assert_neq(status, HARNESS_NO_MEMORY);
        cr_assert_not_null(strstr(error.message, "expected"), "'%s'", error.message);
    }
}

static void run_text_or_binary(enum harness_format format, uint64_t seed)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint32_t accepted = 0;
    const uint32_t count = rounds();
    test_random_seed(&random, seed);
    for (uint32_t round = 0; round < count; round++) {
        const size_t size = make_file(&random, format, test_case, bytes);
        expect_civil(test_case, format, bytes, test_mutate(&random, bytes, size, CAPACITY), &accepted);
    }
    cr_expect_gt(accepted, count / 50, "seed %llu exercised too little", (unsigned long long)seed);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(bad_input, pcase)
{
    run_text_or_binary(HARNESS_FORMAT_PCASE, 50);
}

Test(bad_input, pcb)
{
    run_text_or_binary(HARNESS_FORMAT_PCB, 51);
}

Test(bad_input, picacap)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint8_t *files[TEST_CAPTURES];
    size_t sizes[TEST_CAPTURES];
    uint32_t accepted = 0;
    const uint32_t count = rounds();
    test_random_seed(&random, 52);
    for (uint32_t i = 0; i < TEST_CAPTURES; i++)
        files[i] = test_capture_bytes(i, &sizes[i]);
    for (uint32_t round = 0; round < count; round++) {
        const uint32_t i = test_random_below(&random, TEST_CAPTURES);
        memcpy(bytes, files[i], sizes[i]);
        expect_civil(test_case, HARNESS_FORMAT_PICACAP, bytes, test_mutate(&random, bytes, sizes[i], CAPACITY),
                     &accepted);
    }
    cr_expect_gt(accepted, count / 50);
    for (uint32_t i = 0; i < TEST_CAPTURES; i++)
        free(files[i]);
    free(bytes);
    harness_case_destroy(test_case);
}

/* Files of every chunk type (docs/formats/picacap.md), most with sizes as they should be. */
static size_t make_capture2(struct test_random *random, uint8_t *bytes)
{
    static const uint32_t sizes[] = { 0, 8, 16, 32, 36, 12, 4, 12, 0, 4096 };
    uint32_t words[3 + 16 * 12] = { 0, 0, test_random_below(random, 16) };
    uint32_t at = 3;
    memcpy(words, "PCAP3DS2", 8);
    for (uint32_t i = 0; i < words[2]; i++) {
        const uint32_t type = i < 3 ? 7 : 1 + test_random_below(random, 9);
        const uint32_t payload = type == 2 || type == 9 ? 0 : sizes[type] / 4;
        words[at++] = type;
        words[at++] = type == 7 ? test_random_below(random, 62) : type == 8 ? test_random_below(random, 3) : 0x18000000;
        words[at++] = sizes[type];
        for (uint32_t k = 0; k < payload; k++)
            words[at++] = test_random_edge(random);
    }
    memcpy(bytes, words, 4 * (size_t)at); /* of a little-endian host; on others these are other broken files */
    return 4 * (size_t)at;
}

Test(bad_input, picacap_of_any_emulator)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint32_t accepted = 0;
    const uint32_t count = rounds();
    test_random_seed(&random, 54);
    for (uint32_t round = 0; round < count; round++) {
        size_t size = make_capture2(&random, bytes);
        if (test_random_below(&random, 2) == 0)
            size = test_mutate(&random, bytes, size, CAPACITY);
        expect_civil(test_case, HARNESS_FORMAT_PICACAP, bytes, size, &accepted);
    }
    cr_expect_gt(accepted, count / 50);
    free(bytes);
    harness_case_destroy(test_case);
}

/* The recorders' layout with small blobs and a stream of random elements. */
static size_t make_trace(struct test_random *random, uint8_t *bytes)
{
    uint32_t words[25 + 2048] = { 0x72546943, 1, 100 };
    const uint32_t elements = test_random_below(random, 40);
    words[3 + 2 * 3] = 100; /* default attributes */
    words[4 + 2 * 3] = 64;
    words[3 + 2 * 4] = 100; /* code */
    words[4 + 2 * 4] = test_random_below(random, 100);
    words[23] = 100 + 400;
    words[24] = elements;
    for (uint32_t i = 0; i < 100; i++)
        words[25 + i] = test_random_edge(random);
    for (uint32_t i = 0; i < elements; i++) {
        uint32_t *const element = &words[125 + 5 * i];
        element[0] = 0xE1 + test_random_below(random, 3);
        element[1] =
            element[0] == 0xE2 ? test_random_below(random, 400) : 0x10400000 + 4 * test_random_below(random, 0x800);
        element[2] = element[0] == 0xE2 ? test_random_below(random, 100) : test_random_edge(random);
        element[3] = test_random_edge(random);
    }
    const size_t size = 4 * (125 + 5 * (size_t)elements);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    return size;
}

Test(bad_input, ctf)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint32_t accepted = 0;
    const uint32_t count = rounds();
    test_random_seed(&random, 53);
    for (uint32_t round = 0; round < count; round++) {
        const size_t size = make_trace(&random, bytes);
        expect_civil(test_case, HARNESS_FORMAT_CTF, bytes, test_mutate(&random, bytes, size, CAPACITY), &accepted);
    }
    cr_expect_gt(accepted, count / 50);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(bad_input, raw_list)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CAPACITY);
    uint32_t accepted = 0;
    const uint32_t count = rounds();
    test_random_seed(&random, 54);
    for (uint32_t round = 0; round < count; round++) {
        const uint32_t size = test_random_below(&random, 2000);
        for (uint32_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)test_random_edge(&random);
        expect_civil(test_case, HARNESS_FORMAT_RAW_LIST, bytes, size, &accepted);
    }
    cr_expect_gt(accepted, count / 50);
    free(bytes);
    harness_case_destroy(test_case);
}
