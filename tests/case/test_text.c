/* Growing text, and bytes that are no text. */
#include "harness/case/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(text, what_is_no_utf8_becomes_question_marks)
{
    static const struct {
        const char *text, *expected;
    } cases[] = { { "", "" },
                  { "plain", "plain" },
                  { "caf\xC3\xA9", "caf\xC3\xA9" },                           /* é */
                  { "\xC2\x80\xDF\xBF", "\xC2\x80\xDF\xBF" },                 /* first and last of two bytes, */
                  { "\xE0\xA0\x80\xEF\xBF\xBF", "\xE0\xA0\x80\xEF\xBF\xBF" }, /* three, */
                  { "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF" }, /* and four */
                  { "\xED\x9F\xBF\xEE\x80\x80", "\xED\x9F\xBF\xEE\x80\x80" }, /* on both sides of surrogates */
                  { "caf\xC3", "caf?" },                                      /* cut */
                  { "\xE2\x82", "??" },
                  { "\xE2\x82x", "??x" },
                  { "\xF0\x9F\x98", "???" },
                  { "\xF0\x9F\x98x\xC3\xA9", "???x\xC3\xA9" },
                  { "\x80z", "?z" },              /* what only continues */
                  { "\xC0\xAF\xC1\xBF", "????" }, /* longer than it need be */
                  { "\xE0\x9F\xBF", "???" },
                  { "\xF0\x8F\xBF\xBF", "????" },
                  { "\xED\xA0\x80", "???" },      /* a surrogate */
                  { "\xF4\x90\x80\x80", "????" }, /* above U+10FFFF */
                  { "\xF5\x80\x80\x80\xFE\xFF", "??????" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%s", cases[i].text);
        harness_make_utf8(text);
        cr_expect_str_eq(text, cases[i].expected, "case %zu", i);
    }
}
