#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scaling.sh PREFIX FILE.jsonl...: fits the cost model of docs/results/mpi.md to what pm_bench_mpi printed, and prints it as
# tables in Markdown: the figures, predicted beside measured times, and what follows for 1000 ranks. Draws, with gnuplot,
#   PREFIX-scaling.svg  efficiency as measured, and times for 10^13 elements as predicted
# The network that is assumed between machines: $LATENCY seconds a message (2e-6), $BANDWIDTH bytes a second (12.5e9).
# With $RUN=last times are of the last run alone; how traffic grows with a slice is what any run with two sizes says, as
# that depends on the sequence only. Fitted to at most $RANKS ranks (as many as have a core each); more are predicted.
. "$(dirname "$0")/plot_begin.sh"

zcat -f "$@" | LC_ALL=C awk -v prefix="$prefix" -v commands="$commands" -v latency="${LATENCY:-2e-6}" \
    -v bandwidth="${BANDWIDTH:-12.5e9}" -v last="${RUN:-}" -v fitted="${RANKS:-0}" '
    function text(field) {
        return match($0, "\"" field "\":\"[^\"]*\"") ? substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 5) : ""
    }
    function number(field) {
        return match($0, "\"" field "\":[-+.e0-9]+") ? substr($0, RSTART + length(field) + 3, RLENGTH - length(field) - 3) + 0 : 0
    }
    function log2(x) { return log(x) / log(2) }
    function fewer(a, b) { return a == "" || b < a ? b : a } # of several runs, the least disturbed
    function more(a, b) { return a > b ? a : b }

    # The middle one of values[1 ... count], or 0.
    function median(values, count,    i, j, t) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) { t = values[j]; values[j] = values[j - 1]; values[j - 1] = t }
        return count ? (values[int((count + 1) / 2)] + values[int(count / 2) + 1]) / 2 : 0
    }

    # Do its times count?
    function timed(c) { return last != "last" || run_of[c] == run }

    text("suite") == "run" {
        run++; cores = number("cores"); cpu = text("cpu"); load = number("load")
        if (last == "last") { split("", message); longest = most_ranks = 0 }
    }
    text("suite") != "mpi" { next }
    text("backend") == "message" { message[number("bytes")] = fewer(message[number("bytes")], number("seconds")); longest = more(longest, number("bytes")) }
    text("backend") == "scan" { scanned[number("ranks")] = number("seconds") }
    text("backend") == "match" {
        c = ++cases
        kind[c] = text("kind"); ranks[c] = number("ranks"); n[c] = number("n"); each[c] = n[c] / ranks[c]
        seconds[c] = number("seconds"); least[c] = number("min")
        floor_seconds[c] = number("floor_seconds"); floor_least[c] = number("floor_min")
        reduce[c] = number("reduce_seconds"); exchange[c] = number("exchange_seconds"); match_time[c] = number("match_seconds")
        received[c] = number("most_received"); messages[c] = number("sent_messages"); sent[c] = number("sent_bytes")
        if (!(kind[c] in known)) { known[kind[c]] = 1; kinds[++kind_count] = kind[c] }
        most_ranks = more(most_ranks, ranks[c])
        run_of[c] = run; at[run, kind[c], ranks[c], n[c]] = c
    }

    # Bytes that the busiest rank receives, when each has so many elements.
    function far_bytes(k, elements) { return far_scale[k] * elements ^ far_power[k] }

    # The model: seconds for slices of so many elements on so many ranks.
    function predicted(k, elements, r, alpha, beta,    bytes, time) {
        time = elements * (rho + mu[k])
        if (r < 2) return time
        bytes = far_bytes(k, elements)
        time += 2 * alpha * log2(r) + 24 * r / beta
        if (bytes > 0)
            time += (far_power[k] ? elements * rho : 0) + bytes * (gamma + 1 / beta) + alpha * (int(bytes / 65536) + 1)
        return time
    }

    END {
        if (!cases) { print "scaling.sh: no lines of pm_bench_mpi" > "/dev/stderr"; exit 1 }
        full = most_ranks < cores ? most_ranks : cores # ranks that have a core each
        if (fitted && fitted < full) full = fitted
        # So that the largest such number is used that was measured.
        for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] <= full) busy = more(busy, ranks[c])

        alpha = 1; for (b in message) if (message[b] < alpha) alpha = message[b]
        beta = longest && message[longest] > alpha ? longest / (message[longest] - alpha) : bandwidth
        if (!longest) alpha = latency

        for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] <= busy) list[++count] = reduce[c] / each[c]
        for (c = 1; c <= cases; c++) # the sizes of slices that were measured alone, too
            if (timed(c) && ranks[c] == busy && (run_of[c], kind[c], 1, each[c]) in at) weak[each[c]] = 1
        rho = median(list, count)
        for (k = 1; k <= kind_count; k++) {
            for (c = 1; c <= cases; c++)
                if (kind[c] == kinds[k] && timed(c) && ranks[c] == busy && each[c] in weak && each[c] >= large_each[k]) {
                    mu[k] = fewer(each[c] > large_each[k] ? "" : mu[k], match_time[c] / each[c])
                    large_each[k] = each[c]
                }
            # The first run with slices of two sizes says how the traffic grows. Without any, a hundredth of a slice grows with it.
            for (u = 1; u <= run; u++) {
                large = small = 0
                for (c = 1; c <= cases; c++) {
                    if (run_of[c] != u || kind[c] != kinds[k] || ranks[c] < 2) continue
                    if (!large || each[c] > each[large]) large = c
                    if (!small || each[c] < each[small]) small = c
                }
                if (large && each[large] > each[small]) break
            }
            far_power[k] = large && received[large] >= each[large] / 100
            if (large && received[large] > 0 && received[small] > 0 && each[large] > each[small]) {
                far_power[k] = log(received[large] / received[small]) / log(each[large] / each[small])
                if (far_power[k] < 0.25) far_power[k] = 0
                else if (far_power[k] < 0.75) far_power[k] = 0.5
                else far_power[k] = received[large] < each[large] / 100 ? 0.5 : 1 # so little is no part of the slice
            }
            far_scale[k] = 0
            for (c = 1; c <= cases; c++)
                if (kind[c] == kinds[k] && timed(c) && ranks[c] > 1 && ranks[c] <= busy)
                    far_scale[k] = more(far_scale[k], received[c] / each[c] ^ far_power[k])
        }
        count = 0
        for (c = 1; c <= cases; c++)
            if (timed(c) && ranks[c] > 1 && ranks[c] <= busy && received[c] > 65536)
                list[++count] = more(0, (exchange[c] - each[c] * rho) / received[c] - 1 / beta)
        gamma = median(list, count)

        printf "%s, %d cores, load %s when it began. %d ranks at most; figures are of %d.\n\n", cpu, cores, load, most_ranks, busy
        print "| figure | |\n|---|---|"
        printf "| reduce, ns an element | %.4f |\n", rho * 1e9
        printf "| opens received, ns a byte beside the network | %.3f |\n", gamma * 1e9
        printf "| message, µs | %.2f |\n| bandwidth, GB/s | %.2f |\n\n", alpha * 1e6, beta / 1e9
        print "| family | match, ns an element | bytes to the busiest rank, of n elements a rank |\n|---|---|---|"
        for (k = 1; k <= kind_count; k++)
            printf "| %s | %.3f | %s |\n", kinds[k], mu[k] * 1e9, far_power[k] == 0 ? sprintf("%d", far_scale[k]) : sprintf("%.3f n%s", far_scale[k], far_power[k] == 1 ? "" : "^.5")

        print "\n| family | ranks | elements a rank | ms, median | least | predicted | efficiency | of the store |\n|---|---|---|---|---|---|---|---|"
        for (c = 1; c <= cases; c++) {
            if (!timed(c) || !((run_of[c], kind[c], 1, each[c]) in at)) continue
            alone = at[run_of[c], kind[c], 1, each[c]]
            efficiency[c] = least[alone] / least[c]; floor_efficiency[c] = floor_least[alone] / floor_least[c]
            for (k = 1; kinds[k] != kind[c]; k++) continue
            if (ranks[c] >= busy && ranks[c] <= cores || ranks[c] > 1 && fitted)
                printf "| %s | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", kind[c], ranks[c], each[c], seconds[c] * 1e3, least[c] * 1e3, predicted(k, each[c], ranks[c], alpha, beta) * 1e3, efficiency[c], floor_efficiency[c]
        }

        printf "\nPredicted for 10^13 elements, a network of %.1f µs and %.1f GB/s, every machine as busy as this one:\n\n", latency * 1e6, bandwidth / 1e9
        print "| family | 1 rank, s | 1000 ranks, s | of it network and opens | efficiency | GB received by the busiest |\n|---|---|---|---|---|---|"
        for (k = 1; k <= kind_count; k++) {
            one = predicted(k, 1e13, 1, latency, bandwidth); many = predicted(k, 1e10, 1000, latency, bandwidth)
            printf "| %s | %.0f | %.2f | %.3f | %.3f | %.4f |\n", kinds[k], one, many, many - 1e10 * (rho + mu[k]), one / 1000 / many, far_bytes(k, 1e10) / 1e9
        }

        for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] == most_ranks && c in efficiency) plot_each = more(plot_each, each[c])
        out = "set terminal svg size 1000,420 dynamic background \"white\"\nset output \"" prefix "-scaling.svg\"\n"
        out = out "set multiplot layout 1,2\nset grid; set key bottom left\nset logscale x 2; set yrange [0:1.2]; set xlabel \"ranks\"\n"
        out = out "set ylabel \"efficiency\"; set title \"weak scaling, measured; cores: " cores "\"\n"
        plot = ""
        for (k = 1; k <= kind_count; k++) {
            points = ""
            for (c = 1; c <= cases; c++) if (kind[c] == kinds[k] && each[c] == plot_each && c in efficiency && run_of[c] == run) points = points ranks[c] " " efficiency[c] "\n"
            if (!points) continue
            out = out "$m" k " << END\n" points "END\n"
            plot = plot (plot ? ", " : "plot ") "$m" k " with linespoints lc " k " title \"" kinds[k] "\" noenhanced"
        }
        out = out "$floor << END\n"
        for (c = 1; c <= cases; c++) if (kind[c] == kinds[1] && each[c] == plot_each && c in efficiency && run_of[c] == run) out = out ranks[c] " " floor_efficiency[c] "\n"
        out = out "END\n" plot ", $floor with lines lw 2 dt 2 lc rgb \"black\" title \"the store\"\n"
        out = out "set logscale x 10; set logscale y; set yrange [*:*]; set key top right\nset ylabel \"seconds\"; set title \"10^{13} elements, predicted\"\n"
        plot = ""
        for (k = 1; k <= kind_count; k++) {
            out = out "$p" k " << END\n"
            for (r = 1; r <= 10000; r *= 10 ^ .25) out = out r " " predicted(k, 1e13 / r, r, latency, bandwidth) "\n"
            out = out "END\n"
            plot = plot (plot ? ", " : "plot ") "$p" k " with lines lc " k " title \"" kinds[k] "\" noenhanced"
        }
        printf "%s%s\nunset multiplot\n", out, plot > commands
    }'
gnuplot "$commands"
echo
echo "$prefix-scaling.svg"
