/* What experiments add to a case: writes of registers that it never writes, and contents of memory that it never
 * sets. */
#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/case/usual.h"
#include "pica/regs.h"

/* Has the register a field whose usual value, the one that programs set, differs from the reset value? If not, there is
 * nothing to try. */
static bool has_usual(const struct pica_reg_info *info)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t reset = pica_field_get(&fields[i], info->reset);
        if (harness_usual_is_named(&fields[i]) && harness_usual_value(&fields[i], reset) != reset)
            return true;
    }
    return false;
}

static void see_word(void *user, const struct reduce_word *word)
{
    bool *const written = user;
    if (word->id < PICA_REGISTERS)
        written[word->id] = true;
}

/* The last command that draws, and its list; NULL: none. */
static struct harness_list *find_draw(struct harness_case *test_case, uint32_t *index)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct harness_list *found = NULL;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            if (cause_may_draw(&list->commands[i])) {
                found = list;
                *index = i;
            }
    return found;
}

enum harness_status cause_write_unwritten(struct cause_search *search)
{
    bool written[PICA_REGISTERS] = { false };
    bool changed = false, shows = false;
    uint32_t index = 0;
    if (search->best->state != NULL) /* unwritten registers need not hold their reset values then */
        return HARNESS_OK;
    if (!harness_case_copy(search->candidate, search->best))
        return harness_fail_memory(search->error);
    harness_reduce_visit_words(search->candidate, see_word, written);
    struct harness_list *const list = find_draw(search->candidate, &index);
    for (uint32_t id = 0; list != NULL && id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        const uint32_t word = info->reset;
        const struct harness_writes write = { .id = (uint16_t)id, .mask = 0xF, .parameters = &word, .count = 1 };
        if (written[id] || info->reg_class == PICA_REG_CLASS_PORT || !has_usual(info))
            continue;
        if (harness_list_insert(search->candidate, list, index, &write) == NULL)
            return harness_fail_memory(search->error);
        changed = true;
    }
    if (!changed)
        return HARNESS_OK;
    const enum harness_status status = cause_shows(search, &shows);
    if (status == HARNESS_OK && shows)
        cause_keep(search);
    return status;
}

bool cause_add_noise(struct harness_case *test_case)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < test_case->window_count; i++)
        bytes += test_case->windows[i].size;
    if (bytes > HARNESS_PCB_USUAL_WINDOW) /* reduced cases have less, and a probe has no room for more */
        return true;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        struct harness_data noise;
        harness_data_pattern(&noise, HARNESS_PATTERN_NOISE, i + 1, test_case->windows[i].size);
        if (harness_case_insert_chunk(test_case, i, test_case->windows[i].address, &noise) == NULL)
            return false;
    }
    return true;
}
