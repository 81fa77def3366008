/* Files: reading one whole, replacing one atomically, and detecting its format. */
#define _POSIX_C_SOURCE 200809L

#include "harness/case/formats.h"
#include "harness/case/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum harness_status host_trouble(struct harness_error *error, const char *path, const char *what)
{
    return harness_fail(error, HARNESS_HOST, "%.300s: %s: %s", path, what, strerror(errno));
}

static enum harness_status too_large(struct harness_error *error, const char *path)
{
    return harness_fail(error, HARNESS_TOO_LARGE, "%.300s: expected at most %zu bytes", path, HARNESS_MAX_FILE);
}

/* In bytes; 0 if it is not known, as that of a pipe. */
static uintmax_t known_size(int descriptor)
{
    struct stat file;
    return fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0 ? (uintmax_t)file.st_size : 0;
}

/* Reads to the end into a buffer that has room for a byte more than the contents, and grows if the file does. */
static enum harness_status read_all(int descriptor, const char *path, uint8_t **bytes, size_t *size,
                                    struct harness_error *error)
{
    const uintmax_t known = known_size(descriptor);
    if (known > HARNESS_MAX_FILE)
        return too_large(error, path);
    size_t capacity = known != 0 ? (size_t)known + 2 : 1 << 12; /* room to see the end without growing */
    *bytes = malloc(capacity);
    while (*bytes != NULL) {
        const ssize_t count = read(descriptor, *bytes + *size, capacity - 1 - *size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return host_trouble(error, path, "cannot be read");
        if (count == 0)
            break;
        *size += (size_t)count;
        if (*size > HARNESS_MAX_FILE)
            return too_large(error, path);
        if (*size < capacity - 1)
            continue;
        capacity *= 2;
        uint8_t *const grown = realloc(*bytes, capacity);
        if (grown == NULL)
            return harness_fail_memory(error);
        *bytes = grown;
    }
    if (*bytes == NULL)
        return harness_fail_memory(error);
    (*bytes)[*size] = 0;
    return HARNESS_OK;
}

/* Does not wait for the writer of a FIFO, which may never come: without one the FIFO is read as empty. */
static int open_for_reading(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 && fcntl(descriptor, F_SETFL, 0) == 0)
        return descriptor;
    if (descriptor >= 0)
        (void)close(descriptor);
    return -1;
}

enum harness_status harness_file_read(const char *path, uint8_t **bytes, size_t *size, struct harness_error *error)
{
    const int descriptor = open_for_reading(path);
    *bytes = NULL;
    *size = 0;
    if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) /* a wrong name, not trouble of the host */
        return harness_fail(error, HARNESS_BAD_INPUT, "%.300s: cannot be opened: %s", path, strerror(errno));
    if (descriptor < 0)
        return host_trouble(error, path, "cannot be opened");
    const enum harness_status status = read_all(descriptor, path, bytes, size, error);
    (void)close(descriptor);
    if (status != HARNESS_OK) {
        free(*bytes);
        *bytes = NULL;
        *size = 0;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size != 0) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Like mkstemp, whose files are private; here the umask decides who may read findings and corpora. */
static int open_temporary(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    enum {
        LETTERS = 6,
        TRIES = 1000
    };
    struct timespec now = { 0 };
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t number = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    for (int i = 0; i < TRIES; i++, number++) {
        uint64_t rest = number;
        for (char *to = path + strlen(path) - LETTERS; *to != '\0'; to++, rest /= sizeof letters - 1)
            *to = letters[rest % (sizeof letters - 1)];
        const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

bool harness_file_is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static enum harness_status write_in_place(int descriptor, const char *path, const void *bytes, size_t size,
                                          struct harness_error *error)
{
    const bool written = fcntl(descriptor, F_SETFL, 0) == 0 && write_all(descriptor, bytes, size);
    const enum harness_status status = written ? HARNESS_OK : host_trouble(error, path, "cannot be written");
    (void)close(descriptor);
    return status;
}

/* `real` is the path without symbolic links. */
static enum harness_status replace_file(const char *path, const char *real, const void *bytes, size_t size, bool flush,
                                        struct harness_error *error)
{
    struct harness_text temporary = { 0 };
    const char *const slash = strrchr(real, '/');
    harness_text_bytes(&temporary, real, slash != NULL ? (size_t)(slash + 1 - real) : 0);
    harness_temporary_name(&temporary, HARNESS_TEMPORARY_FILE);
    if (temporary.failed) {
        harness_text_free(&temporary);
        return harness_fail_memory(error);
    }
    enum harness_status status = HARNESS_OK;
    const int descriptor = open_temporary(temporary.data);
    if (descriptor < 0) {
        status = host_trouble(error, path, "cannot be written (no temporary file beside it)");
        harness_text_free(&temporary);
        return status;
    }
    const bool written = write_all(descriptor, bytes, size) && (!flush || fsync(descriptor) == 0);
    if (!written)
        status = host_trouble(error, path, "cannot be written");
    if (close(descriptor) != 0 && status == HARNESS_OK)
        status = host_trouble(error, path, "cannot be written");
    if (status == HARNESS_OK && rename(temporary.data, real) != 0)
        status = host_trouble(error, path, "cannot be replaced");
    if (status != HARNESS_OK)
        (void)unlink(temporary.data);
    harness_text_free(&temporary);
    return status;
}

static enum harness_status write_file(const char *path, const void *bytes, size_t size, bool flush,
                                      struct harness_error *error)
{
    if (harness_file_is_special(path)) {
        const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor >= 0)
            return write_in_place(descriptor, path, bytes, size, error);
        if (errno != ENXIO) /* else a FIFO that nobody reads, which would be waited for without end: it is replaced */
            return host_trouble(error, path, "cannot be written");
    }
    char *const real = realpath(path, NULL); /* NULL: there is no such file yet */
    const enum harness_status status = replace_file(path, real != NULL ? real : path, bytes, size, flush, error);
    free(real);
    return status;
}

enum harness_status harness_file_write(const char *path, const void *bytes, size_t size, struct harness_error *error)
{
    return write_file(path, bytes, size, true, error);
}

enum harness_status harness_file_write_lazily(const char *path, const void *bytes, size_t size,
                                              struct harness_error *error)
{
    return write_file(path, bytes, size, false, error);
}

enum harness_status harness_file_write_text(const char *path, struct harness_text *text, struct harness_error *error)
{
    const enum harness_status status =
        text->failed ? harness_fail_memory(error) : harness_file_write(path, text->data, text->size, error);
    harness_text_free(text);
    return status;
}

enum harness_status harness_directory_make(const char *path, struct harness_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? HARNESS_OK : host_trouble(error, path, "cannot be made");
}

enum harness_status harness_file_lock(int descriptor, const char *path, const char *who, struct harness_error *error)
{
    enum {
        MOMENTS = 300
    };
    static const struct timespec a_moment = { 0, 10 * 1000 * 1000 };
    for (unsigned i = 0; i < MOMENTS; i++) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            return HARNESS_OK;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return host_trouble(error, path, "cannot be locked");
        (void)nanosleep(&a_moment, NULL);
    }
    return harness_fail(error, HARNESS_HOST, "%.300s: %s", path, who);
}

