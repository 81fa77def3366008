/* The Markdown of docs/spec as the report shows it. */
#include "harness/report/html.h"
#include "harness/report/rule_html.h"

#include <criterion/criterion.h>

static void expect_html(const char *markdown, const char *html)
{
    struct harness_text out;
    harness_text_init(&out);
    harness_rule_html(markdown, &out);
    cr_expect_str_eq(harness_text_string(&out), html, "%s", harness_text_string(&out));
    harness_text_free(&out);
}

Test(rule_html, bold_and_code_are_marked_and_nothing_else_is_markup)
{
    expect_html("**BLD-02** [EMU] `a<b` & c*d", "<p><b>BLD-02</b> [EMU] <code>a&lt;b</code> &amp; c*d</p>\n");
    expect_html("`**`", "<p><code>**</code></p>\n");
}

Test(rule_html, marks_that_are_left_open_end_with_their_block)
{
    expect_html("**a\n\n`b", "<p><b>a</b></p>\n<p><code>b</code></p>\n");
}

Test(rule_html, lines_join_and_list_items_stand_alone)
{
    expect_html("- one\n  more\n- two\n", "<p>one\nmore</p>\n<p>two</p>\n");
}

Test(rule_html, tables_keep_bars_in_code_and_lose_the_line_under_the_head)
{
    expect_html("  | id | v |\n  |---|---|\n  | 0 | `a|b` \\| c |\n",
                "<table>\n<tr><td>id </td><td>v </td></tr>\n<tr><td>0 </td><td><code>a|b</code> | c </td></tr>\n"
                "</table>\n");
    expect_html("| **CMD-03** | a", "<table>\n<tr><td><b>CMD-03</b> </td><td>a</td></tr>\n</table>\n");
}

Test(rule_html, nothing_gives_nothing)
{
    expect_html("", "");
    expect_html("\n\n", "");
}

Test(rule_html, words_of_others_are_well_formed_and_turn_nothing_in_pages_and_XML)
{
    struct harness_text out;
    harness_text_init(&out);
    harness_html_text(&out, "<a & \"b'>\t\x1b\x01 \xFF\xC3 \xC2\x85 \xE2\x80\xAE"
                            "c\xE2\x81\xA9 \xEF\xBF\xBF \xC3\xA4\xE2\x80\x93");
    cr_expect_str_eq(harness_text_string(&out), "&lt;a &amp; &quot;b&#39;&gt;\t?? ?? ? ?c? ? \xC3\xA4\xE2\x80\x93");
    harness_text_free(&out);
}
