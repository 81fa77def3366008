#include "harness/pulse/page.h"

#include "harness/grammar/mutate.h"
#include "harness/pulse/plots.h"
#include "harness/report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char style[] =
    "<style>.facts{margin-bottom:1.4em}.plots{display:flex;flex-wrap:wrap;gap:.4em 1.6em}.plot{margin:0;flex:1 1 "
    "24em;max-width:36em}"
    ".plot svg{width:100%;height:auto;display:block}.plot text{font:11px system-ui,sans-serif;fill:#666}"
    ".plot .grid{stroke:#e4e4e4}.plot .axis{stroke:#999}"
    ".plot polyline{fill:none;stroke:#2a6bb0;stroke-width:1.6;stroke-linejoin:round}"
    ".pulse{font-size:1.15em;padding:.5em .8em;border-radius:.3em}.good{background:#e5f4e5}.wrong{background:#fbe4e0}"
    ".bar{display:inline-block;height:.7em;background:#2a6bb0;vertical-align:baseline;min-width:1px}"
    ".wide{overflow-x:auto}.trouble{overflow-wrap:anywhere;min-width:14em}td.number{font-variant-numeric:tabular-nums;"
    "white-space:nowrap}.wide td:first-child{white-space:nowrap}"
    "@media(prefers-color-scheme:dark){.plot text{fill:#a0a0a0}.plot .grid{stroke:#333}.plot .axis{stroke:#777}"
    ".plot "
    "polyline{stroke:#7fb2ef}.bar{background:#7fb2ef}.good{background:#1d3320}.wrong{background:#4a211c}}</style>";

/* A page that is no longer written says so. */
static const char script[] =
    "<script>const age=()=>Date.now()/1000-%llu;if(age()>60){const p=document.querySelector('.pulse');"
    "p.className='pulse wrong';p.textContent='written '+Math.round(age()/60)+' minutes ago: the campaign does not run "
    "(or its disk is full)'}else setTimeout(()=>location.reload(),10000)</script>";

static void add_number(struct harness_text *out, double value)
{
    char text[32];
    harness_plot_number(text, sizeof text, value);
    harness_text_format(out, "<td class=\"number\">%s</td>", text);
}

static void add_escaped(struct harness_text *out, const char *text)
{
    harness_text_add(out, "<td>");
    harness_html_text(out, text);
    harness_text_add(out, "</td>");
}

/* ------------------------------------------------------------------------------------------------------------ plots */

static double executions(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    (void)before;
    return (double)point->executions;
}

static double rate(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    if (before == NULL || before->starts != point->starts || before->seconds >= point->seconds ||
        before->executions > point->executions)
        return (double)NAN;
    return (double)(point->executions - before->executions) / (double)(point->seconds - before->seconds);
}

static double edges(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    (void)before;
    return (double)point->edges;
}

static double semantic(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    (void)before;
    return (double)point->semantic;
}

static double corpus(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    (void)before;
    return (double)point->corpus;
}

static double findings(const struct harness_pulse_point *point, const struct harness_pulse_point *before)
{
    (void)before;
    return (double)point->findings;
}

static void add_plots(struct harness_text *out, const struct harness_pulse_history *history)
{
    static const struct harness_plot plots[] = {
        { "executions", executions },       { "executions a second", rate },
        { "edges of code", edges },         { "semantic items, of all inputs looked at", semantic },
        { "inputs of the corpus", corpus }, { "findings", findings }
    };
    harness_text_add(out, "<div class=\"plots\">\n");
    for (size_t i = 0; i < sizeof plots / sizeof plots[0]; i++)
        harness_plot_add(out, &plots[i], history);
    harness_text_add(out, "</div>\n");
}

/* ----------------------------------------------------------------------------------------------------------- tables */

static void add_bar(struct harness_text *out, double share)
{
    harness_text_format(out,
                        "<td class=\"number\">%.0f %%</td><td><span class=\"bar\" style=\"width:%.2fem\"></span></td>",
                        share * 100.0, share * 8.0);
}

