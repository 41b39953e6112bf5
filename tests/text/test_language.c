/* SPDX-License-Identifier: Apache-2.0 */
/* Languages, alphabets and the lexer: which brackets of a text count, however the text is cut into pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lexer/lexer.h"
#include "core/text/language.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define TEXT_MAX 512u

/* ---- Snippets ---- */

/* A text in which each bracket that counts has a ~ before it; the ~s are no part of the text. */
typedef struct snippet {
    const char *language, *marked;
} snippet;

static const snippet snippets[] = {
    {"text", ""},
    {"text", "a~(b~[c~{d~}e~]f~)<>"},
    {"text", "\"~(\" '~)' // ~[ /* ~] */ \\~{ # ~}"},

    {"json", "~[1, \"]\", ~{\"a\\\"]\": \"\\\\\"~}, (2), \"\\u005d\"~]"},
    {"json", "~[\"a\n]b\"~]"},
    {"json", "~[\"\", \"\\\\\\\"]\"~] // ~["},

    {"c", "f~(\"(\", '(', '\\'', '\"'~); g~('\\\\'~);"},
    {"c", "a / b~(c~) /* ( */ / ~(d~) // ( \n~)"},
    {"c", "/*/ ( */ ~( /* ** / ( **/ ~) /***/ ~[ /* // */ ~]"},
    {"c", "/* /* ( */ ~( */ ~)"},
    {"c", "// a \\\n ( \\\\\n ( \n~("},
    {"c", "// a \\\r\n ( \r\n~("},
    {"c", "// ends \\ \n~( //\n~)"},
    {"c", "\"a\\\n(\" ~( \"a\\\r\n(\" ~)"},
    {"c", "\"unterminated (\n~( 'x(\n~) \"\\\\\" ~["},
    {"c", "1'000~(1'0'0~) 0xa'b~[0b1'0~] 1.5'0~{x'('~} .5'1~("},
    {"c", "0b11110000111100001111'0~(1~) 1e+5'0~["},
    {"c", "u8'(' L'(' u'(' U'(' ~( case'(': ~) return'(';"},
    {"c", "a~['('~]"},
    {"c", "#error don't (\n~( #error ~(\n"},
    {"c", "  #\t warning isn't \\\n (it\n~("},
    {"c", "/* ( */ # error ( \"\n~["},
    {"c", "#errors ~( '('\n#define e~(x~) #error ~( '(' ~)\n"},
    {"c", "#define e~(error~) a \\\n #error ~( '(' ~) \\ \r\n#warning ~[\n"},
    {"c", "#\n#~(\n#if x~(\n"},
    {"c", "\n\n\t#error\n~( #warning\n"},
    {"c", "R\"(\" ( \")\" ~)"},
    {"c", "\"a\\\r\" ~( a \n #error (\n~) a\n#warning (\n~["},
    {"c", "0xff'ab'c~( 0xabcdefabcdefabcdef'a~["},

    {"c++", "R\"(()\" ~( R\"x()\")x)x\" ~)"},
    {"c++", "u8R\"((\" )\" ~( LR\"((\")\" ~) uR\"((\")\" ~[ UR\"((\")\" ~]"},
    {"c++", "FR\"(\" ~) R \"(\" ~( xLR\"(\" ~["},
    {"c++", "R\"ab()a\" )ab )abb\" ))ab\" ~( R\"\"()\")\"\" ~)"},
    {"c++", "R\"0123456789abcdef( \" ( )0123456789abcdef\" ~("},
    {"c++", "R\"0123456789abcdefg(\" ~( R\"a b(\" ~) R\"a)(\" ~["},
    {"c++", "1'0~(R\"((//)\" ~) // R\"(\n~["},
    {"c++", "R\"(\\)\" ~( R\"(a\n//(\n)\" ~) a = b ? R\"((\n)\" : \")\";"},

    {"java", "~(\"\"\"\n ( \" \"\" \\\"\"\" ( \"\"\" ~) \"\" ~[ \"(\" ~] '(' ~{ '\"' ~}"},
    {"java", "\"\"\"\"a\" ( \"\"\"~( \"(\\\"\" ~)"},
    {"java", "\"( \\\n~( /* \"\"\" ( */ ~) // \"\"\" (\n~["},

    {"javascript", "#!/bin/node (\n~( #! ~)"},
    {"javascript", "~(a / b~(c / d~)~) + /[/(]\\/(/g.test~(x~) /* ( */ / ~(y~) / 2"},
    {"javascript", "return /(/; typeof /(/; x.return /~( 1/ ~) 2; returns / ~( 1 / ~)"},
    {"javascript", "~(then / ~(a / b~)~) * ~(not / ~(c / d~)~)"}, /* words of Ruby */
    {"javascript", "return /* ( */ /(/ // (\n; return\n/(/"},
    {"javascript", "a++ / ~(b / c~); d-- / ~(2 / e~); f + /(/; g - /(/; 1. / ~(2 / 3~); ~[.../(/.x~]"},
    {"javascript", "\"a\" / ~(1 / 2~); `b` / ~(1 / 2~); /r/ / ~(1 / 2~); ~]"},
    {"javascript", "x = /=(/; x /= ~(1~) / 2; ~(/(/~) ~{/(/~}"},
    {"javascript", "a = /unterminated (\n~( \"s (\n~) 's\\\n(' ~["},
    {"javascript", "`a ( $~{b~(c~)~} ( $ ( $$~{1~} ( \\` ( \\${ ( ` ~("},
    {"javascript", "`$~{`$~{`($~{~(1~)~}(`~}(`~}(` ~("},
    {"javascript", "`$~{~{a: ~{b: '}'~}~}~}(` ~( `$~{/}/~}(` ~) `$~{\"}\" /* } */~}(` ~["},
    {"javascript", "<a>(1)</a>~(2~) / ~(3~); ~(<p>Don't (do</p>~); x = <a/> / ~(1~) + /(/"},
    {"javascript", "return <A b=\"(>\" c='\\' d=~{e~(\"(\", <f>(~{g~}</f>~)~}>// ( ~{/* ' ( */~} <b/>(</A>; ~("},
    {"javascript", "x = y &&\n  <>(<a.b-c\n // ( '>\n /* > ' */ ~{...p~} / >(</></>; ~(`$~{<i>`(</i>~}`~)"},
    {"javascript", "~(a < b~(c~) && d <e~(f~); x = <p>~{y ? <q>(~}</q> : '('~}~}(</p>~) i++ <n~(~) <!-- ~("},
    {"javascript", "x.return <a~(b~); a</a~(c~); ~[<é>(</é>, < a~(d~)~]"},
    {"javascript", "x => <a>1 < 2 (<b></b ></a>~(~) ~{<></>~} ~[<a b/>~]"},
    {"tsx", "f = <T,>~(x: T~) => 1; g = <T extends ~{a: 1~}>~(x~) => 2; h = <const T>~(~); <T\n= ~[1~]>~(~)"},
    {"tsx", "type F = <T>~(x~) => <TK>~(y~); z = <T>a(</T>; <Te>(</Te>; w = <A<~{b: ~(x~) => 1~}, (c) => d> e>(</A>"},
    {"tsx", "~(<T b>(</T>, <A extend='('>(</A>, <A /* ( */>(</A>, <A\nextends='('>(</A>~)"},
    {"typescript", "x = <T>~(y~); z = <any>~[1~]; ~{ <T>~(x: T~): U ~}"},
    {"javascript", "instanceof /(/; xinstanceof / ~(1~) / 2; class extends /(/"},
    {"javascript", "`$a{ ( $ { ( ` ~("},

    {"go", "~(\"\\\"(\" + `\\` + '(' + '\\'' ~) `(\n\"` ~[ /* ( */ ~] // (\n~{"},
    {"go", "\"(\n~( '(\n~)"},

    {"rust", "f::<'a>~('(', '\\'', b'(', '\"', 'b'~) 'static ~[ 'a: ~{ ~} ~]"},
    {"rust", "\"(\n\\\"(\" ~( b\"(\" ~) c\"(\" ~["},
    {"rust", "r\"(\\\" ~( r#\"(\"\"(\"# ~) br##\"(\"#(\"## ~[ cr#\"(\"# ~] r\"\" ~{"},
    {"rust", "r#fn~(~) xr\"(\\\"\" ~[ xr#\"(\\\"#\" ~] #~[a~] #!~[b~] r####\"(\"###(\"\"####~{"},
    {"rust", "/* ( /* ( */ ( */ ~( /*/ ( */ ~) /* /*/ */ ( */ ~( /* ( */*/ ~[ /**/ ~) // (\n~]"},
    {"rust", "'\xc3\xa9' ~( '\xe2\x82\xac' ~) '\\u{28}' ~[ '1' ~] ',' ~{ ' ' ~}"},
    {"rust", "&'a ~(T~) 'x'~(~) x<'_>~(~)"},

    {"python", "f~(\"(\", '(', \"\"\"(\n\"\" \\\"\"\" ( \"\"\", '''('' \\''' ('''~) # (\n~["},
    {"python", "\"\" ~( '' ~) \"\"\"\"(\"\"\" ~[ ''''(''' ~] \"('''\" ~{"},
    {"python", "'(\n~( \"a\\\n(\" ~) r'\\'(' ~[ rb\"\\\"(\" ~] '' '(' ~{"},
    {"python", "\"\"\"a\"\"\"\"(\" ~( ''\n~) 'a\\\\' ~["},
    {"python", "'''a''\\''( ''' ~("},

    {"lisp", "~(a \"(\n\\\"(\" |(\\|(| #\\( #\\) #\\; ~) ; (\n~["},
    {"lisp", "#| ( #| ( |# ( |# ~( #||# ~) #|#|# |# |# ~[ #| | ( |# ~]"},
    {"lisp", "#;~(a~) ~(b ; (\n~) foo\\(bar ~( #\\space ~) #\\\" ~[ ##|(|# ~]"},
    {"lisp", "#!/usr/bin/sbcl (\n~( #! ~) #|(|#|(| ~["},

    {"clojure", "~(str \\( \"(\" #\"\\(\" \\\" ~) ; (\n~{ #! (\n ~} #~(~)"},

    {"emacs-lisp", "~(list ?( ?\\) ?\\C-( ?\\M-\\( ?\\C-\\M-( ?\\^( ?\\s ?C-~( ?\\; ?\" ~) ; (\n~["},
    {"emacs-lisp", "foo?~( a-?~) '?( ~(?(~) ?\\\\ ~( \\( ~)"},

    /* Here ~~ stands for a ~ of the text. */
    {"csharp", "~(@\"c:\\(\" + $\"(~~{f~(\"}\"~)~~}{{(\" + $@\"(\\~~{1~~}\"\"(\" ~) \"\\\"(\" '(' // ("},
    {"csharp", "$@$\"\\\"~(\"(\" ~)"},
    {"csharp", "#region don't (\n~( \"\"\" ( \" \"\"\" ~)"},
    {"kotlin", "~(\"$~{f~(\")\"~)~}(\" + \"\"\"(\\$~{'}'~}(\"\"\" ~) '(' `(` /* /* ( */ ( */ // ("},
    {"swift", "~(##\"(\"#(\\\"##, #\"(\"#~)"},
    {"swift", "~(\"(\\~(f~(\")\"~)~)(\" + \"\"\"(\\~(1~)\" (\"\"\" ~) #\"\\(\"# /* /* ( */ */"},
    {"scala", "~('(', \"(${\", s\"($~{\")\"~}(\", \"\"\"(\\\"\"\", 'a ~) ~['sym~] x' ~( ~)"},
    {"dart", "~('($~{\")\"~}(' + r'(\\' + \"\"\"(\"(\"\"\" ~) r'''('(''' // ("},
    {"d", "~(r\"(\\\" \"(\\\"\n(\" `(\\` /+ ( /+ ( +/ ( +/ ~) 'a' '(' /* ( */"},
    {"zig", "~( \\\\ ( \" \n~) \"(\" '(' // ("},
    {"php", "(<?php f~(\"(\", '(\\'', \"a{$b~['}'~]}(\" ~) # ( ?> ( <?php ~[ // ( \n~] #~[a~] /* ( */ ?> ("},
    {"php", "<?php $a = <<<EOT\n ( EOTx\n  EOT . ~(1~); f~(<<<'A'\n(\nA~) <? ?> ("},
    {"ruby", "f~(<<__E__~)\n(\n\"'(\n__E__\na <<~(_b~) ; a <<b\n~(~)"},
    {"ruby", "f~(\"(#~{\")\"~}(\", '(\\'', %w(a (b) c), %q{(}, /[(]\\/(/, ?(, x / ~(1~) / 2~) # ("},
    {"ruby", "a = $/ / ~(2~) / 3\n$\"__END__ ~[~] # ("},
    {"ruby", "f~(\"#~{x--#(\n%x~(1~)~}(\"~)"},
    {"ruby", "puts /(/; a = b / ~(2~); %(a) ; x%~(2~)"},
    {"ruby", "f~(<<~~A, <<-\"B C\", 1~)\n(\n  A\n(\n B C\n~[~]\n=begin\n(\n=end\n~(~) __END__\n~(~)\n__END__\n("},
    {"ruby", "class A << self; @a << \"(\" <<~(1~) ; a<<~[1~]\n~(~)"},
    {"ruby", "f~(/(#~{g~(/[)]/~)~}(/, /[#~{\"]\"~}(]#~{1~}]/~) # ("},
    {"ruby", "log.warn %(it's [) ; n % ~(2~) ; n.m % ~(2~) ; n%~(2~) ; a.b\n%(]) ; A.b\n/(/"},
    {"shell", "a=$~(~(1 << b~)~) ; ~(~(c = ~(d~) << e~)~)\n~( cat << f\n(\nf\n~)"},
    {"shell", "f ~(~) ~{ case $x in a) echo \"($~(g \"(\" ')'~)\" ;; ~(b | c~) ;; *) $~(case y in z) ;; esac~) ;; esac "
              "~}\n~(~)"},
    {"shell", "echo a#~(b~) $# ~{~} \\( '(\\' $'(\\'' # (\ncat <<EOF <<-'X Y' ~(1~)\n(\nEOF\n(\n\tX Y\n~[ ~]"},
    {"shell", "a<<<$'(\\'(' <<<#~(~) <<<<<E\n(\nE\n~(~(1<<<2<<b~)~)\n~(~)"},
    {"shell", "case a in ~(b~) x ;; ~(c|d~) ~(y~) ;; @~(e|f~)) ;& *]) ~[ ~] ;; esac ~)"},
    {"shell", "then \t\rcase a in b) ~(~) ;; c) esac ~)"},
    {"shell", "case a in b) c;;&\n d|e) ~(f~) ;;& g) ;;&\nesac ~)"},
    {"shell", "case a in b) for ~(~(;;~)~) do :; done ;; c) ~( d ;; e) ;; esac"},
    {"shell", "case a in b) c~) ;; d x ;; e~) ;; f) esac ~)"},
    {"shell", "echo case ~(1~); cat <<< \"(\" ; echo \"$~{x:-$~(f~)~}(\""},
    {"shell", "~(\"$~{a#(~} $~{b%%)*~} $~{c//~[()~]/$~(d \"$~{e#)~}\" ~(f~)~)~} $~(g~) $~{h:($~(~(1~)~)):2~}\"~)"},
    {"shell", "\"$~{a:-$~(case x in b) ~(c~) ;; ~(d~) e ;; esac~))~}\" ~( case \"$~{f#$~(g~)~}\" in h) esac ~)"},
    {"perl", "f~(~($a++ / $b~) * $c-- / ~(2~), $d + /(/~); ~($e~)<<$F; ~($g~) ~{ ~}"},
    {"perl", "sub f~( $ ; $~) ~{ $) ~} ;\n$) = 1; sub g~($$;$~); ~( $~) ~[\n$), $)~]"},
    {"perl", "$a = s <(a>\n# (\n <)(> ; $b = m <(>; $y < 1; $y-~(1 < 2~)"},
    {"perl", "sub  s ~{ ~(1~) ~} package \t y; s {(}{)}"},
    {"perl", "f~(q(a (b) \\)), qq{(}, qw[( ( ], m!(!, qr/(\\/[)]/x, \"(\\\"\", '(', `(`~) # ("},
    {"perl", "$x =~~ s{(}{)}g; s/(/)/e; tr [(] # )\n (x); y,(,),; $s~{s~} = $y / ~(1~) / 2;"},
    {"perl", "$h~{q~} + $h~{m~}~{y~}; ->s~(1~); sub y ~{ ~} -s ~($f~); m/x/s, ~(1~); &m~(1~) && m/(/"},
    {"perl", "$#~{a~} $#a $] $( $' ~( $\" $` $/ ~) sub~($$;$~) ~{ ~} $$a~[0~] ~($x, $)~)"},
    {"perl", "split /(/, $a / ~(2~) / $b; $a // ~(1~); ~{~}\n/(/; x =~~ /(/"},
    {"perl", "print <<A, <<\"  B\", << 'C C' . ~(1~);\n(\nA\n(\n  B\n(\nC C\n~(1 << x~) 1 <<~~D;\n (\n  D\n~)"},
    {"perl", "~(\n=head1 (\n\n(\n=cut\n~)\n = head~(~)\n__PACKAGE__\n__END__\n("},
    {"ruby", "x = ~[\n  __ENCODING__, ~(1~)\n~]\n  __END__\n("},
    {"perl", "m-(-; s-(-)-; $h~{m~}-~(1~); @a = <$d/*/(x>; f~(<$h>, </(>~); $a <$b~(~); ~(<$c (\n~); $i=1<~(2~)"},
    {"perl", "~($a_name_of_16_byt<<E, a_function_of_16_bytes<<E, a_function_of<<E~)\n(\nE\n~(~)"},
    {"perl", "$ret=$?/256; f~(1~) / $. / 2; /(/;"},
    {"perl", "print<<A; f OUT<<'B';\n(\nA\n(\nB\n$x<<A; 1<<A; M<<A; a<<b; ~(\nA\n~)"},
    {"perl", "print OUT<<A;\n(\nA\n~(~)"},
    {"perl", "say  \r OUT<<A;\n(\nA\n~(~)"},
    {"perl", "s;(;[;g; s+(+)+; m;\\(;; ~(1~) + ~(2~); $s~{a~};~{~}"},
    {"perl", "m<(>x ~(~) s<(> <)>"},
    {"perl", "and /(/ cmp /(/ die /(/ elsif /(/ eq /(/ ge /(/ grep /(/ gt /(/ if /(/ join /(/ le /(/ lt /(/ map /(/ "
             "ne /(/ not /(/ or /(/ print /(/ push /(/ return /(/ split /(/ unless /(/ unshift /(/ until /(/ when /(/ "
             "while /(/ x /(/ xor /(/ ~(~)"},
    {"yaml", "a: ~[b, ~{c: \"]\", 'd]': e f~}, 'it''s ]'~] # ]\nb: c]d {e} \"[\n- ~[~]\n- -[\n"},
    {"yaml", "a: |\n  [\n\n  ]{\nb: ~{~}\n- c: >-\n    [\n  d: ~[~]\n- |2\n   [\n- ~{~}\n"},
    {"yaml", "a: b\n  [c]\n  # [\nd: ~[1,\n  2~]3\n~], # [\n e#[: f]\n"},
    {"yaml", "--- ~{a: b~}\n--- |\n [\n...\n? ~[a~]\n: !x ~[b~]\nc: &d ~{~}\ne: *d\n"},
    {"yaml", "a: \"\\\"[\n ] \\\\\" \nb: ']\n['\nc: ~]\n- - ~{\"a\":~{\"b\":~[~]~}~}\n~} "},
    {"yaml", "a\n---\n~[~]\nb\n...\n~{~}\n--- c\n--- ~[~]\n---\nd\n---e\n[\n--- -\n"},
    {"yaml", "a-- [\nb.. {\n---\n~[~]\n"},
    {"yaml", "a: \"b\"~]\nc: ~[1~]~]\nd: 'e' ~} ~} f]\ng: \"h\" [ ] \n'i': j]\n"},
    {"c", "#error(x\n~(#error~)\n~)"},
    {"assembly", "@ (\n@@ (\n  ldr r0, ~[r1~]! @\t(\n  nop ! (\n| (\n  or ~(! b \\\n  | c~)\n  T~(fsw f0, ~(a1~); lw "
                 "a0~)\n  mov a, b ; ("},
    {"assembly", "# if ~(\n #comment)\n#(\n#define x~(y~) # ( \n x # (\n mov~(#1~), ~[#~(1~)~] ; ("},
    {"assembly", "a: b~(c~) @ (\n/* ( */ \"(\" '(' '\\'' 'a // (\n#error (\n ! (\n~{ 'a ~}"},
    {"lua", "f~(~[\"(\"~] .. ~[[ ( ]~]~) --[==[ ( ]] \n ]==] ~( --[ (\n~) -- (\n~[=[ ( ]] ]=~]~[1~]"},
    {"cmake", "f~(\"(\\\"\" ~[[ ( ]~] ~[=[ ]] ( ]=~] \\( # (\n~) #[[ ( \n ]] ~(#[=[ ( ]=]~)"},
    {"julia", "f~(\"($~(g~(\")\"~)~)(\" raw\"$(\" '(' a' ~[b'~]~) #= ( #= ( =# ( =# `($~(x~)(` # ("},
    {"r", "f~(\"(\" '(' `(` r\"(()\" R\"--()\")--\" %(% ~) # ("},
    {"haskell", "f ~(x' '(' \"(\\\"\" foldl' '\\'' 'a'~) ~{- ( {- ( -} ( -~} ~{~} -- (\n~[~]"},
    {"haskell", "~(a ': b~) ~(':', ':'~) ~(~{a':b~}~) '[] '[' ~(\"a\\\n \t\\\"~) ~[\"\\ \n \\(\"~]"},
    {"haskell", "~[a --> b, ~(|--~) ~(<--~) ~(-->~)~] --x ("},
    {"ocaml", "f ~(x' '(' 'a \"(\\\"\" '\"'~) ~(* ( (* ( *) *~) ~{| ( |~} ~(~(~)~)"},
    {"coq", "Lemma f' : ~(a' ~(*~) b~) ~(* ( (* *) *~) \"\\\" ~{| \"(\"\"(\" ~["},
    {"forth", ": a ( ( ) \\ (\n (b) .\" ( \" [ ( \\ \n ) ]"},
    {"fsharp", "let ``a ( b`` ~(~) = ``c ( \n~("},
    {"fsharp", "f ~(x '(' 'a \"(\\\"\" @\"(\\\" $\"(~~{1~~}(\" \"\"\"(\"(\"\"\" ~) // (\n~(*~) ~(* ( (* *) *~)"},
    {"nix", "~{ a = \"($~{b~}(\"; c = ''( ''' ($~{d~}( ''$ ('' ; ~} # (\n/* ( */"},
    {"elixir", "f~(\"(#~{\")\"~}(\", '(', ?(, ~~w(a (b c), ~~s{(}, ~~r/(\\//, x?~(1~)~) # ("},
    {"elixir", "f~(~~S|\"a #{(|, ~~r(\\((b), ~~s|#~{~[|~]~}(|~)"},
    {"lua", "f~(\"(\\z \n\n ( \" .. '\\z(\n~)"},
    {"ruby", "a <<\"\"\n(\n\n~(~)\nclass <<File\n~(~)\nb <<File\n(\nFile\n~(~)"},
    {"ruby", "a if / b(#~{c~}/ =~~ d; e / ~(f~) / g; h.when / 2 /~(i~)"},
    {"elixir", "~(\"\"\"\n ( \" #~{~(~)~} (\n\"\"\" ~)"},
    {"erlang", "f~(\"(\", '(', $(, $\\(, $\\^(, $\\^]~) % ("},
    {"css", "@import url~(//a/b~); a ~{ b: c~( // (\n~) url~(//d\\)//~) ~} .e\\(f\\{ ~{~}"},
    {"css", "a~[b=\"(\"~] ~{ x: '('; /* ( */ y: url~(z~) ~} // (\n~{~}"},
    {"toml", "~[~[a~]~]\nb = ~[\"(\", '(\\', \"\"\"(\"(\"\"\", '''('('''~] # ("},
    {"jsonc", "~{ // (\n\"a\": ~[1, \"(\"~] /* ( */ ~}"},
    {"protobuf", "a ~{ b = \"(\"; // (\n~} /* ( */"},
    {"glsl", "a~(b~) // (\n#error ( '\n~[1~] /* ( */"},
    {"m4", "define~(`a'~) dnl (\nC (\nC\t(\n ldr ~[r0~], xC~(~) # ( /* (\n/* ( */"},
    {"wgsl", "a~(b~) /* ( /* ( */ ( */"},
    {"verilog", "a~(4'b0~) // (\n\"(\" /* ( */ ~{~}"},
    {"vhdl", "a~('(', x'event, \"(\"~) -- (\n~( /* ( */ ~)"},
    {"ada", "a~('(', Integer'~(1~), x'First, \"(\"~) -- ("},
    {"fortran", "a~('(', \"(\", 'it''s ('~) ! ("},
    {"fortran", "a~(\"(&\n & (\" // '& (' // '(&'~) ! ( &\n#error (\n~[ \"\\\" ~] '&&\n)'"},
    {"fortran", "'(&\n\n ! it's (\n\t& ('~(\"(&\r\n!\"\r\n!\n\"~[\"&\n\"~]\"&!\"~)"},
    {"fortran", "a~('( & \t\n (' , '( & ('~)\n#if !(a) && ! (b)\n #define a( [\n~(\n#else ' (\n#endif\n~)"},
    {"typescript", "f<T>~(a: T~[~]~) /* ( */ => `$~{a~}(` // ("},
    {"emacs-lisp", "~(?{ } { ~[~]~)"},
};

