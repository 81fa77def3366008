#include "harness/cli/cli.h"

#include "harness/cli/fuzz.h"

#include <signal.h>

static const char about[] =
    "picafuzz fuzz - find cases on which backends differ, or one of them crashes\n"
    "\n"
    "usage: picafuzz fuzz [options] [CASE_FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz fuzz -b ./libmygpu.so                hunts an emulator's bugs, until Ctrl-C\n"
    "  picafuzz fuzz --peel -b reference,./libmygpu.so\n"
    "                                                a night: what was found is avoided from then on\n"
    "  picafuzz fuzz --seconds 300 --jobs 4 -b ./old.so,./new.so\n"
    "                                                two builds of it, neither of which is trusted\n"
    "  picafuzz fuzz --seeds 1..20000 --shard 1/4    a part for each machine: the same findings each time\n"
    "  picafuzz fuzz --shader vertex.shbin -b reference,./libmygpu.so\n"
    "                                                that program alone: its inputs, uniforms, booleans vary\n"
    "  picafuzz fuzz --seconds 60 corpus/captures    a quarter of the cases are made of the captures\n"
    "  picafuzz fuzz --engine libfuzzer              coverage-guided by libFuzzer, of our own backends\n"
    "\n"
    "Each seed makes a case, which runs on all backends; they are compared with the first one, by what they\n"
    "declare to model. A case that one does not support counts as not tested. A plug-in runs in a process of\n"
    "its own, which may crash and hang: that costs a case, and is a finding. What differs or dies is run again\n"
    "in a fresh process first. Files that are given are parents of some of the cases; if a plug-in was built\n"
    "with edges (clang -fsanitize=fuzzer-no-link), so is what reached new ones, which is kept in --corpus.\n"
    "Some cases of our own two run with other threads, queues and instruction sets.\n"
    "\n"
    "Each finding is reduced beside the hunt and put into the directory of its bucket:\n"
    "FINDINGS/BUCKET/CASE.pcase is the reduced case to read, CASE.pcb what was found, CASE.txt what was said\n"
    "about it. A bucket keeps three and counts the others; a finding that shows nothing when run again by\n"
    "itself goes to FINDINGS/unconfirmed. FINDINGS/hunt.json says how far the hunt is: the next start of the\n"
    "same hunt goes on there, however this one ended. Ctrl-C loses nothing. --seconds ends it within five\n"
    "more. What is found depends on seeds and options, not on the number of jobs, on kills or on the clock,\n"
    "but for what hangs (2 s of processor time) and for what edges of a plug-in keep.\n"
    "\n"
    "--peel finds out what each finding needs: fields with certain values. From then on a case that shows\n"
    "it is run again without them (what crashes a backend is taken out beforehand), and is no finding if\n"
    "the backends agree then. Such cases are counted. What is known is in FINDINGS/peel. A crash is known by\n"
    "the place in the plug-in. When a cause is found four times all the same, it is avoided by the next of\n"
    "its needs; when each had its turn, what looks like it counts as it, and is looked at again the 8th,\n"
    "16th, 32nd ... time.\n"
    "\n"
    "With --engine libFuzzer or AFL++ chooses inputs, and runs one target program as a child: fuzz_pair,\n"
    "built by the presets `fuzz` and `asan`, or fuzz_pair_afl, built by `afl` and `afl-asan` (afl-fuzz is in\n"
    "the Debian package afl++). Inputs that reach new code are kept in the corpus directory; the next run\n"
    "goes on from them. What the target fails on is run again here, and filed as above; what shows nothing here\n"
    "goes to FINDINGS/unconfirmed with the engine's words, all of which are in FINDINGS/engine.log.\n"
    "--executions counts what the target runs; a case gets a second of processor time there. A target that\n"
    "says why it fails when --seconds are over has 15 more. Several processes: docs/hunting-for-weeks.md.\n";

static const char exits[] = "exit codes: 0 nothing found, 1 findings, 2 usage or bad input, 4 host trouble\n";

enum {
    TRIES = 300 /* of a reduction, for each second that it may have: what is found is to depend on no clock */
};

static const struct cli_fuzz defaults = {
    .jobs = 1,
    .children = 25,
    .reduce_seconds = 10,
    .run = { .backends = { { "reference", "fast" }, 2 }, .instruction_sets = UINT32_MAX },
};

