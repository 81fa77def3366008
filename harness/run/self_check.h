/*
 * What the fuzz targets of a single backend do with their bytes: decode (total), bound, lower, check. Both linked
 * backends take part; the input itself decides which of them, and with which checks.
 */
#ifndef HARNESS_RUN_SELF_CHECK_H
#define HARNESS_RUN_SELF_CHECK_H

#include "harness/run/check.h"
#include "harness/run/pair.h"

struct harness_self_check;

/* NULL if the host refuses memory. */
struct harness_self_check *harness_self_check_create(void);
void harness_self_check_destroy(struct harness_self_check *self); /* accepts NULL */

/* An input goes through the checks first .. first + count - 1 until `most` of them have applied. */
struct harness_check_choice {
    size_t first, count, most;
};

/* HARNESS_DIVERGE if one of the checks does not hold. */
enum harness_outcome harness_self_check_run(struct harness_self_check *self, const uint8_t *bytes, size_t size,
                                            const struct harness_check_choice *choice);

/* For people; "" unless the last outcome was HARNESS_DIVERGE. */
const char *harness_self_check_message(const struct harness_self_check *self);

#endif
