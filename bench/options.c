#include "bench/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* strtoull takes spaces and signs, and 010 for eight. */
static bool begins_number(const char *text)
{
    return isdigit((unsigned char)text[0]) != 0 && (text[0] != '0' || text[1] == '\0' || text[1] == 'x');
}

bool bench_option_number(struct bench_option option, const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long number = begins_number(text) ? strtoull(text, &end, 0) : 0;
    if (end != NULL && *end == '\0' && errno == 0 && number >= least && number <= most) {
        *out = number;
        return true;
    }
    fprintf(stderr, "%s: %s: '%s' is not a number from %" PRIu64 " to %" PRIu64 "\n", option.program, option.what, text,
            least, most);
    return false;
}

bool bench_option_seconds(struct bench_option option, const char *text, double *out)
{
    static const double most = 86400.0;
    char *end = NULL;
    const double seconds = strtod(text, &end);
    if (end != text && *end == '\0' && seconds > 0.0 && seconds <= most) {
        *out = seconds;
        return true;
    }
    fprintf(stderr, "%s: %s: '%s' is no time in seconds, above 0 and up to a day\n", option.program, option.what, text);
    return false;
}
