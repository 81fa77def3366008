/*
 * A plug-in with a trace: asked about one pixel or vertex, it reports the value after each pipeline stage, so that a
 * divergence is blamed on a stage and not only on a draw. The GPU here is `fast`; code that you replace by your own is
 * marked "yours". With an installed `fast`:
 *
 *     cc -shared -fPIC -o traced.so docs/example/traced.c $(pkg-config --cflags --libs --static picafuzz-fast)
 *     picafuzz backends ./traced.so
 */
#include "fast/fast.h"

#include <stdlib.h>
#include <string.h>

struct plug_in {
    void *gpu;
    struct pica_trace_request request;
    pica_trace_sink sink; /* NULL: no trace is wanted */
    void *user;
};

/*
 * Yours: where your pixel loop has a value and `x == watched.x && y == watched.y && draw == watched.draw`, it calls
 * this with the names of pica/trace.def. Steps that are marked ALWAYS there must be reported each time the pixel is
 * visited; those marked WHERE_COMPUTED if you have the value. This example leaves out texture coordinates to show that.
 */
static void on_step(void *user, const struct pica_trace_step *step)
{
    const struct plug_in *const plug_in = user;
    if (strcmp(step->name, "sampling coordinate") != 0 && strcmp(step->name, "texture coordinate") != 0)
        plug_in->sink(plug_in->user, step);
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    struct plug_in *const plug_in = instance;
    plug_in->sink = request != NULL ? sink : NULL;
    plug_in->user = user;
    if (request != NULL)
        plug_in->request = *request; /* valid during this call only */
    return fast_backend()->trace(plug_in->gpu, request != NULL ? &plug_in->request : NULL, on_step, plug_in);
}

/* Optional: with it, reports show what each draw did. Yours calls the observer after the last pixel of a draw. */
static enum pica_status observe_draws(void *instance, pica_draw_observer observer, void *user)
{
    return fast_backend()->observe_draws(((struct plug_in *)instance)->gpu, observer, user);
}

static void destroy(void *instance)
{
    struct plug_in *const plug_in = instance;
    if (plug_in != NULL)
        fast_backend()->destroy(plug_in->gpu);
    free(plug_in);
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    struct plug_in *const plug_in = calloc(1, sizeof *plug_in);
    *instance = plug_in;
    if (plug_in == NULL)
        return PICA_NO_MEMORY;
    const enum pica_status status = fast_backend()->create(options, &plug_in->gpu);
    if (status != PICA_OK) {
        destroy(plug_in);
        *instance = NULL;
    }
    return status;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    return fast_backend()->load(((struct plug_in *)instance)->gpu, setup);
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    return fast_backend()->run(((struct plug_in *)instance)->gpu, operation);
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    return fast_backend()->read_memory(((struct plug_in *)instance)->gpu, address, out, size);
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    return fast_backend()->read_state(((struct plug_in *)instance)->gpu, out);
}

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const struct pica_backend *
pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static const struct pica_models models = {
        .size = sizeof(struct pica_models),
        .parts = PICA_PART_MEMORY | PICA_PART_REGISTERS | PICA_PART_INTERRUPTS,
        .budgets = (uint32_t)PICA_BUDGETS_ALL & ~(uint32_t)PICA_BUDGET_WORK, /* a block has commands of its own */
        .float24 = 1,
    };
    static const struct pica_backend backend = {
        .abi = PICA_BACKEND_ABI,
        .name = "traced",
        .summary = "a GPU that shows its work",
        .create = create,
        .destroy = destroy,
        .load = load,
        .run = run,
        .read_memory = read_memory,
        .read_state = read_state,
        .observe_draws = observe_draws,
        .trace = trace,
        .size = sizeof(struct pica_backend),
        .models = &models,
    };
    return &backend;
}
