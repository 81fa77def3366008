#include "harness/cli/cli.h"

#include "harness/cli/quirks.h"
#include "harness/explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char about[] =
    "picafuzz explore - the inside of a frame as a page: every draw, every buffer, every pixel's history\n"
    "\n"
    "usage: picafuzz explore [options] -o DIR FILE\n"
    "\n"
    "  picafuzz explore -o page corpus/captures/hall-f0.picacap    then open page/index.html\n"
    "  picafuzz explore -b ./libmygpu.so -o page a.pcase           reference and an emulator's GPU side by side, the\n"
    "                                                              first difference marked\n"
    "  picafuzz explore --pixel 120,80 -o page a.pcase             with each stage's value for that pixel\n"
    "  picafuzz explore --region 100,60,16,16 -o page a.pcase      and for a rectangle of them\n"
    "\n"
    "The page shows operations, commands and draws; the colour, depth and stencil buffers after each;\n"
    "textures with their levels; the registers that changed; shaders with the values of a vertex. Click on a\n"
    "pixel to see every fragment that reached it, and which test rejected it. The page needs no network and\n"
    "no server: you can send the directory to somebody. It contains what the capture contains: the textures\n"
    "and meshes of a game, if the capture is of a game.\n"
    "\n"
    "What happens in a frame is taken from `reference`; another backend adds its buffers after each\n"
    "operation (`fast`: after each draw).\n";

static const char exits[] = "exit codes: 0 done, 1 done, and the two backends differ, 2 usage or bad input,\n"
                            "            3 a backend crashed or hung, 4 host trouble\n";

struct explore_request {
    struct cli_run_options options;
    const char *output;
    struct cli_list pixels, regions;
    bool quiet;
    const char *path; /* of the case */
    struct harness_explore_request page;
};

static const struct explore_request defaults = {
    .options = CLI_RUN_DEFAULTS(1, "reference"),
    .page = { .vertices = 4, .fragments = 8000000 },
};

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct explore_request, output), "DIR",
      "where the page goes; created if it is missing, files of an older page are replaced", NULL },
    { "backends", 'b', CLI_BACKENDS, 1, 2, offsetof(struct explore_request, options.backends), "NAME",
      "a second backend, or `reference` with sides of known choices and a second backend", NULL },
    { "pixel", 0, CLI_EACH, 0, HARNESS_EXPLORE_REGIONS / 2, offsetof(struct explore_request, pixels), "X,Y",
      "each stage's value for that pixel of every buffer; Y counts upwards; may be repeated", NULL },
    { "region", 0, CLI_EACH, 0, HARNESS_EXPLORE_REGIONS / 2, offsetof(struct explore_request, regions), "X,Y,W,H",
      "the same for a rectangle; may be repeated", NULL },
    { "vertices", 0, CLI_NUMBER, 0, 65536, offsetof(struct explore_request, page.vertices), "N",
      "keep the shader values of the first N vertices of each draw", NULL },
    { "fragments", 0, CLI_LONG, 1, 100000000, offsetof(struct explore_request, page.fragments), "N",
      "keep at most N fragments; the page says if there were more", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct explore_request, quiet), NULL, "no progress", NULL },
};

/* --------------------------------------------------------------------------------------------------------- requests */

/* `count` numbers with commas between them, each up to 65535. */
static bool take_numbers(const char *text, size_t count, uint32_t *out)
{
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        const unsigned long value = strtoul(text, &end, 10);
        if (text[0] < '0' || text[0] > '9' || value > 0xFFFF || *end != (i + 1 < count ? ',' : '\0'))
            return false;
        out[i] = (uint32_t)value;
        text = end + 1;
    }
    return true;
}

