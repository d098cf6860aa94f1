#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Of times that `peers opening --json` wrote, one line a table: the fastest peer, ours, two threads, ratios.

    research/peers/opening_table.py TIMES.json

Ours are the entries "WORK; threads N" in the table whose title has WORK in it (see research/shows/cpu_lines). Medians in ms.
"""

import json
import statistics
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    entries = json.load(file)
tables = {}
for entry in entries:
    work, _, threads = entry["peer"].partition("; threads ")
    name = threads or "peers"
    table = tables.setdefault(entry["table"], {"peers": []})
    if not threads:
        table["peers"].append((statistics.median(entry["ms"]), entry["peer"]))
    elif work + ", " in entry["table"]:
        table[threads] = entry["ms"][0]

print(f"{'':60} {'fastest peer':>20} {'ours':>7} {'2 thr.':>7} {'ratio':>6} {'scaling':>7}")
for title, table in tables.items():
    peer, name = min(table["peers"])
    print(f"{title:60} {name:>12} {peer:7.2f} {table['1']:7.2f} {table['2']:7.2f} {peer / table['1']:6.2f} "
          f"{table['1'] / table['2']:7.2f}")
