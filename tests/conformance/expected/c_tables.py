"""Reads the tables of the tests: initialisers in C sources as nested lists of numbers and strings, and the rows of text
files (rows.h)."""
import os
import re

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

TOKEN = re.compile(r"""\s*(?:
    (?P<comment>/\*.*?\*/) | (?P<string>"[^"]*") |
    (?P<number>-?0[xX][0-9a-fA-F.]+(?:p[+-]?\d+)?[uf]? | -?\d+(?:\.\d*)?(?:e[+-]?\d+)?[uf]?) |
    (?P<word>\w+) | (?P<mark><<|>>|.))""", re.S | re.X)


def source(name):
    with open(os.path.join(DIRECTORY, name)) as file:
        return file.read()


def number(text):
    if re.match(r"-?0[xX]", text):
        if "p" in text or "." in text:
            return float.fromhex(text.rstrip("f"))
        return int(text.rstrip("u"), 16)
    return float(text.rstrip("f")) if re.search(r"[.ef]", text) else int(text.rstrip("u"))


def tokens(text):
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind != "comment":
            yield kind, match.group(kind)


def parse(stream, words):
    """The values up to the closing brace. Between commas: a string, a braced list, or an expression of numbers and
    `words` with the operators | << +, evaluated as Python does, which is what C does for them."""
    values, expression = [], []

    def flush():
        if expression:
            values.append(expression[0] if len(expression) == 1 and not isinstance(expression[0], tuple)
                          else eval("".join(str(e[0] if isinstance(e, tuple) else e) for e in expression)))
            expression.clear()

    for kind, text in stream:
        if text == "}":
            flush()
            return values
        if text == ",":
            flush()
        elif text == "{":
            values.append(parse(stream, words))
        elif kind == "string":
            expression.append(text[1:-1])
        elif kind == "number":
            expression.append(number(text))
        elif kind == "word":
            expression.append(words[text])
        else:
            expression.append((text,))
    return values


def table(file, name, nth=0, **words):
    """The nth initialiser of an array called `name` in the file; `words` are the C constants that it mentions."""
    text = source(file)
    starts = [m.end() for m in re.finditer(r"\b%s(?:\[[^\]]*\])+\s*=\s*\{" % re.escape(name), text)]
    assert len(starts) > nth, "%s: no table %s (%d)" % (file, name, nth)
    return parse(tokens(text[starts[nth]:]), words)


def table_in(file, test, name, **words):
    """The initialiser of the array `name` inside the test whose name begins with `test`."""
    text = source(file)
    begin = re.search(r"^(?:EACH_MACHINE\w*\(\w+, |static void )%s\w*\b" % re.escape(test), text, re.M)
    assert begin, "%s: no test %s" % (file, test)
    match = re.compile(r"\b%s(?:\[[^\]]*\])+\s*=\s*\{" % re.escape(name)).search(text, begin.end())
    assert match, "%s: %s has no table %s" % (file, test, name)
    return parse(tokens(text[match.end():]), words)


def rows_of(file):
    """Test, label and cells of each row of a text file; cells are lists of numbers."""
    first = test = None
    for line in source(file).splitlines():
        if line.startswith("["):
            test = line[1:-1]
        elif line and not line.startswith("#"):
            label, *cells = [cell.strip() for cell in line.split("|")]
            cells = [first[i] if cell == "=" else [int(word, 16) for word in re.split("[ =]+", cell) if word]
                     for i, cell in enumerate(cells)]
            first = first or cells
            yield test, label, cells