static void add_instance(struct harness_text *out, const struct harness_pulse_totals *totals,
                         const struct harness_pulse_total *one)
{
    char time[32];
    double seconds = 0.0;
    for (size_t i = 0; i < totals->count; i++)
        seconds += totals->instances[i].seconds;
    harness_plot_time(time, sizeof time, one->seconds);
    harness_text_add(out, "<tr>");
    add_escaped(out, one->name);
    harness_text_format(out, "<td class=\"%s\">%s</td>",
                        one->trouble[0] != '\0' ? "bad"
                        : one->running          ? "fine"
                                                : "soft",
                        one->trouble[0] != '\0' ? "in trouble"
                        : one->running          ? "runs"
                                                : "waits");
    harness_text_format(out, "<td class=\"number\">%s</td>", time);
    add_bar(out, seconds > 0.0 ? one->seconds / seconds : 0.0);
    add_number(out, (double)one->executions);
    add_bar(out, totals->executions != 0 ? (double)one->executions / (double)totals->executions : 0.0);
    add_number(out, one->seconds > 0.0 ? (double)one->executions / one->seconds : 0.0);
    add_number(out, (double)one->edges);
    add_number(out, (double)one->findings);
    harness_text_add(out, "<td class=\"trouble\">");
    harness_html_text(out, one->trouble);
    harness_text_add(out, "</td></tr>\n");
}

static void add_instances(struct harness_text *out, const struct harness_pulse_totals *totals)
{
    harness_text_add(out, "<h2>Instances</h2><div class=\"wide\"><table><tr><th>name</th><th></th><th>ran</th>"
                          "<th colspan=\"2\">of the time</th><th>executions</th><th colspan=\"2\">of all</th>"
                          "<th>a second</th><th>edges</th><th>findings</th><th></th></tr>\n");
    for (size_t i = 0; i < totals->count; i++)
        add_instance(out, totals, &totals->instances[i]);
    harness_text_add(out, "</table></div>\n");
}

static void add_slowest(struct harness_text *out, const struct harness_survey_result *survey)
{
    harness_text_add(out, "<h2>The slowest inputs</h2>");
    if (survey->slow_count == 0) {
        harness_text_add(out, "<p class=\"soft\">none was looked at yet</p>\n");
        return;
    }
    harness_text_add(
        out, "<div class=\"wide\"><table><tr><th>in the corpus</th><th>processor time</th><th>bytes</th></tr>\n");
    for (size_t i = 0; i < survey->slow_count; i++) {
        harness_text_add(out, "<tr>");
        add_escaped(out, survey->slowest[i].name);
        harness_text_format(out, "<td class=\"number\">%.2f ms</td>", survey->slowest[i].us / 1000.0);
        add_number(out, (double)survey->slowest[i].bytes);
        harness_text_add(out, "</tr>\n");
    }
    harness_text_add(out, "</table></div>\n");
}

static void add_kind(struct harness_text *out, const char *name, uint64_t count, double all)
{
    harness_text_add(out, "<tr>");
    add_escaped(out, name);
    add_number(out, (double)count);
    add_bar(out, all > 0.0 ? (double)count / all : 0.0);
    harness_text_add(out, "</tr>\n");
}

/* What made inputs. A mutation may change several things, and counts for each. */
static void add_mutations(struct harness_text *out, const struct harness_pulse_totals *totals)
{
    double all = (double)(totals->generated + totals->crossovers + totals->trims);
    for (uint32_t i = 0; i < harness_mutation_kinds(); i++)
        all += (double)totals->changes[i];
    harness_text_add(out,
                     "<h2>What made the inputs</h2><table><tr><th>by</th><th>times</th><th colspan=\"2\">share</th>"
                     "</tr>\n");
    add_kind(out, "generated anew", totals->generated, all);
    add_kind(out, "two spliced", totals->crossovers, all);
    add_kind(out, "trimmed", totals->trims, all);
    for (uint32_t i = 0; i < harness_mutation_kinds(); i++)
        add_kind(out, harness_mutation_kind_name(i), totals->changes[i], all);
    harness_text_add(out, "</table>\n");
}