/* Removes the ~s; expected[i]: there was one before byte i. */
static size_t snippet_read(const char *marked, char *text, bool *expected) {
    size_t n = 0;
    memset(expected, 0, TEXT_MAX * sizeof *expected);
    for (; *marked; marked++) {
        if (*marked == '~' && marked[1] != '~') {
            expected[n] = true;
        } else {
            assert_true(n < TEXT_MAX);
            text[n++] = *marked;
            marked += *marked == '~';
        }
    }
    return n;
}

static const pm_language *language(const char *name) {
    const pm_language *found = pm_language_by_name(name);
    assert_non_null(found);
    return found;
}

/* Scans text[from .. to) in pieces of at most `step` bytes. */
static void scan(pmi_lexer *lexer, const char *text, size_t from, size_t to, size_t step, bool *found) {
    while (from < to) {
        const size_t n = to - from < step ? to - from : step;
        uint64_t brackets = 0;
        unsigned char *piece = allocate(n, 1); /* so that a sanitizer sees reads past the piece */
        memcpy(piece, text + from, n);
        assert_ok(pmi_lexer_scan(lexer, piece, n, &brackets));
        free(piece);
        assert_true(n == 64 || brackets >> n == 0);
        for (size_t i = 0; i < n; i++)
            found[from + i] = brackets >> i & 1;
        from += n;
    }
}

