#!/usr/bin/perl
# Every register, field and opcode of pica/*.def is used by each backend, unless pica/inert.def says which rule of docs/spec
# makes it inert, or ci/inert_fields.txt why one of them does without. Fails for one that is not used and not listed, and
# for a listed one that is used after all.
# Usage: ci/check_semantics.sh
#
# Used means that an identifier of the table line occurs in the code of the directory, comments and strings aside:
#   a field      its getter or setter; getters of a FIELD_ARRAY that cover its bits; for a field of all 32 bits: a
#                register with its layout
#   a register   its PICA_REG_, PICA_EXTREG_ or PICA_LCDREG_ enumerator, or that of another one of its row: what is
#                reached by index is named once (LIGHT0_XY for LIGHT3_XY, VSH_ENTRYPOINT for GSH_ENTRYPOINT)
#   an opcode    its PICA_OPCODE_ enumerator
# What a function of pica/*.h uses, its callers use.
use strict;
use warnings;
use File::Basename;
use File::Find;

chdir dirname($0) . "/.." or die "check_semantics: $!";
my @backends = qw(reference fast);

sub slurp {
    my ($path) = @_;
    open my $in, "<", $path or die "check_semantics: $path: $!";
    local $/;
    return <$in>;
}

sub code {
    my ($text) = @_;
    $text =~ s{/\*.*?\*/}{ }gs;
    $text =~ s{//[^\n]*}{}g;
    $text =~ s{"(?:\\.|[^"\\\n])*"}{""}g;
    return $text;
}

sub identifiers { return $_[0] =~ /\b(?:pica|PICA)_\w+/g }

# The functions of the tables' headers, and what they call: pica_opcode_of reads shader_instruction.opcode.
my %helper;
for my $header (glob "pica/*.h") {
    my $text = code(slurp($header));
    while ($text =~ /^static inline [\w ]*?\b(pica_\w+)\([^)]*\)\s*\{(.*?)^\}/gms) {
        my ($name, $body) = ($1, $2);
        $helper{$name} = [grep { /^pica_/ } identifiers($body)];
    }
}

my %used;    # backend -> identifier -> 1
for my $backend (@backends) {
    my $seen = $used{$backend} = {};
    find({ no_chdir => 1, wanted => sub {
        $seen->{$_} = 1 for /\.[ch]$/ && -f ? identifiers(code(slurp($_))) : ();
    } }, $backend);
    die "check_semantics: found no identifier in $backend\n" unless %$seen;
    for my $name (grep { $helper{$_} } keys %$seen) {
        $seen->{$_} = 1 for @{ $helper{$name} };
    }
}

# ------------------------------------------------------------------------------------------------------- the tables

# Registers of one row have the same name but for digits and the shader unit.
sub row {
    my ($name) = @_;
    return $name if $name =~ /^(?:UNUSED|UNKNOWN)_/;
    $name =~ s/^[VG]SH_//;
    $name =~ s/^FINALIZE$/IRQ_REQUEST/;
    $name =~ s/(?<=ADDR)\d$// if $name =~ /^TEXUNIT/;
    $name =~ s/\d+/#/g;
    $name =~ s/#$//;
    return $name;
}

