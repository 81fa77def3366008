# What ci/mutants can change in a C source: finds all candidates in a text, and makes one of them.
#
# The text is read as tokens, not parsed. Blanked out before, so that nothing in there is changed: comments, strings,
# preprocessor lines, assertions, sizes of allocations, and calls that only record what happened (traces, features,
# events). Only bodies of functions and initialisers of constant tables count; enums and structs do not compute.
#
# A candidate is { at, length, text, kind, line, column, code, id, key }: replace `length` characters at offset `at` by
# `text`; swapped labels have a second such place in {also}. `key` is a hash of the line's text, the place in it and the
# replacement: it stays when lines move, and is another one for the next line of the same text in the file. `id` adds
# file, line and column, for readers.
package Mutator;
use strict;
use warnings;
no warnings qw(portable); # constants of 64 bits

our %comparison = ("<" => "<=", "<=" => "<", ">" => ">=", ">=" => ">", "==" => "!=", "!=" => "==");
our %arithmetic = (
    "+"  => "-",  "-"  => "+",  "*"  => "+",  "/"  => "*",  "%" => "/",
    "+=" => "-=", "-=" => "+=", "*=" => "+=", "/=" => "*=", "%=" => "/=", "++" => "--", "--" => "++");
our %bits = ("<<" => ">>", ">>" => "<<", "<<=" => ">>=", ">>=" => "<<=", "&" => "|", "|" => "&", "^" => "|",
    "&=" => "|=", "|=" => "&=", "^=" => "|=");
our %logic = ("&&" => "||", "||" => "&&");
# The last word of a function's name: the vocabulary of vectors (v_u16_add), and helpers named after what they do.
our %word = (
    add => "sub", sub => "add", adds => "subs", subs => "adds", mul => "add", and => "or", or => "and", xor => "or",
    andnot => "and", shl => "shr", shr => "shl", sar => "shr", min => "max", max => "min", lt => "le", le => "lt",
    gt => "ge", ge => "gt", eq => "ne", ne => "eq", smaller => "larger", larger => "smaller", least => "most",
    most => "least", low => "high", high => "low", first => "last", last => "first");

my $type = qr/(?:const|volatile|restrict|static|inline|extern|unsigned|signed|char|short|int|long|float|double|void|
    bool|struct|enum|union|_Bool|\w+_t|v_[uif]\d+|v_mask)/x;
my $keyword = qr/(?:if|else|for|while|do|switch|case|default|return|break|continue|goto|sizeof|typedef)/;