static void lexer_start(pmi_lexer *lexer, const char *name) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    pmi_lexer_init(lexer, language(name), pm_language_alphabet(language(name)), &allocator);
}

static void expect_same(const snippet *of, const char *text, const bool *found, const bool *expected, size_t n,
                        size_t cut) {
    for (size_t i = 0; i < n; i++)
        if (found[i] != expected[i])
            fail_msg("%s, cut at %zu, byte %zu of: %.*s", of->language, cut, i, (int)n, text);
}

TEST(test_snippets_cut_anywhere) {
    for (size_t s = 0; s < COUNT_OF(snippets); s++) {
        char text[TEXT_MAX];
        bool expected[TEXT_MAX], found[TEXT_MAX];
        const size_t n = snippet_read(snippets[s].marked, text, expected);
        pmi_lexer lexer;
        lexer_start(&lexer, snippets[s].language);
        for (size_t cut = 0; cut <= n; cut++) {
            scan(&lexer, text, 0, cut, 64, found);
            scan(&lexer, text, cut, n, 64, found);
            expect_same(&snippets[s], text, found, expected, n, cut);
            pmi_lexer_clear(&lexer);
        }
        for (size_t step = 1; step <= 3; step++) {
            scan(&lexer, text, 0, n, step, found);
            expect_same(&snippets[s], text, found, expected, n, step);
            pmi_lexer_clear(&lexer);
        }
    }
}

