/* fs:USER: the archive SDMC, whose files lie below a directory of the host. Paths are UTF-16, as libctru sends them. */
#include "tests/console_second/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SDMC = 9,
    PATH_EMPTY = 1,
    PATH_UTF16 = 4,
    OPEN_READ = 1,
    OPEN_WRITE = 2,
    OPEN_CREATE = 4,
    MOST_PATH = 256
};

#define ARCHIVE_LOW  UINT32_C(0x5D0C0001)
#define ARCHIVE_HIGH UINT32_C(0x00000001)
#define NOT_FOUND    UINT32_C(0xC8804478)
#define EXISTS       UINT32_C(0xC82044BE)
#define NO_ROOM      UINT32_C(0xC86044D2)

static void done(struct second_machine *m, struct message *message)
{
    (void)m;
    second_reply(message, 0, 1, 0);
}

static void initialize(struct second_machine *m, struct message *message)
{
    if (second_must(m, !m->files_ready, "a second time")) {
        m->files_ready = true;
        done(m, message);
    }
}

static void open_archive(struct second_machine *m, struct message *message)
{
    const uint8_t *const path = second_static(m, message, 4, 0, 1);
    if (path == NULL || !second_must(m, *path == 0, "the archive's path is not empty") ||
        !second_must(m, m->files_ready, "before Initialize") || !second_must(m, !m->archive_open, "a second time"))
        return;
    m->archive_open = true;
    second_reply(message, 0, 3, 0);
    message->words[2] = ARCHIVE_LOW;
    message->words[3] = ARCHIVE_HIGH;
}

static void close_archive(struct second_machine *m, struct message *message)
{
    if (second_must(m, m->archive_open, "it is not open")) {
        m->archive_open = false;
        done(m, message);
    }
}

/* The host's path of the one whose static buffer stands at `word`; `bytes` as a word before it says. */
static bool host_path(struct second_machine *m, const struct message *message, uint32_t word, uint32_t bytes,
                      char path[1024])
{
    if (!second_must(m, m->archive_open, "the archive is not open") ||
        !second_must(m, bytes >= 4 && bytes % 2 == 0 && bytes <= 2 * MOST_PATH, "a path of %u bytes", bytes))
        return false;
    const uint8_t *const units = second_static(m, message, word, 0, bytes);
    if (units == NULL)
        return false;
    char name[MOST_PATH + 1] = "";
    for (uint32_t i = 0; i < bytes / 2; i++) {
        const uint32_t unit = (uint32_t)units[2 * i] | (uint32_t)units[2 * i + 1] << 8;
        const bool last = i == bytes / 2 - 1;
        if (!second_must(m, last ? unit == 0 : unit > 0x1F && unit < 0x7F && strchr("\\:*?\"<>|", (int)unit) == NULL,
                         "character %u of the path is 0x%04X%s", i, unit, last ? ", wanted a zero" : ""))
            return false;
        name[i] = (char)unit;
    }
    snprintf(path, 1024, "%s%s", m->options.card, name);
    return second_must(m, name[0] == '/' && strstr(name, "..") == NULL && strstr(name, "//") == NULL,
                       "the path is %s, wanted one from /", name);
}

static void open_file(struct second_machine *m, struct message *message)
{
    const uint32_t flags = message->words[6];
    char path[1024];
    if (!host_path(m, message, 8, message->words[5], path) ||
        !second_must(m,
                     flags >= OPEN_READ && flags <= (OPEN_READ | OPEN_WRITE | OPEN_CREATE) &&
                         ((flags & OPEN_CREATE) == 0 || (flags & OPEN_WRITE) != 0),
                     "word 6, flags: %u", flags))
        return;
    struct stat status;
    const bool there = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = NULL;
    if (there)
        file = fopen(path, (flags & OPEN_WRITE) != 0 ? "r+b" : "rb");
    else if ((flags & OPEN_CREATE) != 0)
        file = fopen(path, "w+b");
    if (file == NULL) {
        second_reply(message, NOT_FOUND, 1, 0);
        return;
    }
    struct object *const session = second_object(m, KIND_SESSION, "a file");
    if (session == NULL) {
        fclose(file);
        return;
    }
    session->service = &second_file;
    session->file = file;
    session->open_flags = flags;
    second_reply(message, 0, 1, 2);
    message->words[2] = 0x10;
    message->words[3] = second_handle(m, session);
}

static void create_directory(struct second_machine *m, struct message *message)
{
    char path[1024];
    if (!host_path(m, message, 7, message->words[5], path))
        return;
    const bool made = mkdir(path, 0777) == 0;
    second_reply(message, made ? 0 : (errno == EEXIST ? EXISTS : NOT_FOUND), 1, 0);
}

