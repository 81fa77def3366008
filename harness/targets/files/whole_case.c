#include "harness/targets/files/whole_case.h"

#include "harness/case/formats.h"

#include <stdio.h>

/* A target's process has one of each; the engines' interface leaves no other place for them. */
static struct harness_case *test_case, *again;

struct harness_case *whole_case(void)
{
    if (test_case == NULL)
        test_case = harness_case_create();
    if (again == NULL)
        again = harness_case_create();
    return again != NULL ? test_case : NULL;
}

/* Functions of their own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void a_read_case_is_invalid(const char *why)
{
    fprintf(stderr, "picafuzz: a file is read as a case that is none: %s\n", why);
    __builtin_trap();
}

static __attribute__((noinline)) void text_is_another_case(const char *why)
{
    fprintf(stderr, "picafuzz: the text of a case is not that case: %s\n", why);
    __builtin_trap();
}

void whole_case_check(void)
{
    struct harness_error error = { "" };
    struct harness_text text = { 0 };
    if (harness_case_check(test_case, &error) != HARNESS_OK)
        a_read_case_is_invalid(error.message);
    if (harness_pcase_write(test_case, &text, &error) == HARNESS_OK && !text.failed) {
        if (harness_pcase_read(again, harness_text_string(&text), text.size, "text", &error) == HARNESS_BAD_INPUT)
            text_is_another_case(error.message);
        else if (!harness_case_equal(test_case, again, true))
            text_is_another_case("it reads as another one");
    }
    harness_text_free(&text);
}