/* The same snippets further on in a text, so that they straddle the ends of pieces in every way. */
TEST(test_snippets_behind_lines) {
    for (size_t s = 0; s < COUNT_OF(snippets); s++) {
        if (strncmp(snippets[s].marked, "#!", 2) == 0) /* means something else there */
            continue;
        for (size_t shift = 1; shift <= 64; shift++) {
            char marked[TEXT_MAX], text[TEXT_MAX];
            bool expected[TEXT_MAX], found[TEXT_MAX];
            memset(marked, '\n', shift);
            strcpy(marked + shift, snippets[s].marked);
            const size_t n = snippet_read(marked, text, expected);
            pmi_lexer lexer;
            lexer_start(&lexer, snippets[s].language);
            scan(&lexer, text, 0, n, 64, found);
            expect_same(&snippets[s], text, found, expected, n, shift);
            pmi_lexer_clear(&lexer);
        }
    }
}

/* Long strings and comments, whose inside fills pieces. */
TEST(test_long_regions) {
    static const struct {
        const char *language, *open, *close;
    } regions[] = {
        {"c", "/*", "*/"},    {"c", "\"", "\""},        {"c++", "R\"x(", ")x\""},     {"json", "\"", "\""},
        {"go", "`", "`"},     {"rust", "r#\"", "\"#"},  {"rust", "/*", "*/"},         {"python", "'''", "'''"},
        {"lisp", "#|", "|#"}, {"javascript", "`", "`"}, {"java", "\"\"\"", "\"\"\""}, {"javascript", "x=/", "/"},
    };
    for (size_t r = 0; r < COUNT_OF(regions); r++)
        for (size_t length = 1; length < 200; length += 7) {
            char text[TEXT_MAX], inside[TEXT_MAX];
            bool found[TEXT_MAX];
            memset(inside, '[', length);
            inside[length] = 0;
            if (strchr(regions[r].open, '/') && strlen(regions[r].open) == 3)
                memset(inside, ']', length); /* [ would begin a class */
            const size_t n = (size_t)snprintf(text, sizeof text, "[%s%s%s]", regions[r].open, inside, regions[r].close);
            pmi_lexer lexer;
            lexer_start(&lexer, regions[r].language);
            scan(&lexer, text, 0, n, 64, found);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(found[i], i == 0 || i == n - 1);
            pmi_lexer_clear(&lexer);
        }
}

