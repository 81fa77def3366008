/* Expectations over many words at once, shared by the tests of the framebuffer and of the GX engines. */
#ifndef TESTS_CONFORMANCE_CHECKS_H
#define TESTS_CONFORMANCE_CHECKS_H

#include "tests/conformance/machine.h"

/* Default limits and profile with these windows instead of the default ones. */
void machine_each_with_windows(const struct pica_window *windows, uint32_t count, machine_test test);

/* EACH_MACHINE with these windows, an array. */
#define EACH_MACHINE_IN(suite, name, windows)                                                       \
    static void suite##_##name(struct machine *m);                                                  \
    Test(suite, name)                                                                               \
    {                                                                                               \
        machine_each_with_windows(windows, sizeof(windows) / sizeof((windows)[0]), suite##_##name); \
    }                                                                                               \
    static void suite##_##name(struct machine *m)

/* What the CPU would read at a physical address of 70-gx-engines.md (PSC-13); other addresses are asserted against. */
uint32_t cpu_read(struct machine *m, uint32_t address);

bool all_bytes_are(struct machine *m, const char *rule, uint32_t address, size_t n, uint8_t value);
/* psc0 psc1 pdc0 pdc1 ppf p3d (EXT-CMD-10) */
bool interrupts_are(struct machine *m, const char *rule, const uint32_t expected[PICA_INTERRUPTS]);
/* n little-endian words */
bool words_are(struct machine *m, const char *rule, uint32_t address, const uint32_t *expected, size_t n);

#define EXPECT_READ(m, rule, address, expected) EXPECT_EQ(m, rule, cpu_read(m, address), expected)
#define EXPECT_ALL_BYTES(m, rule, address, n, value) \
    cr_expect(all_bytes_are(m, rule, address, n, value), "%s", (m)->message)
#define EXPECT_INTERRUPTS(m, rule, ...) \
    cr_expect(interrupts_are(m, rule, (const uint32_t[PICA_INTERRUPTS]){ __VA_ARGS__ }), "%s", (m)->message)
#define EXPECT_WORDS(m, rule, address, n, ...) \
    cr_expect(words_are(m, rule, address, (const uint32_t[n]){ __VA_ARGS__ }, n), "%s", (m)->message)

#endif
