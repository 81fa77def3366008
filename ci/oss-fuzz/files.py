#!/usr/bin/env python3
"""Do the files for OSS-Fuzz and ClusterFuzzLite agree, and are their keys those that the services take? The workflows
run nowhere but on GitHub: this is what can be seen of them here. Usage: ci/oss-fuzz/files.py    exit code 1: no"""
import glob
import os
import re
import sys

import yaml

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
failed = False


def complain(text):
    global failed
    failed = True
    print(f"oss-fuzz: {text}", file=sys.stderr)


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


# ------------------------------------------------------------------------------------------------- images and projects

PROJECT_KEYS = {"homepage", "main_repo", "language", "primary_contact", "auto_ccs", "sanitizers", "fuzzing_engines",
                "architectures", "base_os_version"}
ENGINES = {"libfuzzer", "afl", "honggfuzz", "centipede"}
SANITIZERS = {"address", "undefined", "memory"}


def check_project(directory):
    project = load(f"{directory}/project.yaml")
    with open(f"{directory}/Dockerfile", encoding="utf-8") as file:
        dockerfile = file.read()
    image = re.search(r"^FROM gcr\.io/oss-fuzz-base/base-builder:(\S+)$", dockerfile, re.M)
    system = project.get("base_os_version")
    if image is None or image[1] != system:
        complain(f"{directory}: the Dockerfile's image is not of base_os_version {system}")
    for key in project.keys() - PROJECT_KEYS:
        complain(f"{directory}/project.yaml: no key is called {key}")
    if project.get("language") != "c":
        complain(f"{directory}/project.yaml: language is not c")
    for key, known in (("fuzzing_engines", ENGINES), ("sanitizers", SANITIZERS)):
        for word in set(project.get(key, [])) - known:
            complain(f"{directory}/project.yaml: {key}: {word}")
    return re.findall(r"^(?:RUN|  ).*$", dockerfile, re.M)


# ------------------------------------------------------------------------------------------------------- the workflows

ACTIONS = "google/clusterfuzzlite/actions/"
INPUTS = {
    "build_fuzzers": {"language", "github-token", "sanitizer", "upload-build", "keep-unaffected-fuzz-targets",
                      "storage-repo", "storage-repo-branch", "storage-repo-branch-coverage"},
    "run_fuzzers": {"github-token", "fuzz-seconds", "mode", "sanitizer", "output-sarif", "parallel-fuzzing",
                    "report-unreproducible-crashes", "report-timeouts", "report-ooms", "minimize-crashes",
                    "storage-repo", "storage-repo-branch", "storage-repo-branch-coverage"},
}
# Which modes each workflow runs, and what starts it.
WORKFLOWS = {"pr": ({"code-change"}, "pull_request"), "batch": ({"batch"}, "schedule"),
             "cron": ({"prune", "coverage"}, "schedule"), "build": (set(), "push")}


def sanitizers_of(job, step):
    word = str(step.get("with", {}).get("sanitizer", "address"))
    return set(job["strategy"]["matrix"]["sanitizer"]) if "matrix.sanitizer" in word else {word}


def check_step(path, job, step):
    """Returns its mode, if it runs fuzzers."""
    action, _, version = step["uses"][len(ACTIONS):].partition("@")
    inputs = step.get("with", {})
    if action not in INPUTS or version != "v1":
        complain(f"{path}: {step['uses']}: no such action")
        return None
    for key in inputs.keys() - INPUTS[action]:
        complain(f"{path}: {action} takes no {key}")
    if action == "build_fuzzers" and inputs.get("language") != "c":
        complain(f"{path}: language is not c")
    for word in sanitizers_of(job, step) - SANITIZERS - {"coverage"}:
        complain(f"{path}: sanitizer {word}")
    if action == "run_fuzzers" and not (isinstance(inputs.get("fuzz-seconds"), int) and inputs["fuzz-seconds"] > 0):
        complain(f"{path}: fuzz-seconds is no number of seconds")
    return inputs.get("mode") if action == "run_fuzzers" else None


def check_workflow(path, modes, trigger):
    workflow = load(path)
    if trigger not in workflow.get("on", workflow.get(True, {})):
        complain(f"{path}: is not started by {trigger}")
    permissions = workflow.get("permissions")
    if permissions is None:
        complain(f"{path}: no permissions: the token may do everything")
    elif permissions == "write-all":
        complain(f"{path}: the token may do everything")
    elif modes and permissions != "read-all" and (permissions or {}).get("actions") != "read":
        complain(f"{path}: what other workflows left cannot be read")
    seen = set()
    for job in workflow["jobs"].values():
        steps = [step for step in job["steps"] if step.get("uses", "").startswith(ACTIONS)]
        found = [check_step(path, job, step) for step in steps]
        seen |= {mode for mode in found if mode}
        if len({frozenset(sanitizers_of(job, step)) for step in steps}) != 1:
            complain(f"{path}: what is built and what is run have other sanitizers")
    if seen != modes:
        complain(f"{path}: modes {sorted(seen)}, expected {sorted(modes)}")


if check_project("ci/oss-fuzz")[:3] != check_project(".clusterfuzzlite")[:3]:
    complain("the two Dockerfiles install different things")
for name, (modes, trigger) in WORKFLOWS.items():
    check_workflow(f".github/workflows/cflite_{name}.yml", modes, trigger)
for path in glob.glob(".github/workflows/cflite_*.yml"):
    if os.path.basename(path)[7:-4] not in WORKFLOWS:
        complain(f"{path}: is not one of {sorted(WORKFLOWS)}")
sys.exit(1 if failed else 0)
