/* second_machine: runs a .3dsx file to its end, as an emulator does that is started as a command. */
#include "tests/console_second/machine.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BAD_USAGE = 2
};

static const char *const HELP =
    "usage: second_machine FILE.3dsx --sd DIRECTORY [options]\n"
    "\n"
    "Runs a program for a 3DS until it ends, with a directory as its SD card. The strictest reading of what is known\n"
    "of a console: whatever a program made with libctru would not do ends it, and is said. No clock: the same each "
    "time.\n"
    "\n"
    "  second_machine card/cases.3dsx --sd card             the results are in card/3ds/picafuzz then\n"
    "  second_machine cases.3dsx --sd card --screens end    end-top.png, end-bottom.png: what the screens show\n"
    "\n"
    "      --sd DIRECTORY          the card\n"
    "      --screens PREFIX        at the end, pictures of both screens, as they were before they went dark\n"
    "      --trace                 each system call on stderr\n"
    "      --seconds N             virtual seconds that it may take (default 600)\n"
    "      --base ADDRESS          where code lies (default 0x100000)\n"
    "      --linear BYTES          of FCRAM below linear memory (default 0)\n"
    "      --client N              gsp's client index, 0-3 (default 0)\n"
    "      --first-user            gsp was never used since the console was switched on\n"
    "      --parameter-first N     an APT parameter with this command comes before the wake-up\n"
    "      --notification N        APT's, 0.3 s after the wake-up: 1 HOME, 3 may we sleep, 5 we sleep now, 11 close\n"
    "      --float24               shaders compute in float24, as cases of the pack numbers want\n"
    "      --no-registers          registers of the GPU cannot be read, as in some emulators\n"
    "      --no-write-back         a weaker machine: what lists draw is never seen by the program\n"
    "      --hang-at-list N        the GPU hangs at the N-th command list, until it is reset\n"
    "      --crash-at-list N       this process dies of SIGSEGV there\n"
    "      --freeze-at-list N      this process stands still there, for ever\n"
    "\n"
    "exit codes: 0 the program ended tidily, 1 it did what it should not, 2 usage, 3 it crashed, 4 host trouble,\n"
    "5 it took too long\n";

enum option_key {
    KEY_SD = 1,
    KEY_SCREENS,
    KEY_TRACE,
    KEY_SECONDS,
    KEY_BASE,
    KEY_LINEAR,
    KEY_CLIENT,
    KEY_FIRST_USER,
    KEY_PARAMETER,
    KEY_NOTIFICATION,
    KEY_FLOAT24,
    KEY_NO_REGISTERS,
    KEY_NO_WRITE_BACK,
    KEY_HANG,
    KEY_CRASH,
    KEY_FREEZE,
    KEY_HELP
};

static const struct option OPTIONS[] = {
    { "sd", required_argument, NULL, KEY_SD },
    { "screens", required_argument, NULL, KEY_SCREENS },
    { "trace", no_argument, NULL, KEY_TRACE },
    { "seconds", required_argument, NULL, KEY_SECONDS },
    { "base", required_argument, NULL, KEY_BASE },
    { "linear", required_argument, NULL, KEY_LINEAR },
    { "client", required_argument, NULL, KEY_CLIENT },
    { "first-user", no_argument, NULL, KEY_FIRST_USER },
    { "parameter-first", required_argument, NULL, KEY_PARAMETER },
    { "notification", required_argument, NULL, KEY_NOTIFICATION },
    { "float24", no_argument, NULL, KEY_FLOAT24 },
    { "no-registers", no_argument, NULL, KEY_NO_REGISTERS },
    { "no-write-back", no_argument, NULL, KEY_NO_WRITE_BACK },
    { "hang-at-list", required_argument, NULL, KEY_HANG },
    { "crash-at-list", required_argument, NULL, KEY_CRASH },
    { "freeze-at-list", required_argument, NULL, KEY_FREEZE },
    { "help", no_argument, NULL, KEY_HELP },
    { NULL, 0, NULL, 0 },
};

static bool number(uint32_t *out)
{
    char *end;
    const unsigned long value = strtoul(optarg, &end, 0);
    *out = (uint32_t)value;
    return *optarg != '\0' && *end == '\0' && value <= UINT32_MAX;
}

static bool take(int key, struct second_options *options)
{
    switch ((enum option_key)key) {
    case KEY_SD: options->card = optarg; return true;
    case KEY_SCREENS: options->screens = optarg; return true;
    case KEY_TRACE: return options->trace = true;
    case KEY_FIRST_USER: return options->first_user = true;
    case KEY_NOTIFICATION: return number(&options->notification);
    case KEY_FLOAT24: return options->float24 = true;
    case KEY_NO_REGISTERS: return options->no_registers = true;
    case KEY_NO_WRITE_BACK: return options->no_write_back = true;
    case KEY_SECONDS: return number(&options->seconds);
    case KEY_BASE: return number(&options->base) && options->base % 4096 == 0;
    case KEY_LINEAR: return number(&options->linear) && options->linear % 4096 == 0 && options->linear <= 0x3000000;
    case KEY_CLIENT: return number(&options->client) && options->client <= 3;
    case KEY_PARAMETER: return number(&options->parameter_first);
    case KEY_HANG: return number(&options->hang_at_list);
    case KEY_CRASH: return number(&options->crash_at_list);
    case KEY_FREEZE: return number(&options->freeze_at_list);
    case KEY_HELP: break;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct second_options options = { 0 };
    int key;
    while ((key = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1) {
        if (key == KEY_HELP) {
            fputs(HELP, stdout);
            return 0;
        }
        if (!take(key, &options)) {
            fprintf(stderr, "second_machine: a bad option; second_machine --help\n");
            return BAD_USAGE;
        }
    }
    if (optind + 1 != argc || options.card == NULL) {
        fprintf(stderr, "second_machine: wanted one file and --sd; second_machine --help\n");
        return BAD_USAGE;
    }
    options.program = argv[optind];
    struct second_machine *const machine = second_create(&options);
    if (machine == NULL) {
        fprintf(stderr, "second_machine: no memory, or no processor\n");
        return SECOND_TROUBLE;
    }
    const enum second_end end = second_run(machine);
    fputs(second_remarks(machine), stdout);
    printf("%u command lists\n", (unsigned)second_lists(machine));
    if (end != SECOND_TIDY)
        fprintf(stderr, "second_machine: %s\n", second_message(machine));
    second_destroy(machine);
    return (int)end;
}
