/* Learns from findings how their causes are avoided from then on. */
#include "harness/peel/peel.h"

#include <string.h>

enum {
    PATIENCE = 4 /* findings of a cause that teach nothing new, until it is avoided in another way */
};

static const struct harness_peel_need *find_need(const struct harness_peel_cause *cause,
                                                 const struct harness_peel_need *like)
{
    for (uint32_t i = 0; i < cause->count; i++)
        if (cause->needs[i].field == like->field && cause->needs[i].usual == like->usual)
            return &cause->needs[i];
    return NULL;
}

/* Adds the values of `cause` to a known cause, if both have the same bucket and `cause` needs all fields that the known
 * one needs; else returns false. *news: a value was new. */
static bool widen(struct harness_peel_cause *known, const struct harness_peel_cause *cause, bool *news)
{
    if (strcmp(known->bucket, cause->bucket) != 0 || known->dies != cause->dies ||
        (known->count == 0) != (cause->count == 0))
        return false;
    for (uint32_t i = 0; i < known->count; i++)
        if (find_need(cause, &known->needs[i]) == NULL)
            return false;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct harness_peel_need *const need = find_need(cause, &known->needs[i]);
        for (uint32_t k = 0; k < 2; k++) {
            *news = *news || (need->values[k] & ~known->needs[i].values[k]) != 0;
            known->needs[i].values[k] |= need->values[k];
        }
    }
    return true;
}

static struct harness_peel_cause *remember(struct harness_peel *peel, const struct harness_peel_cause *cause,
                                           bool *news)
{
    for (uint32_t i = 0; i < peel->count; i++)
        if (widen(&peel->causes[i], cause, news))
            return &peel->causes[i];
    if (peel->count == HARNESS_PEEL_MOST)
        return NULL;
    peel->causes[peel->count] = *cause;
    return &peel->causes[peel->count++];
}

/* Drops the needs that the case as it was found does not have. They are an artefact of the reducer, which moves things
 * to their usual places: from unit 1 to unit 0, say, so that the reduced case needs unit 0. *news: a need was dropped.
 * False without memory. */
static bool narrow(struct harness_peel_cause *known, struct harness_case *found, bool *news)
{
    uint32_t has = 0, kept = 0;
    if (!harness_peel_has(known, found, &has))
        return false;
    if (has == 0) /* the visitor does not see what causes it, so this says nothing about the needs */
        return true;
    for (uint32_t i = 0; i < known->count; i++)
        if ((has >> i & 1u) != 0)
            known->needs[kept++] = known->needs[i];
    *news = *news || kept != known->count;
    known->count = kept;
    return true;
}

/* Avoiding the first need did not help, so the next one becomes the first. When each need has had its turn, findings
 * are recognised by their sign instead. */
static void lose_patience(struct harness_peel_cause *known, uint32_t findings, const char *kind, const char *key)
{
    if (findings % PATIENCE != 0)
        return;
    if (findings / PATIENCE >= known->count) {
        harness_peel_sign(kind, key, known->sign);
        return;
    }
    const struct harness_peel_need first = known->needs[0];
    memmove(&known->needs[0], &known->needs[1], (known->count - 1) * sizeof first);
    known->needs[known->count - 1] = first;
}

/* Does the key name the place of a crash? Then every crash there counts as this cause from now on, whether it can be
 * avoided or not. */
static bool is_place(const char *kind, const char *key)
{
    return strcmp(kind, "died") == 0 && strncmp(key, "in ", 3) == 0;
}

bool harness_peel_learn(struct harness_peel *peel, uint32_t findings[HARNESS_PEEL_MOST],
                        const struct harness_peel_cause *cause, const char *kind, const char *key,
                        struct harness_case *found)
{
    bool news = false;
    struct harness_peel_cause *const known = remember(peel, cause, &news);
    if (known == NULL)
        return true;
    if (!narrow(known, found, &news))
        return false;
    const size_t index = (size_t)(known - peel->causes);
    if (is_place(kind, key) && known->sign[0] == '\0')
        harness_peel_sign(kind, key, known->sign);
    else if (!news && kind[0] != '\0' && ++findings[index] != 0)
        lose_patience(known, findings[index], kind, key);
    return true;
}
