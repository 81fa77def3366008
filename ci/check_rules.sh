#!/usr/bin/perl
# Every rule of docs/spec is cited in reference/, in fast/ and in tests/conformance/ (those of file 90: in
# harness/case or harness/run and tests/case; of file 80: in harness/console and tests/console_host); no id is cited that docs/spec does not define. Every rule that is tagged
# SPLIT or CHOICE stands in pica/splits.def, and every tag belongs to a rule.
# Usage: ci/check_rules.sh [--summary]     --summary: counts only
#        ci/check_rules.sh --provenance    counts the rules by what stands behind them, the first tag of each (GEN-07)
# "SHD-42..44", "SHD-42 to SHD-44" and "SHD-42, 43" cite every rule they name.
use strict;
use warnings;
use File::Basename;
use File::Find;

chdir dirname($0) . "/.." or die "check_rules: $!";
my $summary = @ARGV && $ARGV[0] eq "--summary";
my $by_provenance = @ARGV && $ARGV[0] eq "--provenance";
my $area = qr/GEN|MEM|EXT-CMD|CMD|SUB|REG|FLT|VTX|SHD|GSH|PRM|ITP|CLP|VPT|CUL|RST|SCS|EDT|TEX|ETC|WRP|MIP|CUB|SDW|PTX|
              TEV|LIT|FOG|GSF|FBF|ATS|STC|DPT|BLD|LOP|SHW|GAS|PSC|PPF|TXC|PDC|HNG|CAP/x;

# A rule is defined where it opens a paragraph, a list item or a table row, and goes on to the next one or a heading.
my (%defined, %tagged, %first_tag, @strays);
for my $page (glob "docs/spec/*.md") {
    open my $in, "<", $page or die "check_rules: $page: $!";
    my $rule;
    while (<$in>) {
        $rule = undef if /^#/;
        if (/^\s*(?:[-*] |\| ?)?(?:\*\*)?($area-\d\d)(?:\*\*)?(?: |\|)/) {
            $rule = $1;
            $defined{$rule} = $page;
        }
        $first_tag{$rule} //= $1 if defined $rule && /\[(HW|DOC|EMU|SPLIT|CHOICE)\b/;
        next unless /\[(?:[A-Z]+\/)?(?:SPLIT|CHOICE)\b/;
        defined $rule ? ($tagged{$rule} = 1) : push @strays, "$page:$.";
    }
}
die "check_rules: found no rule in docs/spec\n" unless %defined;

if ($by_provenance) {
    my (%count, %where);
    for my $rule (keys %defined) {
        my $tag = $first_tag{$rule} // "none";
        $count{$tag}++;
        $where{basename($defined{$rule})}{$tag}++;
    }
    my @tags = qw(HW DOC EMU SPLIT CHOICE none);
    printf "%-26s" . " %6s" x @tags . "\n", "rules by first tag", @tags;
    for my $page (sort keys %where) {
        printf "%-26s" . " %6d" x @tags . "\n", $page, map { $where{$page}{$_} // 0 } @tags;
    }
    printf "%-26s" . " %6d" x @tags . "\n", "all", map { $count{$_} // 0 } @tags;
    printf "check_rules: %d of %d rules are measured on hardware\n", $count{HW} // 0, scalar keys %defined;
    exit 0;
}

# All ids cited below the given directories: id -> "file:line" of one place.
sub cited {
    my %seen;
    my @roots = grep { -e } @_;
    return \%seen unless @roots;
    find({ no_chdir => 1, wanted => sub {
        return unless /\.(?:c|h|def)$/ && -f;
        open my $in, "<", $_ or die "check_rules: $_: $!";
        my $file = $_;
        while (my $text = <$in>) {
            $text =~ s/\b($area)_(\d\d)(?=_|\b)/$1-$2/g;    # names of tests: TEV_07_...
            while ($text =~ /(?<![A-Z0-9-])($area)-(\d\d)(?!\d)/g) {
                my ($name, $last) = ($1, $2);
                my @ids = ("$name-$last");
                while ($text =~ /\G(?:(\.\.\.?| to )|(, | and |\/))(?:($area)-)?(\d\d)(?![\dA-Za-z.])/gc) {
                    if (defined $1) {
                        push @ids, map { sprintf "%s-%02d", $name, $_ } $last + 1 .. $4;
                    } else {
                        $name = $3 if defined $3;
                        push @ids, "$name-$4";
                    }
                    $last = $4;
                }
                # A range may span numbers that no rule has; single citations may not.
                $seen{$_} //= "$file:$." for grep { $defined{$_} || $_ eq $ids[0] || $_ eq $ids[-1] } @ids;
            }
        }
    } }, @roots);
    return \%seen;
}

my $failed = 0;

sub need {
    my ($what, $rules, @roots) = @_;
    my $seen = cited(@roots);
    my @missing = grep { !$seen->{$_} } @$rules;
    printf "check_rules: %s cites %d of %d rules\n", $what, @$rules - @missing, scalar @$rules;
    return unless @missing;
    $failed = 1;
    print STDERR "  missing: @missing\n" unless $summary;
}

# GEN-07 (provenance tags) is about the text of the specification, not about the machine.
my @machine = sort grep { !/^(?:CAP|HNG)-/ && $_ ne "GEN-07" } keys %defined;
my @capture = sort grep { /^CAP-/ } keys %defined;
need("reference", \@machine, "reference");
need("fast", \@machine, "fast");
need("conformance", \@machine, "tests/conformance");
need("import", \@capture, "harness/case", "harness/run");
need("import tests", \@capture, "tests/case");
my @console = sort grep { /^HNG-/ } keys %defined;
need("export", \@console, "harness/console");
need("export tests", \@console, "tests/console_host");

my $all = cited(qw(pica reference fast oracles harness tests bench));
for my $id (sort grep { !$defined{$_} } keys %$all) {
    $failed = 1;
    print STDERR "check_rules: $all->{$id}: cites $id, which docs/spec does not define\n";
}

# The known choices: a tagged rule has a switch, or a reason why it has none.
my %listed;
open my $splits, "<", "pica/splits.def" or die "check_rules: pica/splits.def: $!";
while (<$splits>) {
    $listed{$1} = 1 if /^CHOICE\(\w+, "[^"]*", "($area-\d\d)"/ || /^UNSWITCHED\("($area-\d\d)"/;
}
for my $id (sort grep { !$listed{$_} } keys %tagged) {
    $failed = 1;
    print STDERR "check_rules: $id is tagged SPLIT or CHOICE, and pica/splits.def does not list it\n";
}
for my $place (@strays) {
    $failed = 1;
    print STDERR "check_rules: $place: a tag SPLIT or CHOICE that belongs to no rule\n";
}
printf "check_rules: %d rules tagged SPLIT or CHOICE\n", scalar keys %tagged;
printf "check_rules: %d rules defined\n", scalar keys %defined;
exit $failed;
