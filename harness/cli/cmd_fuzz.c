#include "harness/cli/cli.h"

#include "harness/cli/fuzz.h"

static const char about[] =
    "picafuzz fuzz - find cases on which backends differ, or one of them crashes\n"
    "\n"
    "usage: picafuzz fuzz [options] [CASE_FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz fuzz -b ./libmygpu.so                hunts an emulator's bugs, until Ctrl-C\n"
    "  picafuzz fuzz --peel -b reference,./libmygpu.so\n"
    "                                                for a long run: what was found is avoided from then on\n"
    "  picafuzz fuzz --seconds 300 --jobs 4 -b ./old.so,./new.so\n"
    "                                                two builds of an emulator, neither of which is trusted\n"
    "  picafuzz fuzz --seeds 1..20000 --shard 1/4    one part per machine; the same findings each time\n"
    "  picafuzz fuzz --shader vertex.shbin -b reference,./libmygpu.so\n"
    "                                                only that program, with varied inputs and uniforms\n"
    "  picafuzz fuzz --seconds 60 corpus/captures    a quarter of the cases are made from the captures\n"
    "  picafuzz fuzz --engine libfuzzer              coverage-guided by libFuzzer, on our own backends\n"
    "\n"
    "Each seed makes a case, which runs on all backends; the others are compared with the first, in what\n"
    "they declare to model. A case that a backend does not support counts as not tested. A plug-in runs in a\n"
    "process of its own: a crash or hang there costs one case, and is a finding. A case that differs or\n"
    "crashes is first run again in a fresh process. Some cases are made from the files that are given; if a\n"
    "plug-in was built with edge coverage (clang -fsanitize=fuzzer-no-link), also from cases that reached\n"
    "new edges, which are kept in --corpus. Some cases for our own two backends run with other threads,\n"
    "queues and instruction sets.\n"
    "\n"
    "While the hunt goes on, each finding is reduced and put into the directory of its bucket:\n"
    "FINDINGS/BUCKET/CASE.pcase is the reduced case to read, CASE.pcb the case as it was found, CASE.txt the\n"
    "report about it. A bucket keeps three findings and counts the others; a finding that shows nothing when\n"
    "run again by itself goes to FINDINGS/unconfirmed. FINDINGS/hunt.json records how far the hunt is:\n"
    "started again, the same hunt continues there, however it ended. Ctrl-C loses nothing. With --seconds\n"
    "the hunt ends within five seconds after that time. What is found depends on seeds and options, not on\n"
    "the number of jobs, on kills or on the clock, except for hangs (2 s of CPU time) and for the cases that\n"
    "reached new edges of a plug-in.\n"
    "\n"
    "--peel finds out what each finding needs: fields with certain values. From then on a case that shows\n"
    "the finding is run again without them (if they crash a backend, they are removed before the first run),\n"
    "and is no finding if the backends agree then. Such cases are counted. What is known is in\n"
    "FINDINGS/hunt.json. A crash is identified by its place in the plug-in. When a cause is still found four\n"
    "times, the next of its needs is avoided instead; when all of them were tried, cases that look like this\n"
    "cause are counted as it, and only the 8th, 16th, 32nd ... of them is examined again.\n"
    "\n"
    "With --engine, libFuzzer or AFL++ chooses the inputs, and runs one target program as a child process:\n"
    "fuzz_pair, built by the presets `fuzz` and `asan`, or fuzz_pair_afl, built by `afl` and `afl-asan`\n"
    "(afl-fuzz is in the Debian package afl++). Inputs that reach new code are kept in the corpus directory;\n"
    "the next run continues from them. Inputs on which the target fails are run again here, and filed as\n"
    "above; those that show nothing here go to FINDINGS/unconfirmed with the engine's messages, all of which\n"
    "are in FINDINGS/engine.log. --executions counts what the target runs; each case may take one second of\n"
    "CPU time there. A target that is reporting a failure when --seconds are over gets 15 seconds more.\n"
    "Several processes: docs/hunting-for-weeks.md.\n";

static const char exits[] = "exit codes: 0 nothing found, 1 findings, 2 usage or bad input, 4 host trouble\n";

enum {
    TRIES = 300 /* tries for each second of --reduce-seconds, so that findings do not depend on the clock */
};

static const struct cli_fuzz defaults = {
    .jobs = 1,
    .children = 25,
    .reduce_seconds = 10,
    .run = { .backends = { { "reference", "fast" }, 2 }, .instruction_sets = UINT32_MAX },
};

