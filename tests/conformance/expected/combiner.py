"""TEV-10: the dot product of the combiner."""


def positive(v):
    """N(v): a negative number has its bits inverted."""
    return v if v >= 0 else -v - 1


def term(a, b):
    x, y = 2 * a - 255, 2 * b - 255
    m = (positive(x) * positive(y) + 127) // 255
    return m if (x < 0) == (y < 0) else -m - 1


def dot3(a, b):
    """Of two colours, whose first three bytes count."""
    return min(max(sum(term(x, y) for x, y in zip(a[:3], b[:3])), 0), 255)
