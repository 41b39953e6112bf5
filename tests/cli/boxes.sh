#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch boxes: scenes as text, in binary and as SVG, and what it says of bad ones.
. "$(dirname "$0")/expect.sh"

cat >scene.txt <<'END'
# a card of two leaves, one of which the clip cuts
blend
clip 0 0 10 10
leaf -5 2 3 4   # cut on the left

	leaf 20 20 30 30
end
leaf 1e1 0 12 1
end
end
END
table='0	blend	0 0 12 4
1	clip	0 0 10 10
2	leaf	0 2 3 4
3	leaf	-
4	end	0 0 10 10
5	leaf	10 0 12 1
6	end	0 0 12 4
7	end	-'
expect 'a scene' 0 "$table" "$program" boxes scene.txt
expect 'from a pipe' 0 "$table" on "$(cat scene.txt)" "$program" boxes -
for backend in auto seq omp; do
    expect "backend $backend" 0 "$table" "$program" boxes --backend $backend scene.txt
done
for backend in auto omp; do
    expect "threads, $backend" 0 "$table" "$program" boxes --backend $backend --threads 3 scene.txt
done
# On a software renderer, if there is one.
if PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" boxes --backend gpu scene.txt >found 2>errors; then
    expect 'backend gpu' 0 "$table" cat found
    PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" devices >listed
    if [ "$(wc -l <listed)" = 1 ]; then # so that it is the one
        expect 'the device by its index' 0 "$table" env PARENMATCH_ALLOW_CPU_DEVICE=1 \
            "$program" boxes --backend gpu --device 0 --threads 2 scene.txt
    fi
else
    expect_error 'no gpu' 'no usable device'
fi
scene='blend
clip 0 0 10 10
leaf -5 2 3 4
leaf 20 20 30 30
end
leaf 10 0 12 1
end
end'
expect 'the scene itself' 0 "$scene" "$program" boxes --scene scene.txt
"$program" boxes --binary scene.txt >scene.bin
expect 'a binary scene' 0 "$table" "$program" boxes scene.bin
expect 'its size' 0 152 sh -c 'wc -c <scene.bin | tr -d " "'
expect 'a binary scene to text' 0 "$scene" "$program" boxes --scene scene.bin
expect 'raw boxes' 0 ' 0000 0000 0000 4000 0000 4040 0000 4080' \
    sh -c '"$0" boxes --raw scene.txt | tail -c +33 | head -c 16 | od -An -v -tx2 --endian=little' "$program"
expect 'a drawing' 0 2 sh -c '"$0" boxes --svg scene.txt | grep -c "class=\"blend\"\|class=\"clip\""' "$program"
expect 'a drawing of all there is' 0 '' sh -c 'echo leaf -3e38 -3e38 3e38 3e38 | "$0" boxes --svg - | grep "inf\|nan"; :' "$program"
expect 'empty leaves are not drawn' 0 2 sh -c '"$0" boxes --svg scene.txt | grep -c "class=\"leaf\""' "$program"
expect 'numbers of all sorts' 0 '0	leaf	-1000 -inf inf 2
1	leaf	-' on 'leaf -1e3 -inf inf 2\nleaf nan 0 1 1\n' "$program" boxes -
expect 'JSON' 0 '{"index":0,"kind":"leaf","box":["-inf",0.5,"inf",2]}
{"index":1,"kind":"end","box":null}' on 'leaf -inf .5 inf 2\nend\n' "$program" boxes --json -
expect 'a byte order mark' 0 "$table" sh -c '{ printf "\357\273\277"; cat scene.txt; } | "$0" boxes -' "$program"
expect 'a byte order mark alone' 0 '' on '\357\273\277' "$program" boxes -
expect 'a byte order mark elsewhere' 2 '' on 'end\n\357\273\277end\n' "$program" boxes -
expect 'an empty text' 0 '' on '' "$program" boxes -
expect 'an empty text in binary' 0 16 sh -c '"$0" boxes --binary - </dev/null | wc -c | tr -d " "' "$program"
expect 'an empty text in binary, read' 0 '' sh -c '"$0" boxes --binary - </dev/null | "$0" boxes -' "$program"
expect 'a comment alone' 0 '' on '# nothing' "$program" boxes -
long_comment() { { printf 'blend # '; head -c 5000 /dev/zero | tr '\0' x; printf '\nend\n'; } | "$program" boxes --scene -; }
expect 'a long comment' 0 'blend
end' long_comment