static const struct cli_choices engines = { "seeds, libfuzzer, afl", NULL }; /* 0: the loop; 1 + enum harness_engine */

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 2, HARNESS_MOST_BACKENDS, offsetof(struct cli_fuzz, run.backends), "A,B[,..]",
      "2 to 8 backends; the others are compared with the first, a single one with reference", NULL },
    { "engine", 0, CLI_CHOICE, 0, 0, offsetof(struct cli_fuzz, engine), "NAME",
      "what chooses the inputs: a loop over seeds, or an engine that runs a fuzz target", &engines },
    { "seeds", 0, CLI_TEXT, 0, 0, offsetof(struct cli_fuzz, seeds), "FIRST..LAST",
      "only the cases of these seeds (default: from 1 on, without end)", NULL },
    { "shader", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, shader), "FILE",
      "only draws with the vertex programs of this file (`picafuzz shader --help`), with varied inputs and uniforms",
      NULL },
    { "shard", 0, CLI_TEXT, 0, 0, offsetof(struct cli_fuzz, run.shard_text), "K/N",
      "only part K of N of the seeds, for machine K: 1/4", NULL },
    { "children", 0, CLI_NUMBER, 0, 100, offsetof(struct cli_fuzz, children), "PERCENT",
      "share of cases that are made from another case, if files are given or a plug-in reports its edges", NULL },
    { "seconds", 0, CLI_NUMBER, 0, 31536000, offsetof(struct cli_fuzz, seconds), "N",
      "stop after this time; 0 = at Ctrl-C", NULL },
    { "executions", 0, CLI_NUMBER, 0, UINT32_MAX, offsetof(struct cli_fuzz, executions), "N",
      "stop after N cases; 0 = no limit", NULL },
    { "jobs", 0, CLI_NUMBER, 1, 64, offsetof(struct cli_fuzz, jobs), "N", "processes", NULL },
    { "corpus", 0, CLI_WRITE, 0, 0, offsetof(struct cli_fuzz, corpus), "DIRECTORY",
      "where inputs that reach new code are kept (default: fuzz-corpus)", NULL },
    { "findings", 0, CLI_WRITE, 0, 0, offsetof(struct cli_fuzz, findings), "DIRECTORY",
      "where findings go (default: findings)", NULL },
    { "max-findings", 0, CLI_NUMBER, 1, 1000, offsetof(struct cli_fuzz, max_findings), "N",
      "stop after N different findings (default: 1000, with --engine 10)", NULL },
    { "reduce-seconds", 0, CLI_NUMBER, 0, 86400, offsetof(struct cli_fuzz, reduce_seconds), "N",
      "time to reduce each finding; 0 = do not reduce", NULL },
    { "reduce-tries", 0, CLI_NUMBER, 1, UINT32_MAX, offsetof(struct cli_fuzz, reduce_tries), "N",
      "tried changes to reduce each finding (default: 300 for each of those seconds)", NULL },
    { "seed", 0, CLI_NUMBER, 1, 0x7FFFFFFF, offsetof(struct cli_fuzz, seed), "N",
      "start at other seeds; for an engine, the seed of its random choices", NULL },
    { "peel", 0, CLI_FLAG, 0, 0, offsetof(struct cli_fuzz, peel), NULL,
      "avoid each cause once it is found, so that it cannot hide others", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct cli_fuzz, plain), "PERCENT",
      "share of the fills, transfers and copies in generated cases that hold only values that real programs send",
      NULL },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct cli_fuzz, run.threads), "N", "worker threads of each backend",
      NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct cli_fuzz, run.capacity), "N",
      "at most N entries in each queue and cache of a backend", NULL },
    { "target", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, target), "FILE",
      "the fuzz target (default: fuzz_pair, or fuzz_pair_afl, beside this program or in its preset's directory)",
      NULL },
    { "mutator", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, mutator), "FILE",
      "AFL++'s custom mutator (default: ../lib/mutator_afl.so beside this program or in its preset's directory)",
      NULL },
};

unsigned cli_fuzz_tries(const struct cli_fuzz *request)
{
    if (request->reduce_seconds == 0 || request->reduce_tries != 0)
        return request->reduce_seconds == 0 ? 0 : request->reduce_tries;
    return (unsigned)TRIES * request->reduce_seconds;
}

/* Complains of options that the loop over seeds would ignore. */
static int check_loop(const struct cli_fuzz *request)
{
    if (request->mutator == NULL)
        return CLI_OK;
    return cli_usage("fuzz", "--mutator is for --engine");
}

/* Complains of options that an engine would ignore. */
static int check_engine(const struct cli_fuzz *request)
{
    if (request->seeds != NULL || request->run.shard_text != NULL || request->shader != NULL)
        return cli_usage("fuzz", "--seeds, --shard and --shader are for the loop over seeds, not for engines");
    if (request->jobs != 1)
        return cli_usage("fuzz", "--jobs is for the loop over seeds; an engine has means of its own: libFuzzer -fork, "
                                 "AFL++ -M and -S (docs/hunting-for-weeks.md)");
    return CLI_OK;
}

static int command_fuzz(void *opaque, int count, char **files)
{
    struct cli_fuzz *const request = opaque;
    const bool is_loop = request->engine == 0 && request->target == NULL;
    if (request->peel && request->reduce_seconds == 0)
        return cli_usage("fuzz", "--peel finds causes in reduced findings; --reduce-seconds 0 leaves them as they are");
    const int code = is_loop ? check_loop(request) : check_engine(request);
    if (code != CLI_OK)
        return code;
    return cli_fuzz_hunt(request, !is_loop, count, files);
}

const struct cli_command cli_cmd_fuzz = {
    CLI_COMMAND("fuzz", command_fuzz, "find divergences and crashes between the backends"),
    .options = { CLI_OWN_OPTIONS, { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct cli_fuzz, run) } },
};
