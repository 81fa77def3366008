"""test_number.c: shader operations in both profiles (FLT-20 to FLT-31), from exact arithmetic and one rounding."""
import math
from decimal import Decimal, getcontext
from fractions import Fraction

from c_tables import table
from f32 import F32, INFINITY, NAN, bits, floor, from_bits, sqrt

getcontext().prec = 80
NAN_BITS = 0x7FC00000  # GEN-02


def nearest(value):
    """An exact positive number (Fraction or Decimal) rounded to binary32, nearest even, subnormals included."""
    value = Fraction(value)
    exponent = math.floor(math.log2(value.numerator) - math.log2(value.denominator))
    exponent += 1 if value >= Fraction(2) ** (exponent + 1) else -1 if value < Fraction(2) ** exponent else 0
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    return F32(float(round(value / unit) * unit)) if value < Fraction(2) ** 129 else INFINITY


def mul(a, b):
    return a @ b


def rcp(a):
    """FLT-25: rcp(-0) is +infinity."""
    return INFINITY if a == 0.0 else 1.0 / a


def rsq(a):
    return INFINITY if a == 0.0 else NAN if a < 0.0 else 1.0 / sqrt(a)


def ex2(x):
    """FLT-30."""
    if math.isnan(x):
        return NAN
    if x >= 128.0:
        return INFINITY
    return F32(0.0) if x <= -150.0 else nearest(Decimal(2) ** Decimal(float(x)))


def lg2(x):
    """FLT-31."""
    if math.isnan(x) or x < 0.0:
        return NAN
    if x == 0.0:
        return -INFINITY
    if math.isinf(x):
        return x
    exact = Decimal(float(x)).ln() / Decimal(2).ln()
    if x == 1.0:
        return F32(0.0)
    return nearest(exact) if exact > 0 else -nearest(-exact)


def flr(a):
    if a == 0.0:
        return a
    return floor(a)


ARITHMETIC = {"MUL": (mul, 2), "ADD": (lambda a, b: a + b, 2), "FLR": (flr, 1), "RCP": (rcp, 1), "RSQ": (rsq, 1),
              "EX2": (ex2, 1), "LG2": (lg2, 1)}
SELECTION = {"MAX": lambda a, b: a if a > b else b, "MIN": lambda a, b: a if a < b else b,
             "SGE": lambda a, b: F32(a >= b), "SLT": lambda a, b: F32(a < b)}


def r24(u):
    """FLT-20, on bits."""
    a, sign = u & 0x7FFFFFFF, u & 0x80000000
    if a > 0x7F800000:
        return NAN_BITS
    r = (a + 0x3F + (a >> 7 & 1)) & 0xFFFFFF80
    if r >= 0x5F800000:
        return 0x7F800000 | sign
    return 0 if r < 0x20800000 else r | sign


def flush(u):
    """FLT-22."""
    return 0 if u & 0x7FFFFFFF < 0x20800000 else u


def to_bits(value):
    return NAN_BITS if math.isnan(value) else bits(value)


def result(name, a, b, f24):
    """FLT-27, bits to bits. In profile f24 the operands were rounded when they were fetched."""
    if f24:
        a, b = r24(a), r24(b)
    if name in SELECTION:
        return to_bits(SELECTION[name](from_bits(a), from_bits(b)))
    operation, operands = ARITHMETIC[name]
    if f24:
        a, b = flush(a), flush(b)
    value = to_bits(operation(*(from_bits(u) for u in (a, b)[:operands])))
    return r24(value) if f24 else value


def check(report):
    file = "test_number.c"
    names = {name: name for name in list(ARITHMETIC) + list(SELECTION)}
    for rows in ("products", "sums", "floors", "reciprocals", "powers", "logarithms", "selections"):
        for name, a, b, f32, f24 in table(file, rows, **names):
            where = "%s %08X %08X" % (name, a, b)
            report.compare(file, where + ", f32", result(name, a, b, False), f32)
            report.compare(file, where + ", f24", result(name, a, b, True), f24)
