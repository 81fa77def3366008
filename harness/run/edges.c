#include "harness/run/edges.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static bool read_at(FILE *file, uint64_t offset, void *out, size_t size)
{
    return offset <= (uint64_t)INT64_MAX && fseek(file, (long)offset, SEEK_SET) == 0 &&
           fread(out, 1, size, file) == size;
}

static bool is_called(FILE *file, const ElfW(Shdr) * names, const ElfW(Shdr) * section, const char *wanted)
{
    char name[32];
    const size_t size = strlen(wanted) + 1;
    return size <= sizeof name && section->sh_name < names->sh_size &&
           read_at(file, names->sh_offset + section->sh_name, name, size) && memcmp(name, wanted, size) == 0;
}

/* Where the section called `wanted` lies in the loaded library, and its size; NULL: it has none. */
static void *find_section(FILE *file, const struct link_map *map, const char *wanted, size_t *size)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) names, section;
    void *place = NULL;
    *size = 0;
    if (!read_at(file, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof section ||
        !read_at(file, header.e_shoff + (uint64_t)header.e_shstrndx * sizeof names, &names, sizeof names))
        return NULL;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        if (!read_at(file, header.e_shoff + (uint64_t)i * sizeof section, &section, sizeof section))
            return NULL;
        if (!is_called(file, &names, &section, wanted))
            continue;
        const uintptr_t address = (uintptr_t)map->l_addr + (uintptr_t)section.sh_addr;
        memcpy(&place, &address, sizeof place);
        *size = (size_t)section.sh_size;
        return place;
    }
    return NULL;
}

void harness_edges_find(void *library, struct harness_edges *out)
{
    struct link_map *map = NULL;
    *out = (struct harness_edges){ .count = 0 };
    if (library == NULL || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return;
    FILE *const file = fopen(map->l_name, "rb");
    if (file == NULL)
        return;
    out->counters = find_section(file, map, "__sancov_cntrs", &out->count);
    if (out->counters == NULL) {
        out->guards = find_section(file, map, "__sancov_guards", &out->count);
        out->count /= sizeof *out->guards;
    }
    (void)fclose(file);
}

void harness_edges_number(struct harness_edges *edges, uint8_t *map, size_t first, size_t size)
{
    void *const symbol = dlsym(RTLD_DEFAULT, "__afl_area_ptr"); /* coverage_guards.c, or AFL++'s runtime */
    const size_t room = size - first;
    if (edges->guards == NULL || symbol == NULL)
        return;
    for (size_t i = 0; i < edges->count; i++)
        edges->guards[i] = i < room ? (uint32_t)(first + i) : 0;
    edges->counters = map + first;
    edges->count = edges->count < room ? edges->count : room;
    memcpy(symbol, &map, sizeof map);
}