/* ---- What the end of a text cuts off ---- */

#define NOWHERE UINT64_MAX

TEST(test_inside_at_the_end) {
    static const struct {
        const char *language, *text;
        uint64_t offset;
    } ends[] = {
        {"text", "\"abc", NOWHERE},
        {"json", "[\"ab", 1},
        {"json", "[\"ab\\\"", 1},
        {"json", "[\"ab\"", NOWHERE},
        {"c", "a /* b", 2},
        {"c", "a /* b *", 2},
        {"c", "a /* b */", NOWHERE},
        {"c", "a // b", NOWHERE},
        {"c", "\"ab", NOWHERE},
        {"c", "'", NOWHERE},
        {"c", "a /", NOWHERE},
        {"c", "#error '", NOWHERE},
        {"c++", " R\"", 2},
        {"c++", " R\"ab", 2},
        {"c++", " R\"ab(", 2},
        {"c++", "u8R\"ab( )ab", 3},
        {"c++", "u8R\"ab( )ab\"", NOWHERE},
        {"java", "(\"\"\" ", 1},
        {"java", "(\"\"", NOWHERE},
        {"java", "(\"\"\"\"\"\"", NOWHERE},
        {"javascript", "a`b", 1},
        {"javascript", "a`b${c", 1},
        {"javascript", "a`b${c}", 1},
        {"javascript", "a`b${c`d", 1},
        {"javascript", "a`b${c`d`", 1},
        {"javascript", "a`b${/* ", 1},
        {"javascript", "a`b${'", 1},
        {"javascript", "a`b${}`", NOWHERE},
        {"javascript", "x = /a", NOWHERE},
        {"go", "x`", 1},
        {"rust", "  \"a", 2},
        {"rust", " r##\"a\"#", 4},
        {"rust", "r##", NOWHERE},
        {"rust", "'a", NOWHERE},
        {"rust", "1 /* /* */", 2},
        {"python", "x '''a''", 2},
        {"python", "x 'a", NOWHERE},
        {"python", "# a", NOWHERE},
        {"lisp", "(#| |", 1},
        {"lisp", "(|a", 1},
        {"lisp", "(\"a", 1},
        {"lisp", "(; a", NOWHERE},
        {"clojure", "#\"a", 1},
        {"emacs-lisp", "?\\C-", NOWHERE},
        {"perl", "a =~ m{x", 6},
        {"yaml", "a: \"b\\\"", 3},
        {"yaml", "[a, 'b''", 4},
        {"yaml", "[a, 'b'", NOWHERE},
        {"yaml", "a: |\n \"", NOWHERE},
    };
    for (size_t e = 0; e < COUNT_OF(ends); e++) {
        const size_t n = strlen(ends[e].text);
        pmi_lexer lexer;
        lexer_start(&lexer, ends[e].language);
        for (size_t cut = 0; cut <= n; cut++) {
            bool found[TEXT_MAX];
            uint64_t offset = NOWHERE;
            scan(&lexer, ends[e].text, 0, cut, 64, found);
            scan(&lexer, ends[e].text, cut, n, 64, found);
            char first = 0;
            if (pmi_lexer_inside(&lexer, &offset, &first) != (ends[e].offset != NOWHERE) || offset != ends[e].offset ||
                (offset != NOWHERE && first != ends[e].text[offset]))
                fail_msg("%s: %s", ends[e].language, ends[e].text);
            pmi_lexer_clear(&lexer);
            assert_false(pmi_lexer_inside(&lexer, &offset, &first));
        }
    }
}

