#!/usr/bin/perl
# The table of docs/known-choices.md says what pica/splits.def says, that of corpus/questions/README.md what the heads of
# the cases there say. Each entry of a list "Known emulator pitfalls" of docs/spec ends with the choices that it states, and
# the rules whose lines UNSWITCHED say why there is none: {row-order, RST-05}; {-} if it states no other result (GEN-07).
# Usage: ci/check_choices.sh [--fix]     --fix: writes the tables; exit code 1 without it: one differs
use strict;
use warnings;
use File::Basename;

chdir dirname($0) . "/.." or die "check_choices: $!";

sub slurp {
    open my $in, "<", $_[0] or die "check_choices: $_[0]: $!\n";
    local $/;
    return <$in>;
}

# Lines of the table, and how many rules have which reason not to be in it.
my $splits = slurp("pica/splits.def");
$splits =~ s{/\*.*?\*/}{}gs;
my (@choices, %sides, %standings, %reasons, %settled); # settled: what an entry of a pitfall list may name
my $text = qr/"((?:[^"\\]|\\.)*)"/;
while ($splits =~ /^(CHOICE|SIDE|REFUTED|LACK|UNSWITCHED)\((.*?)\)$/gms) {
    my ($kind, $rest) = ($1, $2);
    if ($kind eq "CHOICE" && $rest =~ /^(\w+), $text, $text,\s+$text$/) {
        push @choices, { id => $1, name => $2, rule => $3, question => $4 };
        $settled{$2} = 1;
    } elsif ($kind =~ /^(?:SIDE|LACK)$/ && $rest =~ /^(\w+), \d+, \w+, $text, $text,\s+$text$/) {
        push @{ $sides{$1} }, { word => $2, notes => [$3, $kind eq "LACK" ? "a lack" : ""], effect => $4 };
        $standings{$kind}++;
    } elsif ($kind eq "REFUTED" && $rest =~ /^(\w+), \d+, \w+, $text, $text,\s+$text,\s+$text$/) {
        push @{ $sides{$1} }, { word => $2, notes => [$3, "refuted by $5"], effect => $4 };
        $standings{$kind}++;
    } elsif ($kind eq "UNSWITCHED" && $rest =~ /^$text, (\w+),\s+$text$/) {
        $reasons{$2}++;
        $settled{$1} = 1;
    } else {
        die "check_choices: pica/splits.def: what does $kind($rest) mean?\n" unless $rest =~ /ID|rule/;
    }
}
die "check_choices: found no choice\n" unless @choices;

my $table = "| Choice | Rule | Question, then its sides, the normative one first |\n|---|---|---|\n";
my $others = 0;
for my $choice (@choices) {
    my @sides;
    for my $side (@{ $sides{$choice->{id}} }) {
        my $notes = join ", ", grep { $_ ne "" } @{ $side->{notes} };
        push @sides, "`$side->{word}`: $side->{effect}" . ($notes ne "" ? " ($notes)" : "");
    }
    $others += @sides - 1;
    my $line = "| `$choice->{name}` | $choice->{rule} | $choice->{question}: " . join("; ", @sides) . " |\n";
    $line =~ s/\\"/"/g;
    $table .= $line;
}
my $unswitched = 0;
$unswitched += $_ for values %reasons;
$table .= sprintf "\n%d choices with %d sides beside the normative ones, of which %d are refuted and %d are lacks. Without a switch are %d statements: %s.\n", scalar @choices,
    $others, $standings{REFUTED} // 0, $standings{LACK} // 0, $unswitched, join ", ", map { (my $name = lc) =~ tr/_/ /; "$reasons{$_} $name" } sort keys %reasons;

# The cases of corpus/questions: what each does, and what each answer leaves, from the comment that it begins with.
my $asked = "| Question, rule | Case | What it does; each answer, that of docs/spec first |\n|---|---|---|\n";
my @cases = map { basename($_, ".pcase") } glob "corpus/questions/*.pcase";
for my $name (@cases) {
    my ($what, @answers) = "";
    for (split /\n/, slurp("corpus/questions/$name.pcase")) {
        last unless s/^# //;
        /^expect ([^:]+): (.*)/ ? push @answers, "`$1`: $2" : ($what .= " $_");
    }
    s/\|/\\|/g for $what, @answers;
    my ($rule, $does) = $what =~ /^ \Q$name\E \(([A-Z0-9-]+)\): (.*)/ or die "check_choices: $name.pcase: no head\n";
    my $number = $name =~ /^(\d+)-/ ? $1 + 0 . ", " : "";
    $asked .= "| $number$rule | `$name` | $does " . join("; ", @answers) . " |\n";
}
$asked .= sprintf "\n%d cases.\n", scalar @cases;

# What became of each entry of a pitfall list.
my $failed = 0;
my $entries = 0;
for my $page (glob "docs/spec/*.md") {
    my ($list) = slurp($page) =~ /^## [^\n]*emulator pitfalls\n(.*?)(?=^#|\z)/ms or next;
    for my $entry (split /^(?=\d+\. )/m, $list) {
        my ($number) = $entry =~ /^(\d+)\. / or next;
        $entries++;
        my $became = $entry =~ /\{([^{}]+)\}\s*\z/ ? $1 : "nothing";
        my @unknown = $became eq "-" ? () : grep { !$settled{$_} } split /,\s+/, $became;
        next unless @unknown;
        print STDERR "check_choices: $page: pitfall $number ends with @unknown, neither a choice nor UNSWITCHED\n";
        $failed = 1;
    }
}
die "check_choices: found no list of pitfalls\n" unless $entries;

for (["docs/known-choices.md", $table, "pica/splits.def says"],
    ["corpus/questions/README.md", $asked, "the heads of the cases say"]) {
    my ($page, $text, $what) = @$_;
    my $old = slurp($page);
    (my $new = $old) =~ s/(<!-- table -->\n).*(<!-- end -->\n)/$1$text$2/s or die "check_choices: $page: no table\n";
    next if $new eq $old;
    if (@ARGV && $ARGV[0] eq "--fix") {
        open my $out, ">", $page or die "check_choices: $page: $!\n";
        print $out $new;
        next;
    }
    print STDERR "check_choices: $page is not what $what; run ci/check_choices.sh --fix\n";
    $failed = 1;
}
printf "check_choices: %d choices, %d cases of questions, %d pitfalls\n", scalar @choices, scalar @cases, $entries unless $failed;
exit $failed;
