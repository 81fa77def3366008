#!/usr/bin/env python3
"""The virtual machine of `ci/endurance power`: a campaign that runs there as docs/long-campaigns.md has it run is switched
off at random moments, and compared with what ci/endurance_recorder.py told of it before. Nothing is lost that was there ten
seconds earlier: it is there again after the start, or the corpus reaches all that it reached.

Usage: endurance_power.py ROOM N ACCELERATOR FILE_SYSTEM
  ROOM         a directory with root.img, night.img, vmlinuz, initrd.img (made by ci/endurance); console and records go there
  N            how often the machine is switched off; in the second half a wrong plug-in is hunted, and
               before it the campaign is killed alone, and the machine rebooted in order
  ACCELERATOR  kvm, or tcg where that does not work
  FILE_SYSTEM  of night.img, for the ledger
At last `systemctl stop`. Prints a line for each and adds it to the ledger
(ci/endurance_ledger.py). Exit code 1: something was lost or left; 4: the machine does not start, or stands still."""
import hashlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "../build/fuzz/bin/fuzz_pair")
ALLOWED = 10.0  # seconds before the cut: what is younger may be lost
BOOT_SECONDS = 900  # a machine without KVM, beside other work
TEMPORARY = re.compile(r"\.tmp-\d+-([0-9a-f]{16}-)?\w{6}$")
BY_CONTENTS = re.compile(r"[0-9a-f]{40}$")
WRONG = """[Service]
Environment=CROOKED=row-order=highest-first
ExecStart=
ExecStart={command} -b reference,/srv/picafuzz/build/dev/lib/crooked.so
"""


class Trouble(Exception):
    """The machine does not do what is asked of it."""


class Look:
    """What was there at a moment: path -> (since when, contents)."""

    def __init__(self, when, files):
        self.when, self.files = when, files

    def below(self, prefix):
        return {path: what for path, what in self.files.items() if path.startswith(prefix)}

    def inputs(self):
        """Contents of the corpus, of whole files, and of what afl-fuzz found, by their SHA-1."""
        found = {}
        for path, (_, data) in self.files.items():
            name = os.path.basename(path)
            of_afl = re.fullmatch(r"corpus-afl/[^/]+/queue/id:[^/]*", path) and not re.search(",(orig|sync):", name)
            if not of_afl and not re.fullmatch(r"corpus/[^/.][^/]*", path):
                continue
            digest = hashlib.sha1(data).hexdigest()
            if data and (digest == name or not BY_CONTENTS.fullmatch(name)):
                found[digest] = data
        return found

    def broken(self, before=None):
        """Empty or cut files of the corpus (only those from before a moment)."""
        out = []
        for path, (since, data) in self.files.items():
            name = os.path.basename(path)
            cut = BY_CONTENTS.fullmatch(name) and hashlib.sha1(data).hexdigest() != name
            if re.fullmatch(r"corpus(-(?!merged)[^/]*)?/[^/.][^/]*", path) and (not data or cut):
                if before is None or since < before:
                    out.append(path)
        return out

    def temporaries(self):
        return {path for path in self.files if TEMPORARY.search(path)}

    def cases(self):
        """Findings in their buckets."""
        return {path: data for path, (_, data) in self.below("findings/").items() if re.search(r"/[^/]+/[^/]+\.pcase$", path)}

    def buckets(self):
        return {path.split("/")[1] for path in self.cases()}

    def stats(self):
        try:
            return json.loads(self.files["stats.json"][1])
        except (KeyError, ValueError):
            return None