/* ---- pm_text_brackets ---- */

TEST(test_text_brackets_capacities) {
    enum {
        PAIRS = 70,
        COUNT = 2 * PAIRS
    };
    char text[COUNT + PAIRS];
    for (size_t i = 0; i < PAIRS; i++)
        memcpy(text + 3 * i, i % 2 ? "[x]" : "{y}", 3);
    for (size_t capacity = 0; capacity <= COUNT + 2; capacity++) {
        uint64_t parens[4], positions[COUNT + 3];
        uint8_t kinds[COUNT + 3];
        size_t count = 0;
        const size_t stored = capacity < COUNT ? capacity : COUNT, words = (stored + 63) / 64;
        memset(parens, 0xa5, sizeof parens);
        memset(positions, 0xa5, sizeof positions);
        memset(kinds, 0xa5, sizeof kinds);
        assert_ok(pm_text_brackets(NULL, language("json"), NULL, text, sizeof text, capacity, parens, positions, kinds,
                                   &count));
        assert_int_equal(count, COUNT);
        for (size_t k = 0; k < stored; k++) {
            assert_int_equal(parens[k / 64] >> k % 64 & 1, k % 2 == 0);
            assert_int_equal(positions[k], k / 2 * 3 + k % 2 * 2);
            assert_int_equal(kinds[k], k / 2 % 2 ? 0 : 1);
        }
        if (stored % 64)
            assert_int_equal(parens[words - 1] >> stored % 64, 0);
        for (size_t w = words; w < 4; w++)
            assert_true(parens[w] == UINT64_C(0xa5a5a5a5a5a5a5a5));
        assert_true(positions[stored] == UINT64_C(0xa5a5a5a5a5a5a5a5));
        assert_int_equal(kinds[stored], 0xa5);
    }
}

