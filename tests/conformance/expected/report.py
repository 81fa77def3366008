"""What was compared: every number that a test states against the number computed from the rules."""


class Report:
    def __init__(self):
        self.files = {}  # file -> numbers compared
        self.wrong = 0

    def compare(self, file, where, computed, stated):
        self.files[file] = self.files.get(file, 0) + 1
        if computed == stated:
            return
        self.wrong += 1
        shown = lambda v: "0x%08X" % v if isinstance(v, int) else str(v)
        print("%s: %s: the rules give %s, the test says %s" % (file, where, shown(computed), shown(stated)))

    def compare_all(self, file, where, computed, stated):
        """Two sequences."""
        if len(computed) != len(stated):
            self.compare(file, where + ", how many", len(computed), len(stated))
        for i, (c, s) in enumerate(zip(computed, stated)):
            self.compare(file, "%s [%d]" % (where, i), c, s)


def rgba(color):
    """Four bytes as r<<24 | g<<16 | b<<8 | a."""
    return color[0] << 24 | color[1] << 16 | color[2] << 8 | color[3]