# What is wrong is said, with its line.
expect 'an unknown kind' 2 '' on 'blend\nleave 1 2 3 4\n' "$program" boxes -
expect_error 'an unknown kind' 'stdin>:2: expected'
for line in 'leaf 1 2 3' 'leaf 1 2 3 4 5' 'clip' 'end 1' 'leaf a b c d' 'leafy 1 2 3 4'; do
    expect "line '$line'" 2 '' on "$line" "$program" boxes -
done
expect 'a NUL' 2 '' sh -c 'printf "end\n\0end\n" | "$0" boxes -' "$program"
head -c 151 scene.bin >short.bin
expect 'a binary scene cut off' 2 '' "$program" boxes short.bin
expect_error 'a binary scene cut off' 'length differs'
head -c 12 scene.bin >short.bin
expect 'a binary scene of its first bytes' 2 '' "$program" boxes short.bin
for kind in 4 255; do
    { printf "pmscene1\\001\\0\\0\\0\\0\\0\\0\\0\\$(printf %o $kind)\\0\\0\\0\\0\\0\\0\\0"; head -c 16 /dev/zero; } >kind.bin
    expect "a binary scene of kind $kind" 2 '' "$program" boxes kind.bin
    expect_error "a binary scene of kind $kind" "invalid kind $kind"
done
expect 'no file' 2 '' "$program" boxes none-such
expect 'no scene' 2 '' "$program" boxes
expect_error 'no scene' 'no scene given'
expect 'two scenes' 2 '' "$program" boxes scene.txt scene.txt
expect_error 'two scenes' 'more than one scene given'
expect 'two forms' 2 '' "$program" boxes --json --raw scene.txt
expect_error 'two forms' '--json and --raw exclude each other'
expect 'a backend of no boxes' 2 '' "$program" boxes --scene --backend seq scene.txt
expect_error 'a backend of no boxes' 'has no effect with --scene'
for option in '--device 0' '--threads 2'; do
    # shellcheck disable=SC2086 # an option and its value
    expect "${option% *} of no boxes" 2 '' "$program" boxes --binary $option scene.txt
    expect_error "${option% *} of no boxes" "${option% *} has no effect with --binary"
    # shellcheck disable=SC2086
    expect "seq, $option" 2 '' "$program" boxes --backend seq $option scene.txt
    expect_error "seq, $option" "${option% *} works with --backend .*, not with seq"
done
expect 'omp, a device' 2 '' "$program" boxes --backend omp --device 0 scene.txt
expect_error 'omp, a device' 'device works with --backend auto and gpu, not with omp'
expect 'several devices' 2 '' "$program" boxes --device 0,1 scene.txt
expect_error 'several devices' "not several: '0,1'"
expect 'no such device' 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" boxes --backend gpu --device 999 scene.txt
expect_error 'no such device' '^parenmatch: --device 999: no usable device'
expect 'a device that is not there, by auto' 2 '' "$program" boxes --device 7 scene.txt
expect_error 'a device that is not there' '^parenmatch: --device 7: no usable device (see'
expect 'an unknown backend' 2 '' "$program" boxes --backend gpus scene.txt
expect 'an unknown option' 2 '' "$program" boxes --none scene.txt

# SVG, in programs that read it.
if ! on '<svg/>' "$program" boxes - >/dev/null 2>&1; then
    echo 'built without expat: no SVG'
    finish
    exit
