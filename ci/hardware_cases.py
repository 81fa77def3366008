"""Makes cases of the tables in corpus/hardware, a kind of experiment each: the fewest rules that nobody measured, every
outcome a word of memory. Inputs and outcomes are the table's, all else is what programs set."""
import re, textwrap

TARGET, VERTICES, TEXTURE, LIST = 0x18000000, 0x18002000, 0x18001000, 0x18003000
WIDTH = 120


class Case:
    def __init__(self, name, row, rules, about, body, words, events=()):
        self.name, self.line, self.rules, self.about = name, row.line, rules, about
        self.body, self.words, self.events = body, words, events

    def text(self, table):
        """The head as in corpus/questions: what it is, then what the console left."""
        about = f"{self.name} ({', '.join(self.rules)}): [HW {table.piece}], grade {table.grade}. {self.about}"
        out = textwrap.wrap(about, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
        if self.events:
            out.append(f"# events: {' '.join(self.events)}")
        for at in range(0, len(self.words), 8):
            places = ", ".join(f"0x{address:08X} = 0x{word:08X}" for address, word in self.words[at:at + 8])
            out.append(f"# expect console: {places}")
        return "\n".join(out + self.body) + "\n"


# --------------------------------------------------------------------------------------------------- pieces of a case

def indented(lines):
    return ["    " + line for line in lines]


def opaque(color):
    """The word of a pixel: R, G, B, and A = 255."""
    red, green, blue = color
    return red << 24 | green << 16 | blue << 8 | 255


def head(windows="window 0x18000000 size 0x8000"):
    return ["pcase 1", windows, ""]


def memory(address, form, rows, comment):
    return [f"# {comment}", f"memory 0x{address:08X} table {form} {{"] + indented(rows) + ["}"]


def untouched(pixels):
    return ["# grey: untouched pixels", f"memory 0x{TARGET:08X} fill 0x404040FF size 0x{4 * pixels:X}"]


def target(size):
    half, inverse = f"{size / 2:.1f}", f"{2 / size:g}"
    return [
        f"# target: {size}x{size} RGBA8 at 0x{TARGET:08X}",
        "COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }",
        f"COLORBUFFER_LOC {{ address = 0x{TARGET:08X} }}",
        f"FRAMEBUFFER_DIM {{ width = {size}, height_minus_1 = {size - 1}, top_row_first = 1 }}",
        f"RENDERBUF_DIM {{ width = {size}, height_minus_1 = {size - 1} }}",
        "COLORBUFFER_READ consecutive {",
        "    COLORBUFFER_READ { enable = 0xF }",
        "    COLORBUFFER_WRITE { enable = 0xF }",
        "}",
        f"VIEWPORT_WIDTH {{ half_size = {half} }}",
        f"VIEWPORT_INVW {{ inverse = {inverse} }}",
        f"VIEWPORT_HEIGHT {{ half_size = {half} }}",
        f"VIEWPORT_INVH {{ inverse = {inverse} }}",
        "DEPTHMAP_ENABLE { z_buffer = 1 }",
        "DEPTHMAP_SCALE { scale = -1 }",
        "COLOR_OPERATION { blend_mode = blend }",
        "BLEND_FUNC { rgb_source = one, alpha_source = one }",
        "DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }",
    ]


def attributes(types, components, stride, fixed_mask=0):
    """types: of each attribute, (type, elements); components: of array 0, by name."""
    low = ",\n        ".join(f"attribute{i}_type = {kind}, attribute{i}_elements_minus_1 = {count - 1}"
                           for i, (kind, count) in enumerate(types))
    mask = f"fixed_mask = 0x{fixed_mask:X}, " if fixed_mask else ""
    out = [
        "# attributes",
        f"ATTRIBBUFFERS_LOC {{ base = 0x{VERTICES:08X} }}",
        f"ATTRIBBUFFERS_FORMAT_LOW {{ {low} }}",
        f"ATTRIBBUFFERS_FORMAT_HIGH {{ {mask}attributes_minus_1 = {len(types) - 1} }}",
        "ATTRIBBUFFER0_CONFIG1 { " + ", ".join(f"component{i} = {name}" for i, name in enumerate(components)) + " }",
        f"ATTRIBBUFFER0_CONFIG2 {{ stride = {stride}, count = {len(components)} }}",
    ]
    return out + inputs(len(types))


def inputs(count):
    out = [f"VSH_NUM_ATTR {{ attributes_minus_1 = {count - 1} }}",
           f"VSH_INPUTBUFFER_CONFIG {{ inputs_minus_1 = {count - 1}, unit_use = 0xA0 }}"]
    if count > 1:
        out.append("VSH_ATTRIBUTES_PERMUTATION_LOW { " +
                   ", ".join(f"input{i} = {i}" for i in range(1, count)) + " }")
    return out


COLOUR = "x = color.r, y = color.g, z = color.b, w = color.a"
TEXCOORD = "x = texcoord0.u, y = texcoord0.v, z = texcoord0.w, w = unused"


def outputs(second, clock):
    """Output 0 is the position; output 1 is `second`, if there is one."""
    count = 1 + bool(second)
    out = [f"VSH_OUTMAP_MASK {{ outputs = 0x{(1 << count) - 1:X} }}",
           "SH_OUTMAP_TOTAL consecutive {",
           f"    SH_OUTMAP_TOTAL {{ total = {count} }}",
           "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }"]
    if second:
        out.append(f"    SH_OUTMAP_O1 {{ {second} }}")
    return out + ["}", f"VSH_OUTMAP_TOTAL1 {{ outputs_minus_1 = {count - 1} }}",
                  f"VSH_OUTMAP_TOTAL2 {{ outputs_minus_1 = {count - 1} }}",
                  f"SH_OUTATTR_CLOCK {{ position_z = 1{clock} }}",
                  f"PRIMITIVE_CONFIG {{ outputs_minus_1 = {count - 1} }}"]


def shader(lines):
    return ["shader vertex {"] + indented(lines + ["end"]) + ["}"]


DRAW = [
    "GEOSTAGE_CONFIG2 mask 0x1 { drawing = 1 }",
    "START_DRAW_FUNC0 mask 0x1 { mode = draw }",
    "DRAWARRAYS = 1",
    "START_DRAW_FUNC0 mask 0x1 { mode = configure }",
    "GEOSTAGE_CONFIG2 mask 0x1 = 0",
]


def run(commands):
    return ["", f"run 0x{LIST:08X} {{"] + indented(commands + ["FINALIZE = 0x12345678"]) + ["}"]


# Two triangles over all of the target; each vertex with its texture coordinates.
SQUARE = [(-1, -1), (1, -1), (-1, 1), (-1, 1), (1, -1), (1, 1)]


def textured(size, texture, format_name, stage):
    """Each pixel of a picture takes the texel at the same place: both lie in memory in the same order."""
    rows = [f"{x} {y} -0.5  {(x + 1) // 2} {(y + 1) // 2}" for x, y in SQUARE]
    body = head() + untouched(size * size) + memory(VERTICES, "f32*3 f32*2", rows, "position, texture coordinates")
    body += texture
    commands = target(size) + attributes([("float", 3), ("float", 2)], ["attribute0", "attribute1"], 20)
    commands += outputs(TEXCOORD, ", texcoord0 = 1, texcoord0_w = 1")
    commands += ["SH_OUTATTR_MODE { use_texcoords = 1 }"] + shader(["mov o0, v0", "mov o1, v1"])
    commands += ["TEXUNIT_CONFIG { unit0_enable = 1 }", f"TEXUNIT0_TYPE {{ format = {format_name} }}",
                 f"TEXUNIT0_DIM {{ height = {size}, width = {size} }}",
                 f"TEXUNIT0_ADDR1 {{ address = 0x{TEXTURE:08X} }}"]
    commands += stage + ["NUMVERTICES { count = 6 }"] + DRAW
    return body + run(commands)


# -------------------------------------------------------------------------------------------------------- experiments

def dot3(table):
    """A picture of 8x8 pixels for 64 inputs: texel n is the operand of the n-th of them, pixel n what was left."""
    by_operands = {}
    for row in table.rows:
        for column in "a", "b":
            row.parts(column, 4, r"[0-9A-F]{2}|i", "four bytes of two hexadecimal digits, or i")
        if "i" in row["a"] and row["a"] != row["b"]:
            raise row.wrong("a", "i in the first operand: the second must be the same")
        if row["b"].endswith("i"):
            raise row.wrong("b", "i as alpha")
        values = by_operands.setdefault((row["a"], row["b"]), (row, []))[1]
        if row.bytes("first", 1) != [len(values)]:
            raise row.wrong("first", f"expected {len(values):02X}, the input after those before")
        values += row.bytes("console", 16)
    for (a, b), (row, values) in by_operands.items():
        if len(values) != 256:
            raise row.wrong("first", f"expected rows for 256 inputs, found {len(values)}")
        for first in range(0, 256, 64):
            yield dot3_case(table, row, (a, b), first, values[first:first + 64])


def dot3_case(table, row, operands, first, values):
    a, b = operands
    texels = []
    for at in range(first, first + 64, 8):
        words = [[f"{i:02X}" if part == "i" else part for part in b.split(",")] for i in range(at, at + 8)]
        texels.append(" ".join("".join(reversed(part)) for part in words))
    texture = ["# texels in the order of memory, their bytes A, B, G, R", f"memory 0x{TEXTURE:08X} bytes {{"]
    texture += indented(texels) + ["}"]
    source = "texture0" if "i" in a else "constant"
    red, green, blue, alpha = (0 if part == "i" else int(part, 16) for part in a.split(","))
    stage = [f"TEXENV5_SOURCE {{ rgb_source0 = {source}, rgb_source1 = texture0, alpha_source0 = texture0 }}",
             "TEXENV5_COMBINER { rgb_mode = dot3-rgb }",
             f"TEXENV5_COLOR {{ red = {red}, green = {green}, blue = {blue}, alpha = {alpha} }}"]
    words = [(TARGET + 4 * n, value * 0x01010100 + int(b[-2:], 16)) for n, value in enumerate(values)]
    name = f"{table.piece}-dot3-{a}-{b}-{first:02x}".replace(",", "").lower()
    about = (f"The dot product of ({a}) and ({b}), hexadecimal, i = {first:02X} to {first + 63:02X}: each word of the "
             "picture is that of the texel at its place.")
    return Case(name, row, table.rules, about, textured(8, texture, "rgba8", stage), words)


# A program's result is the colour of one pixel: pixel n of the lowest row is that of experiment n. The weights of the
# corners there are about 1/4, 1/4, 1/2, with which interpolation loses little of what all three have.
PIXEL = ["-1 -0.5 -0.5", "-1 -1 -0.5", "-0.75 -1 -0.5"]
MOST_PIXELS = 8


def pixel_address(column):
    return TARGET + 4 * (42 + (column & 1) + 4 * (column >> 1 & 1) + 16 * (column >> 2))


def uniforms(first, rows, form):
    words = ["VSH_FLOATUNIFORM_INDEX { index = %d, format = float%s }" % (first, form[1:])]
    return words + [f"VSH_FLOATUNIFORM_DATA0 repeat {form} {{"] + indented(rows) + ["}"] if rows else []


def programs(constants, draws):
    """A draw for each of `draws`, which are commands: uniforms and the shader; `constants` are those of all."""
    body = head() + untouched(64) + memory(VERTICES, "f32*3", PIXEL, "pixel (0, 0) alone")
    commands = target(8) + attributes([("float", 3)], ["attribute0"], 12) + outputs(COLOUR, ", color = 1")
    commands += ["TEXENV5_SOURCE { rgb_source0 = primary-color, alpha_source0 = primary-color }",
                 "NUMVERTICES { count = 3 }"] + constants
    for column, draw in enumerate(draws):
        commands += [f"# pixel ({column}, 0)", f"VIEWPORT_XY {{ x = {column} }}"] + draw + DRAW
    return body + run(commands)


def grouped(rows, key):
    """Rows by key, at most MOST_PIXELS together, with a number where there are more."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    for name, members in groups.items():
        for at in range(0, len(members), MOST_PIXELS):
            number = f"-{at // MOST_PIXELS + 1}" if len(members) > MOST_PIXELS else ""
            yield name + number, members[at:at + MOST_PIXELS]


def rules_of(table, rows):
    """The rules of these rows, each of which the head of the table has."""
    found = []
    for row in rows:
        for rule in row["rules"].split(","):
            if rule not in table.rules:
                raise row.wrong("rules", f"expected some of {', '.join(table.rules)}, found '{rule}'")
            if rule not in found:
                found.append(rule)
    return found


# Registers of the results: colours with 0 and 1 alone, which no conversion changes.
CLASSES = {"0": "0 0 0 1", "1": "1 1 1 1", "inf": "0 0 1 1", "-inf": "1 0 1 1", "nan": "1 0 0 1", "other": "0 1 0 1"}
CLASS_UNIFORMS = {"0": 9, "1": 10, "inf": 11, "-inf": 12, "nan": 13, "other": 14}
FLOAT24 = {"nan": "0x7F8000", "-0.1": "0xBB999A", "0": "0", "1": "1", "-1": "-1", "inf": "inf", "-inf": "-inf"}
OPERANDS = {"rcp": 1, "rsq": 1, "flr": 1, "ex2": 1, "lg2": 1, "max": 2, "min": 2, "mul": 2, "sub": 2, "dp3": 2,
            "dp4": 2, "dph": 2, "sge": 2, "sgei": 2, "slt": 2, "slti": 2, "mad": 3}


def classes(table):
    """The class of each result is found by comparing it, and shown as a colour."""
    def key(row):
        return row.match("computation", r"(\w+)\(.*\)", "a computation").group(1)
    for name, rows in grouped(table.rows, key):
        words = []
        for column, row in enumerate(rows):
            color = CLASSES[row.one_of("console", CLASSES)].split()[:3]
            words.append((pixel_address(column), opaque([255 * int(part) for part in color])))
        about = "; ".join(f"{row['computation']} = {row['console']}" for row in rows)
        about += ". Black is 0, white 1, blue inf, magenta -inf, red NaN, green another number."
        constants = uniforms(8, ["0 1 inf -inf"] + [CLASSES[word] for word in CLASS_UNIFORMS], "f24")
        body = programs(constants, [class_program(row) for row in rows])
        yield Case(f"{table.piece.lower()}-{name}", rows[0], rules_of(table, rows), about, body, words)


def class_program(row):
    values, lines = [], []
    result, rest = compute(row, row["computation"], values, lines)
    if rest:
        raise row.wrong("computation", f"'{rest}' is too much")
    lines += ["mov r8, c14", f"cmp c8, eq, eq, {result}.xxxx"]
    for flag, word in [("cmp.x", "0"), ("cmp.y", "1"), (None, "cmp c8.zwww"), ("cmp.x", "inf"), ("cmp.y", "-inf"),
                       (None, f"cmp {result}"), ("!cmp.x", "nan")]:
        if flag is None:
            lines.append(f"{word}, eq, eq, {result}.xxxx")
            continue
        label = f"not_{word.replace('-', 'minus_')}"
        lines += [f"ifc {flag}, {label}, {label}", f"mov r8, c{CLASS_UNIFORMS[word]}", f"{label}:"]
    lines += ["mov o0, v0", "mov o1, r8"]
    return uniforms(0, values, "f24") + shader(lines)


def compute(row, text, values, lines):
    """Adds what computes the first operand in `text`; its register, and what follows it."""
    register = f"r{len(lines)}"
    found = re.match(r"(\w+)\(|\[([^]]*)\]|([^,()\[\]]+)", text)
    if not found or len(lines) > 7:
        raise row.wrong("computation", f"expected an operand, found '{text}'")
    rest = text[found.end():]
    if found.group(1) is None:
        parts = found.group(2).split(",") if found.group(2) else [found.group(3)] * 4
        if not 3 <= len(parts) <= 4 or not all(part in FLOAT24 for part in parts):
            raise row.wrong("computation", f"expected numbers of {', '.join(FLOAT24)}, found '{found.group(0)}'")
        lines.append(f"mov {register}, c{len(values)}")
        values.append(" ".join(FLOAT24[part] for part in parts + ["0"] * (4 - len(parts))))
        return register, rest
    name, sources = found.group(1), []
    if name not in OPERANDS:
        raise row.wrong("computation", f"expected one of {', '.join(sorted(OPERANDS))}, found '{name}'")
    for index in range(OPERANDS[name]):
        source, rest = compute(row, rest, values, lines)
        sources.append(source)
        if not rest.startswith("," if index + 1 < OPERANDS[name] else ")"):
            raise row.wrong("computation", f"expected {OPERANDS[name]} operands of {name}")
        rest = rest[1:]
    if name == "sub":
        name, sources[1] = "add", "-" + sources[1]
    register = f"r{len(lines)}"
    lines.append(f"{name} {register}, {', '.join(sources)}")
    return register, rest


OPERATIONS = {"dph": 2, "dphi": 2, "sge": 2, "rcp": 1, "rsq": 1, "mova": 1}


def operations(table):
    """The result itself is the colour."""
    def key(row):
        return row.one_of("operation", OPERATIONS)
    for name, rows in grouped(table.rows, key):
        words = [(pixel_address(column), opaque(row.bytes("console", 3))) for column, row in enumerate(rows)]
        about = "; ".join(f"{name} ({row['a']})" + (f", ({row['b']})" if row["b"] != "-" else "") for row in rows)
        constants = uniforms(16, ["0 0 0 1", "1 1 1 1"], "f32")
        body = programs(constants, [operation_program(row) for row in rows])
        yield Case(f"{table.piece.lower()}-{name}", rows[0], rules_of(table, rows), about + ".", body, words)


def operation_program(row):
    name, values = row["operation"], []
    for column in ["a", "b"][:OPERATIONS[name]]:
        numbers = row.numbers(column, row[column].count(",") + 1)
        if not 3 <= len(numbers) <= 4:
            raise row.wrong(column, f"expected 3 or 4 numbers, found '{row[column]}'")
        values.append(" ".join(numbers + ["1"] * (4 - len(numbers))))
    if OPERATIONS[name] == 1 and row["b"] != "-":
        raise row.wrong("b", f"{name} has one operand")
    lines = [f"mov r{i}, c{i}" for i in range(len(values))] + ["mov r8, c16"]
    if name == "mova":
        lines += ["mova a0.x, r0", "mov r8.xyz, c[a0.x+16]"]
    else:
        lines.append(f"{name} r8.xyz, " + ", ".join(f"r{i}" for i in range(len(values))))
    return uniforms(0, values, "f32") + shader(lines + ["mov o0, v0", "mov o1, r8"])


def half_target(form, rows, elements, extra, fixed_mask=0):
    """One triangle over the lower left half of the target, attributes of so many floats; its colour is what the vertex
    shader in `extra` makes of them."""
    body = head() + untouched(64) + memory(VERTICES, form, rows, "the lower left half of the target")
    names = [f"attribute{i}" for i in range(len(elements))]
    commands = target(8) + attributes([("float", count) for count in elements], names, 4 * sum(elements), fixed_mask)
    commands += outputs(COLOUR, ", color = 1")
    commands += ["TEXENV5_SOURCE { rgb_source0 = primary-color, alpha_source0 = primary-color }",
                 "NUMVERTICES { count = 3 }"]
    return body + run(commands + extra + DRAW)


HALF = ["-1 -1 -0.5", "1 -1 -0.5", "-1 1 -0.5"]


def masked_attribute(table):
    """The colour is the attribute's; attribute 1 is in the array and fixed, attribute 0 the position."""
    for row in table.rows:
        reads = row.match("reads", r"[xyzw]{3}", "three of x, y, z, w").group(0)
        attribute = row.one_of("attribute", ["0", "1"])
        words = [(pixel_address(0), opaque(row.bytes("console", 3)))]
        extra = uniforms(0, ["1 1 1 1"], "f32")
        extra += shader(["mov o0, v0", f"mov o1.xyz, v{attribute}.{reads}{reads[-1]}", "mov o1.w, c0"])
        about = f"The colour is ({', '.join(reads)}) of attribute {attribute}"
        if attribute == "1":
            array, fixed = row.numbers("array", 2), row.numbers("fixed", 4)
            extra += ["FIXEDATTRIB_INDEX { index = 1 }", f"FIXEDATTRIB_DATA0 repeat f24 {{ {' '.join(fixed)} }}"]
            vertices = [f"{at}  {' '.join(array)}" for at in HALF]
            body = half_target("f32*3 f32*2", vertices, [3, 2], extra, 0x2)
            about += f", ({row['array']}) in an array and ({row['fixed']}) as a fixed value, masked"
        else:
            row.one_of("array", ["-"])
            row.one_of("fixed", ["-"])
            body = half_target("f32*3", HALF, [3], extra)
        name = f"{table.piece.lower()}-attribute-{attribute}-{reads}"
        yield Case(name, row, rules_of(table, [row]), about + ".", body, words)


def colour_limits(table):
    """Pixels in lines parallel to the long side: 5/8 and 7/8 of the way from the first corner to it. However a channel
    is made a byte, it is the same."""
    for number, row in enumerate(table.rows, 1):
        corners = [row.numbers(column, 3) for column in ("first", "second", "third")]
        colors = row.match("console", r"[0-9.,]+;[0-9.,]+;[0-9.,]+", "three colours with ; between them").group(0)
        ends = [[float(part) for part in color.split(",")] for color in colors.split(";")]
        words = []
        for steps in 4, 6:
            share = (steps + 1) / 8
            if ends[1] != ends[2]:
                raise row.wrong("console", "expected the same colour at the second and third corner")
            bytes_ = [255 * (a + (b - a) * share) for a, b in zip(ends[0], ends[1])]
            if any(value % 1 > 0.45 for value in bytes_):
                raise row.wrong("console", "a channel is another byte if it is rounded than if it is truncated")
            words += [(pixel_at(x, steps - x), opaque(map(int, bytes_))) for x in range(steps + 1)]
        extra = uniforms(0, ["1 1 1 1"], "f32") + shader(["mov o0, v0", "mov o1.xyz, v1", "mov o1.w, c0"])
        vertices = [f"{at}  {' '.join(corner)}" for at, corner in zip(HALF, corners)]
        body = half_target("f32*3 f32*3", vertices, [3, 3], extra)
        about = (f"Corners of ({row['first']}), ({row['second']}), ({row['third']}), which count as ({row['console']}):"
                 " pixels (x, y) with x + y = 4, then 6.")
        yield Case(f"{table.piece.lower()}-colours-{number}", row, table.rules, about, body, words)


def pixel_at(x, y):
    """y counts upwards in a target of 8x8, whose highest row is the first in memory."""
    row = 7 - y
    return TARGET + 4 * sum((x >> bit & 1) << 2 * bit | (row >> bit & 1) << 2 * bit + 1 for bit in range(3))


def hilo8(table):
    rows, texels, words = table.rows, [], []
    for number, row in enumerate(rows):
        texel = int(row.match("texel", r"[0-9A-F]{4}", "four hexadecimal digits").group(0), 16)
        red, green, blue, alpha = row.bytes("console", 4)
        texels.append(f"{texel & 0xFF:02X}{texel >> 8:02X}")
        words.append((TARGET + 4 * number, red << 24 | green << 16 | blue << 8 | alpha))
    texture = [f"memory 0x{TEXTURE:08X} bytes {{ {' '.join(texels)} 00*{128 - 2 * len(texels)} }}"]
    stage = ["TEXENV5_SOURCE { rgb_source0 = texture0, alpha_source0 = texture0 }"]
    about = f"Texels of format 6, {', '.join(row['texel'] for row in rows)}, at the places of the words."
    body = textured(8, texture, "hilo8", stage)
    yield Case(f"{table.piece.lower()}-texels", rows[0], table.rules, about, body, words)


TYPES = {"s8": ("byte", 1), "u8": ("unsigned-byte", 1), "s16": ("short", 2), "f32": ("float", 4)}
# What the attributes hold, so that a draw shows whether its attribute was found: colours of zeros and ones.
SHOWN = ["0 1 1", "1 1 0", "1 0 1"]


def attribute_layout(table):
    """A draw for each attribute but the position: its colour is that attribute."""
    for row in table.rows:
        yield layout_case(table, row)


def layout_entries(row):
    """(word of the list, type, elements, offset) of each entry; padding has no type."""
    found = [part.split("=") for part in row["console"].split(",")]
    entries = []
    for word in row["list"].split(","):
        if word in ("12", "13"):
            entries.append((word, None, 0, 0))
            continue
        if word not in ("A", "P", "C"):
            raise row.wrong("list", f"expected A, P, C, 12 or 13, found '{word}'")
        kind = "f32x2" if word == "A" else row.match(word, r"(?:s8|u8|s16|f32)x[1-4]", "a type as u8x4").group(0)
        if not found or found[0][0] != word or not re.fullmatch(r"[0-9A-F]{2}", found[0][1]):
            raise row.wrong("console", f"expected {word}=OFFSET, two hexadecimal digits, found '{row['console']}'")
        entries.append((word, kind.split("x")[0], int(kind.split("x")[1]), int(found.pop(0)[1], 16)))
    if found:
        raise row.wrong("console", f"'{'='.join(found[0])}' is of nothing in the list")
    return entries


def layout_case(table, row):
    entries = layout_entries(row)
    stride = int(row.match("stride", r"[0-9A-F]{2}", "two hexadecimal digits").group(0), 16)
    used = [entry for entry in entries if entry[1]]
    names, form, values, at = [], [], [], 0
    for word, kind, count, offset in sorted(used, key=lambda entry: entry[3]):
        if offset < at:
            raise row.wrong("console", f"{word} lies over what is before it")
        if offset > at:
            form.append(f"u8*{offset - at}")
            values.append(["51"] * (offset - at))
        form.append(f"{kind}*{count}")
        values.append(None if word == "A" else SHOWN[used.index((word, kind, count, offset)) - 1].split()[:count] +
                      ["1"] * (count - 3))
        at = offset + count * TYPES[kind][1]
    if stride < at:
        raise row.wrong("stride", f"expected at least {at:02X}")
    if stride > at:
        form.append(f"u8*{stride - at}")
        values.append(["51"] * (stride - at))
    number = 0
    for entry in entries:
        names.append(f"attribute{number}" if entry[1] else {"12": "padding4", "13": "padding8"}[entry[0]])
        number += bool(entry[1])
    corners = [" ".join(corner.split()[:2]) for corner in PIXEL]
    rows = ["  ".join(corner if value is None else " ".join(value) for value in values) for corner in corners]
    body = head() + untouched(64) + memory(VERTICES, " ".join(form), rows, "pixel (0, 0) alone; 51: between attributes")
    types = [(TYPES[kind][0], count) for _, kind, count, _ in used]
    commands = target(8) + attributes(types, names, stride) + outputs(COLOUR, ", color = 1")
    commands += ["TEXENV5_SOURCE { rgb_source0 = primary-color, alpha_source0 = primary-color }",
                 "NUMVERTICES { count = 3 }"] + uniforms(0, ["0 0 -0.5 0", "0 0 0 1"], "f32")
    words = []
    for column in range(len(used) - 1):
        commands += [f"# pixel ({column}, 0)", f"VIEWPORT_XY {{ x = {column} }}"]
        commands += shader(["add o0, c0, v0", f"mov o1.xyz, v{column + 1}", "mov o1.w, c1"]) + DRAW
        words.append((pixel_address(column), opaque([255 * int(part) for part in SHOWN[column].split()])))
    name = f"{table.piece}-{row['list']}-{row['P']}-{row['C']}".lower().replace(",", "-")
    about = (f"Array of {row['list']}, P {row['P']}, C {row['C']}, stride 0x{row['stride']}: {row['console']}. A pixel"
             " for each attribute behind the position, whose colour it is.")
    return Case(name, row, table.rules, about, body + run(commands), words)


ROWS = 8  # of a picture; 32 where it is of blocks of 32x32
COLUMNS = 128


def transfers(table):
    """All transfers of one test, each with pictures of its own."""
    for row in table.rows:
        row.was_run = row.one_of("ran", ["yes", "no", "open"]) == "yes"
        row.match("test", r"[a-z0-9-]+", "a name")
    tests = {}
    for row in table.rows:
        if row.was_run:
            events = transfer_events(row.word("flags"))
            runs = tests.setdefault(row["test"], {}).setdefault(events, {})
            runs.setdefault((row.word("flags"), row["input"]), []).append(row)
    for name, by_events in tests.items():
        for number, (events, runs) in enumerate(by_events.items(), 1):
            yield transfer_case(table, name + (f"-{number}" if len(by_events) > 1 else ""), runs, events)


def transfer_events(flags):
    """What docs/spec calls undefined there (PPF-07, PPF-08), whatever the console did."""
    return ("block32-layout",) * bool(flags & 0x10000) + ("xfer-linear-linear",) * (flags & 0x22 == 0x22)


def transfer_input(row):
    for part in row["input"].split(","):
        found = re.fullmatch(r"(\d+)=(0x[0-9A-F]{8})", part)
        if not found:
            raise row.wrong("input", f"expected 0=0x12345678,..., found '{row['input']}'")
        yield int(found.group(1)), found.group(2)


def transfer_case(table, name, runs, events):
    memories, operations, words, about = [], [], [], []
    rows = 32 if any(flags & 0x10000 for flags, _ in runs) else ROWS
    size = COLUMNS * rows * 4
    for number, ((flags, text), members) in enumerate(runs.items()):
        source, out = TARGET + 2 * number * size, TARGET + (2 * number + 1) * size
        for index, word in transfer_input(members[0]):
            memories.append(f"memory 0x{source + 4 * index:08X} fill {word} size 4")
        operations += ["", "transfer {"] + indented([
            f"XFER_IN {{ address = 0x{source:08X} }}", f"XFER_OUT {{ address = 0x{out:08X} }}",
            f"XFER_DIM {{ width = {COLUMNS}, height = {rows} }}", f"XFER_INDIM = 0x{rows << 16 | COLUMNS:08X}",
            f"XFER_FLAGS = 0x{flags:08X}"]) + ["}"]
        for row in members:
            index = int(row.match("output", r"\d+", "the number of a word").group(0))
            if 4 * index >= size:
                raise row.wrong("output", f"expected less than {size // 4}")
            words.append((out + 4 * index, row.word("console")))
        about.append(f"{text} by 0x{flags:08X}")
    window = f"window 0x{TARGET:08X} size 0x{2 * len(runs) * size:X}"
    about = f"Transfers of {COLUMNS}x{rows} pixels, words of the source that are not 0: " + "; ".join(about) + "."
    body = head(window) + memories + operations
    first = next(iter(runs.values()))[0]
    rules = rules_of(table, [row for members in runs.values() for row in members])
    return Case(f"{table.piece.lower()}-{name}", first, rules, about, body, words, events)


EXPERIMENTS = {
    "attribute-layout": (["list", "P", "C", "stride", "console"], attribute_layout),
    "classes": (["computation", "rules", "console"], classes),
    "colour-limits": (["first", "second", "third", "console"], colour_limits),
    "dot3": (["a", "b", "first", "console"], dot3),
    "hilo8": (["texel", "console"], hilo8),
    "masked-attribute": (["attribute", "array", "fixed", "reads", "rules", "console"], masked_attribute),
    "operations": (["operation", "a", "b", "rules", "console"], operations),
    "transfers": (["test", "flags", "input", "output", "rules", "console", "ran"], transfers),
}


def cases_of(table):
    from hardware_table import Wrong
    if table.experiment not in EXPERIMENTS:
        raise Wrong(table.path, table.line_of["experiment"], "experiment",
                    f"expected one of {', '.join(sorted(EXPERIMENTS))}, found '{table.experiment}'")
    columns, make = EXPERIMENTS[table.experiment]
    if table.columns != columns:
        raise Wrong(table.path, table.line_of["columns"], "columns",
                    f"expected '{' '.join(columns)}' for {table.experiment}, found '{' '.join(table.columns)}'")
    return list(make(table))
