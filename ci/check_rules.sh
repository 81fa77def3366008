#!/usr/bin/perl
# Every rule of docs/spec is cited in reference/, in fast/ and in tests/conformance/ (those of file 90: in
# harness/case or harness/run and tests/case; of file 80: in harness/console and tests/console_host); no id is cited that
# docs/spec does not define. Every rule that is tagged SPLIT or CHOICE stands in pica/splits.def, and every such tag belongs
# to a rule. A tag HW names pieces of docs/hardware.md, EMU names emulators or says "not recorded" (GEN-07).
# Usage: ci/check_rules.sh [--summary]     --summary: counts only
#        ci/check_rules.sh --provenance    counts the rules by what stands behind them, the first tag of each, and of what was
#                                          measured the grade of its best piece
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

# Pieces of evidence and their grades: rows "| H06 | ..." of docs/hardware.md. With the grade "-" nothing was measured.
my %grade;
if (open my $in, "<", "docs/hardware.md") {
    my $column;
    while (<$in>) {
        my @cells = split /\s*\|\s*/;
        next if @cells < 2;
        $column = (grep { $cells[$_] eq "Grade" } 0 .. $#cells)[0] if $cells[1] eq "Id";
        next unless $cells[1] =~ /^H\d\d$/;
        my $found = defined $column ? $cells[$column] // "" : "";
        die "check_rules: docs/hardware.md:$.: $cells[1]: expected the grade A, B, C, D or -, found '$found'\n"
            unless $found =~ /^[A-D-]$/;
        die "check_rules: docs/hardware.md:$.: $cells[1] stands there twice\n" if $grade{$cells[1]};
        $grade{$cells[1]} = $found;
    }
}

# What is wrong with a tag, or nothing.
my $emulators = qr/Azahar|Citra|Corgi3DS|Mikage|Panda3DS/;
sub complaint {
    my ($kind, $rest) = @_;
    if ($kind eq "HW") {
        return "names no piece, as in [HW H06] or [HW H06, H07]" unless $rest =~ /^ (H\d\d(?:, H\d\d)*)$/;
        my @unknown = grep { !$grade{$_} } split /, /, $1;
        return "docs/hardware.md has no piece @unknown" if @unknown;
        return (grep { $grade{$_} eq "-" } split /, /, $1) ? "names a piece that measured nothing" : "";
    }
    return "" if $kind eq "EMU" && $rest =~ /^: (?:not recorded$|.*\b$emulators\b)/;
    return "names no emulator, as in [EMU: Azahar], nor is it [EMU: not recorded]" if $kind eq "EMU";
    return $rest =~ m{^(?:$|: \S)} ? "" : "expected [$kind], found [$kind$rest]";
}

# How a rule is known by its first tag: "A" to "D", "DOC", "EMU", "SPLIT", "CHOICE", "not recorded".
sub standing {
    my ($kind, $rest) = @_;
    return "not recorded" if $kind eq "EMU" && $rest =~ /not recorded/;
    return $kind unless $kind eq "HW";
    return (sort grep { $_ ne "-" } map { $grade{$_} // "none" } $rest =~ /H\d\d/g)[0] // "none";
}

# A rule is defined where it opens a paragraph, a list item or a table row, and goes on to the next one or a heading.
# A tag may go on in the next line.
my (%defined, %tagged, %standing, @strays, @complaints);
for my $page (glob "docs/spec/*.md") {
    open my $in, "<", $page or die "check_rules: $page: $!";
    my @lines = <$in>;
    my $rule;
    for my $at (0 .. $#lines) {
        local $_ = $lines[$at];
        my $number = $at + 1;
        $rule = undef if /^#/;
        if (/^\s*(?:[-*] |\| ?|(?=\*\*))(?:\*\*)?($area-\d\d)(?:\*\*)?(?: |\|)/) {
            $rule = $1;
            $defined{$rule} = $page;
        }
        my $text = $_ . ($lines[$at + 1] // "");
        # GEN-07 says what tags look like.
        while (($rule // "") ne "GEN-07" && $text =~ /\[(HW|DOC|EMU|SPLIT|CHOICE)\b([^\]]*)\]/g) {
            my ($kind, $rest, $begins) = ($1, $2, $-[0]);
            next if $begins >= length;
            $rest =~ s/\s+/ /g;
            $standing{$rule} //= standing($kind, $rest) if defined $rule;
            my $why = complaint($kind, $rest);
            push @complaints, "$page:$number: [$kind$rest]: $why" if $why ne "";
        }
        next unless /\[(?:[A-Z]+\/)?(?:SPLIT|CHOICE)\b/;
        defined $rule ? ($tagged{$rule} = 1) : push @strays, "$page:$number";
    }
}
$standing{"GEN-07"} = "CHOICE" if $defined{"GEN-07"};
die "check_rules: found no rule in docs/spec\n" unless %defined;

if ($by_provenance) {
    my (%count, %where);
    for my $rule (keys %defined) {
        my $by = $standing{$rule} // "none";
        $count{$by}++;
        $where{basename($defined{$rule})}{$by}++;
    }
    my @columns = ("A", "B", "C", "D", "DOC", "EMU", "SPLIT", "CHOICE", "not recorded", "none");
    my $form = "%-26s" . " %4s" x 4 . " %6s" x 4 . " %12s %6s\n";
    printf $form, "rules by first tag", @columns;
    for my $page (sort(keys %where), "all") {
        my $of = $page eq "all" ? \%count : $where{$page};
        printf $form, $page, map { $of->{$_} // 0 } @columns;
    }
    my $measured = 0;
    $measured += $count{$_} // 0 for qw(A B C D);
    printf "check_rules: %d of %d rules are measured on a console, %d of them by grade A or B\n", $measured,
        scalar keys %defined, ($count{A} // 0) + ($count{B} // 0);
    exit 0;
}

# All ids cited below the given directories: id -> "file:line" of one place.
sub cited {
    my %seen;
    my @roots = grep { -e } @_;
    return \%seen unless @roots;
    find({ no_chdir => 1, wanted => sub {
        return unless /\.(?:c|h|def)$|\/tables\/\w+\.txt$/ && -f;
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
for my $text (@complaints) {
    $failed = 1;
    print STDERR "check_rules: $text\n" unless $summary;
}
for my $place (@strays) {
    $failed = 1;
    print STDERR "check_rules: $place: a tag SPLIT or CHOICE that belongs to no rule\n";
}
printf "check_rules: %d rules tagged SPLIT or CHOICE\n", scalar keys %tagged;
printf "check_rules: %d rules defined\n", scalar keys %defined;
exit $failed;
