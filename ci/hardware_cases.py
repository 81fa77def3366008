"""Makes cases of the tables in corpus/hardware, a kind of experiment each: the fewest rules that nobody measured, every
outcome a word of memory. Inputs and outcomes are the table's, all else is what programs set."""
import re, textwrap

TARGET, VERTICES, TEXTURE, LIST = 0x18000000, 0x18002000, 0x18001000, 0x18003000
WIDTH = 120


class Case:
    def __init__(self, name, row, rules, about, body, words, sides="-"):
        self.name, self.line, self.rules, self.about = name, row.line, rules, about
        self.body, self.words, self.sides = body, words, sides

    def text(self, table):
        """The head as in corpus/questions: what it is, then what the console left."""
        about = f"{self.name} ({', '.join(self.rules)}): [HW {table.piece}], grade {table.grade}. {self.about}"
        out = textwrap.wrap(about, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
        if self.sides != "-":
            out.append(f"# under: {self.sides}")
        for at in range(0, len(self.words), 8):
            places = ", ".join(f"0x{address:08X} = 0x{word:08X}" for address, word in self.words[at:at + 8])
            out.append(f"# expect console: {places}")
        return "\n".join(out + self.body) + "\n"


# --------------------------------------------------------------------------------------------------- pieces of a case

def indented(lines):
    return ["    " + line for line in lines]


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


def attributes(types, components, stride):
    """types: of each attribute, (type, elements); components: of array 0, by name."""
    low = ",\n        ".join(f"attribute{i}_type = {kind}, attribute{i}_elements_minus_1 = {count - 1}"
                           for i, (kind, count) in enumerate(types))
    out = [
        "# attributes",
        f"ATTRIBBUFFERS_LOC {{ base = 0x{VERTICES:08X} }}",
        f"ATTRIBBUFFERS_FORMAT_LOW {{ {low} }}",
        f"ATTRIBBUFFERS_FORMAT_HIGH {{ attributes_minus_1 = {len(types) - 1} }}",
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


EXPERIMENTS = {
    "dot3": (["a", "b", "first", "console"], dot3),
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
