/* Reads the data files of a page: what explore.take would get. */
#ifndef TESTS_EXPLORE_DATA_FILES_H
#define TESTS_EXPLORE_DATA_FILES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data; /* followed by a 0 byte */
    size_t size, at;
};

/* DIRECTORY/NAME.js; fails the test if it is not as it should be. Freed with free(bytes.data). */
struct bytes data_file(const char *directory, const char *name);
bool data_file_exists(const char *directory, const char *name);
cJSON *data_json(const char *directory, const char *name);

/* The next number; fails the test at the end. */
uint32_t take8(struct bytes *bytes);
uint32_t take16(struct bytes *bytes);
uint32_t take32(struct bytes *bytes);

#endif
