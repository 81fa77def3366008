/* The side of the process that reads what the dying one said. */
#include "harness/run/crash_place.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------- symbols */

/* A file, mapped. Everything in it may be wrong. */
struct image {
    const uint8_t *bytes;
    size_t size;
};

static bool map_file(const char *path, struct image *out)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    void *bytes = MAP_FAILED;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    (void)close(file);
    if (bytes == MAP_FAILED)
        return false;
    *out = (struct image){ bytes, (size_t)status.st_size };
    return true;
}

/* Copies element `index` of a table of the file; false beyond its end. */
static bool read_at(const struct image *image, uint64_t table, uint64_t index, void *out, size_t size)
{
    if (table > image->size || index >= (image->size - table) / size)
        return false;
    memcpy(out, image->bytes + table + index * size, size);
    return true;
}

/* The function with the highest address that is not beyond the offset. */
static bool search_symbols(const struct image *image, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                           uint64_t offset, Elf64_Sym *best)
{
    bool found = false;
    Elf64_Sym symbol;
    for (uint64_t i = 0; i < table->sh_size / sizeof symbol; i++) {
        if (!read_at(image, table->sh_offset, i, &symbol, sizeof symbol))
            break;
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_value > offset ||
            (symbol.st_size != 0 && offset - symbol.st_value >= symbol.st_size) ||
            (found && symbol.st_value < best->st_value) || symbol.st_name >= strings->sh_size)
            continue;
        *best = symbol;
        found = true;
    }
    return found;
}

static bool take_name(const struct image *image, const Elf64_Shdr *strings, const Elf64_Sym *symbol, char *name,
                      size_t size)
{
    const uint64_t at = strings->sh_offset + symbol->st_name;
    if (strings->sh_offset > image->size || at >= image->size)
        return false;
    const size_t length = strnlen((const char *)image->bytes + at, image->size - at);
    if (length == 0 || length == image->size - at)
        return false;
    (void)snprintf(name, size, "%s", (const char *)image->bytes + at);
    return true;
}

