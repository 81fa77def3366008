#ifndef TESTS_CONFORMANCE_COMPARE_FUNCTIONS_H
#define TESTS_CONFORMANCE_COMPARE_FUNCTIONS_H

#include <stdbool.h>

/* FBF-23: F(a, b) for a < b, a = b, a > b. */
static const bool compare_functions[8][3] = {
    { false, false, false }, /* never */
    { true, true, true },    /* always */
    { false, true, false },  /* = */
    { true, false, true },   /* != */
    { true, false, false },  /* < */
    { true, true, false },   /* <= */
    { false, false, true },  /* > */
    { false, true, true },   /* >= */
};

#endif