my (@items, %row_enumerators, %layout_rows);    # items: kind, name, test
for my $table (["pica/regs.def", "register", "PICA_REG_", qr/^REG\(\w+,\s*(\w+),\s*(\w+),/m],
               ["pica/extregs.def", "extreg", "PICA_EXTREG_", qr/^EXTREG\(\w+,\s*(\w+),\s*(\w+),/m],
               ["pica/extregs.def", "lcdreg", "PICA_LCDREG_", qr/^LCDREG\(\w+,\s*(\w+),\s*(\w+),/m]) {
    my ($file, $kind, $prefix, $line) = @$table;
    my $text = slurp($file);
    while ($text =~ /$line/g) {
        my ($name, $layout) = ($1, $2);
        my $row = "$kind " . row($name);
        push @{ $row_enumerators{$row} }, "$prefix$name";
        push @{ $layout_rows{$layout} }, $row;
        push @items, [$kind, $name, sub { row_is_used($_[0], $row) }];
    }
}

sub row_is_used {
    my ($backend, $row) = @_;
    return scalar grep { $used{$backend}{$_} } @{ $row_enumerators{$row} };
}

my $fields = slurp("pica/fields.def");
my %views;    # layout -> [name, mask of the bits it shows]
while ($fields =~ /^FIELD_ARRAY\((\w+),\s*(\w+),\s*(\d+),\s*(-?\d+),\s*(\d+),\s*(\d+),/mg) {
    my ($layout, $name, $low, $stride, $width, $count) = ($1, $2, $3, $4, $5, $6);
    my $mask = 0;
    $mask |= ((1 << $width) - 1) << ($low + $stride * $_) for 0 .. $count - 1;
    push @{ $views{$layout} }, [$name, $mask];
}
while ($fields =~ /^FIELD\((\w+),\s*(\w+),\s*(\d+),\s*(\d+),/mg) {
    my ($layout, $name, $low, $width) = ($1, $2, $3, $4);
    push @items, ["field", "$layout.$name", sub { field_is_used($_[0], $layout, $name, $low, $width) }];
}

sub field_is_used {
    my ($backend, $layout, $name, $low, $width) = @_;
    my $seen = $used{$backend};
    return 1 if $seen->{"pica_${layout}_$name"} || $seen->{"pica_${layout}_set_$name"};
    return 1 if $width == 32 && grep { row_is_used($backend, $_) } @{ $layout_rows{$layout} || [] };
    my $missing = ((1 << $width) - 1) << $low;
    for my $view (@{ $views{$layout} || [] }) {
        my ($view_name, $mask) = @$view;
        $missing &= ~$mask if $seen->{"pica_${layout}_${view_name}_at"} || $seen->{"pica_${layout}_set_${view_name}_at"};
    }
    return $missing == 0;
}

my $opcodes = slurp("pica/opcodes.def");
while ($opcodes =~ /^OPCODE\(\w+,\s*(\w+),/mg) {
    my $name = $1;
    push @items, ["opcode", $name, sub { $used{ $_[0] }{"PICA_OPCODE_$name"} }];
}
my %total;
$total{ $_->[0] }++ for @items;
for my $kind (qw(register extreg lcdreg field opcode)) {
    die "check_semantics: found no $kind in pica/*.def\n" unless $total{$kind};
}

# -------------------------------------------------------------------------------------------------- the inert ones

my $rules = join "", map { slurp($_) } glob "docs/spec/*.md";
my @inert;
sub excuse {
    my ($place, $kind, $name, $backend, $rule) = @_;
    die "$place: docs/spec has no rule $rule\n" unless $rules =~ /^\s*(?:[-*] |\| ?)?(?:\*\*)?\Q$rule\E\b/m;
    my $pattern = join ".*", map { quotemeta } split /\*/, $name, -1;
    push @inert, { kind => $kind, pattern => qr/^$pattern$/, wild => scalar($name =~ /\*/), backend => $backend,
                   text => "$place: $kind $name", excused => 0 };
}

my $line = 0;
for my $text (split /\n/, slurp("pica/inert.def")) {
    $line++;
    next unless $text =~ /^INERT\(/;
    $text =~ /^INERT\((\w+),\s*"([^"]+)",\s*"([^"]+)",\s*"[^"]+"\)$/ && $total{ lc $1 }
        or die "pica/inert.def:$line: INERT(KIND, name, rule, reason)\n";
    excuse("pica/inert.def:$line", lc $1, $2, "both", $3);
}
my $table = "ci/inert_fields.txt";
$line = 0;
for my $text (split /\n/, slurp($table)) {
    $line++;
    next if $text =~ /^\s*(?:#|$)/;
    my ($kind, $name, $backend, $rule, $reason) = split " ", $text, 5;
    die "$table:$line: kind, name, backend, rule, reason\n" unless $reason && $total{$kind};
    die "$table:$line: backend is both, @backends\n" unless $backend =~ /^(?:both|reference|fast)$/;
    excuse("$table:$line", $kind, $name, $backend, $rule);
}

my $failed = 0;

sub complain { $failed = 1; print STDERR "check_semantics: $_[0]\n" }

for my $item (@items) {
    my ($kind, $name, $test) = @$item;
    for my $backend (@backends) {
        my ($entry) = grep { $_->{kind} eq $kind && $name =~ $_->{pattern} && $_->{backend} =~ /both|$backend/ } @inert;
        if ($test->($backend)) {
            complain("$entry->{text}: $backend uses it") if $entry && !$entry->{wild};
        } elsif ($entry) {
            $entry->{excused}++;
        } else {
            complain("$backend never uses $kind $name");
        }
    }
}
complain("$_->{text}: names nothing that is unused") for grep { !$_->{excused} } @inert;
printf "check_semantics: %s; %d lines of inert ones\n",
    join(", ", map { "$total{$_} ${_}s" } qw(register extreg lcdreg field opcode)), scalar @inert
    unless $failed;
exit $failed;
