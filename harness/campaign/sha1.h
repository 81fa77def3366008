/* SHA-1, by which libFuzzer names its files: does a file hold what its name says? */
#ifndef HARNESS_CAMPAIGN_SHA1_H
#define HARNESS_CAMPAIGN_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum {
    CAMPAIGN_SHA1_DIGITS = 40
};

/* Hexadecimal digits in lower case, terminated. */
void campaign_sha1(const uint8_t *bytes, size_t size, char out[CAMPAIGN_SHA1_DIGITS + 1]);

#endif
