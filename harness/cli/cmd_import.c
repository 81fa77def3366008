#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/import_dump.h"
#include "harness/cli/import_scrub.h"
#include "harness/cli/output.h"
#include "harness/cli/quirks.h"
#include "harness/cli/stems.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "picafuzz import - turn captures into cases\n"
    "\n"
    "usage: picafuzz import [options] CAPTURE...\n"
    "       picafuzz import [options] --list LIST\n"
    "\n"
    "  picafuzz import -o cases trace.ctf                    a CiTrace that an emulator recorded\n"
    "  picafuzz import -o cases corpus/captures/*            all captures, as text\n"
    "  picafuzz import --binary -o fuzz-corpus corpus/captures   as seeds for a fuzzer\n"
    "  picafuzz import --list 0x20001000=list.bin --memory 0x18000000=vram.bin --registers regs.bin -o crash.pcase\n"
    "                                                        what a debugger shows of an emulator that crashed\n"
    "  picafuzz import --scrub -b reference,./libmygpu.so -o public frame.picacap\n"
    "                                                        without the game's pictures and shapes, to be published\n"
    "\n"
    "Reads .picacap, .ctf and raw command lists (.bin). The memory windows of the case are the pages that\n"
    "the capture names and those that its draws read or wrote when the reference ran them (docs/spec/90,\n"
    "CAP-13). Whatever had to be left out is listed on stderr.\n"
    "\n"
    "With --list a case is put together from parts: LIST is ADDRESS=FILE; or FILE, which is then placed\n"
    "where there is room; or ADDRESS+BYTES within what --memory gives. However much memory is given, the\n"
    "case gets only the pages that the list reads or draws to (docs/crash-in-a-debugger.md). The case is\n"
    "named list-ADDRESS, or as -o says.\n"
    "\n"
    "--scrub takes a game's assets out of one capture or case (of any kind): texture, vertex and index\n"
    "bytes, inputs of transfers and bytes that nothing reads are replaced by made-up ones, as long as the\n"
    "backends still show the same, as for `picafuzz reduce`: that they agree, or the same difference, crash\n"
    "or hang. For bytes that must stay because the verdict needs them, the address is printed. Shader code\n"
    "and commands always stay. Ctrl-C writes the best result so far. What may be published then:\n"
    "docs/publishing-a-capture.md.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

struct import_request {
    struct cli_dump_options dump;
    struct cli_scrub_options scrub;
    struct cli_output output;
};

static const struct import_request defaults = {
    .output = { .path = "." },
    .scrub = { .run = { .instruction_sets = UINT32_MAX, .timeout = { HARNESS_HANG_MS, false } },
               .reduce = { .probe = { .jobs = 1 } } },
};

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct import_request, output.path), "DIRECTORY",
      "where the cases go; with --list also a file, as OUT.pcase or OUT.pcb", NULL },
    { "list", 0, CLI_READ, 0, 0, offsetof(struct import_request, dump.list), "LIST",
      "a command list to run with the memory and state that the next options give", NULL },
    { "memory", 0, CLI_EACH_READ, 1, CLI_LIST_MOST, offsetof(struct import_request, dump.memory), "ADDRESS=FILE",
      "bytes of physical memory; may be repeated", NULL },
    { "registers", 0, CLI_READ, 0, 0, offsetof(struct import_request, dump.registers), "FILE",
      "the internal registers: words from 0x000 on, or text such as 0x117 0x20000", NULL },
    { "state", 0, CLI_EACH_READ, 1, CLI_LIST_MOST, offsetof(struct import_request, dump.state), "PART=FILE",
      "another part of the state, in the same form: vertex.code, vertex.opdescs, vertex.uniforms, ...", NULL },
    { "binary", 0, CLI_FLAG, 0, 0, offsetof(struct import_request, output.binary), NULL, "write .pcb instead of .pcase",
      NULL },
};

/* No file that goes into the directory may be one of the inputs. */
static enum harness_status check_outputs(const struct import_request *request, const struct cli_paths *paths,
                                         char *const *stems, struct harness_error *error)
{
    char output[4096];
    enum harness_status status = HARNESS_OK;
    for (size_t o = 0; status == HARNESS_OK && o < paths->count; o++) {
        status = cli_output_path(&request->output, stems[o], output, sizeof output, error);
        if (status != HARNESS_OK || access(output, F_OK) != 0)
            continue;
        for (size_t i = 0; status == HARNESS_OK && i < paths->count; i++)
            if (cli_is_same_file(paths->items[i], output))
                status = harness_fail(error, HARNESS_BAD_INPUT,
                                      "%s: is an input and would be overwritten; nothing was run; give another "
                                      "directory with --output",
                                      output);
    }
    return status;
}

