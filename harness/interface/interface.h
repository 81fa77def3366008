/*
 * Does a plug-in keep its word? Small cases show whether it starts from a reset, takes over what it is given, follows
 * each part that it declares, stops at each budget, forgets the case before, and tells apart what differs. Each check
 * is a process of its own: a plug-in may crash, hang or exit in one and is asked the next.
 */
#ifndef HARNESS_INTERFACE_INTERFACE_H
#define HARNESS_INTERFACE_INTERFACE_H

#include "harness/case/error.h"
#include "pica/backend.h"

enum harness_interface_verdict {
    HARNESS_INTERFACE_PASS,
    HARNESS_INTERFACE_FAIL,
    HARNESS_INTERFACE_DIED,         /* it crashed, hung or ended the process */
    HARNESS_INTERFACE_NOT_DECLARED, /* it does not say that it models this */
    HARNESS_INTERFACE_NOT_TAKEN     /* it returned PICA_NOT_SUPPORTED */
};

enum {
    HARNESS_INTERFACE_TEXT = 1024
};

struct harness_interface_result {
    const char *check; /* static: "reset", "budget commands", ... */
    enum harness_interface_verdict verdict;
    const char *text;   /* what was expected and given, or what was looked at; one line */
    const char *advice; /* static: what to do where it failed; "" elsewhere */
};
typedef void (*harness_interface_taker)(void *user, const struct harness_interface_result *result);

/* "pass", "fail", "died", "not declared", "not taken". */
const char *harness_interface_verdict_text(enum harness_interface_verdict verdict);

/* Runs all checks on a backend (harness_backend_open knows its name), each for at most that many seconds of processor
 * time. Stops after the first if that one cannot even open it, and after three that hang. HARNESS_HOST: this machine
 * has no room. */
enum harness_status harness_interface_check(const char *name, const struct pica_options *options, unsigned seconds,
                                            harness_interface_taker take, void *user);

#endif
