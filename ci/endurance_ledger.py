#!/usr/bin/env python3
"""The ledger of ci/endurance (ci/endurance.tsv): what each piece showed, and the table that docs/status.md has of it.

Usage: ci/endurance_ledger.py run BEFORE AFTER MEMORY   a piece of a campaign: its stats.json before (may lack) and after,
                                                        and the looks at its memory
       ci/endurance_ledger.py kill WAY INPUTS BUCKETS LOST [TARGETS]
       ci/endurance_ledger.py passes BIN SEEDS          every target of BIN reads its seeds over and over: is memory flat?
       ci/endurance_ledger.py table | check             the table as Markdown; does docs/status.md have it?

Version 2 of the file: the line "# picafuzz endurance 2", then lines with tabs between their words:
  run     COMMIT DATE INSTANCE SECONDS EXECUTIONS FINDINGS
  memory  COMMIT DATE WHAT EARLY LATE      KiB
  kill    COMMIT DATE WAY INPUTS BUCKETS LOST TARGETS      which ran at that moment, as BUILD/PROGRAM,...; "": none, "-": not looked at
Version 1 lacked TARGETS. Lines are only added: a file that began as version 1 goes on with the line "# picafuzz endurance 2"
and is version 2 from there on. A file that begins otherwise or a line that does not fit is an error. Exit code: 1: a
difference or memory that grows, 2: usage, 3: bad file."""
import glob
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LEDGER = os.environ.get("PICAFUZZ_LEDGER", os.path.join(HERE, "endurance.tsv"))
STATUS = os.path.join(HERE, "../docs/status.md")
HEAD = "# picafuzz endurance "
VERSION = 2
WORDS = {1: {"run": 7, "memory": 6, "kill": 7}, 2: {"run": 7, "memory": 6, "kill": 8}}
ALL = "-all"  # after a way: no other backend, instances drawn from all that are built
WAYS = {"9": "kill -9", "15": "kill -15", "2": "Ctrl-C", "1": "hang-up", "memory": "kill -9 of its largest process",
        "limit": "no more memory (RLIMIT_AS)", "full": "a disk filled to the last byte",
        "disk": "a disk of 48 MiB: it ends itself at 32 MiB",
        "power-ext4": "machine switched off (ext4)", "power-xfs": "machine switched off (XFS)", "reboot": "`systemctl reboot`",
        "restart": "kill -9 of the service alone", "stop": "`systemctl stop`"}
FLAT = 0.02  # memory: by how much the end may exceed the beginning
INPUTS, FEW, MANY = 40, 25, 250  # passes: inputs of a target, how often each


def bad(number, why):
    print(f"{LEDGER}:{number}: {why}", file=sys.stderr)
    sys.exit(3)


def version_of(line):
    """None: no line that begins a version."""
    word = line[len(HEAD):] if line.startswith(HEAD) else ""
    return int(word) if word.isdigit() and int(word) in WORDS else None


def read():
    """Lines as lists of words, a kill with its targets; numbers are numbers."""
    if not os.path.exists(LEDGER):
        return []
    lines = open(LEDGER, encoding="utf-8").read().split("\n")
    version = version_of(lines[0])
    if version is None:
        bad(1, f"not version {VERSION} of this file, nor an older one: the first line must be '{HEAD}{VERSION}'")
    if lines[-1] != "":
        bad(len(lines), "the last line is not finished")
    rows = []
    for number, line in enumerate(lines[1:-1], 2):
        later = version_of(line)
        if later is not None and later > version:
            version = later
            continue
        words = line.split("\t")
        if WORDS[version].get(words[0]) != len(words):
            bad(number, f"'{words[0]}' with {len(words)} words")
        numbers, rest = words[4:7], words[7:]
        if not all(word.isdigit() for word in numbers):
            bad(number, "a number is not whole")
        rows.append(words[:4] + [int(word) for word in numbers] + rest)
    return rows


def last_version():
    """Of the lines at the end of the file; 0: there are none."""
    if not os.path.exists(LEDGER):
        return 0
    with open(LEDGER, encoding="utf-8") as file:
        return max(version_of(line.rstrip("\n")) or 0 for line in file)


def commit():
    name = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return name.stdout.strip() or "unknown"


def add(rows):
    """All or nothing: one write to a file opened for appending."""
    read()  # nothing is added to a file that cannot be read
    text = "" if last_version() == VERSION else f"{HEAD}{VERSION}\n"
    stamp = [commit(), time.strftime("%F", time.gmtime())]
    for row in rows:
        text += "\t".join(map(str, [row[0]] + stamp + list(row[1:]))) + "\n"
    with open(LEDGER, "a", encoding="utf-8") as file:
        file.write(text)


def load_instances(path):
    if not os.path.exists(path):
        return {}
    return {one["name"]: one for one in json.load(open(path, encoding="utf-8"))["instances"]}


