#include "harness/console/runner/files.h"

#include "harness/console/runner/message.h"

enum {
    ARCHIVE_SD = 9,
    PATH_EMPTY = 1,
    PATH_UTF16 = 4,
    OPEN_ALL = 7, /* read, write, create */
    WRITE_FLUSH = 1,
    PATH_CHARACTERS = 80
};

static const int32_t SHORT_WRITE = -1;

/* A path in the form that fs takes: 16 bits a character, with the zero. */
struct path {
    uint16_t text[PATH_CHARACTERS];
    uint32_t length;
};

static void add(struct path *path, const char *text)
{
    for (; *text != 0 && path->length < PATH_CHARACTERS - 1; text++)
        path->text[path->length++] = (uint8_t)*text;
    path->text[path->length] = 0;
}

static uint32_t path_bytes(const struct path *path)
{
    return 2 * (path->length + 1);
}

static int32_t make_directory(const struct files *files, const char *name)
{
    struct path path = { .length = 0 };
    add(&path, name);
    const uint32_t bytes = path_bytes(&path);
    const uint32_t words[] = { 0,
                               files->archive[0],
                               files->archive[1],
                               PATH_UTF16,
                               bytes,
                               0,
                               message_static_buffer(bytes, 0),
                               (uint32_t)(uintptr_t)path.text };
    return message_send(files->session, 0x08090182, words, 8); /* CreateDirectory */
}

int32_t files_start(struct files *files, uint32_t srv)
{
    const char empty = 0;
    int32_t result = message_open_service(srv, "fs:USER", &files->session);
    if (result >= 0)
        result = message_send(files->session, 0x08010002, &(uint32_t){ MESSAGE_PROCESS_ID }, 1); /* Initialize */
    const uint32_t words[] = { ARCHIVE_SD, PATH_EMPTY, 1, message_static_buffer(1, 0), (uint32_t)(uintptr_t)&empty };
    if (result >= 0)
        result = message_send(files->session, 0x080C00C2, words, 5); /* OpenArchive */
    files->archive[0] = system_message()[2];
    files->archive[1] = system_message()[3];
    if (result >= 0) {
        make_directory(files, "/3ds"); /* an error mostly means that it is there; else opening a file will say so */
        make_directory(files, "/3ds/picafuzz");
    }
    return result;
}

int32_t files_open(const struct files *files, const char *name, const char *suffix, uint32_t *file)
{
    struct path path = { .length = 0 };
    add(&path, "/3ds/picafuzz/");
    add(&path, name);
    add(&path, suffix);
    const uint32_t bytes = path_bytes(&path);
    const uint32_t words[] = { 0,
                               files->archive[0],
                               files->archive[1],
                               PATH_UTF16,
                               bytes,
                               OPEN_ALL,
                               0,
                               message_static_buffer(bytes, 0),
                               (uint32_t)(uintptr_t)path.text };
    const int32_t result = message_send(files->session, 0x080201C2, words, 9); /* OpenFile */
    *file = system_message()[3];
    return result;
}

int32_t files_read(uint32_t file, uint32_t offset, void *bytes, uint32_t size, uint32_t *count)
{
    const uint32_t words[] = { offset, 0, size, message_mapped_buffer(size, MESSAGE_BUFFER_WRITE),
                               (uint32_t)(uintptr_t)bytes };
    const int32_t result = message_send(file, 0x080200C2, words, 5); /* Read */
    *count = result < 0 ? 0 : system_message()[2];
    return result;
}

int32_t files_write(uint32_t file, uint32_t offset, const void *bytes, uint32_t size)
{
    const uint32_t words[] = {
        offset, 0, size, WRITE_FLUSH, message_mapped_buffer(size, MESSAGE_BUFFER_READ), (uint32_t)(uintptr_t)bytes
    };
    const int32_t result = message_send(file, 0x08030102, words, 6); /* Write */
    return result >= 0 && system_message()[2] != size ? SHORT_WRITE : result;
}

int32_t files_set_size(uint32_t file, uint32_t size)
{
    return message_send(file, 0x08050080, (const uint32_t[]){ size, 0 }, 2); /* SetSize */
}

void files_close(uint32_t file)
{
    message_send(file, 0x08080000, &(uint32_t){ 0 }, 0); /* Close */
    system_close_handle(file);
}

void files_stop(const struct files *files)
{
    message_send(files->session, 0x080E0080, files->archive, 2); /* CloseArchive */
    system_close_handle(files->session);
}
