#include "harness/pulse/pace.h"

double harness_pace_rate(const struct harness_pace_piece *piece)
{
    return piece->seconds > 0.0 ? (double)piece->executions / piece->seconds : 0.0;
}

/* What came after `begin`; nothing if a file says nonsense. */
static struct harness_pace_piece since(const struct harness_pace_piece *begin, double seconds, uint64_t executions)
{
    if (seconds < begin->seconds || executions < begin->executions)
        return (struct harness_pace_piece){ 0.0, 0 };
    return (struct harness_pace_piece){ seconds - begin->seconds, executions - begin->executions };
}

void harness_pace_take(struct harness_pace *pace, double seconds, uint64_t executions)
{
    const bool is_first = pace->first.seconds <= 0.0;
    const struct harness_pace_piece piece = since(&pace->begun, seconds, executions);
    if (piece.seconds < (is_first ? (double)HARNESS_PACE_FIRST : (double)HARNESS_PACE_PIECE))
        return;
    *(is_first ? &pace->first : &pace->last) = piece;
    pace->begun = (struct harness_pace_piece){ seconds, executions };
}

bool harness_pace_is_slow(const struct harness_pace *pace, double seconds, uint64_t executions, double times)
{
    const double first = harness_pace_rate(&pace->first);
    const struct harness_pace_piece now = since(&pace->begun, seconds, executions);
    if (pace->last.seconds <= 0.0 || harness_pace_rate(&pace->last) * times >= first)
        return false;
    return now.seconds < (double)HARNESS_PACE_LITTLE || harness_pace_rate(&now) * times < first;
}
