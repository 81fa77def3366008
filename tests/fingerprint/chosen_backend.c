/*
 * The reference as a plug-in that takes sides: the environment variable PICAFUZZ_CHOICES names them, with blanks
 * between them ("zero-area=drawn row-order=highest-first"). It models all but the events. With PICAFUZZ_FICKLE an
 * instance takes them from its second case on, with PICAFUZZ_TRACELESS it has no trace.
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "zero-area=drawn" */
static bool take(char *word, struct pica_choices *out)
{
    char *const sign = strchr(word, '=');
    if (sign == NULL)
        return false;
    *sign = '\0';
    const struct pica_choice_info *const choice = pica_choice_by_name(word);
    const struct pica_side_info *const side =
        choice != NULL ? pica_side_by_word((uint32_t)choice->choice, sign + 1) : NULL;
    if (side == NULL)
        return false;
    out->sides[choice->choice] = (uint8_t)side->number;
    return true;
}

static enum pica_status take_all(void *instance)
{
    struct pica_choices choices = { { 0 } };
    char words[4096] = "";
    char *rest = NULL;
    const char *const said = getenv("PICAFUZZ_CHOICES");
    (void)snprintf(words, sizeof words, "%s", said != NULL ? said : "");
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!take(word, &choices))
            return PICA_BAD_ARGUMENT;
    return ref_set_choices(instance, &choices);
}

static bool is_fickle(void)
{
    return getenv("PICAFUZZ_FICKLE") != NULL;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const enum pica_status status = ref_backend()->create(options, instance);
    return status == PICA_OK && !is_fickle() ? take_all(*instance) : status;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    static const void *loaded; /* the process of an instance has no other one */
    const enum pica_status status = ref_backend()->load(instance, setup);
    const bool is_first = loaded != instance;
    loaded = instance;
    return status == PICA_OK && is_fickle() && !is_first ? take_all(instance) : status;
}

const struct pica_backend *pica_backend_entry(void);

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static struct pica_models models;
    models = *ref_backend()->models;
    models.parts &= ~(uint32_t)PICA_PART_EVENTS;
    backend = *ref_backend();
    backend.name = "chosen";
    backend.models = &models;
    backend.create = create;
    backend.load = load;
    if (getenv("PICAFUZZ_TRACELESS") != NULL)
        backend.trace = NULL;
    return &backend;
}
