#!/usr/bin/perl
# The table of docs/known-choices.md says what pica/splits.def says.
# Usage: ci/check_choices.sh [--fix]     --fix: writes the table; exit code 1 without it: the table differs
use strict;
use warnings;
use File::Basename;

chdir dirname($0) . "/.." or die "check_choices: $!";
my $page = "docs/known-choices.md";

sub slurp {
    open my $in, "<", $_[0] or die "check_choices: $_[0]: $!\n";
    local $/;
    return <$in>;
}

# Lines of the table, and how many rules have which reason not to be in it.
my $splits = slurp("pica/splits.def");
$splits =~ s{/\*.*?\*/}{}gs;
my (@choices, %sides, %reasons);
my $text = qr/"((?:[^"\\]|\\.)*)"/;
while ($splits =~ /^(CHOICE|SIDE|UNSWITCHED)\((.*?)\)$/gms) {
    my ($kind, $rest) = ($1, $2);
    if ($kind eq "CHOICE" && $rest =~ /^(\w+), $text, $text,\s+$text$/) {
        push @choices, { id => $1, name => $2, rule => $3, question => $4 };
    } elsif ($kind eq "SIDE" && $rest =~ /^(\w+), \d+, \w+, $text, $text,\s+$text$/) {
        push @{ $sides{$1} }, { word => $2, who => $3, effect => $4 };
    } elsif ($kind eq "UNSWITCHED" && $rest =~ /^$text, (\w+),\s+$text$/) {
        $reasons{$2}++;
    } else {
        die "check_choices: pica/splits.def: what does $kind($rest) mean?\n" unless $rest =~ /ID|rule/;
    }
}
die "check_choices: found no choice\n" unless @choices;

my $table = "| Choice | Rule | Question, then its sides, the normative one first |\n|---|---|---|\n";
my $others = 0;
for my $choice (@choices) {
    my @sides = map { "`$_->{word}`: $_->{effect}" . ($_->{who} ne "" ? " ($_->{who})" : "") } @{ $sides{$choice->{id}} };
    $others += @sides - 1;
    my $line = "| `$choice->{name}` | $choice->{rule} | $choice->{question}: " . join("; ", @sides) . " |\n";
    $line =~ s/\\"/"/g;
    $table .= $line;
}
my $unswitched = 0;
$unswitched += $_ for values %reasons;
$table .= sprintf "\n%d choices with %d sides beside the normative ones. Without a switch are %d statements: %s.\n", scalar @choices,
    $others, $unswitched, join ", ", map { (my $name = lc) =~ tr/_/ /; "$reasons{$_} $name" } sort keys %reasons;

my $old = slurp($page);
(my $new = $old) =~ s/(<!-- table -->\n).*(<!-- end -->\n)/$1$table$2/s or die "check_choices: $page: no table\n";
if ($new eq $old) {
    printf "check_choices: %d choices\n", scalar @choices;
    exit 0;
}
if (@ARGV && $ARGV[0] eq "--fix") {
    open my $out, ">", $page or die "check_choices: $page: $!\n";
    print $out $new;
    exit 0;
}
print STDERR "check_choices: $page is not what pica/splits.def says; run ci/check_choices.sh --fix\n";
exit 1;
