/*
 * Found in place of Criterion's header (CMakeLists.txt), which it contains. Criterion's assertions put two calls for
 * texts and a record of the result into each place, for passed ones, too: compilers took longer for that than for all
 * the rest of many tests, twice as long under sanitizers. Here one call does it, of failed ones only.
 */
#ifndef TESTS_LEAN_CRITERION_H
#define TESTS_LEAN_CRITERION_H

#include_next <criterion/criterion.h>

/* main.c. The format's first character is not printed: without it a format could be empty, which compilers warn of. */
__attribute__((format(printf, 4, 5))) void test_failed(char *condition, const char *file, unsigned line,
                                                       const char *format, ...);

#undef cr_assert_impl
#define cr_assert_impl(Fail, Condition, Unused, Kind, Words, ...)                                                  \
    do {                                                                                                           \
        if (Condition) {                                                                                           \
            cri_asserts_passed_incr();                                                                             \
        } else {                                                                                                   \
            test_failed(cr_translate_assert_msg(Kind, "" CR_IDENTITY Words), __FILE__, __LINE__, "x" __VA_ARGS__); \
            Fail();                                                                                                \
        }                                                                                                          \
    } while (0)

#endif
