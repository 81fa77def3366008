#include "harness/cli/fingers.h"

#include "harness/quirks/edit.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "picafuzz fingerprint - which side of each known choice does a backend take?\n"
    "\n"
    "usage: picafuzz fingerprint -b BACKEND [options]\n"
    "\n"
    "  picafuzz fingerprint -b ./libmygpu.so                what my emulator does where sources differ\n"
    "  picafuzz fingerprint -b ./libmygpu.so -o my.quirks   ... and write the choices into a quirks file\n"
    "  picafuzz fingerprint -b ./libmygpu.so zero-area row-order\n"
    "                                                       only these two choices\n"
    "  picafuzz diff --quirks my.quirks -b reference,./libmygpu.so corpus/\n"
    "                                                       with it, reference takes the same sides\n"
    "\n"
    "Runs the cases of corpus/splits, which are built into the program: one for each choice of\n"
    "pica/splits.def, with the words that each side leaves. `*` marks another side that may also be right,\n"
    "`x` a side that a console was seen not to take, or a missing part of the machine (a lack). \"neither\"\n"
    "shows what the backend left instead; that is a difference not known yet, and `picafuzz diff` explains\n"
    "it. A case that is visible only in registers or interrupts is not tested on a plug-in that models\n"
    "neither. Each case runs in a worker process: a crash, a hang or a failure (`trouble`) costs one case.\n"
    "\n"
    "-o writes the section `choices` of a quirks file (docs/formats/quirks.md) and leaves the other sections\n"
    "as they are. Choices that could not be told apart are left out.\n";

static const char exits[] =
    "exit codes: 0 done, 1 the backend crashed in a case, but not every time, 2 usage or bad input, 3 the\n"
    "backend crashed or hung in a case, 4 it failed in a case, or host trouble\n";

struct fingerprint_request {
    struct cli_run_options options;
    const char *name; /* of the backend, as it was given */
    const char *output;
    bool json;
};

static const struct fingerprint_request defaults = {
    .options = { .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } },
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKEND, 0, 0, offsetof(struct fingerprint_request, options.backends.items[0]), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct fingerprint_request, output), "FILE",
      "write the choices into this quirks file", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct fingerprint_request, json), NULL, "a JSON object on stdout", NULL },
    { "timeout", 0, CLI_SECONDS, 0, 86400, offsetof(struct fingerprint_request, options.timeout), "SECONDS",
      "stop a case after this much CPU time, or after 8 to 10 times as much wall time; 0 = never", NULL },
};

/* ------------------------------------------------------------------------------------------------------ the results */

static void words_text(uint32_t choice, const struct harness_finger *finger, struct harness_text *out)
{
    struct harness_split split;
    if (harness_split_open(&split, choice, NULL) != HARNESS_OK)
        return;
    harness_places_text(&split.places, &finger->words, out);
    harness_split_free(&split);
}

/* What stands behind the side: who else takes it, what was left, why it was not tested. */
static void remark_text(uint32_t choice, const struct harness_finger *finger, struct harness_text *out)
{
    if (finger->kind == HARNESS_FINGER_SIDE)
        harness_text_add(out, pica_side_info(choice, finger->side)->who);
    else if (finger->kind == HARNESS_FINGER_NEITHER)
        words_text(choice, finger, out);
    else
        harness_text_add(out, finger->why);
}

/* What is known of the side besides: "" if it is open. */
static void standing_text(uint32_t choice, const struct harness_finger *finger, struct harness_text *out)
{
    const struct pica_side_info *const side =
        finger->kind == HARNESS_FINGER_SIDE ? pica_side_info(choice, finger->side) : NULL;
    if (side != NULL && side->standing == PICA_STANDING_REFUTED)
        harness_text_format(out, "a console does not: %s", side->piece);
    if (side != NULL && side->standing == PICA_STANDING_LACK)
        harness_text_add(out, "a console has it");
}

