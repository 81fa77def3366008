#!/usr/bin/env python3
"""In the virtual machine of `ci/endurance power`: says once a second what is in a campaign's directory, so that it is
known outside when the machine is switched off. Usage: endurance_recorder.py DIRECTORY PORT

Lines with tabs between their words; times are seconds since 1970 by this machine's clock:
  boot TIME
  + PATH TIME HEX    a file that is new or has changed: since when, what it holds
  - PATH             one that has gone
  tick TIME          that was all for now; the first one comes before the campaign starts
  said LINE, done CODE SECONDS     of a command that came in through PORT as a line
Each time it also has a file beside the campaign written to the disk, as other programs on a machine do: such a write makes
names and removals of all files durable, but not what other files hold. Exit code 1: the port or the directory is not there."""
import os
import select
import subprocess
import sys
import time

MOST = 1 << 20  # bytes of a file that are told
UNTOLD = {"index.html", "other-program", "lost+found"}


class Port:
    def __init__(self, path):
        self.descriptor = os.open(path, os.O_RDWR)
        self.heard = b""

    def say(self, *words):
        data = ("\t".join(map(str, words)) + "\n").encode()
        while data:
            data = data[os.write(self.descriptor, data):]

    def commands(self, seconds):
        """Those that came within so many seconds."""
        if select.select([self.descriptor], [], [], seconds)[0]:
            self.heard += os.read(self.descriptor, 4096)
        *lines, self.heard = self.heard.split(b"\n")
        return [line.decode() for line in lines]


def files(directory):
    for below, directories, names in os.walk(directory):
        directories[:] = [name for name in directories if name not in UNTOLD]
        for name in names:
            path = os.path.join(below, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue  # it has gone meanwhile
            if name not in UNTOLD:
                yield os.path.relpath(path, directory), path, (status.st_ino, status.st_size, status.st_mtime_ns)


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read(MOST)
    except OSError:
        return b""


def look(port, directory, known):
    now = {}
    for name, path, state in files(directory):
        now[name] = state
        if known.get(name) != state:
            port.say("+", name, state[2] / 1e9, contents(path).hex())
    for name in known.keys() - now.keys():
        port.say("-", name)
    port.say("tick", time.time())
    return now


def write_beside(directory):
    try:
        with open(os.path.join(directory, "other-program"), "w", encoding="utf-8") as file:
            file.write(f"{time.time()}\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as trouble:
        print(trouble, file=sys.stderr)


def obey(port, command):
    begun = time.monotonic()
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    for line in done.stdout.splitlines():
        port.say("said", line)
    port.say("done", done.returncode, f"{time.monotonic() - begun:.1f}")


def main():
    directory, port = sys.argv[1], Port(sys.argv[2])
    port.say("boot", time.time())
    known = look(port, directory, {})
    if os.fork() != 0:  # the service is ready; only then does systemd start the campaign
        return
    while True:
        for command in port.commands(1.0):
            obey(port, command)
        known = look(port, directory, known)
        write_beside(directory)


if __name__ == "__main__":
    main()