TEST(test_text_brackets_arguments) {
    const pm_alphabet *round = pm_language_alphabet(language("c"));
    size_t count = 7;
    uint64_t position = 0;
    assert_ok(pm_text_brackets(NULL, language("c"), NULL, NULL, 0, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    assert_ok(pm_text_brackets(NULL, NULL, round, "\"(", 2, 9, NULL, NULL, NULL, &count));
    assert_int_equal(count, 1);
    assert_ok(pm_text_brackets(NULL, language("json"), round, "\"(\"(", 4, 1, NULL, &position, NULL, &count));
    assert_int_equal(count, 1);
    assert_int_equal(position, 3);

    pm_alphabet wrong = *round;
    wrong.role['x'] = 3;
    assert_invalid(pm_text_brackets(NULL, NULL, &wrong, "x", 1, 0, NULL, NULL, NULL, &count));
    wrong.role['x'] = 4;
    assert_invalid(pm_text_brackets(NULL, NULL, &wrong, "x", 1, 0, NULL, NULL, NULL, &count));
    assert_invalid(pm_text_brackets(NULL, NULL, NULL, "(", 1, 0, NULL, NULL, NULL, &count));
    assert_invalid(pm_text_brackets(NULL, NULL, round, NULL, 1, 0, NULL, NULL, NULL, &count));
    assert_invalid(pm_text_brackets(NULL, NULL, round, "(", 1, 0, NULL, NULL, NULL, NULL));
}

/* A byte with which the language may begin a string or comment is no bracket; any other may be one. */
TEST(test_own_alphabets_in_languages) {
    pm_alphabet alphabet;
    uint64_t positions[8];
    size_t count;
    assert_ok(pm_alphabet_from_pairs("<>/*\n\"", 6, &alphabet));
    assert_ok(
        pm_text_brackets(NULL, language("c"), &alphabet, "<a> \"<\" / * //<\n", 16, 8, NULL, positions, NULL, &count));
    assert_int_equal(count, 4);
    assert_int_equal(positions[2], 10); /* the *, which begins nothing */
    assert_int_equal(positions[3], 15); /* the newline, which ends the comment from outside */
    assert_ok(pm_alphabet_from_pairs("er", 2, &alphabet));
    assert_ok(pm_text_brackets(NULL, language("c"), &alphabet, "#error er", 9, 8, NULL, positions, NULL, &count));
    assert_int_equal(count, 4); /* of the directive's name, not of its text */
    assert_ok(pm_alphabet_from_pairs("(\n", 2, &alphabet));
    assert_ok(pm_text_brackets(NULL, language("perl"), &alphabet, "<<t;\n(\nt\n", 9, 8, NULL, positions, NULL, &count));
    assert_int_equal(count, 2);
    assert_int_equal(positions[0], 4); /* the newline before the heredoc's lines */
}

/* ---- Memory ---- */

/* An allocator that fails at its (allowed + 1)-th call, and counts what lives. */
typedef struct limited_memory {
    size_t allowed, living;
} limited_memory;

static void *limited_alloc(size_t size, void *user) {
    limited_memory *memory = user;
    if (memory->allowed == 0)
        return NULL;
    memory->allowed--;
    memory->living++;
    return malloc(size);
}

static void limited_free(void *block, void *user) {
    ((limited_memory *)user)->living--;
    free(block);
}

TEST(test_templates_without_memory) {
    enum {
        DEPTH = 3000
    }; /* three chunks of the stack */
    char *text = allocate(6 * DEPTH, 1);
    for (size_t i = 0; i < DEPTH; i++) {
        memcpy(text + 3 * i, "`${", 3);
        memcpy(text + 3 * DEPTH + 2 * i, "}`", 2);
    }
    bool done = false;
    for (size_t allowed = 1; !done; allowed++) {
        limited_memory memory = {allowed, 0};
        const pm_options options = {.allocator = {limited_alloc, limited_free, &memory}};
        pm_context *context;
        size_t count = 0;
        assert_ok(pm_context_create(&options, &context));
        const pm_status status =
            pm_text_brackets(context, language("javascript"), NULL, text, 5 * DEPTH, 0, NULL, NULL, NULL, &count);
        assert_int_equal(memory.living, 1); /* the context */
        pm_context_destroy(context);
        assert_int_equal(memory.living, 0);
        done = status == PM_OK;
        assert_int_equal(status, done ? PM_OK : PM_OUT_OF_MEMORY);
        assert_true(allowed > 1 || !done);
        assert_int_equal(count, done ? 2 * DEPTH : 0);
    }
    free(text);
}

TEST(test_out_of_memory_lasts_until_clear) {
    limited_memory memory = {0, 0};
    const pm_allocator allocator = {limited_alloc, limited_free, &memory};
    const unsigned char text[] = "`${(";
    uint64_t brackets;
    pmi_lexer lexer;
    pmi_lexer_init(&lexer, language("js"), pm_language_alphabet(language("js")), &allocator);
    assert_int_equal(pmi_lexer_scan(&lexer, text, 4, &brackets), PM_OUT_OF_MEMORY);
    memory.allowed = 1;
    assert_int_equal(pmi_lexer_scan(&lexer, text, 1, &brackets), PM_OUT_OF_MEMORY);
    pmi_lexer_clear(&lexer);
    assert_ok(pmi_lexer_scan(&lexer, text, 4, &brackets));
    assert_int_equal(brackets, 0xc);
    pmi_lexer_clear(&lexer);
    assert_int_equal(memory.living, 0);
}

/* ---- Alphabets ---- */

TEST(test_alphabets) {
    char pairs[130];
    for (unsigned i = 0; i < sizeof pairs; i++)
        pairs[i] = (char)(unsigned char)(i + 100); /* high bytes too */
    pm_alphabet alphabet;
    assert_ok(pm_alphabet_from_pairs(pairs, 128, &alphabet));
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned i = byte - 100;
        const unsigned role =
            byte < 100 || byte >= 228 ? PM_ROLE_NEUTRAL : PM_ROLE(i % 2 ? PM_ROLE_CLOSE : PM_ROLE_OPEN, i / 2);
        assert_int_equal(alphabet.role[byte], role);
    }
    assert_int_equal(pm_alphabet_from_pairs(pairs, 130, &alphabet), PM_TOO_LARGE);
    assert_invalid(pm_alphabet_from_pairs("()(", 3, &alphabet));
    assert_invalid(pm_alphabet_from_pairs("()((", 4, &alphabet));
    assert_invalid(pm_alphabet_from_pairs("||", 2, &alphabet));
    assert_invalid(pm_alphabet_from_pairs(NULL, 2, &alphabet));
    assert_invalid(pm_alphabet_from_pairs("()", 2, NULL));
    assert_ok(pm_alphabet_from_pairs("\0\xff", 2, &alphabet));
    assert_int_equal(alphabet.role[0], PM_ROLE_OPEN);
    assert_int_equal(alphabet.role[255], PM_ROLE_CLOSE);
    size_t count;
    assert_ok(pm_text_brackets(NULL, NULL, &alphabet, "\0\xff\0", 3, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 3);
    assert_ok(pm_alphabet_from_pairs(NULL, 0, &alphabet));
    for (unsigned byte = 0; byte < 256; byte++)
        assert_int_equal(alphabet.role[byte], PM_ROLE_NEUTRAL);
}

/* ---- Heredocs that the text cuts off ---- */

static uint64_t unterminated_in(const char *language, const char *text) {
    pm_check *check;
    pm_check_summary found;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, NULL, NULL, &check));
    assert_ok(pm_check_text(check, text, strlen(text), &found));
    pm_check_destroy(check);
    return found.unterminated;
}

/* Has the text, pushed in chunks of every size, so many brackets, and nothing that does not end? */
static void assert_brackets_in_chunks(const char *text, size_t n, uint64_t brackets) {
    for (size_t chunk = 1; chunk <= n; chunk++) {
        pm_check *check;
        pm_check_summary found;
        assert_ok(pm_check_create(NULL, pm_language_by_name("perl"), NULL, NULL, NULL, &check));
        for (size_t i = 0; i < n; i += chunk)
            assert_ok(pm_check_push(check, text + i, n - i < chunk ? n - i : chunk));
        assert_ok(pm_check_finish(check, &found));
        pm_check_destroy(check);
        assert_int_equal(found.brackets, brackets);
        assert_int_equal(found.unterminated, 0);
    }
}

/* A NUL before the word is of the line as any other byte, and no delimiter, however the text is read. */
TEST(test_perl_nul) {
    static const char heredoc[] = "<<A\n(\0\n\0A\n)\nA\n(";
    static const char no_delimiter[] = "///m\0(\0/a/";
    assert_brackets_in_chunks(heredoc, sizeof heredoc - 1, 1);
    assert_brackets_in_chunks(no_delimiter, sizeof no_delimiter - 1, 1);
}

TEST(test_heredocs_cut) {
    assert_int_equal(unterminated_in("perl", "print<<A;\n(\n"), 1);
    assert_int_equal(unterminated_in("perl", "print<<A;\n(\nA"), 0);
    assert_int_equal(unterminated_in("perl", "print <<A, <<B;\n(\nA"), 1);
    assert_int_equal(unterminated_in("ruby", "a <<~A\n (\n B\n"), 1);
    assert_int_equal(unterminated_in("ruby", "a <<~A\n (\n A\n"), 0);
    assert_int_equal(unterminated_in("shell", "cat <<A\n (\n"), 0); /* which a shell takes */
}

/* ---- Look-up ---- */

