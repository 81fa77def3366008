/*
 * How much of a long random test runs under sanitizers, which make each round several times dearer: a part. What is
 * compared is compared in full by the builds without them; what sanitizers see, they see in any round.
 */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED
#endif

enum {
#ifdef TEST_SANITIZED
    TEST_PART = 4 /* one round in so many */
#else
    TEST_PART = 1
#endif
};

#endif
