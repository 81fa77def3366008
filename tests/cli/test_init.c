/* `picafuzz init`, and each step of the workflows that it writes: all as an emulator's author would run them. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM PICAFUZZ_BINARY_DIR "/bin/picafuzz"

static struct command_result result;
static char directory[1024];

static void init(const char *options, int code, const char *words)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "init %s '%s'", options, directory);
    run_picafuzz(&result, "", line);
    cr_expect_eq(result.exit_code, code, "%s: %d: %s", line, result.exit_code, result.output);
    cr_expect_not_null(strstr(result.output, words), "%s: no '%s' in: %s", line, words, result.output);
}

static void shell(const char *command, int code)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "cd '%s' && %s", directory, command);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, code, "%s: %d: %s", command, result.exit_code, result.output);
}

/* A pack of one case in the directory, for `score`: the whole one takes seconds. */
static void make_pack(void)
{
    shell("printf 'seeds/fill\\tgx-engines\\tPSC-02\\tdoc\\t-\\tcorpus/seeds/fill/widths.pcase\\n' >list", 0);
    shell("here=$(pwd) && cd '" PICAFUZZ_SOURCE_DIR "' && '" PICAFUZZ_BINARY_DIR
          "/bin/make_vectors' --list \"$here/list\" -o \"$here/one.vectors\"",
          0);
}

#define FEW      "PICAFUZZ_CASES=20 PICAFUZZ_PACK=$(pwd)/one.vectors "
#define SETTINGS FEW "PICAFUZZ_CASES=200 " /* the skeleton can do but one in a hundred */

static void try_all(const char *name, const char *options, const char *plug_in)
{
    fresh_directory(directory, sizeof directory, name);
    make_pack();
    init(options, 0, plug_in);
    shell("sh picafuzz/fetch.sh", 0);
    shell("sh picafuzz/build.sh", 0);
    shell(SETTINGS "sh picafuzz/check.sh", 0);
    cr_expect_not_null(strstr(result.output, "1 cases, 0 with a finding"), "%s", result.output);
    shell("test -s picafuzz-report/index.html && test -s picafuzz-report/junit.xml", 0);
    shell("grep -q '\"version\":.\"2.1.0\"' picafuzz-report/findings.sarif", 0);
    shell("grep -q '<svg' picafuzz-report/score.svg && grep -q '\"score\":1,\"of\":1,' picafuzz-report/score.html", 0);
    shell("test \"$(ls picafuzz/plug_in.*)\" = picafuzz/plug_in.*", 0);
}

Test(init, what_it_writes_fetches_builds_and_checks)
{
    try_all("init", "--url 'file://" PROGRAM "'", "picafuzz/plug_in.c");
}

/* A change of the plug-in is a page, and no failure; nor is a crash, which may be of the other one. */
Test(init, in_cxx_too_and_what_a_change_makes_different_is_a_page)
{
    try_all("init-cxx", "--language c++ --url 'file://" PROGRAM "'", "picafuzz/plug_in.cpp");
    shell("mkdir base && cp -r picafuzz base/ && sh picafuzz/regress.sh base", 0);
    cr_expect_not_null(strstr(result.output, "picafuzz-regress/index.html"), "%s", result.output);
    shell("cp '" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so' build-picafuzz/picafuzz_plug_in.so", 0);
    shell("sh picafuzz/regress.sh base", 0);
    shell("PICAFUZZ_FAULT=load-crash sh picafuzz/regress.sh base", 0);
    shell("echo nonsense >base/picafuzz/plug_in.cpp && rm -r base/build-picafuzz; sh picafuzz/regress.sh base", 0);
    cr_expect_not_null(strstr(result.output, "nothing to compare with"), "%s", result.output);
}

/* What is wrong in the plug-in ends the last step, until it is accepted; what is new fails again. */
Test(init, the_check_fails_where_the_plug_in_differs)
{
    fresh_directory(directory, sizeof directory, "init-wrong");
    make_pack();
    init("--url 'file://" PROGRAM "'", 0, "check.sh");
    shell("mkdir build-picafuzz && ln -s '" PROGRAM "' build-picafuzz/picafuzz", 0);
    shell("cp '" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so' build-picafuzz/picafuzz_plug_in.so", 0);
    shell("PICAFUZZ_FAULT=pixel " FEW "sh picafuzz/check.sh", 1);
    shell("test -n \"$(ls picafuzz-findings)\"", 0);
    shell("grep -q '\"level\":.\"error\"' picafuzz-report/findings.sarif", 0);
    shell("PICAFUZZ_FAULT=pixel build-picafuzz/picafuzz triage --quirks picafuzz/my.quirks --accept all "
          "picafuzz-findings",
          0);
    shell("rm -rf fuzz-corpus", 0); /* as in a fresh checkout: under sanitizers the plug-in reports its edges */
    shell("PICAFUZZ_FAULT=pixel " FEW "sh picafuzz/check.sh", 0);
    shell("PICAFUZZ_FAULT=crash " FEW "sh picafuzz/check.sh", 3);
}

Test(init, a_file_with_another_checksum_is_not_run)
{
    fresh_directory(directory, sizeof directory, "init-sum");
    init("--url 'file://" PROGRAM "' --sha256 0000000000000000000000000000000000000000000000000000000000000000", 0,
         "fetch.sh");
    shell("! sh picafuzz/fetch.sh && test ! -e build-picafuzz/picafuzz", 0);
}

/* Both workflows run the same four scripts, and nothing that is not tried here. */
Test(init, workflows_are_well_formed_and_run_the_scripts)
{
    static const char *const files[] = { ".github/workflows/picafuzz.yml", "picafuzz/gitlab-ci.yml" };
    static const char *const scripts[] = { "fetch.sh", "build.sh", "regress.sh", "check.sh" };
    fresh_directory(directory, sizeof directory, "init-lint");
    init("--url https://example.org/picafuzz", 0, "picafuzz.yml");
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            char line[256];
            (void)snprintf(line, sizeof line, "grep -q 'sh picafuzz/%s' %s", scripts[k], files[i]);
            shell(line, 0);
        }
    run_command(&result, "command -v yamllint");
    if (result.exit_code != 0)
        cr_skip_test("no yamllint: ci/setup.sh installs it");
    shell("yamllint -s .github/workflows/picafuzz.yml picafuzz/gitlab-ci.yml", 0);
}

Test(init, writes_over_nothing_unless_it_is_told_to)
{
    fresh_directory(directory, sizeof directory, "init-twice");
    shell("mkdir picafuzz && echo mine >picafuzz/my.quirks", 0);
    init("--url https://example.org/picafuzz", 2, "picafuzz/my.quirks is there already");
    shell("test \"$(cat picafuzz/my.quirks)\" = mine && test ! -e picafuzz/fetch.sh && test ! -e .github", 0);
    init("--url https://example.org/picafuzz --force", 0, "my.quirks");
    shell("! grep -q mine picafuzz/my.quirks", 0);
}

Test(init, a_url_is_no_shell)
{
    fresh_directory(directory, sizeof directory, "init-url");
    init("", 2, "--url");
    init("--url \"https://x/'; rm -rf y\"", 2, "is no URL");
    init("--url 'https://x/$(id)'", 2, "is no URL");
    init("--url https://x/y --sha256 12", 2, "64 digits");
    shell("test ! -e picafuzz", 0);
}