static const char *mark(uint32_t choice, const struct harness_finger *finger)
{
    if (finger->kind == HARNESS_FINGER_SIDE && finger->side != 0)
        return pica_side_info(choice, finger->side)->standing == PICA_STANDING_OPEN ? "*" : "x";
    if (finger->kind == HARNESS_FINGER_SIDE)
        return " ";
    return finger->kind == HARNESS_FINGER_NOT_TESTED ? "-" : "!";
}

static void print_row(const struct harness_fingerprint *fingerprint, uint32_t choice)
{
    const struct harness_finger *const finger = &fingerprint->fingers[choice];
    struct harness_text remark = { 0 }, standing = { 0 };
    remark_text(choice, finger, &remark);
    standing_text(choice, finger, &standing);
    if (standing.size != 0)
        harness_text_format(&remark, "%s(%s)", remark.size != 0 ? " " : "", harness_text_string(&standing));
    cli_print(stdout, "%s %-20s %-11s %-14s%s%s\n", mark(choice, finger), pica_choice_info(choice)->name,
              pica_choice_info(choice)->rule, harness_finger_word(fingerprint, choice), remark.size != 0 ? "  " : "",
              harness_text_string(&remark));
    harness_text_free(&remark);
    harness_text_free(&standing);
}

struct counts {
    uint32_t normative, others, wrong, neither, not_tested, died, trouble;
};

static struct counts count(const struct harness_fingerprint *fingerprint, const bool *asked)
{
    struct counts counts = { 0 };
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &fingerprint->fingers[i];
        if (!asked[i])
            continue;
        counts.normative += finger->kind == HARNESS_FINGER_SIDE && finger->side == 0;
        counts.others += mark(i, finger)[0] == '*';
        counts.wrong += mark(i, finger)[0] == 'x';
        counts.neither += finger->kind == HARNESS_FINGER_NEITHER;
        counts.not_tested += finger->kind == HARNESS_FINGER_NOT_TESTED;
        counts.died += finger->kind == HARNESS_FINGER_DIED;
        counts.trouble += finger->kind == HARNESS_FINGER_TROUBLE;
    }
    return counts;
}

static void print_table(const char *backend, const struct harness_fingerprint *fingerprint, const bool *asked)
{
    const struct counts counts = count(fingerprint, asked);
    cli_print(stdout, "  %-20s %-11s %-14s  %s\n", "choice", "rule", "side", "who else; what was left; why");
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (asked[i])
            print_row(fingerprint, i);
    cli_print(stdout,
              "%s: %u normative, %u others (*), %u that a console does not take (x), %u neither (!), %u crashed or "
              "hung (!), %u not tested (-)",
              backend, (unsigned)counts.normative, (unsigned)counts.others, (unsigned)counts.wrong,
              (unsigned)counts.neither, (unsigned)counts.died, (unsigned)counts.not_tested);
    if (counts.trouble != 0)
        cli_print(stdout, ", %u failed: no verdict (!)", (unsigned)counts.trouble);
    printf("\n");
}

static cJSON *row_json(const struct harness_fingerprint *fingerprint, uint32_t choice)
{
    static const char *const results[] = { "not tested", "side", "neither", "died", "trouble" };
    static const char *const standings[] = { "open", "refuted", "lack" };
    const struct harness_finger *const finger = &fingerprint->fingers[choice];
    cJSON *const row = cJSON_CreateObject();
    struct harness_text remark = { 0 };
    remark_text(choice, finger, &remark);
    cJSON_AddStringToObject(row, "choice", pica_choice_info(choice)->name);
    cJSON_AddStringToObject(row, "rule", pica_choice_info(choice)->rule);
    cJSON_AddStringToObject(row, "result", results[finger->kind]);
    if (finger->kind == HARNESS_FINGER_SIDE) {
        cJSON_AddStringToObject(row, "side", harness_finger_word(fingerprint, choice));
        cJSON_AddBoolToObject(row, "normative", finger->side == 0);
        cJSON_AddStringToObject(row, "who", harness_text_string(&remark));
        cJSON_AddStringToObject(row, "standing", standings[pica_side_info(choice, finger->side)->standing]);
        if (pica_side_info(choice, finger->side)->piece[0] != '\0')
            cJSON_AddStringToObject(row, "piece", pica_side_info(choice, finger->side)->piece);
    } else {
        cJSON_AddStringToObject(row, finger->kind == HARNESS_FINGER_NEITHER ? "left" : "why",
                                harness_text_string(&remark));
    }
    harness_text_free(&remark);
    return row;
}

