#!/usr/bin/perl
# ci/Mutator.pm finds in a few lines of C what may be changed, and nothing else: no comment, no type, no size of an
# array, no enum, no assertion, no recording call; a key stays when the line moves.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../ci";
use Mutator;

my $text = <<'C';
enum { SIZE = 5 }; /* a < b */
static const int table[2] = { 7, -1 };
static int f(const uint8_t *p, int n)
{
    assert(n > 0);
    ref_trace(n + 1, 0);
    uint32_t words[4];
    int sum;
    sum = n * p[n];
    if (!n || sum >= 0x7Fu)
        return v_add(n, 0.5f);
    switch (n) {
    case RED: return 1;
    case BLUE: return table[n] << 2;
    }
    return GREEN;
}
C
my %context = (
    recording => qr/ref_\w+/, enumerators => { RED => "GREEN", GREEN => "BLUE", BLUE => "RED" }, same => sub { 1 },
    names => { v_add => 1, v_sub => 1 });
my @expected = (
    "7 -> 8", "- -> ", "1 -> 2",                                                  # the table
    "sum = n * p[n] -> ", "* -> +", "n -> (n) + 1",                               # the assignment
    "! -> ", "|| -> &&", ">= -> >", "0x7Fu -> 0x3Fu", "v_add -> v_sub", "0.5f -> 0.25f", # the condition
    "1 -> 2", "n -> (n) + 1", "<< -> >>", "2 -> 3", "RED -> BLUE", "GREEN -> BLUE");

my $failed = 0;
sub complain { print "check_mutator: $_[0]\n"; $failed = 1 }

my @found = sort { $a->{at} <=> $b->{at} } Mutator::candidates("a.c", $text, \%context);
my $got = join "\n", sort map { "$_->{old} -> $_->{text}" } @found;
my $wanted = join "\n", sort @expected;
complain("found\n$got\nexpected\n$wanted") if $got ne $wanted;

my ($labels) = grep { $_->{kind} eq "labels" } @found;
complain("labels do not change places") if Mutator::mutated($text, $labels) !~ /case BLUE: return 1;\s+case RED: return table/;
my ($mask) = grep { $_->{kind} eq "mask" } @found;
complain("one place is changed") if Mutator::mutated($text, $mask) ne $text =~ s/0x7Fu/0x3Fu/r;

my ($moved) = grep { $_->{kind} eq "mask" } Mutator::candidates("a.c", "\n\n$text", \%context);
complain("a key does not survive a move") if $moved->{key} ne $mask->{key} || $moved->{line} != $mask->{line} + 2;
my ($first, $again) = grep { $_->{kind} eq "mask" } Mutator::candidates("a.c", $text . $text, \%context);
complain("two lines share a key") if $first->{key} ne $mask->{key} || $again->{key} eq $mask->{key};
exit $failed;