# The part from offset `from` is `(`...`)` or `{`...`}`: the offset after its end.
sub _behind {
    my ($text, $from) = @_;
    my $depth = 0;
    pos($text) = $from;
    while ($text =~ /([(){}\[\]])/g) {
        $depth += $1 =~ /[({\[]/ ? 1 : -1;
        return pos($text) if $depth == 0;
    }
    return length $text;
}

sub _blank { my ($text) = @_; $text =~ s/[^\n]/ /g; return $text }

# Comments, strings and directives as blanks; then calls that match $recording.
sub _strip {
    my ($text, $recording) = @_;
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')}{_blank($1)}ges;
    $text =~ s{^([ \t]*\#(?:[^\n]*\\\n)*[^\n]*)}{_blank($1)}gem;
    while ($text =~ /\b(?:assert|_Static_assert|static_assert|[cm]alloc|aligned_alloc|mmap|munmap|$recording)\s*(?=\()/g) {
        my ($start, $end) = ($-[0], _behind($text, $+[0]));
        substr($text, $start, $end - $start) = _blank(substr $text, $start, $end - $start);
        pos($text) = $end;
    }
    return $text;
}

# Offsets [from, behind] of bodies and of initialisers of constants at file level.
sub _regions {
    my ($text) = @_;
    my ($depth, $start, @regions) = (0);
    while ($text =~ /([{}])/g) {
        if ($1 eq "{") {
            if ($depth++ == 0) {
                my $before = substr $text, 0, $-[0];
                undef $start;
                $start = $-[0] if $before =~ /[)=]\s*$/ && $before !~ /\b(?:enum|struct|union)\s+\w*\s*$/;
            }
        } elsif ($depth > 0 && --$depth == 0) {
            push @regions, [ $start, $-[0] ] if defined $start;
        }
    }
    return @regions;
}

sub _tokens {
    my ($text, $from, $to) = @_;
    my @tokens;
    pos($text) = $from;
    my $number = qr/(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][-+]?\d+ | 0[xX][0-9a-fA-F]+ |
        \d+\.\d*(?:[eE][-+]?\d+)? | \d+)[uUlLfF]*/x;
    my $operator = qr/<<=|>>=|->|\+\+|--|<<|>>|[-+*\/%&|^<>=!]=|&&|\|\||./s;
    while ($text =~ /\G\s*([A-Za-z_]\w*|$number|$operator)/gs) {
        my ($token, $at) = ($1, $-[1]);
        last if $at >= $to;
        push @tokens, [ $token, $at ] if $token =~ /\S/;
    }
    return \@tokens;
}

# n + 1; masks lose their upper bit; floats are halved, 0 becomes 1; hexadecimal floats stay.
sub _number {
    my ($token) = @_;
    my ($digits, $suffix) = $token =~ /^(0[xX][0-9a-fA-F]+|[\d.]+(?:[eE][-+]?\d+)?)([uUlLfF]*)$/ or return;
    if ($digits =~ /\./) {
        my $half = sprintf "%.9g", $digits == 0 ? 1 : $digits / 2;
        $half .= ".0" if $half !~ /[.e]/;
        return ($half . $suffix, "float");
    }
    my $value = $digits =~ /^0x/i ? hex $digits : $digits + 0;
    my $is_mask = $digits =~ /^0x/i && $value > 1 && !($value & ($value + 1));
    return (sprintf("0x%X%s", $value >> 1, $suffix), "mask") if $is_mask;
    return (($digits =~ /^0x/i ? sprintf "0x%X", $value + 1 : $value + 1) . $suffix, "constant");
}

# Is the operator before token number i one between two operands? Else it is a sign, a dereference or a declarator.
sub _binary {
    my ($tokens, $i) = @_;
    return 0 if $i == 0;
    my $before = $tokens->[$i - 1][0];
    return 1 if $before =~ /^[\d]/ || $before eq "]";
    if ($before eq ")") { # a cast before `-`, `*`, `&`: its parenthesis ends with a type or `*`
        my $inner = $tokens->[$i - 2][0];
        return !($inner =~ /^(?:$type|\*)$/ || ($i >= 3 && $tokens->[$i - 3][0] =~ /^(?:struct|enum|union)$/));
    }
    return 0 if $before !~ /^[A-Za-z_]/ || $before =~ /^(?:$type|$keyword)$/;
    return !($i >= 2 && $tokens->[$i - 2][0] =~ /^(?:struct|enum|union)$/);
}

# Does a `[` after token i - 1 select an element? A declarator has a type or `*` before its name.
sub _subscript {
    my ($tokens, $i) = @_;
    while ($i >= 2 && $tokens->[$i - 1][0] eq "]") { # of `a[2][3]`: what the first bracket is
        my $depth = 0;
        do { $i--; $depth += ($tokens->[$i][0] eq "]") - ($tokens->[$i][0] eq "[") } while $depth && $i > 1;
    }
    my $name = $tokens->[$i - 1][0];
    return 0 if $name !~ /^[A-Za-z_]\w*$/ || $name =~ /^(?:$type|$keyword)$/;
    my $before = $i >= 2 ? $tokens->[$i - 2][0] : "";
    return 0 if $before =~ /^(?:$type)$/ || ($before =~ /^[A-Za-z_]/ && $before !~ /^$keyword$/);
    return 0 if $before eq "*" && !_binary($tokens, $i - 2);
    my ($j, $depth) = ($i - 1, 0); # `uint32_t a, b[4];`: back to the beginning of the statement
    $j-- while $j > 0 && $tokens->[$j][0] !~ /^[;{}()]$/;
    return $tokens->[$j + 1][0] !~ /^(?:$type)$/ || join(" ", map { $_->[0] } @$tokens[ $j .. $i - 1 ]) =~ /=/;
}

# An assignment as a whole statement, from token i on: its end, or nothing.
sub _assignment {
    my ($tokens, $i) = @_;
    my $previous = $i == 0 ? "{" : $tokens->[$i - 1][0];
    return if $previous !~ /^(?:[;{}):]|else)$/ || $tokens->[$i][0] !~ /^(?:[A-Za-z_]\w*|\*)$/;
    return if $tokens->[$i][0] =~ /^(?:$type|$keyword)$/;
    my $next = $i < $#$tokens ? $tokens->[$i + 1][0] : "";
    return if $next =~ /^(?:[A-Za-z_]|\*)/ && $tokens->[$i][0] ne "*"; # a declaration
    my ($assigns, $depth) = (0, 0);
    for (my $j = $i; $j < @$tokens; $j++) {
        my $token = $tokens->[$j][0];
        $depth++ if $token =~ /^[(\[{]$/;
        $depth-- if $token =~ /^[)\]}]$/;
        return if $depth < 0;
        $assigns = 1 if !$depth && $token =~ /^(?:[-+*\/%&|^]|<<|>>)?=$/ && $token !~ /^[=!<>]=$/;
        return $assigns ? $j : () if !$depth && $token eq ";";
    }
    return;
}

# FNV-1a, and a finish that lets each character reach all bits.
sub hash {
    my ($text) = @_;
    my $hash = 2166136261;
    $hash = (($hash ^ ord) * 16777619) & 0xFFFFFFFF for split //, $text;
    $hash = (($hash ^ $hash >> 16) * 0x45D9F3B) & 0xFFFFFFFF for 1, 2;
    return sprintf "%08x", $hash ^ $hash >> 16;
}

# All candidates of a text. `context`: { recording => regex of calls, enumerators => { A => B, next of the same enum },
# names => { every identifier of the backend => 1 } }.
sub candidates {
    my ($file, $text, $context) = @_;
    my $code = _strip($text, $context->{recording});
    my @found;
    my @starts = (0);
    push @starts, $+[0] while $text =~ /\n/g;
    my ($number, %lines_of) = (0); # text -> the numbers of the lines that read so
    push @{ $lines_of{ s/^\s+|\s+$//gr } }, $number++ for split /\n/, $text;

    my $line_of = sub { # binary search
        my ($at) = @_;
        my ($low, $high) = (0, $#starts);
        while ($low < $high) {
            my $middle = int(($low + $high + 1) / 2);
            if ($starts[$middle] <= $at) { $low = $middle } else { $high = $middle - 1 }
        }
        return $low;
    };
    my $add = sub {
        my ($at, $length, $new, $kind, $also) = @_;
        my $line = $line_of->($at);
        my ($whole) = substr($text, $starts[$line]) =~ /^([^\n]*)/;
        my ($indent) = $whole =~ /^(\s*)/;
        my $column = $at - $starts[$line];
        my $old = substr $text, $at, $length;
        $old =~ s/\s+/ /g;
        my $from_text = $column - length $indent;
        (my $trimmed = $whole) =~ s/^\s+|\s+$//g;
        my $before = grep { $_ < $line } @{ $lines_of{$trimmed} }; # lines of the same text
        my $key = hash("$trimmed\0$from_text\0$old\0$new" . ($also ? "\0$also->{text}" : "") . ("\0again" x $before));
        push @found, { file => $file, at => $at, length => $length, text => $new, kind => $kind, also => $also,
            line => $line + 1, column => $column + 1, old => $old, code => $trimmed, key => $key,
            id => sprintf("%s:%d:%d:%s~%s", $file, $line + 1, $column + 1, $kind, $key) };
    };

    for my $region (_regions($code)) {
        my $tokens = _tokens($code, @$region);
        my @labels; # [ offset, name ] of case labels, for pairs
        for my $i (0 .. $#$tokens) {
            my ($token, $at) = @{ $tokens->[$i] };
            my $next = $i < $#$tokens ? $tokens->[$i + 1][0] : "";
            my $previous = $i > 0 ? $tokens->[$i - 1][0] : "";
            if (my $end = _assignment($tokens, $i)) {
                $add->($at, $tokens->[$end][1] - $at, "", "dropped");
            }
            if ($comparison{$token}) {
                $add->($at, length $token, $comparison{$token}, "comparison");
            } elsif ($arithmetic{$token}) {
                my $whole = $token =~ /[+-]{2}|=/;
                $add->($at, length $token, $arithmetic{$token}, "arithmetic") if $whole || _binary($tokens, $i);
                $add->($at, 1, "", "sign") if $token eq "-" && !_binary($tokens, $i);
            } elsif ($bits{$token}) {
                $add->($at, length $token, $bits{$token}, "bits") if $token ne "&" || _binary($tokens, $i);
            } elsif ($logic{$token}) {
                $add->($at, length $token, $logic{$token}, "logic");
            } elsif ($token eq "!" || $token eq "~") {
                $add->($at, 1, "", "negation");
            } elsif ($token =~ /^\d/) {
                next if $previous eq "[" && $next eq "]" && !_subscript($tokens, $i - 1); # the size of an array
                my ($new, $kind) = _number($token);
                $add->($at, length $token, $new, $kind) if defined $new;
            } elsif ($token eq "true" || $token eq "false") {
                $add->($at, length $token, $token eq "true" ? "false" : "true", "constant");
            } elsif ($token eq "[" && $next ne "]" && $i > 0 && _subscript($tokens, $i)) {
                my $end = _behind($code, $at);
                my $inner = substr $text, $at + 1, $end - $at - 2;
                # An index that is one number or enumerator is changed as such.
                $add->($at + 1, length $inner, "($inner) + 1", "index") if $inner !~ /\n|^(?:\d\w*|[A-Z][A-Z0-9_]*)$/;
            } elsif ($token =~ /^[A-Z]\w*$/ && defined $context->{enumerators}{$token}) {
                if ($previous eq "case") {
                    push @labels, [ $at, $token ];
                } else {
                    $add->($at, length $token, $context->{enumerators}{$token}, "enumerator");
                }
            } elsif ($token =~ /^(\w*?)([a-z]+)(\w?)$/ && $next eq "(" && $word{$2}) {
                my $new = $1 . $word{$2} . $3;
                $add->($at, length $token, $new, "function") if $context->{names}{$new};
            }
        }
        for my $n (1 .. $#labels) { # two labels in a row of the same enum change places
            my ($first, $second) = @labels[ $n - 1, $n ];
            next if !$context->{same}->($first->[1], $second->[1]);
            my $behind = $first->[0] + length $first->[1];
            my $between = substr $code, $behind, $second->[0] - $behind;
            next if $between =~ /^\s*:\s*case\s*$/ || $between =~ /\bswitch\b/; # both mean the same
            $add->($first->[0], length $first->[1], $second->[1], "labels",
                { at => $second->[0], length => length $second->[1], text => $first->[1] });
        }
    }
    return @found;
}

# The rules that lines cite; "SHD-20 to SHD-24" and "FBF-06..08" are all of those.
sub _rules {
    my (%seen, @rules);
    for (join("\n", @_) =~ /\b((?:[A-Z]{3}-)?[A-Z]{3}-\d+(?:(?: to |\.\.)(?:[A-Z-]+-)?\d+)?)\b/g) {
        my ($area, $first, $last) = /^([A-Z-]+)-(\d+)(?:\D+(\d+))?$/ or next;
        push @rules, map { sprintf "%s-%02d", $area, $_ } $first .. $last // $first;
    }
    return grep { !$seen{$_}++ } @rules;
}

sub _indent { return length(($_[0] =~ /^(\s*)/)[0]) }

# Which rules do the comments around line number `number` cite? Two lists, joined by commas: of the nearest citation, in
# the line itself or before it; of the whole function, or table, and the comment right above it. "": none. A comment
# behind code is about its line alone, and one that stands deeper than the line is not about it.
sub citations {
    my ($text, $number) = @_;
    my @lines = split /\n/, $text;
    my ($from, $to) = ($number - 1, $number - 1);
    $from-- while $from > 0 && $lines[$from] =~ /^(?:[\s#]|$)/; # to the brace or the name at file level
    $from-- while $from > 0 && $lines[ $from - 1 ] !~ /^(?:[}]|$)/;
    $to++ while $to < $#lines && $lines[$to] !~ /^[}]/;
    my $is_about = sub {
        my ($at) = @_;
        my $is_comment = $lines[$at] =~ m{^\s*(?:/\*|\*)};
        my $is_here = $at == $number - 1;
        my $is_around = $is_comment && _indent($lines[$at]) <= _indent($lines[ $number - 1 ]) + 1;
        return _rules($lines[$at]) && ($is_here || $is_around);
    };
    my $at = $number - 1;
    $at-- while $at > $from && !$is_about->($at);
    my ($begin, $end) = ($at, $at);
    if ($lines[$at] =~ m{^\s*(?:/\*|\*)}) { # a comment of several lines is one citation
        $begin-- while $begin > $from && $lines[$begin] !~ m{/\*};
        $end++ while $end < $#lines && $lines[$end] !~ m{\*/};
    }
    my @nearest = $is_about->($at) ? _rules(@lines[ $begin .. $end ]) : ();
    return (join(",", @nearest), join ",", _rules(@lines[ $from .. $to ]));
}

# The text with the mutation made.
sub mutated {
    my ($text, $mutant) = @_;
    my @places = sort { $b->{at} <=> $a->{at} } $mutant, $mutant->{also} || ();
    substr($text, $_->{at}, $_->{length}) = $_->{text} for @places;
    return $text;
}

1;