static void print_json(const char *backend, const struct harness_fingerprint *fingerprint, const bool *asked)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON *const rows = cJSON_CreateArray();
    cJSON_AddStringToObject(object, "backend", backend);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (asked[i])
            cJSON_AddItemToArray(rows, row_json(fingerprint, i));
    cJSON_AddItemToObject(object, "choices", rows);
    cli_print_json(object);
}

/* --------------------------------------------------------------------------------------------------------- the work */

static enum harness_status write_choices(const char *path, const struct harness_fingerprint *fingerprint,
                                         const bool *asked, struct harness_error *error)
{
    struct pica_choices choices;
    bool known[PICA_CHOICES];
    harness_fingerprint_choices(fingerprint, &choices, known);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        known[i] = known[i] && asked[i];
    return harness_quirks_write_choices(path, &choices, known, error);
}

static int take(const struct fingerprint_request *request, const bool *asked, const struct cli_trials *opened)
{
    struct harness_error error = { "" };
    int code = CLI_OK;
    struct harness_fingerprint *const fingerprint = malloc(sizeof *fingerprint);
    enum harness_status status =
        fingerprint != NULL ? cli_fingerprint_take(&request->options, opened, asked, fingerprint, &code, &error)
                            : harness_fail_memory(&error);
    if (status == HARNESS_OK)
        (request->json ? print_json : print_table)(request->name, fingerprint, asked);
    if (status == HARNESS_OK && request->output != NULL)
        status = write_choices(request->output, fingerprint, asked, &error);
    free(fingerprint);
    return status == HARNESS_OK ? code : cli_fail(status, &error);
}

static int open_and_take(struct fingerprint_request *request, const bool *asked)
{
    struct cli_trials opened = { .count = 0 };
    request->name = request->options.backends.items[0];
    request->options.hosts = true;
    request->options.backends.count = 1;
    int code = cli_backends_open(&request->options, false, 0, opened.backends, &opened.count);
    if (code == CLI_OK)
        code = take(request, asked, &opened);
    cli_backends_close(opened.backends, opened.count);
    return code;
}

static int ask_all(int count, char **names, bool *asked)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        asked[i] = count == 0;
    for (int i = 0; i < count; i++) {
        const struct pica_choice_info *const info = pica_choice_by_name(names[i]);
        if (info == NULL)
            return cli_usage("fingerprint", "'%s' is none of the choices that a whole fingerprint lists", names[i]);
        asked[info->choice] = true;
    }
    return CLI_OK;
}

static int command_fingerprint(void *opaque, int count, char **files)
{
    struct fingerprint_request *const request = opaque;
    bool asked[PICA_CHOICES];
    if (request->options.backends.items[0] == NULL)
        return cli_usage("fingerprint", "no backend given: -b NAME");
    if (count != 0 && request->output != NULL)
        return cli_usage("fingerprint", "-o takes the whole fingerprint, not %d of its choices", count);
    const int code = ask_all(count, files, asked);
    return code != CLI_OK ? code : open_and_take(request, asked);
}

const struct cli_command cli_cmd_fingerprint = {
    CLI_COMMAND("fingerprint", command_fingerprint, "which side of each known choice a backend takes"),
    .options = { CLI_OWN_OPTIONS },
};
