#include "tests/cli/command.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void run_command(struct command_result *result, const char *line)
{
    char whole[10240];
    const int length = snprintf(whole, sizeof whole, "{ %s\n} 2>&1", line); /* the line may end in a comment */
    memset(result, 0, sizeof *result);
    result->exit_code = -1;
    FILE *const pipe = length < (int)sizeof whole ? popen(whole, "r") : NULL;
    if (pipe == NULL)
        return;
    size_t used = 0;
    for (size_t got = 0; (got = fread(result->output + used, 1, sizeof result->output - 1 - used, pipe)) != 0;)
        used += got;
    char rest[4096];
    while (fread(rest, 1, sizeof rest, pipe) != 0) {
    }
    const int status = pclose(pipe);
    if (WIFEXITED(status))
        result->exit_code = WEXITSTATUS(status);
}

void run_picafuzz(struct command_result *result, const char *environment, const char *arguments)
{
    char line[8192];
    (void)snprintf(line, sizeof line, "cd '%s' && %s '%s/bin/picafuzz' %s", PICAFUZZ_SOURCE_DIR, environment,
                   PICAFUZZ_BINARY_DIR, arguments);
    run_command(result, line);
}

void run_picafuzz_in(struct command_result *result, const char *directory, const char *format)
{
    char arguments[8192] = "";
    size_t length = 0;
    for (const char *at = format; *at != '\0' && length + 2048 < sizeof arguments; at++)
        length += *at == '@' ? (size_t)snprintf(arguments + length, sizeof arguments - length, "%s", directory)
                             : (size_t)snprintf(arguments + length, sizeof arguments - length, "%c", *at);
    run_picafuzz(result, "", arguments);
}

bool write_bytes(const char *directory, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "wb");
    const bool is_written = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && is_written;
}

void fresh_directory(char *path, size_t size, const char *name)
{
    (void)snprintf(path, size, "%s/test-cli/%s", PICAFUZZ_BINARY_DIR, name);
    char line[4096];
    (void)snprintf(line, sizeof line, "rm -rf '%s' && mkdir -p '%s'", path, path);
    if (system(line) != 0)
        path[0] = '\0';
}

bool file_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

size_t count_files(const char *directory, const char *part)
{
    DIR *const opened = opendir(directory);
    size_t count = 0;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL;
    if (opened != NULL)
        (void)closedir(opened);
    return count;
}

pid_t ended_process(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child ? child : -1;
}
