#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long an opening by a line takes, by its length, beside OpenCV's, in one run.

    research/peers/line_lengths.py CLI PLOT.svg [THREADS]

CLI: seedwave-cli. 2048 x 2048 u8 noise at 0, 30, 45 and 90 degrees; the two take turns, each figure is the least of all
its runs, files not counted: what else the machine does can only add to it. Where OpenCV's kernel is our line (not at 30
degrees) the results are compared first: ends with 1 where a pixel differs. Needs numpy and OpenCV's Python module.
"""

import json
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

import svg_chart

ANGLES = (0, 30, 45, 90)
LENGTHS = (3, 7, 11, 21, 41, 71, 101, 151, 251, 361, 501)
ROUNDS, RUNS = 3, 9  # of runs in a row of each
BUDGET_S = 0.5  # for OpenCV's runs in a row


def kernel(length, angle):
    """`length` pixels along the longer axis, the other one rounded; rows go down."""
    places = np.arange(length) - length // 2
    radians = np.deg2rad(angle)
    major = max(abs(np.cos(radians)), abs(np.sin(radians)))
    x = np.rint(places * np.cos(radians) / major).astype(int)
    y = np.rint(-places * np.sin(radians) / major).astype(int)
    line = np.zeros((2 * abs(y).max() + 1, 2 * abs(x).max() + 1), np.uint8)
    line[y + line.shape[0] // 2, x + line.shape[1] // 2] = 1
    return line


def ours(command, runs):
    done = subprocess.run([*command, "--repeat", str(runs), "--json", "--quiet"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)["ms_runs"]


def theirs(image, line, runs):
    times = []
    begin = time.perf_counter()
    while len(times) < runs and (len(times) < 2 or time.perf_counter() - begin < BUDGET_S):
        start = time.perf_counter()
        cv2.morphologyEx(image, cv2.MORPH_OPEN, line)
        times.append(1e3 * (time.perf_counter() - start))
    return times


def main():
    program, plot = sys.argv[1:3]
    threads = sys.argv[3] if len(sys.argv) > 3 else "1"
    cv2.setNumThreads(int(threads))
    image = np.random.default_rng(1).integers(0, 256, (2048, 2048), dtype=np.uint8)
    panels, different = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        np.save(folder + "/image.npy", image)
        print("angle length    OpenCV Seedwave  ratio  pixels that differ")
        for angle in ANGLES:
            curves = panels.setdefault(f"{angle}°", {"OpenCV": [], "Seedwave": []})
            for length in LENGTHS:
                line = kernel(length, angle)
                command = [program, "run", "linear-opening", "--image", folder + "/image.npy", "--angle", str(angle),
                           "--length", str(length), "--threads", threads, "--backend", "cpu"]
                compared = "-"
                if angle % 45 == 0:
                    ours([*command, "--out", folder + "/out.npy"], 2)
                    opened = np.load(folder + "/out.npy").reshape(image.shape)
                    compared = np.count_nonzero(opened != cv2.morphologyEx(image, cv2.MORPH_OPEN, line))
                    different += compared
                times = {"OpenCV": [], "Seedwave": []}
                for _ in range(ROUNDS):
                    times["OpenCV"] += theirs(image, line, RUNS)
                    times["Seedwave"] += ours(command, RUNS)
                peer, own = (min(times[name]) for name in curves)
                curves["OpenCV"].append((length, peer))
                curves["Seedwave"].append((length, own))
                print(f"{angle:5} {length:6} {peer:9.2f} {own:8.2f} {peer / own:6.2f}  {compared}", flush=True)
    svg_chart.write(plot, panels, svg_chart.Axis((3, 11, 41, 101, 251), 2.6, 600),
                    svg_chart.Axis((0.5, 1, 2, 5, 10, 20, 50, 100), 0.3, 160), "length of the line, pixels",
                    "ms, 2048 × 2048 u8, " + ("one thread" if threads == "1" else f"{threads} threads"), {"Seedwave": "#1f6fb2", "OpenCV": "#d9822b"})
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
