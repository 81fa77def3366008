#!/usr/bin/env python3
"""ci/hardware on a copy of its tables: another value in a table is another case, each of them; nonsense is refused with
file, line and field; cases that are not the tables' are named. Usage: check_hardware.py DIRECTORY"""
import contextlib, glob, io, os, re, runpy, shutil, sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
WORK = os.path.abspath(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "ci"))
import hardware_cases, hardware_table


def fail(message):
    print("check_hardware: " + message, file=sys.stderr)
    sys.exit(1)


def hardware(*options):
    """Runs ci/hardware of the copy in this process, which costs no start of another; its exit code and output."""
    output, sys.argv = io.StringIO(), [WORK + "/ci/hardware", *options]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            return end.code, output.getvalue()
    fail("ci/hardware does not say how it ended")


def texts(path):
    table = hardware_table.read_table(path)
    return {case.name: case.text(table) for case in hardware_cases.cases_of(table)}


def other(cell):
    """Another value of the same form for what a console left."""
    last = re.search(r"[0-9A-F](?=[^0-9A-F]*$)", cell)
    return {"0": "1", "1": "0", "inf": "0", "-inf": "0", "nan": "0", "other": "0"}.get(cell) or \
        cell[:last.start()] + ("0" if last.group(0) != "0" else "1") + cell[last.end():]


