#define _POSIX_C_SOURCE 200809L

#include "harness/case/temporary.h"

#include "harness/case/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const char mark[] = ".tmp-";

enum {
    RANDOM_LENGTH = 6, /* of mkstemp */
    PLACE_LENGTH = 16  /* digits */
};

/* Where a process runs: on which machine, and in which boot and PID namespace of that. */
struct place {
    bool known;
    uint32_t machine, run;
};

/* What the name of a file says about the process that made it. */
struct owner {
    pid_t process; /* 0: this is not the name of a temporary file */
    struct place place;
};

/* Good enough: what is hashed is random already. */
static uint32_t hash_text(uint32_t hash, const char *text)
{
    return harness_hash(hash, text, strlen(text));
}

/* "" if there is no such file. */
static void read_line(const char *path, char *out, size_t size)
{
    FILE *const file = fopen(path, "r");
    if (file == NULL || fgets(out, (int)size, file) == NULL)
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (file != NULL)
        (void)fclose(file);
}

/* The number of a namespace is unique only among those that exist at the same time in one boot; that is enough here. */
static struct place find_place(void)
{
    char machine[128], boot[64], space[64];
    struct utsname host;
    read_line("/etc/machine-id", machine, sizeof machine);
    if (machine[0] == '\0' && uname(&host) == 0) /* as in most containers */
        (void)snprintf(machine, sizeof machine, "%.127s", host.nodename);
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    const ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[length > 0 ? length : 0] = '\0';
    return (struct place){ .known = machine[0] != '\0' && boot[0] != '\0' && length > 0,
                           .machine = hash_text(harness_hash_start, machine),
                           .run = hash_text(hash_text(harness_hash_start, boot), space) };
}

void harness_temporary_name(struct harness_text *out, const char *stem)
{
    const struct place place = find_place();
    harness_text_format(out, "%s%s%ld-", stem, mark, (long)getpid());
    if (place.known)
        harness_text_format(out, "%08lx%08lx-", (unsigned long)place.machine, (unsigned long)place.run);
    harness_text_add(out, "XXXXXX");
}

/* "0123456789abcdef-", in front of the random letters. */
static struct place place_of(const char *digits)
{
    if (strlen(digits) != PLACE_LENGTH + 1 + RANDOM_LENGTH || strspn(digits, "0123456789abcdef") != PLACE_LENGTH ||
        digits[PLACE_LENGTH] != '-')
        return (struct place){ .known = false };
    const uint64_t place = strtoull(digits, NULL, 16);
    return (struct place){ .known = true, .machine = (uint32_t)(place >> 32), .run = (uint32_t)place };
}

/* Parses "STEM.tmp-PID-PLACE-XXXXXX" or "STEM.tmp-PID-XXXXXX". */
static struct owner owner_of(const char *name)
{
    const char *at = NULL;
    for (const char *next = strstr(name, mark); next != NULL; next = strstr(next + 1, mark))
        at = next + strlen(mark);
    if (at == NULL || *at < '1' || *at > '9')
        return (struct owner){ .process = 0 };
    char *end = NULL;
    errno = 0;
    const long process = strtol(at, &end, 10);
    const bool whole = errno == 0 && process == (pid_t)process && *end == '-';
    const struct place place = whole ? place_of(end + 1) : (struct place){ .known = false };
    if (!whole || (!place.known && strlen(end + 1) != RANDOM_LENGTH))
        return (struct owner){ .process = 0 };
    return (struct owner){ .process = (pid_t)process, .place = place };
}

static bool is_gone(pid_t process)
{
    return kill(process, 0) != 0 && errno == ESRCH;
}

static bool is_ours(const struct stat *status)
{
    return status->st_uid == geteuid();
}

/* Works relative to open directories and never follows a link, so that nobody can redirect a path meanwhile. */
static bool remove_at(int parent, const char *name);

static bool empty_directory(int parent, const char *name)
{
    struct stat status;
    const int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const opened =
        descriptor >= 0 && fstat(descriptor, &status) == 0 && is_ours(&status) ? fdopendir(descriptor) : NULL;
    if (opened == NULL) {
        if (descriptor >= 0)
            (void)close(descriptor);
        return false;
    }
    bool removed = true;
    for (const struct dirent *entry; removed && (entry = readdir(opened)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            removed = remove_at(descriptor, entry->d_name);
    (void)closedir(opened);
    return removed;
}

static bool remove_at(int parent, const char *name)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !is_ours(&status))
        return false;
    if (!S_ISDIR(status.st_mode))
        return unlinkat(parent, name, 0) == 0;
    return empty_directory(parent, name) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Seconds since this machine started. */
static double uptime(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? (double)now.tv_sec : (double)HARNESS_TEMPORARY_SECONDS;
}

/* Is it certain, or after a day assumed, that no process needs the file any more? */
static bool is_left(int parent, const char *name, const struct owner *owner, const struct place *here,
                    enum harness_temporary_writers others)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (others == HARNESS_WRITERS_NONE)
        return true;
    const bool same_machine = owner->place.known && here->known && owner->place.machine == here->machine;
    if (same_machine && owner->place.run == here->run)
        return is_gone(owner->process);
    const double age = difftime(time(NULL), status.st_mtime);
    if (others == HARNESS_WRITERS_HERE && (same_machine || !owner->place.known) &&
        age > uptime() + 1.0) /* both clocks are cut to seconds */
        return true;
    const bool elsewhere = owner->place.known && here->known; /* so its PID means nothing here */
    return (elsewhere || is_gone(owner->process)) && age >= (double)HARNESS_TEMPORARY_SECONDS;
}

size_t harness_temporary_clean(const char *directory, const char *stem, enum harness_temporary_writers others)
{
    const struct place here = find_place();
    DIR *const opened = opendir(directory);
    size_t removed = 0;
    if (opened == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        struct owner owner = { .process = 0 };
        if (strncmp(entry->d_name, stem, strlen(stem)) == 0)
            owner = owner_of(entry->d_name);
        if (owner.process != 0 && is_left(dirfd(opened), entry->d_name, &owner, &here, others))
            removed += remove_at(dirfd(opened), entry->d_name);
    }
    (void)closedir(opened);
    return removed;
}