class Machine:
    def __init__(self, room, accelerator):
        self.room, self.accelerator, self.boots = room, accelerator, 0
        self.process = self.port = self.record = None

    def boot(self):
        path = os.path.join(self.room, "port")
        if os.path.exists(path):
            os.unlink(path)
        self.boots += 1
        self.known, self.looks, self.said, self.done, self.heard, self.clock = {}, [], [], None, b"", 0.0
        # An emulated processor without AVX: qemu 7.2 computes some of it wrongly, which the campaign finds.
        processor = {"kvm": "host", "tcg": "Nehalem"}[self.accelerator]
        drives = []
        for name in ("root", "night"):  # the guest's writes are in our page cache when it is told that they are done
            drives += ["-drive", f"file={self.room}/{name}.img,format=raw,if=virtio,cache=writeback"]
        command = ["qemu-system-x86_64", "-accel", self.accelerator, "-cpu", processor, "-smp", "1", "-m", "1024"] + drives + [
            "-kernel", f"{self.room}/vmlinuz", "-initrd", f"{self.room}/initrd.img", "-append",
            # Emulated and beside other work, a device may take longer than the usual 90 seconds to appear.
            "root=/dev/vda rw console=ttyS0 quiet panic=-1 systemd.default_timeout_start_sec=900", "-display", "none", "-nic", "none", "-no-reboot", "-device",
            "virtio-serial-pci", "-device", "virtserialport,chardev=port,name=record", "-chardev",
            f"socket,id=port,path={path},server=on,wait=on", "-serial", f"file:{self.room}/console-{self.boots}.log"]
        log = open(f"{self.room}/qemu.log", "ab")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)
        self.record = open(f"{self.room}/record-{self.boots}.tsv", "wb")
        self.port = socket.socket(socket.AF_UNIX)
        for _ in range(100):
            time.sleep(0.1)
            try:
                self.port.connect(path)
                break
            except OSError:
                if self.process.poll() is not None:
                    raise Trouble("qemu does not start") from None
        self.wait(lambda: self.looks, BOOT_SECONDS, "it does not start")

    def hear(self, seconds):
        """What the guest says within so many seconds; False: it has ended."""
        self.port.settimeout(seconds)
        try:
            data = self.port.recv(1 << 16)
        except TimeoutError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self.record.write(data)
        *lines, self.heard = (self.heard + data).split(b"\n")
        for line in lines:
            self.take(line.decode(errors="replace").split("\t"))
        return True

    def take(self, words):
        if words[0] == "+":
            self.known[words[1]] = (float(words[2]), bytes.fromhex(words[3]))
        elif words[0] == "-":
            self.known.pop(words[1], None)
        elif words[0] == "tick":
            self.clock = float(words[1]) - time.time()
            self.looks.append(Look(float(words[1]), dict(self.known)))
        elif words[0] == "said":
            self.said.append(words[1])
        elif words[0] == "done":
            self.done = (int(words[1]), float(words[2]))

    def now(self):
        return time.time() + self.clock

    def wait(self, condition, seconds, why):
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until or not self.hear(1.0):
                raise Trouble(f"{why} (console-{self.boots}.log, record-{self.boots}.tsv)")

    def sleep(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not self.hear(left):
                raise Trouble(f"it ended by itself (console-{self.boots}.log)")

    def run(self, command, seconds=180):
        """Its exit code, the seconds it took, its output."""
        self.said, self.done = [], None
        self.port.sendall(command.encode() + b"\n")
        self.wait(lambda: self.done is not None, seconds, f"no answer to: {command}")
        return self.done + (self.said,)

    def wait_for_campaign(self):
        """Until it has written its numbers: it has put everything in order by then, and its engines run."""
        starts = (self.looks[0].stats() or {"starts": 0})["starts"]
        self.wait(lambda: (self.looks[-1].stats() or {"starts": 0})["starts"] > starts, BOOT_SECONDS, "no campaign")
        return self.looks[-1]

    def cut(self):
        """The power goes. What was there at the end, and what ten seconds before."""
        moment = self.now()
        self.process.kill()
        self.end()
        old = [look for look in self.looks if look.when <= moment - ALLOWED]
        return self.looks[-1], old[-1] if old else self.looks[0]

    def end(self):
        while self.hear(1.0):
            pass
        self.process.wait()
        self.port.close()
        self.record.close()

    def wait_for_end(self, seconds):
        until = time.monotonic() + seconds
        while self.process.poll() is None:
            self.hear(1.0)
            if time.monotonic() > until:
                raise Trouble("it does not reboot")
        self.end()
        return self.looks[-1]


class Judge:
    def __init__(self, room):
        self.room, self.failed = room, False
        self.lost = 0

    def complain(self, what):
        print(f"  LOST OR LEFT: {what}", file=sys.stderr, flush=True)
        self.failed, self.lost = True, 1

    def expect(self, right, what):
        if not right:
            self.complain(what)

    def reached(self, corpus, inputs):
        """What libFuzzer says of inputs that reach something that a corpus does not; None if nothing."""
        for name, those in (("missing", inputs), ("after", corpus)):
            shutil.rmtree(f"{self.room}/{name}", ignore_errors=True)
            os.mkdir(f"{self.room}/{name}")
            for digest, data in those.items():
                with open(f"{self.room}/{name}/{digest}", "wb") as file:
                    file.write(data)
        merge = subprocess.run([TARGET, "-merge=1", "-entropic=0", f"{self.room}/after", f"{self.room}/missing"],
                               capture_output=True, text=True, errors="replace", check=False)
        said = re.search(r"(\d+) new files with (\d+) new features", merge.stderr)
        self.expect(said, "libFuzzer does not say what the inputs reach that are missing")
        return said[0] if said and said[1] != "0" else None

    def expect_reached(self, looks, old, after):
        """An engine replaces an input by a smaller one that reaches the same: what counts is what the corpus reaches. It
        may also be content with less (it has seen other inputs before it than this merge): what the corpus did not reach
        without the input while the machine still ran was not lost by the cut."""
        have = after.inputs()
        missing = {digest: data for digest, data in old.inputs().items() if digest not in have}
        lost = self.reached(have, missing) if missing else None
        for digest, data in missing.items() if lost else ():
            said = self.reached(have, {digest: data})
            without = [look for look in looks if look.when > old.when and digest not in look.inputs()]
            if said and not any(self.reached(look.inputs(), {digest: data}) for look in without):
                self.complain(f"{digest} is missing: {said}")
        return len(missing)

    def compare(self, looks, old, first, after):
        """What was there, what the file systems had at the start, what the campaign made of it."""
        self.lost = 0
        missing = self.expect_reached(looks, old, after)
        broken = after.broken(first.when)
        self.expect(not broken, f"{len(broken)} empty or cut files, {broken[:1]}")
        left = first.temporaries() & set(after.files)
        self.expect(not left, f"temporary files: {sorted(left)[:3]}")
        damaged = [path for path in after.files if path.endswith(".damaged")]
        self.expect(not damaged, f"{damaged}")
        for path, data in old.cases().items():
            self.expect(after.files.get(path, (0, b""))[1] == data, f"{path}")
        for path, (since, data) in after.below("findings/").items():
            self.expect(data or since >= first.when, f"{path} is empty")
            if path.endswith(".json") and data:
                self.expect(is_json(data), f"{path} is no JSON")
        self.compare_numbers(old, after)
        return missing

    def compare_numbers(self, old, after):
        before, now = old.stats(), after.stats()
        self.expect(now, "stats.json is no JSON")
        if before and now:
            self.expect(now["executions"] >= before["executions"] and now["starts"] > before["starts"],
                        f"stats.json: {before['executions']} executions before, {now['executions']} after")
        points = [look.files.get("history.tsv", (0, b""))[1].splitlines() for look in (old, after)]
        self.expect(points[1][:len(points[0])] == points[0], "history.tsv does not begin as before")

    def say(self, way, what, inputs, buckets):
        print(f"{what}: {inputs} inputs, {buckets} buckets{': LOST' if self.lost else ''}", flush=True)
        subprocess.run([os.path.join(HERE, "endurance_ledger.py"), "kill", way, str(inputs), str(buckets), str(self.lost)],
                       check=True)


def is_json(data):
    try:
        json.loads(data)
        return True
    except ValueError:
        return False


def one_cut(machine, judge, number, way):
    seconds = random.randint(20, 60)
    machine.sleep(seconds)
    last, old = machine.cut()
    looks = machine.looks
    machine.boot()
    first = machine.looks[0]
    after = machine.wait_for_campaign()
    missing = judge.compare(looks, old, first, after)
    print(f"  {len(last.inputs())} inputs at the end, of those of ten seconds before {missing} are replaced; the disk had "
          f"{len(first.broken())} empty or cut files and {len(first.temporaries())} temporary ones")
    judge.say(way, f"cut {number}: after {seconds} s", len(old.inputs()), len(old.buckets()))


def hunt_wrong_plug_in(machine, judge):
    """From now on with a backend that is wrong, so that findings are there when the power goes."""
    _, _, said = machine.run("systemctl show -p ExecStart --value picafuzz")
    command = re.search(r"argv\[\]=(.*?) ;", said[0])[1]
    text = WRONG.format(command=command).replace("\n", "\\n")
    stop(machine, judge, "with nothing found")
    machine.run(f"mkdir -p /etc/systemd/system/picafuzz.service.d; printf '{text}' >/etc/systemd/system/picafuzz.service.d/wrong.conf;"
                " sync; systemctl daemon-reload; systemctl start picafuzz")
    machine.wait(lambda: machine.looks[-1].buckets(), BOOT_SECONDS, "the wrong plug-in is not found")


def stop(machine, judge, what):
    """systemctl stop: within seconds, as a success, nothing left."""
    judge.lost = 0
    _, seconds, _ = machine.run("systemctl stop picafuzz")
    _, _, said = machine.run("systemctl show -p ActiveState,Result,ExecMainStatus picafuzz")
    _, _, processes = machine.run("ls -l /proc/[0-9]*/exe 2>&1 | grep -oE '/(fuzz_pair.*|afl-fuzz|picafuzz)$'")
    judge.expect("ActiveState=inactive" in said and "Result=success" in said, f"systemctl stop: {said}")
    judge.expect(seconds < 30, f"systemctl stop took {seconds} s")
    judge.expect(not processes, f"processes: {processes}")
    look = machine.looks[-1]
    judge.say("stop", f"systemctl stop {what}: {seconds} s, {', '.join(said)}", len(look.inputs()), len(look.buckets()))


def reboot(machine, judge):
    """In order: nothing at all is lost, and the campaign ends before systemd loses patience."""
    machine.port.sendall(b"systemctl reboot\n")
    last = machine.wait_for_end(BOOT_SECONDS)
    looks = machine.looks
    machine.boot()
    first = machine.looks[0]
    after = machine.wait_for_campaign()
    judge.compare(looks, last, first, after)
    _, _, said = machine.run("journalctl -b -1 -u picafuzz -o short-unix --no-pager | grep -E 'systemd\\[1\\]' | tail -n 5")
    text = "\n".join(said)
    judge.expect("Deactivated successfully" in text and "timed out" not in text, f"the campaign did not end in order: {said}")
    times = [float(line.split()[0]) for line in said if "Stopping" in line or "Stopped" in line]
    took = times[-1] - times[0] if len(times) > 1 else -1.0
    judge.say("reboot", f"systemctl reboot: the campaign ended within {took:.1f} s", len(last.inputs()), len(last.buckets()))


def kill_alone(machine, judge):
    """Without the machine: systemd starts it again."""
    judge.lost = 0
    old = machine.looks[-1]
    machine.run("systemctl kill -s KILL --kill-whom=main picafuzz")
    machine.sleep(5)
    first, starts = machine.looks[-1], old.stats()["starts"]
    machine.wait(lambda: (machine.looks[-1].stats() or old.stats())["starts"] > starts, BOOT_SECONDS, "no new start")
    judge.compare(machine.looks, old, first, machine.looks[-1])
    judge.say("restart", "kill -9 of the service", len(old.inputs()), len(old.buckets()))


def main():
    if len(sys.argv) != 5 or not sys.argv[2].isdigit() or sys.argv[3] not in ("kvm", "tcg"):
        print(__doc__, file=sys.stderr)
        return 2
    room, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    machine, judge = Machine(room, sys.argv[3]), Judge(room)
    way = "power-" + sys.argv[4]
    try:
        machine.boot()
        machine.wait_for_campaign()
        for number in range(1, count + 1):
            if number == count // 2 + 1:
                hunt_wrong_plug_in(machine, judge)
                kill_alone(machine, judge)
                reboot(machine, judge)
            one_cut(machine, judge, number, way)
        stop(machine, judge, "with something found")
    except Trouble as trouble:
        print(f"endurance: the machine: {trouble}", file=sys.stderr)
        return 4
    finally:
        if machine.process and machine.process.poll() is None:
            machine.process.kill()
            machine.process.wait()
    return int(judge.failed)


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        sys.exit(0)
    sys.exit(main())
