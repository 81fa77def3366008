#include "harness/cli/options.h"

#include "harness/cli/print.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OPTIONS = 48,  /* of a program */
    FIRST_NUMBER = 256, /* what getopt_long returns for option i is FIRST_NUMBER + i; letters are below */
    HELP = MOST_OPTIONS,
    LINE_WIDTH = 100, /* of a help page */
    NEAR = 2          /* this many letters may be wrong in a name */
};

_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "a number or an enumeration is taken as a uint32_t");

/* An option with the set it is from. */
struct row {
    const struct cli_option *option;
    size_t target; /* offset in the whole request */
};

static size_t option_count(const struct cli_options *options)
{
    size_t count = 0;
    for (size_t s = 0; s < CLI_OPTION_SETS; s++)
        count += options->sets[s].count;
    return count;
}

/* Options of all sets, one after another. */
static struct row row_at(const struct cli_options *options, size_t index)
{
    const struct cli_option_set *set = options->sets;
    for (; index >= set->count; set++)
        index -= set->count;
    return (struct row){ &set->options[index], set->base + set->options[index].target };
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static int
complain(const struct cli_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_print(stderr, "%s: ", options->program);
    (void)cli_print_list(stderr, format, arguments);
    cli_print(stderr, "; see `%s --help`\n", options->program);
    va_end(arguments);
    return CLI_PARSE_BAD;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

bool cli_number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    /* strtoull alone takes spaces and signs, and 010 for eight */
    if (isdigit((unsigned char)text[0]) == 0 || (text[0] == '0' && text[1] != '\0' && text[1] != 'x'))
        return false;
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (*end != '\0' || errno != 0 || value < least || value > most)
        return false;
    *out = value;
    return true;
}

/* A bound that is only that of the type is not worth telling. */
static bool has_range(const struct cli_option *option)
{
    return option->most != UINT32_MAX && option->most != UINT64_MAX;
}

static int complain_of_number(const struct cli_options *options, const struct cli_option *option, const char *text)
{
    if (!has_range(option))
        return complain(options, "--%s: '%s' is not a number", option->name, text);
    return complain(options, "--%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, option->name, text,
                    option->least, option->most);
}

/* Digits, perhaps with a point; nothing else that strtod takes. */
static bool read_seconds(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && strspn(text, "0123456789.") == strlen(text);
}

static int take_time(const struct cli_options *options, const struct cli_option *option, const char *text, void *target)
{
    double seconds = 0.0;
    if (!read_seconds(text, &seconds) || seconds == 0.0 || seconds > (double)option->most)
        return complain(options, "--%s: '%s' is no time in seconds, above 0 and up to %" PRIu64, option->name, text,
                        option->most);
    memcpy(target, &seconds, sizeof seconds);
    return 0;
}

static int take_seconds(const struct cli_options *options, const struct cli_option *option, const char *text,
                        void *target)
{
    double seconds = 0.0;
    if (!read_seconds(text, &seconds) || (seconds != 0.0 && seconds < 0.001) || seconds > (double)option->most)
        return complain(options, "--%s: '%s' is not 0, or seconds from 0.001 to %" PRIu64, option->name, text,
                        option->most);
    const struct cli_seconds taken = { (uint32_t)(1000.0 * seconds + 0.5), true };
    memcpy(target, &taken, sizeof taken);
    return 0;
}

/* -------------------------------------------------------------------------------------------------- lists, choices */

/* In place, "\," becomes ",". Returns what follows the comma that ends the name, or NULL. */
static char *unescape(char *name, bool stops)
{
    char *to = name, *from = name;
    for (; *from != '\0' && !(stops && *from == ','); from++) {
        from += from[0] == '\\' && from[1] == ',';
        *to++ = *from;
    }
    char *const rest = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return rest;
}

char *cli_backends_next(char **rest)
{
    char *const name = *rest;
    *rest = unescape(name, true);
    return name;
}

void cli_backends_escape(const char *name, char *out, size_t size)
{
    size_t length = 0;
    for (; *name != '\0' && length + 2 < size; name++) {
        if (*name == ',')
            out[length++] = '\\';
        out[length++] = *name;
    }
    out[length] = '\0';
}

static char *next_word(char **rest)
{
    char *const word = *rest;
    *rest = strchr(word, ',');
    if (*rest != NULL)
        *(*rest)++ = '\0';
    return word;
}

static int complain_of_list(const struct cli_options *options, const struct cli_option *option)
{
    if (option->least == option->most)
        return complain(options, "--%s wants %s", option->name, option->value);
    return complain(options, "--%s wants %" PRIu64 " to %" PRIu64 " names with commas between them", option->name,
                    option->least, option->most);
}

/* Are the words of `text` good, and no more than the list may have? */
static bool add_words(const struct cli_option *option, char *text, struct cli_list *list)
{
    bool good = true;
    for (char *rest = text; good && rest != NULL;) {
        char *const word = option->kind == CLI_BACKENDS ? cli_backends_next(&rest) : next_word(&rest);
        good = list->count < option->most && list->count < CLI_LIST_MOST && word[0] != '\0';
        if (good)
            list->items[list->count++] = word;
    }
    return good;
}

/* `again`: it was given before, and of backends "-b A -b B" is "-b A,B". */
static int take_list(const struct cli_options *options, const struct cli_option *option, char *text, bool again,
                     void *target)
{
    struct cli_list list;
    memcpy(&list, target, sizeof list);
    if (!again || option->kind != CLI_BACKENDS)
        list.count = 0;
    if (!add_words(option, text, &list))
        return complain_of_list(options, option);
    memcpy(target, &list, sizeof list);
    return 0;
}

bool cli_is_reference(const char *name)
{
    const size_t length = strlen("reference");
    return strncmp(name, "reference", length) == 0 && (name[length] == '\0' || name[length] == '+');
}

void cli_backends_pair(struct cli_list *backends)
{
    if (backends->count != 1 || cli_is_reference(backends->items[0]))
        return;
    backends->items[1] = backends->items[0];
    backends->items[0] = "reference";
    backends->count = 2;
}

/* Has a list that was given as many words as it needs? */
static int check_list(const struct cli_options *options, const struct cli_option *option, void *target)
{
    struct cli_list list;
    if (option->kind != CLI_LIST && option->kind != CLI_BACKENDS)
        return 0;
    memcpy(&list, target, sizeof list);
    if (option->kind == CLI_BACKENDS && option->least == 2) {
        cli_backends_pair(&list);
        memcpy(target, &list, sizeof list);
    }
    return list.count < option->least ? complain_of_list(options, option) : 0;
}

static int take_another(const struct cli_options *options, const struct cli_option *option, const char *text,
                        void *target)
{
    struct cli_list list;
    memcpy(&list, target, sizeof list);
    if (list.count >= option->most)
        return complain(options, "--%s: at most %" PRIu64 " of them", option->name, option->most);
    list.items[list.count++] = text;
    memcpy(target, &list, sizeof list);
    return 0;
}

/* The next of "a, b, c": its length, or 0 at the end. `names` moves past it. */
static size_t next_name(const char **names, const char **name)
{
    *name = *names + strspn(*names, ", ");
    const size_t length = strcspn(*name, ",");
    *names = *name + length;
    return length;
}

static bool find_choice(const struct cli_choices *choices, const char *text, uint32_t *out)
{
    if (choices->value != NULL)
        return choices->value(text, out);
    const char *names = choices->names;
    const char *name = NULL;
    uint32_t index = 0;
    for (size_t length; (length = next_name(&names, &name)) != 0; index++)
        if (strlen(text) == length && memcmp(text, name, length) == 0) {
            *out = index;
            return true;
        }
    return false;
}

/* What a help page calls this value; the length is 0 if it has no name. */
static size_t name_choice(const struct cli_choices *choices, uint32_t value, const char **name)
{
    const char *names = choices->names;
    for (size_t length; (length = next_name(&names, name)) != 0;) {
        char text[32];
        uint32_t meant = 0;
        (void)snprintf(text, sizeof text, "%.*s", (int)length, *name);
        if (find_choice(choices, text, &meant) && meant == value)
            return length;
    }
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- parsing */

static int take_number(const struct cli_options *options, const struct cli_option *option, const char *text,
                       void *target)
{
    uint64_t value = 0;
    if (!cli_number(text, option->least, option->most, &value))
        return complain_of_number(options, option, text);
    const uint32_t word = (uint32_t)value;
    if (option->kind == CLI_LONG)
        memcpy(target, &value, sizeof value);
    else
        memcpy(target, &word, sizeof word);
    return 0;
}

static int take_choice(const struct cli_options *options, const struct cli_option *option, const char *text,
                       void *target)
{
    uint32_t value = 0;
    if (!find_choice(option->choices, text, &value))
        return complain(options, "--%s: '%s' is not one of %s", option->name, text, option->choices->names);
    memcpy(target, &value, sizeof value);
    return 0;
}

/* The one kind with two words; `count` is the second. */
static int take_seeds(const struct cli_options *options, const struct cli_option *option, const char *first,
                      const char *count, void *target)
{
    struct cli_seeds seeds;
    if (!cli_number(first, 0, UINT64_MAX, &seeds.first) ||
        !cli_number(count, option->least, option->most, &seeds.count))
        return complain(options, "--%s: '%s %s' is not a seed and a count", option->name, first, count);
    memcpy(target, &seeds, sizeof seeds);
    return 0;
}

/* `again`: the option was given before. */
static int take(const struct cli_options *options, struct row row, bool again, int argc, char **argv,
                unsigned char *request)
{
    void *const target = request + row.target;
    const bool yes = true;
    const char *const text = optarg;
    switch (row.option->kind) {
    case CLI_FLAG: memcpy(target, &yes, sizeof yes); return 0;
    case CLI_BACKEND:
        (void)unescape(optarg, false);
        memcpy(target, &text, sizeof text);
        return 0;
    case CLI_TEXT:
    case CLI_READ:
    case CLI_WRITE: memcpy(target, &text, sizeof text); return 0;
    case CLI_LIST:
    case CLI_BACKENDS: return take_list(options, row.option, optarg, again, target);
    case CLI_EACH:
    case CLI_EACH_READ: return take_another(options, row.option, optarg, target);
    case CLI_CHOICE: return take_choice(options, row.option, optarg, target);
    case CLI_SEEDS: return take_seeds(options, row.option, optarg, optind < argc ? argv[optind++] : "", target);
    case CLI_SECONDS: return take_seconds(options, row.option, optarg, target);
    case CLI_TIME: return take_time(options, row.option, optarg, target);
    case CLI_NUMBER:
    case CLI_LONG: return take_number(options, row.option, optarg, target);
    }
    return CLI_PARSE_BAD; /* not reached */
}

/* The tables in the form that getopt_long takes. */
struct getopt_tables {
    struct option longs[MOST_OPTIONS + 2];
    char letters[2 * MOST_OPTIONS + 4];
};

static void make_tables(const struct cli_options *options, struct getopt_tables *tables)
{
    const size_t count = option_count(options);
    size_t length = 0;
    tables->letters[length++] = ':'; /* tell a missing value from an unknown option */
    tables->letters[length++] = 'h';
    for (size_t i = 0; i < count; i++) {
        const struct cli_option *const option = row_at(options, i).option;
        const bool has_value = option->kind != CLI_FLAG;
        tables->longs[i] =
            (struct option){ option->name, has_value ? required_argument : no_argument, NULL, FIRST_NUMBER + (int)i };
        if (option->letter != 0)
            tables->letters[length++] = option->letter;
        if (option->letter != 0 && has_value)
            tables->letters[length++] = ':';
    }
    tables->letters[length] = '\0';
    tables->longs[count] = (struct option){ "help", no_argument, NULL, FIRST_NUMBER + HELP };
    tables->longs[count + 1] = (struct option){ NULL, 0, NULL, 0 };
}

/* From getopt_long's number of an option to its index. */
static size_t index_of(const struct cli_options *options, int number)
{
    const size_t count = option_count(options);
    if (number == 'h')
        return HELP;
    for (size_t i = 0; i < count; i++)
        if (row_at(options, i).option->letter == number)
            return i;
    return (size_t)number - FIRST_NUMBER;
}

#define ENGINES_OWN "gone: start the engine itself, with its own options (docs/hunting-for-weeks.md)"

/* Options that there were once, and what does the same now. */
static const char *const former[][2] = {
    { "hang-after", "--timeout, in seconds, now" },
    { "budget", "--seconds now" },
    { "patch", "--decisions, which ci/amend takes, now" },
    { "tree", "an option of ci/amend now" },
    { "campaign", "gone: a hunt always goes on where it was, in the directory of --findings" },
    { "instances", "gone: seeds draw threads, queues, instruction sets; ci/fuzz --all has sanitizers" },
    { "turn", "gone: nothing takes turns" },
    { "builds", "gone: nothing takes turns" },
    { "share", "gone: --shard K/N for each machine, then `picafuzz triage`" },
    { "machine", "gone: --shard K/N for each machine, then `picafuzz triage`" },
    { "disk", "gone: a hunt keeps findings only, three a bucket" },
    { "still", ENGINES_OWN },
    { "memory", ENGINES_OWN },
    { "cmplog", ENGINES_OWN },
};

static int complain_of_unknown(const struct cli_options *options, const char *word)
{
    const char *names[MOST_OPTIONS + 1] = { "help" };
    const size_t count = option_count(options), length = strcspn(word, "=");
    if (optopt >= FIRST_NUMBER)
        return complain(options, "--%s takes no value", row_at(options, index_of(options, optopt)).option->name);
    if (optopt != 0)
        return complain(options, "unknown option '-%c'", optopt);
    for (size_t i = 0; i < count; i++)
        names[1 + i] = row_at(options, i).option->name;
    for (size_t i = 0; i < sizeof former / sizeof former[0]; i++)
        if (length == 2 + strlen(former[i][0]) && memcmp(word + 2, former[i][0], length - 2) == 0)
            return complain(options, "'--%s' is %s", former[i][0], former[i][1]);
    const char *const near = cli_nearest(word + 2, names, count + 1);
    if (near != NULL)
        return complain(options, "unknown option '%s', did you mean --%s?", word, near);
    return complain(options, "unknown option '%s'", word);
}

int cli_options_parse(const struct cli_options *options, int argc, char **argv, void *request)
{
    struct getopt_tables tables;
    bool given[MOST_OPTIONS] = { false };
    make_tables(options, &tables);
    opterr = 0; /* all complaints are made here */
    optind = 0; /* begin at the first word, whatever was parsed before */
    for (int number; (number = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1;) {
        if (number == '?')
            return complain_of_unknown(options, argv[optind - 1]);
        const size_t index = index_of(options, number == ':' ? optopt : number);
        if (index == HELP)
            return CLI_PARSE_HELP;
        const struct row row = row_at(options, index);
        if (number == ':')
            return complain(options, "--%s wants a value", row.option->name);
        if (take(options, row, given[index], argc, argv, request) != 0)
            return CLI_PARSE_BAD;
        given[index] = true;
    }
    for (size_t i = 0; i < option_count(options); i++)
        if (given[i] &&
            check_list(options, row_at(options, i).option, (unsigned char *)request + row_at(options, i).target) != 0)
            return CLI_PARSE_BAD;
    return optind;
}

bool cli_options_gave_backends(const struct cli_options *options, const void *request, const void *defaults)
{
    for (size_t i = 0; i < option_count(options); i++) {
        const struct row row = row_at(options, i);
        if (row.option->kind == CLI_BACKENDS &&
            memcmp((const unsigned char *)request + row.target, (const unsigned char *)defaults + row.target,
                   sizeof(struct cli_list)) != 0)
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------------ help */

/* "  -o, --output FILE"; returns how long that is. */
static size_t write_left(const struct cli_option *option, char *out, size_t size)
{
    char letter[] = "    ";
    if (option->letter != 0)
        (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
    (void)snprintf(out, size, "  %s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
                   option->value != NULL ? option->value : "");
    return strlen(out);
}

/* The default of a number; "" if it is below the range. */
static void write_number(const struct cli_option *option, const unsigned char *target, char *out, size_t size)
{
    uint64_t number = 0;
    uint32_t word = 0;
    memcpy(&word, target, sizeof word);
    number = word;
    if (option->kind == CLI_LONG)
        memcpy(&number, target, sizeof number);
    if (number >= option->least)
        (void)snprintf(out, size, "%" PRIu64, number);
}

static void write_list(const unsigned char *target, char *out, size_t size)
{
    struct cli_list list;
    size_t length = 0;
    memcpy(&list, target, sizeof list);
    for (size_t i = 0; i < list.count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", i != 0 ? "," : "", list.items[i]);
}

/* The default as text, "" where there is none to tell. */
static void write_default(const struct cli_option *option, const unsigned char *target, char *out, size_t size)
{
    const char *text = "";
    size_t length = 0;
    uint32_t word = 0;
    double seconds = 0.0;
    out[0] = '\0';
    switch (option->kind) {
    case CLI_FLAG:
    case CLI_SEEDS: break;
    case CLI_TEXT:
    case CLI_READ:
    case CLI_WRITE:
    case CLI_BACKEND:
        memcpy(&text, target, sizeof text);
        (void)snprintf(out, size, "%s", text != NULL ? text : "");
        break;
    case CLI_CHOICE:
        memcpy(&word, target, sizeof word);
        length = name_choice(option->choices, word, &text);
        (void)snprintf(out, size, "%.*s", (int)length, text);
        break;
    case CLI_LIST:
    case CLI_BACKENDS:
    case CLI_EACH:
    case CLI_EACH_READ: write_list(target, out, size); break;
    case CLI_TIME:
        memcpy(&seconds, target, sizeof seconds);
        (void)snprintf(out, size, "%g", seconds);
        break;
    case CLI_SECONDS:
        memcpy(&word, target, sizeof word);
        (void)snprintf(out, size, "%g", (double)word / 1000.0);
        break;
    case CLI_NUMBER:
    case CLI_LONG: write_number(option, target, out, size); break;
    }
}

/* "1 to 64; default 1", or a part of that. */
static void write_limits(const struct cli_option *option, const unsigned char *target, char *out, size_t size)
{
    char preset[256];
    write_default(option, target, preset, sizeof preset);
    const bool is_number = option->kind == CLI_NUMBER || option->kind == CLI_LONG || option->kind == CLI_SECONDS;
    char values[256] = "";
    if (option->choices != NULL)
        (void)snprintf(values, sizeof values, "%s", option->choices->names);
    else if (is_number && has_range(option))
        (void)snprintf(values, sizeof values, "%" PRIu64 " to %" PRIu64, option->least, option->most);
    (void)snprintf(out, size, "%s%s%s%s", values, values[0] != '\0' && preset[0] != '\0' ? "; " : "",
                   preset[0] != '\0' ? "default " : "", preset);
}

/* Words of `text` in lines that begin at `column`, as the first one already does. */
static void print_wrapped(const char *text, size_t column, FILE *to)
{
    for (size_t at = column; *text != '\0';) {
        const size_t length = strcspn(text, " \n");
        if (at != column && at + 1 + length > LINE_WIDTH) {
            fprintf(to, "\n%*s", (int)column, "");
            at = column;
        }
        fprintf(to, "%s%.*s", at != column ? " " : "", (int)length, text);
        at += (at != column) + length;
        if (text[length] == '\n') {
            fprintf(to, "\n%*s", (int)column, "");
            at = column;
        }
        text += length + (text[length] != '\0');
    }
    fputs("\n", to);
}

void cli_options_each(const struct cli_options *options, const void *defaults,
                      void (*read)(void *user, const struct cli_option_text *text), void *user)
{
    char left[64], limits[512], text[1024];
    for (size_t i = 0; i < option_count(options); i++) {
        const struct row row = row_at(options, i);
        (void)write_left(row.option, left, sizeof left);
        write_limits(row.option, (const unsigned char *)defaults + row.target, limits, sizeof limits);
        (void)snprintf(text, sizeof text, "%s%s%s%s", row.option->help, limits[0] != '\0' ? " (" : "", limits,
                       limits[0] != '\0' ? ")" : "");
        read(user, &(struct cli_option_text){ row.option, left + strspn(left, " "), text });
    }
}

struct help_column {
    size_t column; /* where the texts begin */
    FILE *to;
};

static void print_option(void *user, const struct cli_option_text *text)
{
    const struct help_column *const help = user;
    char left[64];
    (void)write_left(text->option, left, sizeof left);
    fprintf(help->to, "%-*s", (int)help->column, left);
    print_wrapped(text->text, help->column, help->to);
}

void cli_options_print(const struct cli_options *options, const void *defaults, FILE *to)
{
    struct help_column help = { 0, to };
    char left[64];
    for (size_t i = 0; i < option_count(options); i++) {
        const size_t length = write_left(row_at(options, i).option, left, sizeof left);
        help.column = length + 2 > help.column ? length + 2 : help.column;
    }
    cli_options_each(options, defaults, print_option, &help);
}

void cli_page_print(const struct cli_options *options, const char *about, const char *exits, const void *defaults,
                    FILE *to)
{
    fputs(about, to);
    if (option_count(options) != 0)
        fputs("\n", to);
    cli_options_print(options, defaults, to);
    fprintf(to, "\n%s", exits);
}

/* ------------------------------------------------------------------------------------- programs without subcommands */

int cli_program_parse(const struct cli_program *program, int argc, char **argv, void *request, int *code)
{
    memcpy(request, program->defaults, program->request_size);
    const int first = cli_options_parse(&program->options, argc, argv, request);
    *code = first == CLI_PARSE_HELP ? 0 : CLI_PROGRAM_USAGE;
    if (first == CLI_PARSE_HELP)
        cli_page_print(&program->options, program->about, program->exits, program->defaults, stdout);
    if (first == CLI_PARSE_HELP || first == CLI_PARSE_BAD)
        return -1;
    if (argc - first >= program->least_words && argc - first <= program->most_words)
        return cli_options_guard(&program->options, argc - first, argv + first, request, NULL) == 0 ? first : -1;
    if (argc - first > program->most_words)
        (void)complain(&program->options, "'%s' is one word too many", argv[first + program->most_words]);
    else
        (void)complain(&program->options, "something is missing behind the options");
    return -1;
}

/* ---------------------------------------------------------------------------------------------------- did you mean */

enum {
    MOST_LETTERS = 32
};

static size_t least_of(size_t a, size_t b, size_t c)
{
    const size_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

/* Letters to put in, take out or change (Levenshtein), row by row; both are at most MOST_LETTERS long. */
static size_t distance(const char *a, size_t size_a, const char *b, size_t size_b)
{
    size_t costs[MOST_LETTERS + 1];
    for (size_t j = 0; j <= size_b; j++)
        costs[j] = j;
    for (size_t i = 1; i <= size_a; i++) {
        size_t diagonal = costs[0]; /* of a[0..i-1), b[0..j-1) */
        costs[0] = i;
        for (size_t j = 1; j <= size_b; j++) {
            const size_t above = costs[j];
            costs[j] = least_of(above + 1, costs[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return costs[size_b];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    const size_t length = strcspn(word, "=");
    const char *nearest = NULL;
    size_t best = NEAR + 1;
    for (size_t i = 0; i < count && length <= MOST_LETTERS; i++) {
        const size_t size = strlen(names[i]);
        const size_t away = size <= MOST_LETTERS ? distance(word, length, names[i], size) : best;
        if (away < best && away < size) {
            nearest = names[i];
            best = away;
        }
    }
    return nearest;
}
