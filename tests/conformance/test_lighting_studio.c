/* The studio, changed in a few registers at a time, and the colours of it: tables/lighting.txt. */
#include "tests/conformance/lighting_probe.h"

/* LIT-01 to LIT-04, LIT-06 to LIT-09: registers. */

EACH_MACHINE(lighting, LIT_01_register_1C6_alone_turns_lighting_on_and_off)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_03_colours_have_10_bits)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_04_positions_are_float16_and_spots_13_bit_integers)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_06_bits_of_1C3)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_07_disable_bits_of_1C4)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_08_LIT_09_tables_of_each_configuration)
{
    check_studio(m);
}

/* LIT-10 to LIT-15 (LIT-14: normal and tangent are not renormalised), LIT-21: vectors, bump mapping, lookup inputs. */

EACH_MACHINE(lighting, LIT_13_LIT_14_normal_and_tangent_maps)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_15_directional_and_positional_lights)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_20_LIT_21_every_input_for_every_table)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_21_the_tangent_input_needs_configuration_8)
{
    check_studio(m);
}

/* LIT-18 to LIT-20, LIT-22, LIT-23, LIT-26 to LIT-28: lookups; exact entries: test_lighting_table.c. */

EACH_MACHINE(lighting, LIT_20_scales_of_every_table)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_18_LIT_19_LIT_23_signed_and_unsigned_indices)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_22_each_light_has_its_own_tables)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_26_LIT_27_LIT_28_what_stands_for_a_missing_table)
{
    check_studio(m);
}

/* LIT-25, LIT-29 to LIT-38, LIT-41: sums over the lights, attenuation, shadow, alpha. */

EACH_MACHINE(lighting, LIT_25_distance_attenuation)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_29_LIT_35_LIT_37_which_colour_goes_where)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_30_LIT_35_slots_lights_and_fresnel)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_31_LIT_32_LIT_33_sides_highlights_and_geometric_factors)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_34_LIT_36_shadows)
{
    check_studio(m);
}

EACH_MACHINE(lighting, LIT_38_LIT_41_limits_and_NaN)
{
    check_studio(m);
}