static void add_row(struct harness_text *out, const char *name, const char *format, double a, double b)
{
    char first[32], second[32];
    harness_plot_number(first, sizeof first, a);
    harness_plot_number(second, sizeof second, b);
    harness_text_format(out, "<tr><th>%s</th><td>", name);
    harness_text_format(out, format[0] == '2' ? "%s of %s" : "%s", first, second);
    harness_text_add(out, "</td></tr>\n");
}

/* The survey begins anew with each start. */
static void add_corpus(struct harness_text *out, const struct harness_survey_result *survey)
{
    if (survey->inputs == 0) {
        harness_text_add(out, "<tr><th>corpus</th><td class=\"soft\">none was looked at yet</td></tr>\n");
        return;
    }
    harness_text_format(out,
                        "<tr><th>corpus</th><td>%llu inputs, %.1f MB looked at; median %.0f bytes, %.0f us; %.0f %% "
                        "change no memory</td></tr>\n",
                        (unsigned long long)survey->inputs, (double)survey->bytes / 1e6, survey->median_bytes,
                        survey->median_us, survey->vacuous * 100.0);
}

static void add_facts(struct harness_text *out, const struct harness_pulse_totals *totals)
{
    char ran[32], age[32];
    const struct harness_survey_result *const survey = &totals->survey;
    const double since = (double)totals->written - (double)totals->began; /* below 0 where the clock was set back */
    harness_plot_time(ran, sizeof ran, totals->seconds);
    harness_plot_time(age, sizeof age, since > totals->seconds ? since : totals->seconds);
    harness_text_add(out, "<table class=\"facts\">\n");
    harness_text_format(out, "<tr><th>ran</th><td>%s in %s, started %llu time(s)</td></tr>\n", ran, age,
                        (unsigned long long)totals->starts);
    add_row(out, "executions", "1", (double)totals->executions, 0.0);
    add_row(out, "edges of code", "1", (double)totals->edges, 0.0);
    add_row(out, "semantic items", survey->semantic_total != 0 ? "2" : "1", (double)survey->semantic,
            (double)survey->semantic_total);
    add_corpus(out, survey);
    harness_text_format(out,
                        "<tr><th>findings</th><td>%llu, %llu of known kinds, %llu wait for their reduction</td></tr>\n",
                        (unsigned long long)totals->findings, (unsigned long long)totals->duplicates,
                        (unsigned long long)totals->waiting);
    add_row(out, "disk left, bytes", "2", (double)totals->disk_free, (double)totals->disk_size);
    add_row(out, "memory left, bytes", "2", (double)totals->memory_free, (double)totals->memory_size);
    harness_text_add(out, "</table>\n");
}

void harness_pulse_page(const struct harness_pulse_totals *totals, const struct harness_pulse_history *history,
                        struct harness_text *out)
{
    const time_t written = (time_t)totals->written;
    char when[64];
    struct tm fields;
    harness_html_begin(out, "picafuzz campaign", NULL);
    harness_text_add(out, style);
    harness_text_format(out, "<p class=\"pulse %s\">", totals->line[0] != '\0' ? "wrong" : "good");
    harness_html_text(out, totals->line[0] != '\0' ? totals->line : "nothing is wrong");
    harness_text_add(out, "</p>\n");
    add_facts(out, totals);
    add_plots(out, history);
    add_instances(out, totals);
    add_mutations(out, totals);
    add_slowest(out, &totals->survey);
    if (gmtime_r(&written, &fields) != NULL && strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &fields) != 0)
        harness_text_format(out,
                            "<p class=\"soft\">written %s; time in plots counts from the campaign's beginning; "
                            "<a href=\"stats.json\">stats.json</a></p>\n",
                            when);
    harness_text_format(out, script, (unsigned long long)totals->written);
    harness_html_end(out);
}
