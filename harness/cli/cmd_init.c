#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/init_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char about[] =
    "picafuzz init - write into an emulator's tree what it needs to be tested\n"
    "\n"
    "usage: picafuzz init [options] --url URL [DIRECTORY]\n"
    "\n"
    "  picafuzz init --url https://example.org/picafuzz-linux-x86_64\n"
    "                                                 into the current directory\n"
    "  picafuzz init --url URL --sha256 SUM ../myemu  the file that is fetched must have this checksum\n"
    "  picafuzz init --url URL --language c++         the plug-in is C++\n"
    "\n"
    "Writes picafuzz/: a plug-in that compiles (put your GPU in its place), its CMakeLists.txt, a case, the\n"
    "quirks file that says what is known and accepted, and four scripts: fetch.sh gets the program from URL,\n"
    "build.sh builds the plug-in, regress.sh shows what changed since another checkout, check.sh hunts for\n"
    "five minutes and, if it finds something new, writes a page about it and fails. It also writes\n"
    ".github/workflows/picafuzz.yml and, for you to include in your own file, picafuzz/gitlab-ci.yml: each\n"
    "runs the scripts and shows the findings. Put your own cases and captures into picafuzz/cases.\n"
    "\n"
    "If one of these files exists already, nothing is written.\n";

static const char exits[] = "exit codes: 0 done, 2 usage, or a file is there already, 4 host trouble\n";

struct init_request {
    const char *url, *sha256;
    bool force;
    uint32_t language; /* 0: C, 1: C++ */
};

static const struct cli_choices languages = { "c, c++", NULL };

static const struct init_request defaults = { .sha256 = "" };

static const struct cli_option option_table[] = {
    { "url", 0, CLI_TEXT, 0, 0, offsetof(struct init_request, url), "URL", "where the program of a release is", NULL },
    { "sha256", 0, CLI_TEXT, 0, 0, offsetof(struct init_request, sha256), "SUM", "its SHA-256 checksum, 64 digits",
      NULL },
    { "language", 0, CLI_CHOICE, 0, 0, offsetof(struct init_request, language), "NAME", "of the plug-in", &languages },
    { "force", 0, CLI_FLAG, 0, 0, offsetof(struct init_request, force), NULL, "overwrite files that are there already",
      NULL },
};

/* It goes into a script between quotes. */
static bool is_plain_url(const char *url)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!&()*+,;=%";
    return strstr(url, "://") != NULL && url[strspn(url, plain)] == '\0';
}

static bool is_sum(const char *sum)
{
    return sum[0] == '\0' || (strlen(sum) == 64 && strspn(sum, "0123456789abcdef") == 64);
}

static bool make_path(const char *directory, const char *path, char *out, size_t size)
{
    const int length = snprintf(out, size, "%s/%s", directory, path);
    return length > 0 && (size_t)length < size;
}

/* Not the plug-in of the other language. */
static bool is_wanted(const struct init_request *request, const struct cli_init_file *file)
{
    const char *const dot = strrchr(file->path, '.');
    return dot == NULL || strcmp(dot, request->language != 0 ? ".c" : ".cpp") != 0;
}

/* How many are there already; says which. */
static size_t count_existing(const struct init_request *request, const char *directory)
{
    size_t count = 0;
    for (const struct cli_init_file *file = cli_init_files; file->path != NULL; file++) {
        char path[4096];
        struct stat status;
        if (!is_wanted(request, file) || !make_path(directory, file->path, path, sizeof path) ||
            lstat(path, &status) != 0)
            continue;
        cli_print(stderr, "picafuzz init: %s is there already\n", path);
        count++;
    }
    return count;
}

/* The text with what stands for @URL@ and its like. */
static void fill_in(const struct init_request *request, const char *text, struct harness_text *out)
{
    const struct {
        const char *name, *value;
    } words[] = {
        { "@URL@", request->url },
        { "@SHA256@", request->sha256 },
        { "@LANGUAGE@", request->language != 0 ? "CXX" : "C" },
        { "@PLUG_IN@", request->language != 0 ? "plug_in.cpp" : "plug_in.c" },
    };
    while (*text != '\0') {
        size_t length = 1 + strcspn(text + 1, "@");
        const char *value = NULL;
        for (size_t i = 0; i < sizeof words / sizeof words[0] && value == NULL; i++)
            if (strncmp(text, words[i].name, strlen(words[i].name)) == 0) {
                value = words[i].value;
                length = strlen(words[i].name);
            }
        if (value != NULL)
            harness_text_add(out, value);
        else
            harness_text_bytes(out, text, length);
        text += length;
    }
}

static enum harness_status write_one(const struct init_request *request, const char *directory,
                                     const struct cli_init_file *file, struct harness_error *error)
{
    char path[4096], folder[4096];
    if (!make_path(directory, file->path, path, sizeof path))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    enum harness_status status = cli_make_directory(folder, error);
    if (status != HARNESS_OK)
        return status;
    struct harness_text text = { 0 };
    fill_in(request, file->text, &text);
    status = harness_file_write_text(path, &text, error);
    if (status == HARNESS_OK && file->is_script && chmod(path, 0755) != 0)
        status = harness_fail(error, HARNESS_HOST, "%s: cannot be made a script: %s", path, strerror(errno));
    if (status == HARNESS_OK)
        cli_print(stdout, "%s\n", path);
    return status;
}

static int command_init(void *opaque, int count, char **words)
{
    const struct init_request *const request = opaque;
    const char *const directory = count == 1 ? words[0] : ".";
    struct harness_error error = { "" };
    if (count > 1)
        return cli_usage("init", "one directory at most");
    if (request->url == NULL)
        return cli_usage("init", "say where the program of a release is with --url");
    if (!is_plain_url(request->url))
        return cli_usage("init", "--url: '%s' is no URL without spaces, quotes and $", request->url);
    if (!is_sum(request->sha256))
        return cli_usage("init", "--sha256: expected 64 digits 0 to 9, a to f");
    if (!request->force && count_existing(request, directory) != 0)
        return cli_usage("init", "nothing was written; --force overwrites");
    enum harness_status status = HARNESS_OK;
    for (const struct cli_init_file *file = cli_init_files; status == HARNESS_OK && file->path != NULL; file++)
        if (is_wanted(request, file))
            status = write_one(request, directory, file, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stdout,
              "next: put your GPU into %s/picafuzz/plug_in.%s, then run picafuzz/fetch.sh, build.sh, check.sh\n",
              directory, request->language != 0 ? "cpp" : "c");
    return CLI_OK;
}

const struct cli_command cli_cmd_init = {
    CLI_COMMAND("init", command_init, "write a plug-in skeleton, scripts and workflows into an emulator's tree"),
    .options = { CLI_OWN_OPTIONS },
};
