#include "harness/targets/files/whole_case.h"

#include "harness/case/formats.h"
#include "harness/targets/target.h"

/* Global, since the engines' interface has no parameter for this state. */
static struct harness_case *test_case, *again;

struct harness_case *whole_case(void)
{
    if (test_case == NULL)
        test_case = harness_case_create();
    if (again == NULL)
        again = harness_case_create();
    return again != NULL ? test_case : NULL;
}

static void check_text(void)
{
    struct harness_error error = { "" };
    struct harness_text text = { 0 };
    if (harness_pcase_write(test_case, &text, &error) == HARNESS_OK && !text.failed) {
        if (harness_pcase_read(again, harness_text_string(&text), text.size, "text", &error) == HARNESS_BAD_INPUT)
            target_fails("the text of a case is not that case", error.message);
        else if (!harness_case_equal(test_case, again, true))
            target_fails("the text of a case is not that case", "it reads as another one");
    }
    harness_text_free(&text);
}

void whole_case_check(void)
{
    struct harness_error error = { "" };
    if (harness_case_check(test_case, &error) != HARNESS_OK)
        target_fails("a file is read as a case that is none", error.message);
    check_text();
}