static const struct cli_choices engines = { "seeds, libfuzzer, afl", NULL }; /* 0: none; 1 + enum harness_engine */

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 2, CLI_MOST_BACKENDS, offsetof(struct cli_fuzz, run.backends), "A,B[,..]",
      "2 to 8 backends; all are compared with the first, one alone with reference", NULL },
    { "engine", 0, CLI_CHOICE, 0, 0, offsetof(struct cli_fuzz, engine), "NAME",
      "what chooses the inputs: a loop over seeds, or an engine that runs a fuzz target", &engines },
    { "seeds", 0, CLI_TEXT, 0, 0, offsetof(struct cli_fuzz, seeds), "FIRST..LAST",
      "only the cases of these seeds (default: from 1 on, without end)", NULL },
    { "shader", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, shader), "FILE",
      "only draws with the vertex programs of this file (`picafuzz shader --help`), with other inputs and uniforms",
      NULL },
    { "shard", 0, CLI_TEXT, 0, 0, offsetof(struct cli_fuzz, run.shard_text), "K/N",
      "only part K of N of the seeds, for machine K: 1/4", NULL },
    { "children", 0, CLI_NUMBER, 0, 100, offsetof(struct cli_fuzz, children), "PERCENT",
      "of the cases that are made of another one, where files are given or a plug-in tells its edges", NULL },
    { "seconds", 0, CLI_NUMBER, 0, 31536000, offsetof(struct cli_fuzz, seconds), "N", "how long; 0 = until Ctrl-C",
      NULL },
    { "executions", 0, CLI_NUMBER, 0, UINT32_MAX, offsetof(struct cli_fuzz, executions), "N",
      "how many cases in all; 0 = any number", NULL },
    { "jobs", 0, CLI_NUMBER, 1, 64, offsetof(struct cli_fuzz, jobs), "N", "processes", NULL },
    { "corpus", 0, CLI_WRITE, 0, 0, offsetof(struct cli_fuzz, corpus), "DIRECTORY",
      "where an engine, or the edges of a plug-in, keep inputs (default: fuzz-corpus)", NULL },
    { "findings", 0, CLI_WRITE, 0, 0, offsetof(struct cli_fuzz, findings), "DIRECTORY",
      "where findings go (default: findings)", NULL },
    { "max-findings", 0, CLI_NUMBER, 1, 1000, offsetof(struct cli_fuzz, max_findings), "N",
      "stop after so many different findings (default: 1000, with --engine 10)", NULL },
    { "reduce-seconds", 0, CLI_NUMBER, 0, 86400, offsetof(struct cli_fuzz, reduce_seconds), "N",
      "for the reduction of each finding; 0 = findings stay as they are", NULL },
    { "reduce-tries", 0, CLI_NUMBER, 1, UINT32_MAX, offsetof(struct cli_fuzz, reduce_tries), "N",
      "the same in tried changes (default: 300 for each of those seconds)", NULL },
    { "seed", 0, CLI_NUMBER, 1, 0x7FFFFFFF, offsetof(struct cli_fuzz, seed), "N",
      "another beginning of the seeds; of an engine, the seed of its random choices", NULL },
    { "peel", 0, CLI_FLAG, 0, 0, offsetof(struct cli_fuzz, peel), NULL,
      "avoid each cause once it was found, so that one cannot hide the others", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct cli_fuzz, plain), "PERCENT",
      "of the fills, transfers and copies of generated cases, how many hold only values that programs send", NULL },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct cli_fuzz, run.threads), "N", "worker threads of each backend",
      NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct cli_fuzz, run.capacity), "N",
      "entries of each queue and cache of a backend, at most", NULL },
    { "target", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, target), "FILE",
      "the fuzz target (default: fuzz_pair, or fuzz_pair_afl, beside this program or in its preset's directory)",
      NULL },
    { "dictionary", 0, CLI_READ, 0, 0, offsetof(struct cli_fuzz, dictionary), "FILE",
      "for bytewise mutation (default: fuzz_pair.dict above this program or in its preset's directory, if it is there)",
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
    if (request->dictionary == NULL && request->mutator == NULL)
        return CLI_OK;
    return cli_usage("fuzz", "--dictionary and --mutator are for --engine");
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
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error with a message, here and in the engine */
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
