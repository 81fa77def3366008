/* What buckets are called after bugs of bench/bugs. Cases of these three shared a bucket with another bug, or had one
 * of their own. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

struct planted {
    char bug[64], file[64], title[128];
};

ParameterizedTestParameters(planted, a_cause_is_named)
{
    static struct planted rows[] = {
        { "shader-address-out-of-s8-used", "far-address-in-geometry",
          "shader: an operand relative to a0, an address beyond -128 to 127" },
        { "shader-jit-dirty-not-set-by-partial-upload", "code-behind-its-index",
          "shader: something kept from an earlier draw, new code" },
        { "shader-mul-zero-inf-nan", "infinity-by-a-branch", "shader: multiplication, infinity or NaN" },
    };
    return cr_make_param_array(struct planted, rows, sizeof rows / sizeof rows[0]);
}

ParameterizedTest(struct planted *row, planted, a_cause_is_named)
{
    struct command_result result;
    char arguments[1024], title[160];
    (void)snprintf(arguments, sizeof arguments,
                   "triage --no-index --json -b reference,'" PICAFUZZ_BINARY_DIR
                   "/bugs/%s.so' tests/cli/cases/%s.pcase",
                   row->bug, row->file);
    run_picafuzz(&result, "", arguments);
    (void)snprintf(title, sizeof title, "\"title\":\"%s\"", row->title);
    cr_expect_eq(result.exit_code, 1, "%s", result.output);
    cr_expect_not_null(strstr(result.output, title), "no %s: %s", title, result.output);
}