TEST(test_content) {
    static const char *const texts[][3] = {
        {"a.cl", "(defun a ())", "lisp"},
        {"a.cl", "\n; a", "lisp"},
        {"a.cl", "#|a|#", "lisp"},
        {"a.cl", "#", "lisp"},
        {"a.cl", "", "lisp"},
        {"a.cl", "\xef\xbb\xbf\n /* a */", "c"},
        {"A.CL", "#ifdef A", "c"},
        {"a.cl", "__kernel void a()", "c"},
        {"a.lisp", "/* a */", "lisp"},
        {"a.ts", "a < b", "typescript"},
        {"a.ts", "<A>b", "typescript"},
        {"a", "/* a */", "text"},
        {"a.v", "// a\nmodule a;", "verilog"},
        {"a.v", "(* keep *) module a;", "verilog"},
        {"a.v", "`define A", "verilog"},
        {"a.v", "", "verilog"},
        {"a.v", "(** A (* nested *) *)\n\nRequire Import", "coq"},
        {"a.v", "From Coq Require", "coq"},
        {"a.v", "(* a comment cut", "coq"},
        {"a.fs", "module A", "fsharp"},
        {"a.fs", "(* a *)", "fsharp"},
        {"a.fs", "(**", "fsharp"},
        {"a.fs", "#if A", "fsharp"},
        {"a.fs", "\\ a", "forth"},
        {"a.fs", ": a ( -- ) ;", "forth"},
        {"a.fs", "\n( a )", "forth"},
        {"a.fs", "#version 330", "glsl"},
        {"a.asm", "dnl  Copyright", "m4"},
        {"a.asm", "dnl", "assembly"},
        {"a.asm", "; a", "assembly"},
        {"a.sql", "CREATE TABLE `a` (b int) ENGINE=InnoDB", "mysql"},
        {"a.sql", "-- a\ndelimiter ;;", "mysql"},
        {"a.sql", "DELIMITER $$", "mysql"},
        {"a.sql", "-- a\n\n# b", "mysql"},
        {"a.sql", "# b", "mysql"},
        {"a.sql", "select a # b\n#c", "sql"},
        {"a.sql", "DELIMITER", "sql"},
        {"a.sql", "DELIMITER ", "sql"},
        {"a.sql", "copy a with\nDELIMITER '|'", "sql"},
        {"a.sql", "set DELIMITER |", "sql"},
        {"a.sql", "select `a` from b", "sql"},
        {"a.sql", "ENGINE", "sql"},
        {"a.pl", ":- module(a, [])", "erlang"},
        {"a.pl", "%% a", "erlang"},
        {"a.pl", "/* a */", "erlang"},
        {"a.pl", "%a = ();", "perl"},
        {"a.pl", "%", "perl"},
        {"a.fs", "#! /usr/bin/gforth\n", "forth"},
        {"a.bb", "SUMMARY = \"a\"", "shell"},
        {"a.bb", "#\n", "shell"},
        {"a.bb", "#!/usr/bin/env bb", "clojure"},
        {"a.bb", "(ns a)", "clojure"},
        {"a.bb", "#", "clojure"},
        {"a.sc", "# a", "shell"},
        {"a.sc", "#!/usr/bin/env scala", "scala"},
        {"a.sc", "val a = 1", "scala"},
        {"a.sls", "{% set a %}", "jinja"},
        {"a.sls", "# a", "jinja"},
        {"a.sls", "{", "lisp"},
        {"a.sls", "#!r6rs", "lisp"},
        {"a.sls", "(library (a))", "lisp"},
        {"a.sh", "#!/usr/bin/env php\n", "php"},
        {"a.sh", "#!/usr/bin/perl -w\n", "perl"},
        {"a.sh", "#!@PERL_PATH@\n", "perl"},
        {"a.sh", "#!/usr/bin/python3\n", "python"},
        {"a.sh", "#!/bin/sh\nperl -e", "shell"},
        {"a.sh", "#!/bin/xperl\n", "shell"},
        {"a.sh", "#!/bin/perl", "shell"},
        {"a.sh", "#!\n", "shell"},
        {"a.sql", "", "sql"},
        {"BUILD.bazel", "a", "python"},
        {"a.gypi", "{", "python"},
        {"a.hs-boot", "a", "haskell"},
        {"a.gradle", "a", "java"},
        {"a.ron", "(", "rust"},
        {"a.idl", "a", "c"},
        {"a.mm", "a", "c++"},
    };
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        assert_string_equal(pm_language_name(pm_language_by_content(texts[t][0], texts[t][1], strlen(texts[t][1]))),
                            texts[t][2]);
    assert_string_equal(pm_language_name(pm_language_by_content("a.cl", NULL, 0)), "lisp");
    assert_string_equal(pm_language_name(pm_language_by_content(NULL, "a", 1)), "text");
    assert_ptr_equal(pm_language_by_content("de.ts", "<?xml version", 13), pm_language_by_name("xml"));
}

TEST(test_lookup) {
    static const char *const names[][2] = {
        {"cpp", "c++"}, {"js", "javascript"}, {"tsx", "tsx"},     {"jsx", "javascript"},   {"ts", "typescript"},
        {"c", "c"},     {"py", "python"},     {"scheme", "lisp"}, {"elisp", "emacs-lisp"},
    };
    static const char *const paths[][2] = {
        {"a.c", "c"},           {"dir.py/x.h", "c"},    {"A.CPP", "c++"},         {"x.tpp", "c++"},
        {"a.b.json", "json"},   {"x.map", "text"},      {"x.ipynb", "json"},      {"m.mjs", "javascript"},
        {"t.ts", "typescript"}, {"t.tsx", "tsx"},       {"p.pyi", "python"},      {"l.rkt", "lisp"},
        {"l.clj", "clojure"},   {"l.el", "emacs-lisp"}, {"g.go", "go"},           {"r.rs", "rust"},
        {"J.java", "java"},     {"README", "text"},     {"dir.c/README", "text"}, {".json", "text"},
        {"a.", "text"},         {"", "text"},           {"a.c ", "text"},         {"a.c h", "text"},
        {"x.txt", "text"},      {"a.hx", "text"},       {"/a/.b.c", "c"},
    };
    assert_true(pm_language_count() >= 12);
    assert_string_equal(pm_language_name(pm_language_at(0)), "text");
    assert_null(pm_language_at(pm_language_count()));
    for (size_t i = 0; i < pm_language_count(); i++) {
        const pm_language *at = pm_language_at(i);
        assert_ptr_equal(pm_language_by_name(pm_language_name(at)), at);
        assert_true(strlen(pm_language_description(at)) > 0);
        assert_true(pm_language_rules(at) || pmi_alphabet_valid(pm_language_alphabet(at)));
    }
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(pm_language_name(pm_language_by_name(names[i][0])), names[i][1]);
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_string_equal(pm_language_name(pm_language_by_path(paths[i][0])), paths[i][1]);
    assert_null(pm_language_by_name("cobol"));
    assert_null(pm_language_by_name(""));
    assert_null(pm_language_by_name("cp"));
    assert_null(pm_language_by_name("cpp cxx"));
    assert_null(pm_language_by_name(NULL));
    assert_string_equal(pm_language_name(pm_language_by_path(NULL)), "text");
    assert_null(pm_language_name(NULL));
    assert_null(pm_language_description(NULL));
    assert_string_equal(pm_language_endings(pm_language_by_name("go")), "go");
    assert_null(pm_language_endings(NULL));
    assert_null(pm_language_alphabet(NULL));
}