static void delete_file(struct second_machine *m, struct message *message)
{
    char path[1024];
    if (host_path(m, message, 6, message->words[5], path))
        second_reply(message, remove(path) == 0 ? 0 : NOT_FOUND, 1, 0);
}

static const struct command FS[] = {
    { 0x08010002, "Initialize", initialize, { 0x20, ANY } },
    { 0x080201C2, "OpenFile", open_file, { 0, ARCHIVE_LOW, ARCHIVE_HIGH, PATH_UTF16, ANY, ANY, 0, ANY, ANY } },
    { 0x08040142, "DeleteFile", delete_file, { 0, ARCHIVE_LOW, ARCHIVE_HIGH, PATH_UTF16, ANY, ANY, ANY } },
    { 0x08090182, "CreateDirectory", create_directory, { 0, ARCHIVE_LOW, ARCHIVE_HIGH, PATH_UTF16, ANY, 0, ANY, ANY } },
    { 0x080C00C2, "OpenArchive", open_archive, { SDMC, PATH_EMPTY, 1, ANY, ANY } },
    { 0x080E0080, "CloseArchive", close_archive, { ARCHIVE_LOW, ARCHIVE_HIGH } },
};
const struct service second_fs = { "fs:USER", FS, sizeof FS / sizeof *FS };

/* ------------------------------------------------------------------------------------------ an open file */

static long size_of(FILE *file)
{
    return fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
}

/* Where it begins, for words 1 and 2. Files on the card are below 4 GiB. */
static bool seek(struct second_machine *m, const struct message *message)
{
    const uint32_t offset = message->words[1];
    const long size = size_of(message->session->file);
    return second_must(m, message->words[2] == 0 && offset <= (uint64_t)size,
                       "words 1, 2, offset: 0x%X%08X, behind the end at 0x%lX", message->words[2], offset, size) &&
           fseek(message->session->file, (long)offset, SEEK_SET) == 0;
}

static void read_file(struct second_machine *m, struct message *message)
{
    uint8_t *const bytes = second_buffer(m, message, 4, message->words[3], WRITABLE);
    if (bytes == NULL ||
        !second_must(m, (message->session->open_flags & OPEN_READ) != 0, "it was not opened to read") ||
        !seek(m, message))
        return;
    const size_t count = fread(bytes, 1, message->words[3], message->session->file);
    second_reply(message, 0, 2, 2);
    message->words[2] = (uint32_t)count;
}

/* Flags: 1, write it to the card at once; bits 8 and 16 with it, note the time. */
static void write_file(struct second_machine *m, struct message *message)
{
    const uint32_t flags = message->words[4];
    const uint8_t *const bytes = second_buffer(m, message, 5, message->words[3], READABLE);
    if (bytes == NULL ||
        !second_must(m, (message->session->open_flags & OPEN_WRITE) != 0, "it was not opened to write") ||
        !second_must(m, flags == 0 || flags == 1 || flags == 0x101, "word 4, flags: 0x%X", flags) || !seek(m, message))
        return;
    const size_t count = fwrite(bytes, 1, message->words[3], message->session->file);
    const bool written = fflush(message->session->file) == 0 && count == message->words[3];
    second_reply(message, written ? 0 : NO_ROOM, 2, 2);
    message->words[2] = (uint32_t)count;
}

static void get_size(struct second_machine *m, struct message *message)
{
    (void)m;
    second_reply(message, 0, 3, 0);
    message->words[2] = (uint32_t)size_of(message->session->file);
    message->words[3] = 0;
}

static void set_size(struct second_machine *m, struct message *message)
{
    if (!second_must(m, (message->session->open_flags & OPEN_WRITE) != 0, "it was not opened to write") ||
        !second_must(m, message->words[2] == 0, "words 1, 2, size: more than 4 GiB"))
        return;
    fflush(message->session->file);
    const bool cut = ftruncate(fileno(message->session->file), (off_t)message->words[1]) == 0;
    second_reply(message, cut ? 0 : NO_ROOM, 1, 0);
}

static void close_file(struct second_machine *m, struct message *message)
{
    (void)m;
    const bool closed = fclose(message->session->file) == 0;
    message->session->file = NULL;
    message->session->service = NULL;
    second_reply(message, closed ? 0 : NO_ROOM, 1, 0);
}

static const struct command A_FILE[] = {
    { 0x080200C2, "Read", read_file, { ANY, ANY, ANY, ANY, ANY } },
    { 0x08030102, "Write", write_file, { ANY, ANY, ANY, ANY, ANY, ANY } },
    { 0x08040000, "GetSize", get_size, { 0 } },
    { 0x08050080, "SetSize", set_size, { ANY, ANY } },
    { 0x08080000, "Close", close_file, { 0 } },
    { 0x08090000, "Flush", done, { 0 } },
};
const struct service second_file = { "a file of fs:USER", A_FILE, sizeof A_FILE / sizeof *A_FILE };
