"""Reads a table of what a console left (docs/formats/hardware.md), strictly."""
import re

ONCE = ["hardware", "piece", "grade", "rules", "experiment", "columns"]
OFTEN = ["source", "what"]
VERSION = "1"


class Wrong(Exception):
    """Something in a file is not as it should be: says file, line and field."""

    def __init__(self, path, line, field, why):
        super().__init__(f"{path}:{line}: {field}: {why}")


class Row:
    def __init__(self, path, line, cells):
        self.path, self.line, self.cells = path, line, cells
        self.was_run = True

    def wrong(self, column, why):
        return Wrong(self.path, self.line, column, why)

    def __getitem__(self, column):
        return self.cells[column]

    def one_of(self, column, words):
        if self[column] not in words:
            raise self.wrong(column, f"expected one of {', '.join(sorted(words))}, found '{self[column]}'")
        return self[column]

    def match(self, column, pattern, what):
        found = re.fullmatch(pattern, self[column])
        if not found:
            raise self.wrong(column, f"expected {what}, found '{self[column]}'")
        return found

    def parts(self, column, count, pattern, what):
        """The parts of a cell, with commas between them."""
        found = self[column].split(",")
        if len(found) != count or not all(re.fullmatch(pattern, part) for part in found):
            raise self.wrong(column, f"expected {what}, found '{self[column]}'")
        return found

    def bytes(self, column, count):
        return [int(part, 16) for part in self.parts(column, count, r"[0-9A-F]{2}",
                                                     f"{count} times two hexadecimal digits")]

    def word(self, column):
        return int(self.match(column, r"0x[0-9A-F]{8}", "a word as 0x0000F000").group(0), 16)

    def numbers(self, column, count):
        pattern = r"-?\d+(?:\.\d+)?(?:e\d+)?|inf|-inf|nan"
        return self.parts(column, count, pattern, f"{count} numbers with commas between them")


class Table:
    def __init__(self, path):
        self.path, self.head, self.rows, self.line_of = path, {}, [], {}

    def __getattr__(self, key):
        try:
            return self.head[key]
        except KeyError:
            raise AttributeError(key) from None


def read_head(table, number, key, value):
    if key not in ONCE + OFTEN:
        raise Wrong(table.path, number, key, f"expected one of {', '.join(ONCE + OFTEN)}")
    if key in ONCE and key in table.head:
        raise Wrong(table.path, number, key, f"a second time, after line {table.line_of[key]}")
    if not value:
        raise Wrong(table.path, number, key, "expected something behind it")
    if not table.head and (key, value) != ("hardware", VERSION):
        raise Wrong(table.path, number, "hardware", f"expected 'hardware {VERSION}' first, found '{key} {value}'")
    table.line_of.setdefault(key, number)
    if key in OFTEN:
        table.head.setdefault(key, []).append(value)
    else:
        table.head[key] = value.split() if key in ("rules", "columns") else value


def check_head(table, number):
    for key in ONCE + OFTEN:
        if key not in table.head:
            raise Wrong(table.path, number, key, "the head lacks it")
    for key, pattern, what in [("piece", r"H\d\d", "H and two digits"), ("grade", r"[A-D]", "A, B, C or D")]:
        if not re.fullmatch(pattern, table.head[key]):
            raise Wrong(table.path, table.line_of[key], key, f"expected {what}, found '{table.head[key]}'")
    for rule in table.rules:
        if not re.fullmatch(r"(?:EXT-)?[A-Z]{3}-\d\d", rule):
            raise Wrong(table.path, table.line_of["rules"], "rules", f"expected ids of rules, found '{rule}'")
    if len(set(table.columns)) != len(table.columns):
        raise Wrong(table.path, table.line_of["columns"], "columns", "a name stands there twice")


def read_table(path):
    table = Table(path)
    seen = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.split("#")[0].strip()
            if not text:
                continue
            if "columns" not in table.head:
                key, _, value = text.partition(" ")
                read_head(table, number, key, value.strip())
                if key == "columns":
                    check_head(table, number)
                continue
            cells = text.split()
            if len(cells) != len(table.columns):
                raise Wrong(path, number, "row", f"expected {len(table.columns)} cells ({' '.join(table.columns)}), "
                                                 f"found {len(cells)}")
            row = Row(path, number, dict(zip(table.columns, cells)))
            inputs = tuple(cell for column, cell in row.cells.items() if column != "console")
            if inputs in seen:
                raise Wrong(path, number, "row", f"the inputs of line {seen[inputs]}")
            seen[inputs] = number
            table.rows.append(row)
    if not table.rows:
        raise Wrong(path, 0, "row", "there is none")
    return table