static bool search_file(const struct image *image, uint64_t offset, char *name, size_t size, uint32_t *into)
{
    Elf64_Ehdr head;
    Elf64_Shdr table, strings;
    Elf64_Sym symbol;
    if (!read_at(image, 0, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (uint32_t type = SHT_SYMTAB;; type = SHT_DYNSYM) {
        for (uint64_t i = 0; i < head.e_shnum; i++)
            if (read_at(image, head.e_shoff, i, &table, sizeof table) && table.sh_type == type &&
                read_at(image, head.e_shoff, table.sh_link, &strings, sizeof strings) &&
                search_symbols(image, &table, &strings, offset, &symbol)) {
                *into = (uint32_t)(offset - symbol.st_value);
                return take_name(image, &strings, &symbol, name, size);
            }
        if (type == SHT_DYNSYM)
            return false;
    }
}

bool harness_crash_function(const char *path, uint64_t offset, char *name, size_t size, uint32_t *into)
{
    struct image image;
    if (!map_file(path, &image))
        return false;
    const bool found = search_file(&image, offset, name, size, into);
    (void)munmap((void *)(uintptr_t)image.bytes, image.size);
    return found;
}

/* ---------------------------------------------------------------------------------------------------------- words */

static void put(struct harness_crash_place *out, const char *name, size_t length, uint64_t offset, bool is_function)
{
    (void)snprintf(out->name, sizeof out->name, "%.*s",
                   (int)(length < sizeof out->name ? length : sizeof out->name - 1), name);
    out->offset = (uint32_t)offset;
    out->is_function = is_function;
}

/* "LIBRARY+0x1a2b", up to `end`. */
static bool take_library(const char *text, const char *end, struct harness_crash_place *out)
{
    char path[1024], function[HARNESS_CRASH_NAME];
    uint32_t into = 0;
    const char *plus = end;
    while (plus > text && *plus != '+')
        plus--;
    if (plus == text || (size_t)(plus - text) >= sizeof path)
        return false;
    (void)snprintf(path, sizeof path, "%.*s", (int)(plus - text), text);
    const uint64_t offset = strtoull(plus + 1, NULL, 16);
    if (harness_crash_function(path, offset, function, sizeof function, &into)) {
        put(out, function, 1 + strcspn(function + 1, "."), into, true); /* "run.cold" is a part of run */
        return true;
    }
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    put(out, name, strlen(name), offset, false);
    return true;
}

static const char mark[] = "picafuzz: crashed at ";

static bool find_handler(const char *said, struct harness_crash_place *out)
{
    const char *const found = strstr(said, mark);
    if (found == NULL)
        return false;
    const char *const place = found + sizeof mark - 1;
    const char *const end = place + strcspn(place, "\n");
    const char *const open = memchr(place, '(', (size_t)(end - place));
    if (open == NULL)
        return take_library(place, end, out);
    return open > place && take_library(place, open - 1, out);
}

void harness_crash_complete(char *text, size_t size)
{
    char function[HARNESS_CRASH_NAME + 16];
    struct harness_crash_place place = { .is_function = false };
    const char *const line = strstr(text, mark);
    char *const end = line != NULL ? text + (line - text) + strcspn(line, "\n") : NULL;
    if (end == NULL || memchr(line, '(', (size_t)(end - line)) != NULL ||
        !take_library(line + sizeof mark - 1, end, &place) || !place.is_function)
        return;
    const size_t length = (size_t)snprintf(function, sizeof function, " (%s+0x%" PRIx32 ")", place.name, place.offset);
    if (strlen(text) + length >= size)
        return;
    memmove(end + length, end, strlen(end) + 1);
    memcpy(end, function, length);
}

/* Functions of sanitizers and of the C library, which stand above those of the plug-in in a report. */
static bool is_runtime(const char *function)
{
    static const char *const beginnings[] = { "__interceptor_", "___interceptor_", "__asan",  "__sanitizer", "__ubsan",
                                              "__msan",         "__tsan",          "__lsan",  "mem",         "str",
                                              "free",           "malloc",          "realloc", "operator ",   "__libc" };
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(function, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* "    #1 0x7f4b in pica_texture_fetch /src/texture.c:12:3", or "... (/lib/libmygpu.so+0x1a2b)". */
static bool take_sanitizer_line(const char *line, const char *end, struct harness_crash_place *out)
{
    const char *const in = strstr(line, " in ");
    if (in != NULL && in < end) {
        const size_t length = strcspn(in + 4, " (\n");
        if (is_runtime(in + 4))
            return false;
        put(out, in + 4, length, 0, true);
        return length != 0;
    }
    const char *const open = memchr(line, '(', (size_t)(end - line));
    const char *const close = memchr(line, ')', (size_t)(end - line));
    return open != NULL && close != NULL && open < close && take_library(open + 1, close, out);
}

static bool find_sanitizer(const char *said, struct harness_crash_place *out)
{
    for (const char *line = said; line != NULL && *line != '\0';) {
        const char *const end = line + strcspn(line, "\n");
        const char *const text = line + strspn(line, " ");
        if (text[0] == '#' && text[1] >= '0' && text[1] <= '9' && take_sanitizer_line(text, end, out))
            return true;
        line = *end == '\n' ? end + 1 : NULL;
    }
    return false;
}

void harness_crash_find(const char *said, struct harness_crash_place *out)
{
    memset(out, 0, sizeof *out);
    if (!find_sanitizer(said, out))
        (void)find_handler(said, out);
}

bool harness_crash_find_in(int file, struct harness_crash_place *out)
{
    char words[1 << 14];
    struct stat status = { .st_size = 0 };
    out->name[0] = '\0';
    if (file == 0 || fstat(file, &status) != 0)
        return false;
    const off_t most = (off_t)sizeof words - 1;
    const ssize_t length = pread(file, words, sizeof words - 1, status.st_size > most ? status.st_size - most : 0);
    words[length > 0 ? length : 0] = '\0';
    harness_crash_find(words, out);
    return out->name[0] != '\0';
}