def each_value_counts(path):
    """Every row whose console cell is changed gives other cases or is refused. H01 has hundreds of equal rows: some."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    wanted = texts(path)
    table = hardware_table.read_table(path)
    changed = 0
    for row in table.rows[::8] if len(table.rows) > 100 else table.rows:
        column = table.columns.index("console")
        cells = list(re.finditer(r"\S+", lines[row.line - 1]))
        cell = cells[column]
        line = lines[row.line - 1]
        line = line[:cell.start()] + other(cell.group(0)) + line[cell.end():]
        with open(WORK + "/one.table", "w", encoding="utf-8") as out:
            out.write("\n".join(lines[:row.line - 1] + [line] + lines[row.line:]))
        hardware_cases.cases_of(table)  # says which rows are in cases
        try:
            found = texts(WORK + "/one.table")
        except hardware_table.Wrong:
            found = None
        if row.was_run and found == wanted:
            fail(f"{path}:{row.line}: '{line}' gives the same cases")
        if not row.was_run and found != wanted:
            fail(f"{path}:{row.line}: '{line}' is in a case")
        changed += row.was_run
    if not changed:
        fail(f"{path}: nothing was changed")


def refused(name, old, new, *messages):
    """ci/hardware with that change of a table."""
    path = f"{WORK}/corpus/hardware/{name}.table"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if old not in text:
        fail(f"{name} has no '{old}'")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text.replace(old, new, 1))
    code, output = hardware()
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    if code != 1:
        fail(f"{name}, '{new}' for '{old}': exit code {code}: {output}")
    for message in messages:
        if message not in output:
            fail(f"{name}, '{new}' for '{old}': no '{message}' in: {output}")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK + "/ci")
    for path in glob.glob(ROOT + "/ci/hardware*"):
        if os.path.isfile(path):
            shutil.copy(path, WORK + "/ci")
    shutil.copytree(ROOT + "/corpus/hardware", WORK + "/corpus/hardware")
    code, output = hardware()
    if code != 0:
        fail("the tree's own tables: " + output)
    for path in sorted(glob.glob(ROOT + "/corpus/hardware/*.table")):
        each_value_counts(path)

    refused("H01-dot3", "FC,F3,ED", "FC,F6,ED", "cases/h01-dot3-iiiff-iiiff-00.pcase:", "ci/hardware --make")
    refused("H01-dot3", "FC,F3,ED", "FC,F3G,ED", "H01-dot3.table:", "console: expected 16 times two hexadecimal digits")
    refused("H01-dot3", "FC,F3,ED", "FC,ED", "console: expected 16 times")
    refused("H01-dot3", "i,i,i,FF i,i,i,FF 10", "i,i,i,FF i,i,i,FF 11", "first: expected 10")
    refused("H01-dot3", "80,7F,80,FF i,i,80,FF F0 ", "#", "first: expected rows for 256 inputs, found 240")
    refused("H01-dot3", "hardware 1", "hardware 2", "H01-dot3.table:1: hardware: expected 'hardware 1' first")
    refused("H01-dot3", "grade A", "grade E", "H01-dot3.table:3: grade: expected A, B, C or D, found 'E'")
    refused("H01-dot3", "grade A\n", "", "grade: the head lacks it")
    refused("H01-dot3", "grade A", "grade A\ngrade A", "H01-dot3.table:4: grade: a second time, after line 3")
    refused("H01-dot3", "grade A", "grad A", "H01-dot3.table:3: grad: expected one of")
    refused("H01-dot3", "piece H01", "piece H02", "H02-float-classes.table:2: piece: ")
    refused("H01-dot3", "rules TEV-10", "rules TEV10", "rules: expected ids of rules, found 'TEV10'")
    refused("H01-dot3", "experiment dot3", "experiment dots", "experiment: expected one of")
    refused("H01-dot3", "columns a b first", "columns a c first", "columns: expected 'a b first console' for dot3")
    refused("H02-float-classes", "rcp(nan)  ", "rcp(0)  ", "row: the inputs of line")
    refused("H02-float-classes", "rcp(nan)  ", "rcp(2)  ", "computation: expected numbers of")
    refused("H02-float-classes", "rcp(nan)  ", "rcp(nan,0)  ", "computation: expected 1 operands of rcp")
    refused("H02-float-classes", "rcp(nan)  ", "foo(nan)  ", "computation: expected one of")
    refused("H02-float-classes", "FLT-31      nan", "FLT-32      nan", "rules: expected some of")
    refused("H02-float-classes", "FLT-31      nan", "FLT-31      nix", "console: expected one of")
    refused("H04-shader-operations", "1,10,10", "1,x,10", "a: expected 3 numbers with commas")
    refused("H06-masked-attribute", "xyw VTX", "xyv VTX", "reads: expected three of x, y, z, w, found 'xyv'")
    refused("H07-colour-limits", "1,0,0;1,1,1;1,1,1", "1,0,0;1,1,1", "console: expected three colours")
    refused("H08-attribute-layout", "A=00,P=0C,C=10", "A=00,P=04,C=10", "console: P lies over what is before it")
    refused("H08-attribute-layout", "A=00,P=0C,C=10", "A=00,P=0C", "console: expected C=OFFSET")
    refused("H09-hilo8", "1234 12", "123G 12", "texel: expected four hexadecimal digits, found '123G'")
    refused("H11-transfers", "0x00003400 0=0x0000F000", "0x3400 0=0x0000F000", "flags: expected a word as 0x0000F000")
    refused("H11-transfers", "0=0x0000F000 0", "0=0x0000F000 9999", "output: expected less than 1024")
    refused("H11-transfers", "yes\n", "yes yes\n", "row: expected 7 cells")

    os.makedirs(WORK + "/docs")
    for grade, message in ("B", "grade: docs/hardware.md says B, found 'A'"), ("A", "docs/hardware.md has no piece H0"):
        with open(WORK + "/docs/hardware.md", "w", encoding="utf-8") as out:
            out.write(f"| Id | What | Grade |\n|---|---|---|\n| H01 | a | {grade} |\n")
        code, output = hardware()
        if code != 1 or message not in output:
            fail(f"a list of pieces: no '{message}' in: {output}")
    shutil.rmtree(WORK + "/docs")

    case = WORK + "/corpus/hardware/cases/h09-texels.pcase"
    os.rename(case, case.replace("h09-texels", "h99"))
    code, output = hardware()
    if code != 1 or "h99.pcase: no table gives this case" not in output or "h09-texels.pcase: is missing" not in output:
        fail("a case of another name: " + output)
    if hardware("--make")[0] != 0 or hardware()[0] != 0 or not os.path.exists(case):
        fail("--make does not mend that")
    if hardware("--mend")[0] != 2:
        fail("an unknown option is taken")
    print("check_hardware: ok")


main()
