#include "harness/console/packs/decide.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- order */

/* Of `what` by name; UINT32_MAX: there is none. */
static uint32_t find(enum console_decide_kind kind, const char *name)
{
    const struct pica_choice_info *const choice = pica_choice_by_name(name);
    uint32_t index = UINT32_MAX;
    switch (kind) {
    case CONSOLE_DECIDE_CHOICE: index = choice != NULL ? (uint32_t)choice->choice : UINT32_MAX; break;
    case CONSOLE_DECIDE_QUESTION:
        index = console_asked_by_name(name) < console_asked_count() ? console_asked_by_name(name) : UINT32_MAX;
        break;
    case CONSOLE_DECIDE_SEED: index = console_seed_by_name(name); break;
    }
    return index;
}

static const char *name_of(enum console_decide_kind kind, uint32_t index)
{
    switch (kind) {
    case CONSOLE_DECIDE_CHOICE: return pica_choice_info(index)->name;
    case CONSOLE_DECIDE_QUESTION: return console_asked_texts[index].name;
    case CONSOLE_DECIDE_SEED: return console_seed_texts[index].name;
    }
    return "";
}

static uint32_t count_words(const char *text)
{
    uint32_t count = 0;
    while (*text != '\0') {
        text += strspn(text, " ");
        count += *text != '\0';
        text += strcspn(text, " ");
    }
    return count;
}

struct order {
    struct console_decide *items;
    uint32_t count;
};

static bool has(const struct order *order, enum console_decide_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < order->count; i++)
        if (order->items[i].kind == kind && order->items[i].index == index)
            return true;
    return false;
}

/* Behind all that decide as many rules. */
static void put(struct order *order, bool is_first, enum console_decide_kind kind, uint32_t index, const char *rules)
{
    struct console_decide item = { .kind = kind, .index = index, .is_first = is_first };
    if (index == UINT32_MAX || has(order, kind, index))
        return;
    (void)snprintf(item.rules, sizeof item.rules, "%s", rules);
    item.count = count_words(rules);
    item.name = name_of(kind, index);
    uint32_t at = order->count++;
    while (at > 0 && (order->items[at - 1].is_first < is_first ||
                      (order->items[at - 1].is_first == is_first && order->items[at - 1].count < item.count))) {
        order->items[at] = order->items[at - 1];
        at--;
    }
    order->items[at] = item;
}

/* Does anybody do otherwise of whom no console is known to differ? */
static bool is_open(uint32_t choice)
{
    for (uint32_t side = 1; side < pica_side_count(choice); side++)
        if (pica_side_info(choice, side)->standing == PICA_STANDING_OPEN)
            return true;
    return false;
}

uint32_t console_decide_list(struct console_decide out[CONSOLE_DECIDE_ROOM])
{
    struct order order = { .items = out };
    char rule[CONSOLE_WORD_BYTES];
#define FIRST(KIND, name, rules) put(&order, true, CONSOLE_DECIDE_##KIND, find(CONSOLE_DECIDE_##KIND, name), rules);
#define ALSO(KIND, name, rules)  put(&order, false, CONSOLE_DECIDE_##KIND, find(CONSOLE_DECIDE_##KIND, name), rules);
#include "harness/console/packs/decide.def"
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (is_open(i))
            put(&order, false, CONSOLE_DECIDE_CHOICE, i, pica_choice_info(i)->rule);
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        console_asked_rule(i, rule);
        put(&order, false, CONSOLE_DECIDE_QUESTION, i, rule);
    }
    return order.count;
}

/* ---------------------------------------------------------------------------------------------------------- export */

static enum harness_status ask(struct console_export *export, const struct console_decide *decide,
                               struct console_answer *answer, struct harness_error *error)
{
    switch (decide->kind) {
    case CONSOLE_DECIDE_CHOICE: return console_splits_ask(export, decide->index, answer, error);
    case CONSOLE_DECIDE_QUESTION: return console_questions_ask(export, decide->index, answer, error);
    case CONSOLE_DECIDE_SEED: return console_seed_ask(export, decide->index, answer, error);
    }
    return HARNESS_OK;
}

enum harness_status console_decide_add(struct console_asking *asking, struct harness_error *error)
{
    struct console_decide list[CONSOLE_DECIDE_ROOM];
    const uint32_t count = console_decide_list(list);
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < count && asking->taken < CONSOLE_DECIDE_MOST; i++) {
        struct console_answer answer = { .taken = false };
        status = ask(asking->export, &list[i], &answer, error);
        if (status != HARNESS_OK)
            break;
        console_asking_note(asking, list[i].name, &answer);
    }
    return status;
}

struct console_split_row *console_decide_row(struct console_splits_table *table, const struct console_decide *decide)
{
    switch (decide->kind) {
    case CONSOLE_DECIDE_CHOICE: return &table->rows[decide->index];
    case CONSOLE_DECIDE_QUESTION: return &table->asked[decide->index];
    case CONSOLE_DECIDE_SEED: break;
    }
    return &table->seeds[decide->index];
}
