#include "harness/pulse/plots.h"

#include <math.h>
#include <stdio.h>

enum {
    WIDTH = 420,
    HEIGHT = 170,
    LEFT = 52, /* of the axes within the picture */
    RIGHT = 12,
    TOP = 10,
    BOTTOM = 24,
    TICKS = 4 /* about */
};

void harness_plot_number(char *out, size_t size, double value)
{
    static const char *const units[] = { "", " k", " M", " G", " T" };
    size_t unit = 0;
    while (value >= 1000.0 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000.0;
        unit++;
    }
    (void)snprintf(out, size, "%.*f%s", value == floor(value) || value >= 100.0 ? 0 : 1, value, units[unit]);
}

void harness_plot_time(char *out, size_t size, double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = { { 86400.0, "d" }, { 3600.0, "h" }, { 60.0, "min" } };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (seconds >= units[i].seconds) {
            const double value = seconds / units[i].seconds;
            (void)snprintf(out, size, "%.*f %s", fabs(value - round(value)) < 0.05 ? 0 : 1, value, units[i].name);
            return;
        }
    (void)snprintf(out, size, "%.0f s", seconds);
}

/* The distance of ticks: 1, 2 or 5 times a power of ten. */
static double nice(double range)
{
    const double rough = range / TICKS, power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* The same of time: whole minutes, hours, days. */
static double nice_time(double range)
{
    static const double steps[] = { 10,   30,   60,    120,   300,   600,   1200,   1800,
                                    3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800 };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (range / steps[i] <= (double)(TICKS + 2))
            return steps[i];
    return nice(range / 604800.0) * 604800.0;
}

/* Where values lie in the picture. */
struct scale {
    double begin, time, most; /* seconds, seconds, value */
};

static double at_x(const struct scale *scale, double time)
{
    return LEFT + (time - scale->begin) / scale->time * (WIDTH - LEFT - RIGHT);
}

static double at_y(const struct scale *scale, double value)
{
    return HEIGHT - BOTTOM - value / scale->most * (HEIGHT - TOP - BOTTOM);
}

static struct scale find_scale(const struct harness_plot *plot, const struct harness_pulse_history *history)
{
    const struct harness_pulse_point *const points = history->points;
    struct scale scale = { (double)points[0].time, (double)(points[history->count - 1].time - points[0].time), 0.0 };
    for (size_t i = 0; i < history->count; i++) {
        const double value = plot->value(&points[i], i != 0 ? &points[i - 1] : NULL);
        scale.most = value > scale.most ? value : scale.most; /* never true of NAN */
    }
    scale.time = scale.time > 0.0 ? scale.time : 1.0;
    if (scale.most <= 0.0)
        scale.most = 1.0;
    const double step = nice(scale.most);
    scale.most = ceil(scale.most / step) * step;
    return scale;
}

static void add_axes(struct harness_text *out, const struct scale *scale)
{
    char label[32];
    const double step = nice(scale->most), seconds = nice_time(scale->time);
    for (double value = 0.0; value <= scale->most * 1.0001; value += step) {
        harness_plot_number(label, sizeof label, value);
        harness_text_format(out,
                            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                            LEFT, WIDTH - RIGHT, at_y(scale, value), at_y(scale, value), LEFT - 6,
                            at_y(scale, value) + 4.0, label);
    }
    for (double time = 0.0; time <= scale->time; time += seconds) {
        harness_plot_time(label, sizeof label, time);
        const double x = at_x(scale, scale->begin + time);
        harness_text_format(out,
                            "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                            x, x, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 4, x, HEIGHT - BOTTOM + 17, label);
    }
}

/* A line of one point has no length: it gets some. */
static void end_line(struct harness_text *out, unsigned points, double x, double y)
{
    if (points == 1)
        harness_text_format(out, "%.1f,%.1f ", x - 5.0, y);
    if (points != 0)
        harness_text_add(out, "\"/>");
}

/* Points of one start with a value, in one line. */
static void add_line(struct harness_text *out, const struct harness_plot *plot,
                     const struct harness_pulse_history *history, const struct scale *scale)
{
    const struct harness_pulse_point *const points = history->points;
    unsigned drawn = 0; /* of this line */
    double x = 0.0, y = 0.0;
    for (size_t i = 0; i < history->count; i++) {
        const double value = plot->value(&points[i], i != 0 ? &points[i - 1] : NULL);
        const bool breaks = i != 0 && points[i].starts != points[i - 1].starts;
        if (isnan(value) || breaks) {
            end_line(out, drawn, x, y);
            drawn = 0;
        }
        if (isnan(value))
            continue;
        x = at_x(scale, (double)points[i].time);
        y = at_y(scale, value);
        harness_text_format(out, "%s%.1f,%.1f ", drawn++ == 0 ? "<polyline points=\"" : "", x, y);
    }
    end_line(out, drawn, x, y);
}

void harness_plot_add(struct harness_text *out, const struct harness_plot *plot,
                      const struct harness_pulse_history *history)
{
    harness_text_format(out, "<figure class=\"plot\"><figcaption>%s</figcaption>", plot->title);
    if (history->count < 2) {
        harness_text_add(out, "<p class=\"soft\">nothing to draw before two minutes are over</p></figure>\n");
        return;
    }
    const struct scale scale = find_scale(plot, history);
    harness_text_format(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s over time\">", WIDTH, HEIGHT,
                        plot->title);
    add_axes(out, &scale);
    add_line(out, plot, history, &scale);
    harness_text_add(out, "</svg></figure>\n");
}
