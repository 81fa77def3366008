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

static bool is_counters(FILE *file, const ElfW(Shdr) * names, const ElfW(Shdr) * section)
{
    static const char wanted[] = "__sancov_cntrs";
    char name[sizeof wanted];
    return section->sh_name < names->sh_size && read_at(file, names->sh_offset + section->sh_name, name, sizeof name) &&
           memcmp(name, wanted, sizeof wanted) == 0;
}

/* Offset from the library's base, and size. */
static bool find_section(FILE *file, uint64_t *address, uint64_t *size)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) names, section;
    if (!read_at(file, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof section ||
        !read_at(file, header.e_shoff + (uint64_t)header.e_shstrndx * sizeof names, &names, sizeof names))
        return false;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        if (!read_at(file, header.e_shoff + (uint64_t)i * sizeof section, &section, sizeof section))
            return false;
        if (!is_counters(file, &names, &section))
            continue;
        *address = section.sh_addr;
        *size = section.sh_size;
        return true;
    }
    return false;
}

void harness_edges_find(void *library, struct harness_edges *out)
{
    struct link_map *map = NULL;
    uint64_t address = 0, size = 0;
    *out = (struct harness_edges){ NULL, 0 };
    if (library == NULL || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return;
    FILE *const file = fopen(map->l_name, "rb");
    if (file == NULL)
        return;
    if (find_section(file, &address, &size)) {
        const uintptr_t place = (uintptr_t)map->l_addr + (uintptr_t)address;
        memcpy(&out->counters, &place, sizeof place);
        out->count = (size_t)size;
    }
    (void)fclose(file);
}
