/* What stands in the file of a page, and the escaping of XML. What a page shows is seen by pages.sh, in a browser. */
#include "harness/case/formats.h"
#include "harness/pages/pages.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(pages, words_of_others_are_well_formed_and_turn_nothing_in_xml)
{
    struct harness_text out = { 0 };
    harness_xml_text(&out, "<a & \"b'>\t\x1b\x01 \xFF\xC3 \xC2\x85 \xE2\x80\xAE"
                           "c\xE2\x81\xA9 \xEF\xBF\xBF \xC3\xA4\xE2\x80\x93");
    cr_expect_str_eq(harness_text_string(&out), "&lt;a &amp; &quot;b&#39;&gt;\t?? ?? ? ?c? ? \xC3\xA4\xE2\x80\x93");
    harness_text_free(&out);
}

Test(pages, no_word_of_the_facts_ends_the_script_that_they_stand_in)
{
    const char *const path = PICAFUZZ_BINARY_DIR "/pages-facts.html";
    struct harness_text json = { 0 };
    struct harness_error error = { "" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    harness_text_add(&json, "{\n\t\"name\":\t\"</script><script>alert(1)</script>\"\n}\n");
    cr_assert_eq(harness_page_write(path, "findings", &json, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    char *const text = calloc(size + 1, 1);
    cr_assert_not_null(text);
    memcpy(text, bytes, size);
    cr_expect_not_null(strstr(text, "{\"name\":\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"}</script>\n"));
    cr_expect_not_null(strstr(text, "<body data-view=\"findings\">"));
    free(text);
    free(bytes);
    harness_text_free(&json);
}
