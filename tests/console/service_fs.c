/*
 * "fs:USER" on a directory of the host. A write may be the last: the card full or removed, or the power gone in its
 * middle. Only what a program needs that keeps files in one directory: create, read, write, set the size, flush, close.
 */
#include "tests/console/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t WRONG_MESSAGE = 0xD900182Fu;
static const uint32_t NOT_FOUND = 0xC8804478u;
static const uint32_t EXISTS = 0xC82044BEu;
static const uint32_t NO_CARD = 0xC8804465u;
static const uint32_t CARD_FULL = 0xC86044D2u;
static const uint32_t ARCHIVE_LOW = 0x5DC00001u;

enum {
    OPEN_READ = 1,
    OPEN_WRITE = 2,
    OPEN_CREATE = 4,
    PATH_ASCII = 3,
    PATH_UTF16 = 4,
    ARCHIVE_SD = 9
};

/* The path that a message names, below the card's directory. False: it cannot be one. */
static bool read_path(struct mock *console, const uint8_t *message, uint32_t type, uint32_t size, uint32_t word,
                      char *out)
{
    const uint8_t *bytes = size >= MOCK_PATH ? NULL : mock_static_buffer(console, message, word, 0, size);
    const uint32_t step = type == PATH_UTF16 ? 2 : 1;
    if (bytes == NULL || size < step || size % step != 0 || (type != PATH_ASCII && type != PATH_UTF16))
        return false;
    for (uint32_t i = 0; i < size; i += step) {
        out[i / step] = (char)bytes[i];
        if ((step == 2 && bytes[i + 1] != 0) || (bytes[i] == 0) != (i + step == size))
            return false;
    }
    return out[0] == '/' && strstr(out, "..") == NULL;
}

static void host_path(const struct mock *console, const char *path, char out[2 * MOCK_PATH])
{
    snprintf(out, 2 * MOCK_PATH, "%s%s", console->setup->card, path);
}

static bool archive_is_card(struct mock *console, const uint8_t *message, uint32_t word)
{
    const bool is = mock_sent(message, word) == ARCHIVE_LOW && mock_sent(message, word + 1) == 0;
    if (!is)
        mock_mistake(console, "fs: an archive that nobody opened");
    return is;
}

static void open_archive(struct mock *console, uint8_t *message)
{
    const uint8_t *empty = mock_static_buffer(console, message, 4, 0, 1);
    const bool right = mock_sent(message, 1) == ARCHIVE_SD && mock_sent(message, 2) == 1 &&
                       mock_sent(message, 3) == 1 && empty != NULL && *empty == 0;
    if (!right)
        mock_mistake(console, "fs: OpenArchive is not that of the card");
    mock_answer(message, 3, 0, !right ? WRONG_MESSAGE : console->card_gone ? NO_CARD : 0);
    mock_reply(message, 2, ARCHIVE_LOW);
    mock_reply(message, 3, 0);
}

static uint32_t open_on_host(struct mock *console, const char *path, uint32_t flags, uint32_t *handle)
{
    char host[2 * MOCK_PATH];
    host_path(console, path, host);
    const int how = ((flags & OPEN_WRITE) != 0 ? O_RDWR : O_RDONLY) | ((flags & OPEN_CREATE) != 0 ? O_CREAT : 0);
    const int file = open(host, how | O_CLOEXEC, 0666);
    if (file < 0)
        return NOT_FOUND;
    *handle = mock_open(console, MOCK_SESSION_FILE);
    struct mock_handle *session = mock_handle(console, *handle);
    session->file = file;
    session->may_write = (flags & OPEN_WRITE) != 0;
    snprintf(session->path, sizeof session->path, "%s", path);
    return 0;
}

static void open_file(struct mock *console, uint8_t *message)
{
    char path[MOCK_PATH];
    const uint32_t flags = mock_sent(message, 6);
    uint32_t handle = 0, result = WRONG_MESSAGE;
    if (archive_is_card(console, message, 2) &&
        read_path(console, message, mock_sent(message, 4), mock_sent(message, 5), 8, path)) {
        mock_effect(console, MOCK_OPENS_FILE, flags, 0, 0, path);
        result = console->card_gone ? NO_CARD : open_on_host(console, path, flags, &handle);
    } else {
        mock_mistake(console, "fs: OpenFile cannot read its path");
    }
    mock_answer(message, 1, 2, result);
    mock_reply(message, 2, 0x10);
    mock_reply(message, 3, handle);
}

static void create_directory(struct mock *console, uint8_t *message)
{
    char path[MOCK_PATH], host[2 * MOCK_PATH];
    uint32_t result = WRONG_MESSAGE;
    if (archive_is_card(console, message, 2) &&
        read_path(console, message, mock_sent(message, 4), mock_sent(message, 5), 7, path)) {
        mock_effect(console, MOCK_OPENS_FILE, 0, 0, 0, path);
        host_path(console, path, host);
        result = console->card_gone ? NO_CARD : mkdir(host, 0777) == 0 ? 0 : errno == EEXIST ? EXISTS : NOT_FOUND;
    }
    mock_answer(message, 1, 0, result);
}

