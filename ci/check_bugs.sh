#!/usr/bin/perl
# The patches of the bug bench (bench/bugs/*.patch) are sound: each applies to the present sources without fuzz, has all
# lines of its head, names a rule that docs/spec defines, is called by a word of pica/stage_words.def, and stands in the
# table of bench/bugs/README.md. Those of tests/localise/bugs, which are no known bugs, need only apply. Builds nothing.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

chdir dirname($0) . "/.." or die "check_bugs: $!\n";
my $failed = 0;
sub complain { print STDERR "check_bugs: $_[0]\n"; $failed = 1 }

my %defined;
for my $page (glob "docs/spec/*.md") {
    open my $in, "<", $page or die "check_bugs: $page: $!\n";
    while (<$in>) { $defined{$1} = 1 if /^\s*(?:[-*] |\| ?)?(?:\*\*)?([A-Z]+(?:-[A-Z]+)?-\d\d)(?:\*\*)?(?: |\|)/ }
}
# What a bug may be blamed on: a stage, or the kind of difference where no stage is to blame.
my %stage = map { $_ => 1 } "registers", "state", "memory", "events";
my %slug;
open my $words, "<", "pica/stage_words.def" or die "check_bugs: pica/stage_words.def: $!\n";
while (<$words>) { ($slug{$1}, $stage{$2}) = (1, 1) if /^STAGE_WORD\(\w+, "(\w+)", "([^"]+)"/ }
open my $readme, "<", "bench/bugs/README.md" or die "check_bugs: bench/bugs/README.md: $!\n";
my %listed;
while (<$readme>) { $listed{$1} = 1 if /^\| `([\w-]+)` \|/ }

my %seen;
sub complain_of_head {
    my ($patch, $name, %head) = @_;
    $seen{$name} = 1;
    defined $head{$_} or complain("$patch: no line `# $_:`") for qw(bug what rule operation trigger stage);
    my ($word) = $name =~ /^([a-z_]+)-/;
    complain("$patch: its name does not begin with a word of pica/stage_words.def") unless $slug{ $word // "" };
    complain("$patch: docs/spec defines no rule $head{rule}") unless $defined{ $head{rule} // "" };
    $stage{$_} or complain("$patch: no stage is called '$_'") for split /, /, $head{stage} // "";
    complain("$patch: not in the table of bench/bugs/README.md") unless $listed{$name};
    for my $number (grep { defined $head{$_} } "threads", "capacity") {
        complain("$patch: `# $number: $head{$number}`: not a number from 1 on") unless $head{$number} =~ /^[1-9]\d*$/;
    }
}

for my $patch (glob "bench/bugs/*.patch tests/localise/bugs/*.patch") {
    my (%head, %files);
    open my $in, "<", $patch or die "check_bugs: $patch: $!\n";
    while (<$in>) {
        $head{$1} = $2 if /^# (\w+): (.+)$/;
        $files{$2}{$1} = 1 if m{^([-+])\1\1 [ab]/(\S+)$};
    }
    complain_of_head($patch, basename($patch, ".patch"), %head) if $patch =~ m{^bench/};
    my %sides = map { (split m{/})[0] => 1 } keys %files;
    complain("$patch: touches not exactly one of reference and fast")
        unless join(",", keys %sides) =~ /^(reference|fast)$/;
    my $tree = tempdir(CLEANUP => 1);
    for my $file (keys %files) {
        make_path(dirname("$tree/$file"));
        copy($file, "$tree/$file") or complain("$patch: $file: $!");
    }
    my $output = qx{patch -p1 --fuzz=0 --dry-run -d $tree -i "\$PWD/$patch" 2>&1};
    complain("$patch: does not apply:\n$output") if $? != 0;
}
$seen{$_} or complain("bench/bugs/README.md: there is no patch $_") for sort keys %listed;
print "check_bugs: ", scalar(keys %seen), " patches of known bugs\n" unless $failed;
exit $failed;