static int take_regions(struct explore_request *request)
{
    struct harness_explore_request *const page = &request->page;
    for (size_t i = 0; i < request->pixels.count; i++) {
        uint32_t n[2];
        if (!take_numbers(request->pixels.items[i], 2, n))
            return cli_usage("explore", "--pixel: '%s' is not X,Y, numbers from 0 to 65535", request->pixels.items[i]);
        page->regions[page->region_count++] = (struct harness_explore_region){ n[0], n[1], 1, 1 };
    }
    for (size_t i = 0; i < request->regions.count; i++) {
        uint32_t n[4];
        if (!take_numbers(request->regions.items[i], 4, n))
            return cli_usage("explore", "--region: '%s' is not X,Y,W,H, numbers from 0 to 65535",
                             request->regions.items[i]);
        page->regions[page->region_count++] = (struct harness_explore_region){ n[0], n[1], n[2], n[3] };
    }
    return CLI_OK;
}

/* The left side is a `reference`, which is put before a single other name. */
static int take_backends(struct explore_request *request)
{
    struct cli_list *const names = &request->options.backends;
    cli_backends_pair(names);
    if (!cli_is_reference(names->items[0]))
        return cli_usage("explore", "the first of two backends is `reference`: it tells what happens in a frame");
    return CLI_OK;
}

/* ------------------------------------------------------------------------------------------------------------- work */

static void show_progress(void *user, uint32_t done, uint32_t of)
{
    const struct explore_request *const request = user;
    if (!request->quiet && isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r%" PRIu32 " of %" PRIu32 " operations%s", done, of, done == of ? "\n" : "");
}

static void print_outcome(const struct explore_request *request, const struct harness_explored *explored)
{
    const char *const *const names = request->options.backends.items;
    cli_print(stdout, "%s/index.html: %" PRIu32 " %s, %" PRIu32 " %s, %" PRIu64 " records of pixels, %.1f MB",
              request->output, explored->draws, cli_word(explored->draws, "draw", "draws"), explored->surfaces,
              cli_word(explored->surfaces, "buffer", "buffers"), explored->records, (double)explored->bytes / 1e6);
    if (request->options.backends.count == 2)
        cli_print(stdout, "; %s and %s %s", names[0], names[1], explored->differs ? "differ" : "agree");
    cli_print(stdout, "\n");
    if (explored->is_cut)
        cli_print(stdout, "there were more fragments than %" PRIu64 " (--fragments): later ones are left out\n",
                  request->page.fragments);
}

static int explore_loaded(struct explore_request *request, const struct cli_session *session,
                          const struct cli_case *loaded)
{
    struct harness_error error = { "" };
    struct harness_explored explored;
    request->page.title = request->path;
    request->page.directory = request->output;
    request->page.progress = show_progress;
    request->page.user = request;
    struct harness_runner *const right = session->count == 2 ? session->runners[1] : NULL;
    enum harness_status status = cli_make_directory(request->output, &error);
    if (status == HARNESS_OK)
        status = harness_explore(&request->page, session->runners[0], right, loaded->program, &explored, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    print_outcome(request, &explored);
    return explored.differs ? CLI_DIVERGED : CLI_OK;
}

static int explore_case(struct explore_request *request)
{
    struct harness_error error = { "" };
    struct cli_session session;
    struct cli_case loaded = { NULL, NULL };
    int code = cli_session_open(&session, &request->options);
    if (code == CLI_OK) {
        const enum harness_status status = cli_case_load(&loaded, request->path, &error);
        code = status == HARNESS_OK ? explore_loaded(request, &session, &loaded) : cli_fail(status, &error);
        cli_case_destroy(&loaded);
    }
    return cli_worse(code, cli_session_close(&session));
}

static int command_explore(void *opaque, int count, char **files)
{
    struct explore_request *const request = opaque;
    if (count != 1)
        return cli_usage("explore", "give one file");
    if (request->output == NULL)
        return cli_usage("explore", "-o DIR: where does the page go?");
    if (take_regions(request) != CLI_OK || take_backends(request) != CLI_OK)
        return CLI_USAGE;
    int code = cli_run_open("explore", &request->options);
    if (code != CLI_OK)
        return code;
    request->path = files[0];
    code = explore_case(request);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_explore = {
    CLI_COMMAND("explore", command_explore,
                "the inside of a frame as a page: draws, buffers, the history of each pixel"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(explore_request, options) },
};