fi
# svg NAME EXPECTED CONTENT: the scene that the content of an <svg> makes, without the blend that <svg> itself is.
svg() {
    expect "svg: $1" 0 "blend
$2
end" on "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\">$3</svg>" "$program" boxes --scene -
}
svg 'rect' 'leaf 1 2 4 6' '<rect x="1" y="2" width="3" height="4"/>'
svg 'rect without width' 'leaf 0 0 0 0' '<rect x="1" y="2" height="4"/>'
svg 'no hexadecimal numbers' 'leaf 0 0 3 4' '<polygon points="3 4 0 0 0x10 9"/>'
svg 'circle' 'leaf 2 3 8 9' '<circle cx="5" cy="6" r="3"/>'
svg 'ellipse, turned' 'leaf -2 -4 2 4' '<ellipse rx="4" ry="2" transform="matrix(0 1 -1 0 0 0)"/>'
svg 'ellipse, skewed' 'leaf -5 -4 5 4' '<ellipse rx="3" ry="4" transform="matrix(1 0 1 1 0 0)"/>'
svg 'line' 'leaf 1 0 3 8' '<line x1="3" y1="0" x2="1" y2="8"/>'
svg 'polygon' 'leaf -1 0 5 7' '<polygon points="0,0 5 1,-1,7"/>'
svg 'transforms' 'blend
leaf 12 24 16 32
end' '<g transform="translate(10,20)"><rect x="1" y="2" width="2" height="4" transform="scale(2)"/></g>'
svg 'path, absolute' 'leaf -1 -2 9 8' '<path d="M0 0L9,1V8H-1Q1-2 0 0z"/>'
svg 'path, relative' 'leaf 1 1 5 4' '<path d="m1 1 2 0v3h2z"/>'
svg 'path, smooth cubic' 'leaf 0 -3 8 3' '<path d="M0 0C1 3 3 3 4 0S7 -3 8 0"/>'
svg 'path, smooth quadratic' 'leaf 0 -2 4 2' '<path d="M0 0q1 2 2 0t2 0"/>'
svg 'path, half a circle' 'leaf 10 5 20 10' '<path d="M10 10a5 5 0 0110 0z"/>'
svg 'path, the other half' 'leaf 10 10 20 15' '<path d="M10 10A5 5 0 0 0 20 10z"/>'
svg 'path, the small part of a circle' 'leaf 0 0 5 5' '<path d="M0 0A5 5 0 0 1 5 5"/>'
svg 'path, the large part of a circle' 'leaf 0 -5 10 5' '<path d="M0 0A5 5 0 1 1 5 5"/>'
svg 'path, an arc too small' 'leaf 0 -5 10 0' '<path d="M0 0a1 1 0 0 1 10 0"/>'
svg 'path, cut off' 'leaf 0 0 3 4' '<path d="M0 0L3 4L5"/>'
svg 'clip path, defined later' 'clip 0 0 2 2
leaf 1 1 5 5
end' '<rect clip-path="url(#c)" x="1" y="1" width="4" height="4"/><clipPath id="c"><rect width="2" height="2"/></clipPath>'
svg 'clip path of a group, in its style' 'clip 10 0 12 2
blend
leaf 11 1 15 5
end
end' '<defs><clipPath id="c"><rect width="2" height="2"/></clipPath></defs><g transform="translate(10)" style="fill:red; clip-path: url(#c)"><rect x="1" y="1" width="4" height="4"/></g>'
# The first of a name counts, and a name that begins as another is another.
svg 'clip paths of like names' 'clip 0 0 2 2
leaf 1 1 5 5
end
leaf 1 1 5 5' '<clipPath id="cd"><rect width="3" height="3"/></clipPath><clipPath id="c"><rect width="2" height="2"/></clipPath><clipPath id="c"><rect width="4" height="4"/></clipPath><rect clip-path="url(#c)" x="1" y="1" width="4" height="4"/><rect style="clip;cli" clip-path="url(#b)" x="1" y="1" width="4" height="4"/>'
# Time in proportion to the document: a search of all clip paths for each use would take minutes.
many_clips() {
    awk 'BEGIN { print "<svg>"; for (i = 0; i < 100000; i++) printf "<clipPath id=\"clip%d\"><rect width=\"2\" height=\"2\"/></clipPath><rect clip-path=\"url(#clip%d)\" width=\"9\" height=\"9\"/>\n", i, 99999 - i; print "</svg>" }' |
        timeout 20 "$program" boxes --scene - | sort | uniq -c | awk '{ print $1, $2 }'
}
expect 'svg: many clip paths' 0 '1 blend
100000 clip
100001 end
100000 leaf' many_clips
svg 'what is not drawn' 'leaf 0 0 1 1' '<defs><rect width="9" height="9"/></defs><g display="none"><rect width="8" height="8"/></g><text>a</text><rect style="display:none" width="9" height="9"/><rect width="1" height="1"/>'
expect 'svg: what is not read' 0 'blend
end' on '<svg><use href="#a"/><text>a</text><text>b</text></svg>' "$program" boxes --scene -
expect_error 'svg: what is not read' 'skipped <text>.*: 2$'
expect_error 'svg: what is not read' 'skipped <use>.*: 1$'
expect 'svg: units' 0 'blend
leaf 0 0 100 3
end' on '<svg width="100%%"><rect width="100%%" height="3px" rx=" 1em "/></svg>' "$program" boxes --scene -
expect_error 'svg: units' 'ignored units of lengths, such as %: 2$'
expect 'svg: units of a clip path' 0 'blend
end' on '<svg><clipPath id="c"><circle r="5%%"/></clipPath></svg>' "$program" boxes --scene -
expect_error 'svg: units of a clip path' 'ignored units of lengths, such as %: 1$'
expect 'svg: a prefix' 0 'blend
leaf 0 0 1 1
end' on '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect width="1" height="1"/></s:svg>' "$program" boxes --scene -
expect 'svg: not well-formed' 2 '' on '<svg>\n<g></svg>' "$program" boxes -
expect_error 'svg: not well-formed' 'stdin>:2: mismatched tag'

finish
