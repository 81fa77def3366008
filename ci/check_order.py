#!/usr/bin/env python3
"""No expression draws twice in an order that the compiler may choose, so a seed makes the same bytes everywhere.

C leaves open which argument of a call, which operand (sides of an assignment among them) and which entry of an
initialiser is computed first. Two of them that draw a random number, or allocate what the next one lies behind, differ
between compilers. What draws: harness_random_* (but not _init), functions that may write a generator's state, who calls
these, and a pointer to a function that is given `random`, `gen` or `&random`.

Usage: ci/check_order.py [FILE.c ...]      default: every C file of the tree; exit code 1: some place is open
"""
import os
import re
import subprocess
import sys

TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|->|\+\+|--|&&|\|\||<<=|>>=|[-+*/%&|^]='
                   r'|<=|>=|==|!=|<<|>>|\.\.\.|\S')
BLANK = re.compile(r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
CLOSE = {"(": ")", "[": "]", "{": "}"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "else", "do", "case", "default", "goto", "_Alignof"}
STATE = re.compile(r'(?<!const )struct (?:gen|harness_random) \*')  # a parameter through which a draw is seen
NAME = re.compile(r'[A-Za-z_]\w*')


def tokens_of(text):
    """(word, line) of everything but comments and preprocessor lines."""
    text = BLANK.sub(lambda found: found[1] or re.sub(r'[^\n]', ' ', found.group()), text)
    line, end, out = 1, 0, []
    for found in TOKEN.finditer(text):
        line += text.count("\n", end, found.start())
        end = found.start()
        out.append((found.group(), line))
    return out


def pairs_of(tokens):
    """Index of each bracket's partner."""
    partner, open_ones = {}, []
    for i, (word, _) in enumerate(tokens):
        if word in CLOSE:
            open_ones.append(i)
        elif word in CLOSE.values() and open_ones:
            partner[open_ones[-1]] = i
            partner[i] = open_ones.pop()
    return partner


class File:
    def __init__(self, path):
        with open(path, encoding="utf-8") as source:
            self.tokens = tokens_of(source.read())
        self.path = path
        self.partner = pairs_of(self.tokens)
        self.functions = []  # name, static, parameters, first token of the body, last one
        self._find_functions()

    def word(self, i):
        return self.tokens[i][0] if 0 <= i < len(self.tokens) else ""

    def _find_functions(self):
        i = start = 0
        while i < len(self.tokens):
            word = self.word(i)
            if word == "{" and self.word(i - 1) == ")" and i - 1 in self.partner:
                first = self.partner[i - 1]
                name = self.word(first - 1)
                parameters = " ".join(self.word(t) for t in range(first + 1, i - 1))
                static = any(self.word(t) == "static" for t in range(start, first))
                if NAME.fullmatch(name):
                    self.functions.append((name, static, parameters, i, self.partner.get(i, len(self.tokens) - 1)))
            if word in CLOSE:
                i = self.partner.get(i, i)
            if self.word(i) in (";", "}"):
                start = i + 1
            i += 1

    def calls(self, first, last):
        return {self.word(i) for i in range(first, last)
                if self.word(i + 1) == "(" and NAME.fullmatch(self.word(i)) and self.word(i) not in KEYWORDS}


def is_hidden(body):
    return body[2] and body[0].endswith(".c")


def find_drawing(files):
    """Names that draw: those of everyone, and those of each file, whose own functions hide others'."""
    bodies = []
    for file in files:
        for name, static, parameters, first, last in file.functions:
            given = STATE.search(re.sub(r"\* const", "*", parameters)) is not None
            bodies.append([file.path, name, static, file.calls(first, last), given])
    own = {}
    for path, name, *_ in bodies:
        own.setdefault(path, set()).add(name)
    shared, local, everyone = set(), {}, {body[1] for body in bodies if not is_hidden(body)}
    changed = True
    while changed:
        changed = False
        for path, name, static, calls, given in bodies:
            mine = local.setdefault(path, set())
            draws = given or any(call in mine or (call in shared and call not in own[path])
                                 or (call.startswith("harness_random_") and call != "harness_random_init")
                                 for call in calls)
            if draws and name not in mine:
                mine.add(name)
                changed = True
            if draws and not is_hidden((path, name, static)) and name not in shared:
                shared.add(name)
                changed = True
    return shared, local, own, everyone


class Check:
    """Reports what is open in one file."""

    def __init__(self, file, drawing):
        shared, local, own, self.everyone = drawing
        self.file = file
        self.local = local.get(file.path, set())
        self.own = own.get(file.path, set())
        self.shared = shared
        self.open = []

    def draws(self, name):
        if name in self.own:
            return name in self.local
        return name in self.shared or (name.startswith("harness_random_") and name != "harness_random_init")

    def draws_by_pointer(self, name, first, last):
        if name in self.own or name in self.everyone or name.startswith(("harness_random_", "cr_")) or name.isupper():
            return False
        given = [[self.file.word(i) for i in range(*part)] for part in self.split(first, last, {","})]
        return any(words in (["random"], ["gen"], ["&", "random"]) for words in given)

    def split(self, first, last, words):
        """The parts of [first, last) between those words, brackets skipped."""
        parts, start, i = [], first, first
        while i < last:
            if self.file.word(i) in words:
                parts.append((start, i))
                start = i + 1
            i = self.file.partner.get(i, i) if self.file.word(i) in CLOSE else i
            i += 1
        parts.append((start, last))
        return parts

    def unordered(self, drawn, line, what):
        if sum(drawn) > 1:
            self.open.append((line, what))
        return any(drawn)

    def list(self, first, last, what):
        """Arguments or entries of an initialiser."""
        line = self.file.tokens[first - 1][1]
        return self.unordered([self.expression(*part) for part in self.split(first, last, {","})], line, what)

    def expression(self, first, last):
        """Does it draw?"""
        if first >= last:
            return False
        sides = self.split(first, last, ASSIGN)
        if len(sides) > 1:
            return self.unordered([self.expression(*side) for side in sides], self.file.tokens[first][1], "sides of =")
        parts = self.split(first, last, {"?", ":", "&&", "||"})
        if len(parts) > 1:
            return any([self.expression(*part) for part in parts])
        return self.operands(first, last)

    def operands(self, first, last):
        drawn, i = [], first
        while i < last:
            word = self.file.word(i)
            if word not in CLOSE or i not in self.file.partner:
                i += 1
                continue
            end = self.file.partner[i]
            before = self.file.word(i - 1) if i > first else ""
            if word == "(" and NAME.fullmatch(before) and before not in KEYWORDS:
                inside = self.list(i + 1, end, "arguments of " + before)
                drawn.append(inside or self.draws(before) or self.draws_by_pointer(before, i + 1, end))
            elif word == "{":
                drawn.append(self.list(i + 1, end, "entries of {}"))
            else:
                drawn.append(any([self.expression(*part) for part in self.split(i + 1, end, {","})]))
            i = end + 1
        return self.unordered(drawn, self.file.tokens[first][1], "operands")

    def is_block(self, brace):
        before = self.file.word(brace - 1)
        if before in (";", "{", "}", "else", "do", ":"):
            return True
        if before != ")" or brace - 1 not in self.file.partner:
            return False
        word = self.file.word(self.file.partner[brace - 1] - 1)
        return word in ("if", "for", "while", "switch") or (bool(NAME.fullmatch(word)) and word not in KEYWORDS)

    def block(self, first, last):
        """Statements of [first, last)."""
        start = i = first
        while i < last:
            word = self.file.word(i)
            if word == "{" and self.is_block(i):
                self.statement(start, i)
                self.block(i + 1, self.file.partner.get(i, last))
                i = start = self.file.partner.get(i, last) + 1
                continue
            if word == ";":
                self.statement(start, i)
                start = i + 1
            i = self.file.partner.get(i, i) if word in CLOSE else i
            i += 1
        self.statement(start, last)

    def statement(self, first, last):
        """Heads of if, for and so on are statements of their own; declarators are in order."""
        while first < last and self.file.word(first) in ("if", "for", "while", "switch", "else", "do", "return", "case"):
            keyword = self.file.word(first)
            first += 1
            if keyword in ("if", "for", "while", "switch") and first in self.file.partner:
                end = self.file.partner[first]
                for part in self.split(first + 1, end, {";"}):
                    self.statement(*part)
                first = end + 1
        for part in self.split(first, last, {","}):
            self.expression(*part)


def main():
    if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
    listed = subprocess.run(["git", "ls-files", "*.c", "*.h"], check=True, capture_output=True, text=True).stdout.split()
    files = [File(path) for path in sorted(set(listed + sys.argv[1:])) if os.path.exists(path)]
    drawing = find_drawing(files)
    checked = places = 0
    for file in files:
        if len(sys.argv) > 1 and file.path not in sys.argv[1:]:
            continue
        check = Check(file, drawing)
        for _, _, _, first, last in file.functions:
            check.block(first + 1, last)
        checked += len(file.functions)
        places += len(check.open)
        for line, what in sorted(check.open):
            print(f"{file.path}:{line}: {what}: two draws in an order that the compiler chooses", file=sys.stderr)
    if checked == 0:
        print("check_order: found no function", file=sys.stderr)
        return 2
    if places == 0:
        print(f"check_order: {checked} functions, {len(drawing[0])} of everyone's draw")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
