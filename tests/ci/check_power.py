#!/usr/bin/env python3
"""ci/endurance power without a machine: what the judge must complain of and must not, and what the recorder tells.
Usage: check_power.py DIRECTORY"""
import hashlib
import json
import os
import pty
import shutil
import subprocess
import sys
import time
import tty

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
CI = os.path.join(HERE, "../../ci")
sys.path.insert(0, CI)
import endurance_power as power  # noqa: E402  (the path is set above)

BOOT = 1000.0  # of the second start; the first one was at 500


def name(data):
    return hashlib.sha1(data).hexdigest()


def stats(starts, executions):
    return json.dumps({"starts": starts, "executions": executions}).encode()


def campaign(starts, executions, *inputs):
    """A sound one: path -> (since, contents)."""
    files = {f"corpus/{name(data)}": (600.0, data) for data in inputs}
    files["stats.json"] = (900.0 if starts == 1 else BOOT + 5, stats(starts, executions))
    files["history.tsv"] = (900.0, b"# picafuzz history 1\n#time\n500\t1\n" + (b"" if starts == 1 else b"1005\t2\n"))
    files["findings/diverge-x/job0.pcase"] = (700.0, b"pcase 1")
    files["findings/diverge-x/bucket.json"] = (700.0, b"{}")
    return files


def judge(room, change_after=None, change_first=None, merge="0 new files with 0 new features", inputs=(b"A", b"B"), looks=None):
    """Did it complain?"""
    old = power.Look(990.0, campaign(1, 100, b"A", b"B"))
    first, after = campaign(1, 100, *inputs), campaign(2, 120, *inputs)
    for files, change in ((first, change_first), (after, change_after)):
        files.update(change or {})
    target = os.path.join(room, "merge")
    with open(target, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho 'MERGE-OUTER: {merge} added' >&2\n")
    os.chmod(target, 0o755)
    power.TARGET = target
    one = power.Judge(room)
    one.compare(looks or [], old, power.Look(BOOT, first), power.Look(BOOT + 20, after))
    return one.failed


def check(right, what):
    if not right:
        sys.exit(f"check_power: {what}")


def check_judge(room):
    temporary = {"corpus/.picafuzz.tmp-12-abcdef": (990.0, b"")}
    check(not judge(room), "a sound campaign is complained of")
    check(not judge(room, inputs=(b"A",)), "an input that the corpus does without is complained of")
    check(judge(room, inputs=(b"A",), merge="1 new files with 3 new features"), "an input that is missed is not seen")
    gone = [power.Look(995.0, campaign(1, 110, b"A"))]
    check(not judge(room, inputs=(b"A",), merge="1 new files with 3 new features", looks=gone),
          "what the engine gave up before the cut is complained of")
    there = [power.Look(995.0, campaign(1, 110, b"A", b"B"))]
    check(judge(room, inputs=(b"A",), merge="1 new files with 3 new features", looks=there), "what was there at the cut is not missed")
    check(judge(room, inputs=(b"A",), merge="nothing"), "a merge that says nothing is believed")
    check(not judge(room, change_first=temporary), "a temporary file that goes at the start is complained of")
    check(judge(room, temporary, temporary), "a temporary file that stays is not seen")
    check(not judge(room, temporary), "one that is being written is complained of")
    for data in (b"", b"cut"):
        check(judge(room, {f"corpus/{name(b'C')}": (980.0, data)}), f"a corpus with '{data}' is not seen")
        check(judge(room, {f"corpus-text/{name(b'C')}": (980.0, data)}), f"a reader's corpus with '{data}' is not seen")
        check(not judge(room, {f"corpus/{name(b'C')}": (1019.0, data)}), "one that is being written is complained of")
    for path, data in (("stats.json", b""), ("stats.json", stats(2, 99)), ("stats.json", stats(1, 100)),
                       ("history.tsv", b"# picafuzz history 1\n#time\n1005\t2\n"), ("stats.json.damaged", b"x"),
                       ("findings/diverge-x/job0.pcase", b""), ("findings/diverge-x/job0.pcase", b"pcase 2"),
                       ("findings/diverge-x/bucket.json", b"{")):
        check(judge(room, {path: (980.0, data)}), f"{path} with {data} is not seen")
    files = campaign(1, 1)
    files["corpus-afl/afl/queue/id:000001,src:000000,op:x"] = (600.0, b"found")
    files["corpus-afl/afl/queue/id:000000,time:0,orig:seed"] = (600.0, b"seed")
    check(power.Look(0.0, files).inputs() == {name(b"found"): b"found"}, "what afl-fuzz found is not taken for an input")


def lines(port, until):
    """As words, up to a line that begins so."""
    heard, deadline = b"", time.monotonic() + 60
    while not any(line.split(b"\t")[0] == until for line in heard.split(b"\n")[:-1]):
        check(time.monotonic() < deadline, f"the recorder does not say {until}")
        heard += os.read(port, 4096)
    return [line.decode().split("\t") for line in heard.split(b"\n")[:-1]]


def check_recorder(room):
    place = os.path.join(room, "place")
    os.makedirs(os.path.join(place, "corpus"))
    with open(os.path.join(place, "corpus/one"), "wb") as file:
        file.write(b"\0\xff\n")
    port, far = pty.openpty()
    tty.setraw(far)
    path = os.ttyname(far)
    subprocess.run([os.path.join(CI, "endurance_recorder.py"), place, path], stderr=subprocess.DEVNULL, check=True)
    # it goes on as another process
    told = lines(port, b"tick")
    check(told[0][0] == "boot", f"{told}")
    check([word[1] for word in told if word[0] == "+"] == ["corpus/one"], f"{told}")
    check(told[1][3] == "00ff0a", f"{told}")
    os.write(port, f"rm {place}/corpus/one; echo gone; exit 3\n".encode())
    told = lines(port, b"-")
    check(["said", "gone"] in told and ["-", "corpus/one"] in told, f"{told}")
    check([word[1] for word in told if word[0] == "done"] == ["3"], f"{told}")
    os.close(far)
    os.close(port)  # its next word cannot be said: it ends


def main():
    room = sys.argv[1]
    shutil.rmtree(room, ignore_errors=True)
    os.makedirs(room)
    check_judge(room)
    check_recorder(room)


if __name__ == "__main__":
    main()