/* -------------------------------------------------------------------------------------------------------- detection */

bool harness_has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path);
    const size_t wanted = strlen(extension);
    return length > wanted && strcmp(path + length - wanted, extension) == 0;
}

static bool starts_with(const uint8_t *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    return size >= length && memcmp(bytes, text, length) == 0;
}

/* The first token, after comments, is "pcase". */
static bool is_pcase(const uint8_t *bytes, size_t size)
{
    size_t i = starts_with(bytes, size, "\xEF\xBB\xBF") ? 3 : 0; /* the reader will refuse it and say why */
    while (i < size) {
        if (bytes[i] == '#' || bytes[i] == ';')
            while (i < size && bytes[i] != '\n')
                i++;
        else if (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r' || bytes[i] == '\n')
            i++;
        else
            return starts_with(bytes + i, size - i, "pcase ");
    }
    return false;
}

enum harness_format harness_format_detect(const char *path, const uint8_t *bytes, size_t size)
{
    if (harness_has_extension(path, ".pcb"))
        return HARNESS_FORMAT_PCB;
    if (starts_with(bytes, size, "PCAP3DS") || harness_has_extension(path, ".picacap"))
        return HARNESS_FORMAT_PICACAP;
    if (starts_with(bytes, size, "CiTr") || harness_has_extension(path, ".ctf"))
        return HARNESS_FORMAT_CTF;
    if (is_pcase(bytes, size) || harness_has_extension(path, ".pcase"))
        return HARNESS_FORMAT_PCASE;
    return harness_has_extension(path, ".bin") ? HARNESS_FORMAT_RAW_LIST : HARNESS_FORMAT_PCB;
}

static enum harness_status decode(struct harness_case *out, const char *path, enum harness_format format,
                                  const uint8_t *bytes, size_t size, struct harness_text *warnings,
                                  struct harness_error *error)
{
    switch (format) {
    case HARNESS_FORMAT_PCASE: return harness_pcase_read(out, (const char *)bytes, size, path, error);
    case HARNESS_FORMAT_PCB: return harness_pcb_decode(out, bytes, size) ? HARNESS_OK : harness_fail_memory(error);
    case HARNESS_FORMAT_PICACAP: return harness_picacap_read(out, bytes, size, path, warnings, error);
    case HARNESS_FORMAT_CTF: return harness_ctf_read(out, bytes, size, path, warnings, error);
    case HARNESS_FORMAT_RAW_LIST: return harness_raw_list_read(out, bytes, size, path, error);
    }
    return harness_fail(error, HARNESS_BAD_INPUT, "%.300s: unknown format", path);
}

enum harness_status harness_case_load_file(struct harness_case *out, const char *path, enum harness_format *format,
                                           struct harness_text *warnings, struct harness_error *error)
{
    uint8_t *bytes;
    size_t size;
    harness_case_reset(out);
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    const enum harness_format found = harness_format_detect(path, bytes, size);
    if (format != NULL)
        *format = found;
    status = decode(out, path, found, bytes, size, warnings, error);
    free(bytes);
    return status;
}

static enum harness_status save_pcb(const struct harness_case *test_case, const char *path, struct harness_error *error)
{
    size_t size = 0;
    enum harness_status status = harness_pcb_encode(test_case, NULL, 0, &size, error);
    if (status != HARNESS_OK && size == 0)
        return status;
    uint8_t *const bytes = malloc(size + 1);
    if (bytes == NULL)
        return harness_fail_memory(error);
    status = harness_pcb_encode(test_case, bytes, size, &size, error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, bytes, size, error);
    free(bytes);
    return status;
}

enum harness_status harness_case_save_file(const struct harness_case *test_case, const char *path,
                                           struct harness_error *error)
{
    if (harness_has_extension(path, ".pcb"))
        return save_pcb(test_case, path, error);
    struct harness_text text = { 0 };
    enum harness_status status = harness_pcase_write(test_case, &text, error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    return status;
}
