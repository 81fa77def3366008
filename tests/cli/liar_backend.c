/*
 * The reference as a plug-in that draws one byte wrong, and tells nonsense when it is asked why. PICAFUZZ_LIE says
 * what: "steps" (traced steps of a million values), "names" (steps without names), "draw" (a draw with registers that
 * do not exist), "crash" and "exit" (it ends when it is traced), "script" (its name is one). One instance a process.
 */
#include "pica/backend.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pica_draw_observer observer;
    void *observer_user;
    pica_trace_sink sink;
    void *sink_user;
    bool drew;
    uint32_t spoiled; /* address of the buffer of the last draw */
} state;

static bool lie_is(const char *name)
{
    const char *const lie = getenv("PICAFUZZ_LIE");
    return lie != NULL && strcmp(lie, name) == 0;
}

static void on_draw(void *user, const struct pica_draw *draw)
{
    static uint32_t nonsense[PICA_REGISTERS];
    struct pica_draw told = *draw;
    (void)user;
    state.drew = true;
    state.spoiled = pica_buffer_loc_address(draw->registers[PICA_REG_COLORBUFFER_LOC]) << 6;
    if (lie_is("draw")) {
        memset(nonsense, 0xFF, sizeof nonsense);
        told.registers = nonsense;
        told.trigger = told.list_word = told.list_address = 0xDEADBEEFu;
    }
    if (state.observer != NULL)
        state.observer(state.observer_user, &told);
}

static void on_step(void *user, const struct pica_trace_step *step)
{
    struct pica_trace_step told = *step;
    (void)user;
    if (lie_is("steps"))
        told.count = 1000000;
    if (lie_is("names"))
        told.stage = told.name = NULL;
    if (state.sink != NULL)
        state.sink(state.sink_user, &told);
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const enum pica_status status = ref_backend()->create(options, instance);
    return status == PICA_OK ? ref_backend()->observe_draws(*instance, on_draw, NULL) : status;
}

static enum pica_status observe_draws(void *instance, pica_draw_observer observer, void *user)
{
    (void)instance;
    state.observer = observer;
    state.observer_user = user;
    return PICA_OK;
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    state.sink = request != NULL ? sink : NULL;
    state.sink_user = user;
    return ref_backend()->trace(instance, request, on_step, NULL);
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    if (state.sink != NULL && lie_is("crash"))
        abort();
    if (state.sink != NULL && lie_is("exit"))
        exit(0);
    state.drew = false;
    const enum pica_status status = ref_backend()->run(instance, operation);
    uint8_t byte = 0;
    if (status != PICA_OK || !state.drew || ref_backend()->read_memory(instance, state.spoiled, &byte, 1) != PICA_OK)
        return status;
    byte ^= 0x10u;
    const struct pica_operation poke = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = state.spoiled, .size = 1, .data = &byte
    };
    return ref_backend()->run(instance, &poke);
}

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    backend = *ref_backend();
    backend.name = lie_is("script") ? "<script>alert(1)</script>" : "liar";
    backend.summary = "the reference, one byte wrong, that tells nonsense, for tests";
    backend.create = create;
    backend.run = run;
    backend.observe_draws = observe_draws;
    backend.trace = trace;
    return &backend;
}
