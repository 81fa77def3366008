/*
 * Runs a case on one backend, step by step, and collects what it left behind for the oracles.
 *
 *     harness_runner_create -> (harness_runner_load -> harness_runner_step ... -> harness_runner_collect)* -> destroy
 */
#ifndef HARNESS_RUN_RUNNER_H
#define HARNESS_RUN_RUNNER_H

#include "harness/case/error.h"
#include "harness/run/process.h"
#include "oracles/run.h"
#include "oracles/scope.h"
#include "oracles/tolerance.h"
#include "pica/backend.h"
#include "pica/splits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_runner;
struct harness_display;

/* `backend` must outlive the runner. On failure *out is NULL. */
enum pica_status harness_runner_create(const struct pica_backend *backend, const struct pica_options *options,
                                       struct harness_runner **out);
void harness_runner_destroy(struct harness_runner *runner); /* accepts NULL */

const struct pica_backend *harness_runner_backend(const struct harness_runner *runner);

/* The sides of known choices that the machine takes which the runners have in common: those of the first runner that is
 * a `reference` with choices, since it stands for the other; the normative ones if there is none. */
void harness_runners_choices(struct harness_runner *const *runners, size_t count, struct pica_choices *out);

/* Compares less of its results than its backend declares. The scope is copied. */
void harness_runner_restrict(struct harness_runner *runner, const struct oracle_scope *scope);
const struct oracle_scope *harness_runner_scope(const struct harness_runner *runner);

/* How far its results may be off when it is compared: harness_compare allows for it. Borrowed; NULL: not at all. */
void harness_runner_tolerate(struct harness_runner *runner, const struct oracle_tolerance *tolerance);
const struct oracle_tolerance *harness_runner_tolerance(const struct harness_runner *runner);

/* "backend NAME: why the case cannot be tested with it", if the last load or a step since was PICA_NOT_SUPPORTED, or
 * harness_runner_lacks said true; else "". */
const char *harness_runner_refusal(const struct harness_runner *runner);

/* Does it stop at every budget? Then it need not be asked whether it lacks one. */
bool harness_runner_keeps_budgets(const struct harness_runner *runner);

/* Another backend recorded `events` of the same case: did a budget run out at which this one does not stop? Then this
 * one cannot be tested with the case, and harness_runner_refusal says why. */
bool harness_runner_lacks(struct harness_runner *runner, const struct pica_events *events);

/* The events so far, if the backend models them; else none. */
enum pica_status harness_runner_events(struct harness_runner *runner, struct pica_events *out);

/* Operations begun since the last load. */
uint32_t harness_runner_steps(const struct harness_runner *runner);

/* *step is the operation in hand from now on, UINT32_MAX while a case is loaded: where it was, should this process die.
 * NULL ends that. */
void harness_runner_tell_step(struct harness_runner *runner, volatile uint32_t *step);

/* How the process of a backend that has its own died; NULL: it lives, or there is none. Valid until the next load. */
const struct harness_death *harness_runner_death(const struct harness_runner *runner);

/* Has it a process of its own? Then its next load can be made to start another. */
bool harness_runner_is_apart(const struct harness_runner *runner);
void harness_runner_renew(struct harness_runner *runner);

/* A call failed: HARNESS_CRASHED if its process died of it, else HARNESS_HOST. "backend NAME: WHAT: how". */
enum harness_status harness_runner_fail(const struct harness_runner *runner, const char *what, enum pica_status status,
                                        struct harness_error *error);

/* After each operation that this process ran, `observer` is told of it; NULL ends that. */
typedef void (*harness_step_observer)(void *user, const struct pica_operation *operation);
void harness_runner_watch(struct harness_runner *runner, harness_step_observer observer, void *user);

/* The backend's own instance, for its optional calls. */
void *harness_runner_instance(struct harness_runner *runner);

/* Puts the backend into the case's initial state. `setup` is borrowed until the next load. */
enum pica_status harness_runner_load(struct harness_runner *runner, const struct pica_setup *setup);

enum pica_status harness_runner_step(struct harness_runner *runner, const struct pica_operation *operation);

/* All of `count` operations, but for those after the first whose status is not PICA_OK (harness_runner_steps). */
enum pica_status harness_runner_run(struct harness_runner *runner, const struct pica_operation *operations,
                                    size_t count);

/*
 * Load and all operations in one go, which costs a backend in a process of its own one change of process instead of one
 * for each call, and those of collecting. As the two above otherwise; harness_runner_steps says how far it came.
 */
enum pica_status harness_runner_run_case(struct harness_runner *runner, const struct pica_setup *setup,
                                         const struct pica_operation *operations, size_t count);

/* What the case has set the screens to. Where one shows something, is lit, what it shows is collected, too, which takes
 * some milliseconds; not while the screens are hidden. */
const struct harness_display *harness_runner_display(const struct harness_runner *runner);
bool harness_runner_is_lit(const struct harness_runner *runner);
void harness_runner_hide_screens(struct harness_runner *runner, bool hidden);

/* What the backend holds now. The pointers in *out are valid until the next call for this runner. */
enum pica_status harness_runner_collect(struct harness_runner *runner, struct oracle_run *out);

/*
 * Gives `run` the image that CPU loads alone would have left (oracle_run.loaded), from which the oracles see whether
 * the GPU changed anything. `operations` are those that ran. The image belongs to the runner.
 */
enum pica_status harness_runner_add_loaded(struct harness_runner *runner, const struct pica_operation *operations,
                                           size_t count, struct oracle_run *run);

#endif