def add_run(before_path, after_path, memory_path):
    before, after = load_instances(before_path), load_instances(after_path)
    rows = []
    for name, one in after.items():
        old = before.get(name, {"seconds": 0, "executions": 0, "findings": 0})
        row = [round(one[word] - old[word]) for word in ("seconds", "executions", "findings")]
        if row[0] > 0:
            rows.append(["run", name] + row)
    looks = [int(line) for line in open(memory_path, encoding="utf-8")] if os.path.exists(memory_path) else []
    if len(looks) >= 20:  # after the first quarter: until then it reads the corpus that there is
        looks = looks[len(looks) // 4:]
        third = len(looks) // 3
        rows.append(["memory", "campaign", int(statistics.median(looks[:third])), int(statistics.median(looks[-third:]))])
    add(rows)


def measure(target, files, passes):
    """Largest resident size in KiB of a process that runs each file so often."""
    command = [target, f"-runs={passes}", "-rss_limit_mb=0"] + files
    environment = dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=1")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss if process.returncode == 0 else None


def add_passes(binaries, seeds):
    rows, failed = [], False
    for target in sorted(glob.glob(os.path.join(binaries, "fuzz_*"))):
        name = os.path.basename(target)[len("fuzz_"):]
        files = sorted(glob.glob(os.path.join(seeds, name, "*")), key=os.path.getsize)
        files = files[: max(len(files) * 3 // 4, 1)]  # whole frames of programs would take minutes
        files = files[:: max(len(files) // INPUTS, 1)]
        if not os.access(target, os.X_OK) or not files:
            print(f"{name}: it cannot be run, or has no seeds", file=sys.stderr)
            failed = True
            continue
        few, many = measure(target, files, FEW), measure(target, files, MANY)
        if few is None or many is None:
            print(f"{name}: it does not end with exit code 0", file=sys.stderr)
            failed = True
            continue
        flat = many <= few * (1 + FLAT)
        failed |= not flat
        print(f"{name}: {few} KiB after {FEW} passes, {many} after {MANY}{'' if flat else ': IT GROWS'}", flush=True)
        rows.append(["memory", name, few, many])
    add(rows)
    return failed


def group(number):
    return f"{number:,}".replace(",", " ")


def name_way(way):
    plain = way.removesuffix(ALL)
    return WAYS.get(plain, plain) + (", without `-b`" if plain != way else "")


def name_targets(kills):
    looks = [row[7] for row in kills if row[7:] not in ([], ["-"])]
    names = {name for look in looks for name in look.split(",")} - {""}
    return ", ".join(sorted(names)) or ("none" if looks else "not looked at")


def sanitizer_of(instance):
    """Those of the whole pair say it in their names (harness/campaign/plan.c); units and readers have AddressSanitizer."""
    if instance.endswith("-msan"):
        return "memory"
    whole = instance.split("-")[0] in ("pair", "afl", "invariant", "metamorphic")
    return "none" if whole and not instance.endswith("-asan") else "address, undefined"


def table():
    rows = read()
    runs, memory, kills = ([row for row in rows if row[0] == kind] for kind in ("run", "memory", "kill"))
    out = []
    if runs:
        commits = list(dict.fromkeys(f"{row[1]} ({row[2]})" for row in runs))
        out += ["Commits: " + ", ".join(commits) + ".", ""]
        out += ["| Instance | Sanitizer | hours | executions | a second | findings |", "|---|---|---|---|---|---|"]
        for name in dict.fromkeys(row[3] for row in runs):
            seconds, executions, findings = (sum(row[k] for row in runs if row[3] == name) for k in (4, 5, 6))
            out.append(f"| {name} | {sanitizer_of(name)} | {seconds / 3600:.2f} | {group(executions)} | "
                       f"{executions / max(seconds, 1):.0f} | {findings} |")
        seconds, executions, findings = (sum(row[k] for row in runs) for k in (4, 5, 6))
        out.append(f"| all | | {seconds / 3600:.2f} | {group(executions)} | {executions / max(seconds, 1):.0f} | {findings} |")
    if memory:
        out += ["", "| Memory of | commit | KiB early | KiB late | grown |", "|---|---|---|---|---|"]
        for row in {row[3]: row for row in memory}.values():  # the last look at each
            out.append(f"| {row[3]} | {row[1]} | {group(row[4])} | {group(row[5])} | {100 * (row[5] / row[4] - 1):.1f} % |")
    if kills:
        out += ["", "| Killed by | commit | times | inputs there, on average | ran at that moment | something lost or left |",
                "|---|---|---|---|---|---|"]
        for key in dict.fromkeys(tuple(row[1:4]) for row in kills):
            those = [row for row in kills if tuple(row[1:4]) == key]
            inputs = statistics.mean(row[4] for row in those)
            out.append(f"| {name_way(key[2])} | {key[0]} ({key[1]}) | {len(those)} | {inputs:.0f} | {name_targets(those)} | "
                       f"{sum(row[6] != 0 for row in those)} |")
    return "\n".join(out) + "\n"


def main():
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(__doc__)
    elif len(words) == 4 and words[0] == "run":
        add_run(*words[1:])
    elif len(words) in (5, 6) and words[0] == "kill" and all(word.isdigit() for word in words[2:5]):
        add([words if len(words) == 6 else words + ["-"]])
    elif len(words) == 3 and words[0] == "passes":
        return int(add_passes(*words[1:]))
    elif words == ["table"]:
        print(table(), end="")
    elif words == ["check"]:
        text = open(STATUS, encoding="utf-8").read() if os.path.exists(STATUS) else ""
        if table() not in text:
            print("docs/status.md does not have the table of ci/endurance.tsv: ci/endurance table prints it", file=sys.stderr)
            return 1
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
