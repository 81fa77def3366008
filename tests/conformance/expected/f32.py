"""The numbers of docs/spec: binary32 arithmetic (GEN-01), the helpers of GEN-05, GEN-06 and TEX-02, short floats.

Written from the text of the specification alone, like all of this directory. `a + b` of two F32 is one IEEE operation
rounded to nearest even; `a @ b` is the PICA product that the text writes `a . b` (GEN-03).
"""
import ctypes
import math
import struct


class F32(float):
    """A binary32 value. Every operator gives an F32; the other operand may be an int or a float, rounded first."""

    def __new__(cls, value):
        return float.__new__(cls, ctypes.c_float(value).value)

    # Binary64 has more than twice the bits of binary32, so rounding its result once more is correctly rounded.
    def __add__(self, other):
        return F32(float(self) + float(F32(other)))

    def __radd__(self, other):
        return F32(other) + self

    def __sub__(self, other):
        return F32(float(self) - float(F32(other)))

    def __rsub__(self, other):
        return F32(other) - self

    def __mul__(self, other):
        return F32(float(self) * float(F32(other)))

    def __rmul__(self, other):
        return F32(other) * self

    def __truediv__(self, other):
        divisor = F32(other)
        if divisor != 0.0:
            return F32(float(self) / float(divisor))
        if self == 0.0 or math.isnan(self):
            return NAN
        return F32(math.copysign(math.inf, self) * math.copysign(1.0, divisor))

    def __rtruediv__(self, other):
        return F32(other) / self

    def __matmul__(self, other):
        product = self * other
        if math.isnan(product) and not math.isnan(self) and not math.isnan(other):
            return F32(0.0)
        return product

    def __neg__(self):
        return F32(-float(self))

    def __abs__(self):
        return F32(math.fabs(self))


NAN = F32(math.nan)
INFINITY = F32(math.inf)


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def from_bits(word):
    return F32(struct.unpack("<f", struct.pack("<I", word))[0])


def sqrt(value):
    return F32(math.sqrt(value)) if not value < 0.0 else NAN


def floor(value):
    """f32 to f32, infinities and NaN unchanged."""
    return F32(math.floor(value)) if math.isfinite(value) else value


def MIN(a, b):
    return b if b < a else a


def MAX(a, b):
    return b if a < b else a


def CLAMP(value, low, high):
    return F32(low) if value < low else F32(high) if high < value else value


def SAT(value, low, high):
    value = value if value > low else F32(low)
    return value if value < high else F32(high)


def clamp01(value):
    return SAT(value, 0.0, 1.0)


def TRUNC(value):
    return math.trunc(value)


def FLOOR(value):
    return math.floor(value)


def rha(value):
    """Round half away from zero; the value is finite."""
    towards_zero = math.trunc(value)
    if abs(float(value) - towards_zero) >= 0.5:
        return towards_zero + (1 if value > 0 else -1)
    return towards_zero


def U8(value):
    return TRUNC(SAT(value, 0.0, 255.0))


def SX(n, word):
    word &= (1 << n) - 1
    return word - (1 << n) if word >> (n - 1) else word


def short_float(raw, exponent_bits, mantissa_bits):
    """FLT-10, TEX-04: 1 sign bit, exponent, mantissa; denormals are kept, exponent all ones is infinity or NaN."""
    bias = (1 << (exponent_bits - 1)) - 1
    mantissa = raw & ((1 << mantissa_bits) - 1)
    exponent = raw >> mantissa_bits & ((1 << exponent_bits) - 1)
    sign = -1.0 if raw >> (exponent_bits + mantissa_bits) & 1 else 1.0
    if exponent == 0:
        return F32(sign * math.ldexp(mantissa, 1 - bias - mantissa_bits))
    if exponent == (1 << exponent_bits) - 1:
        return F32(sign * math.inf) if mantissa == 0 else NAN
    return F32(sign * math.ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits))


def F16(raw):
    return short_float(raw, 5, 10)


def F20(raw):
    return short_float(raw, 7, 12)


def F24(raw):
    return short_float(raw, 7, 16)