/* `name` is what messages call the case. */
static enum harness_status save(struct import_request *request, const char *name, struct harness_case *test_case,
                                const char *output, struct harness_error *error)
{
    struct harness_text report = { 0 };
    enum harness_status status = HARNESS_OK;
    if (request->scrub.is_on)
        status = cli_scrub_case(&request->scrub, name, test_case, &report, error);
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, output, error);
    if (status == HARNESS_OK)
        cli_print(stdout, "%s: %u window(s), %u operation(s)\n%s", output, (unsigned)test_case->window_count,
                  (unsigned)test_case->operation_count, harness_text_string(&report));
    harness_text_free(&report);
    return status;
}

static enum harness_status import_one(struct import_request *request, const char *path, const char *stem,
                                      struct harness_error *error)
{
    char output[4096];
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = cli_output_path(&request->output, stem, output, sizeof output, error);
    if (status == HARNESS_OK)
        status = cli_load(path, test_case, error);
    if (status == HARNESS_OK)
        status = save(request, path, test_case, output, error);
    harness_case_destroy(test_case);
    return status;
}

/* What --list and its companions name; -o may name the file of this one case. */
static enum harness_status import_dump(struct import_request *request, struct harness_error *error)
{
    char stem[64];
    char output[4096];
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error)
                                                   : cli_dump_load(&request->dump, test_case, stem, sizeof stem, error);
    const bool is_file = cli_output_is_file(request->output.path);
    if (status == HARNESS_OK && !is_file)
        status = cli_output_path(&request->output, stem, output, sizeof output, error);
    if (status == HARNESS_OK)
        status = save(request, stem, test_case, is_file ? request->output.path : output, error);
    harness_case_destroy(test_case);
    return status;
}

static int import_captures(struct import_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    struct cli_paths paths = { NULL, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    char **const stems = cli_stems(&paths);
    if (stems == NULL)
        code = cli_worse(code, cli_fail(harness_fail_memory(&error), &error));
    const bool safe = stems != NULL && check_outputs(request, &paths, stems, &error) == HARNESS_OK;
    if (stems != NULL && !safe)
        code = cli_worse(code, cli_fail(HARNESS_BAD_INPUT, &error));
    for (size_t i = 0; i < paths.count && safe && code != CLI_HOST; i++) {
        const enum harness_status status = import_one(request, paths.items[i], stems[i], &error);
        if (status != HARNESS_OK)
            code = cli_worse(code, cli_fail(status, &error));
    }
    cli_stems_free(stems, &paths);
    cli_paths_free(&paths);
    return code;
}

static int command_import(void *opaque, int count, char **files)
{
    struct import_request *const request = opaque;
    const struct cli_dump_options *const dump = &request->dump;
    struct harness_error error = { "" };
    if (dump->list == NULL && (dump->memory.count != 0 || dump->state.count != 0 || dump->registers != NULL))
        return cli_usage("import", "--memory, --registers and --state go with --list");
    if (count == 0 && dump->list == NULL)
        return cli_usage("import", "no capture given");
    if (count != 0 && dump->list != NULL)
        return cli_usage("import", "give captures or --list, not both");
    if (cli_scrub_check(&request->scrub, count) != CLI_OK)
        return CLI_USAGE;
    if ((dump->list == NULL || !cli_output_is_file(request->output.path)) &&
        cli_make_directory(request->output.path, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    int code = cli_run_open("import", &request->scrub.run);
    if (code == CLI_OK && dump->list == NULL) {
        code = import_captures(request, count, files);
    } else if (code == CLI_OK) {
        const enum harness_status status = import_dump(request, &error);
        code = status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
    }
    cli_run_close(&request->scrub.run);
    return code;
}

const struct cli_command cli_cmd_import = {
    CLI_COMMAND("import", command_import, "turn captures into cases"),
    .options = { CLI_OWN_OPTIONS,
                 { cli_scrub_option_table, CLI_SCRUB_OPTIONS, offsetof(struct import_request, scrub) },
                 CLI_RUN_SETS(import_request, scrub.run) },
};