void mock_fs(struct mock *console, struct mock_handle *session, uint8_t *message)
{
    const uint32_t header = mock_sent(message, 0);
    if (header == 0x08010002) {
        session->ready = mock_sent(message, 1) == 0x20;
        mock_answer(message, 1, 0, session->ready ? 0 : WRONG_MESSAGE);
        return;
    }
    if (!session->ready)
        mock_mistake(console, "fs: %08X before Initialize", header);
    switch (header) {
    case 0x080C00C2: open_archive(console, message); return;
    case 0x080201C2: open_file(console, message); return;
    case 0x08090182: create_directory(console, message); return;
    case 0x080E0080: mock_answer(message, 1, 0, archive_is_card(console, message, 1) ? 0 : WRONG_MESSAGE); return;
    default: mock_mistake(console, "fs does not know %08X", header); mock_answer(message, 1, 0, WRONG_MESSAGE);
    }
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* Every change of the card passes here: is there still one, is there room, is there power? */
static uint32_t may_change(struct mock *console, const struct mock_handle *file, uint64_t growth)
{
    const struct mock_faults *faults = &console->setup->faults;
    const uint32_t number = ++console->result->card_writes;
    if (!file->may_write)
        mock_mistake(console, "writes to %s, which is open for reading", file->path);
    if (faults->remove_card != 0 && number >= faults->remove_card)
        console->card_gone = true;
    if (console->card_gone)
        return NO_CARD;
    if (faults->card_bytes != 0 && console->card_used + growth > faults->card_bytes)
        return CARD_FULL;
    console->card_used += growth;
    return 0;
}

static bool power_is_cut(const struct mock *console)
{
    const uint32_t cut = console->setup->faults.cut_power;
    return cut != 0 && console->result->card_writes == cut;
}

static uint64_t file_size(const struct mock_handle *file)
{
    struct stat status;
    return fstat(file->file, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static uint64_t growth(const struct mock_handle *file, uint64_t end)
{
    const uint64_t size = file_size(file);
    return end > size ? end - size : 0;
}

static void read_file(struct mock *console, const struct mock_handle *file, uint8_t *message)
{
    const uint64_t offset = mock_sent(message, 1) | (uint64_t)mock_sent(message, 2) << 32;
    const uint32_t size = mock_sent(message, 3);
    uint8_t *bytes = mock_mapped_buffer(console, message, 4, 4, size);
    ssize_t count = 0;
    if (bytes != NULL && !console->card_gone)
        count = pread(file->file, bytes, size, (off_t)offset);
    mock_answer(message, 2, 2, bytes == NULL ? WRONG_MESSAGE : console->card_gone ? NO_CARD : 0);
    mock_reply(message, 2, count < 0 ? 0 : (uint32_t)count);
}

static uint32_t write_on_host(struct mock *console, const struct mock_handle *file, uint64_t offset,
                              const uint8_t *bytes, uint32_t size)
{
    const uint32_t refusal = may_change(console, file, growth(file, offset + size));
    if (refusal != 0)
        return refusal;
    const bool cut = power_is_cut(console);
    const uint32_t arrives = cut && console->setup->faults.cut_bytes < size ? console->setup->faults.cut_bytes : size;
    if (pwrite(file->file, bytes, arrives, (off_t)offset) != (ssize_t)arrives)
        return CARD_FULL;
    if (cut)
        mock_end(console, MOCK_POWER_LOST, "the power went at write %u", console->result->card_writes);
    return 0;
}

static void write_file(struct mock *console, const struct mock_handle *file, uint8_t *message)
{
    const uint64_t offset = mock_sent(message, 1) | (uint64_t)mock_sent(message, 2) << 32;
    const uint32_t size = mock_sent(message, 3);
    const uint8_t *bytes = mock_mapped_buffer(console, message, 5, 2, size);
    uint32_t result = WRONG_MESSAGE;
    if (bytes != NULL) {
        mock_effect(console, MOCK_WRITES_FILE, (uint32_t)offset, size, 0, file->path);
        result = write_on_host(console, file, offset, bytes, size);
    }
    mock_answer(message, 2, 2, result);
    mock_reply(message, 2, result == 0 ? size : 0);
}

static void set_size(struct mock *console, const struct mock_handle *file, uint8_t *message)
{
    const uint64_t size = mock_sent(message, 1) | (uint64_t)mock_sent(message, 2) << 32;
    mock_effect(console, MOCK_WRITES_FILE, (uint32_t)size, 0, 0, file->path);
    uint32_t result = may_change(console, file, growth(file, size));
    if (console->setup->weak.only_standard && growth(file, size) != 0)
        result = WRONG_MESSAGE;
    if (result == 0 && power_is_cut(console) && console->setup->faults.cut_bytes == 0)
        mock_end(console, MOCK_POWER_LOST, "the power went at write %u", console->result->card_writes);
    else if (result == 0 && ftruncate(file->file, (off_t)size) != 0)
        result = CARD_FULL;
    if (result == 0 && power_is_cut(console) && !console->over)
        mock_end(console, MOCK_POWER_LOST, "the power went after write %u", console->result->card_writes);
    mock_answer(message, 1, 0, result);
}

static void get_size(struct mock *console, const struct mock_handle *file, uint8_t *message)
{
    const uint64_t size = file_size(file);
    mock_answer(message, 3, 0, console->card_gone ? NO_CARD : 0);
    mock_reply(message, 2, (uint32_t)size);
    mock_reply(message, 3, (uint32_t)(size >> 32));
}

void mock_file(struct mock *console, struct mock_handle *session, uint8_t *message)
{
    switch (mock_sent(message, 0)) {
    case 0x080200C2: read_file(console, session, message); return;
    case 0x08030102: write_file(console, session, message); return;
    case 0x08040000: get_size(console, session, message); return;
    case 0x08050080: set_size(console, session, message); return;
    case 0x08080000:
    case 0x08090000: mock_answer(message, 1, 0, console->card_gone ? NO_CARD : 0); return;
    default:
        mock_mistake(console, "a file does not know %08X", mock_sent(message, 0));
        mock_answer(message, 1, 0, WRONG_MESSAGE);
    }
}
