#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the recipe of cell nuclei on many small images, and measures what `apply` itself costs.

    research/peers/thousand_cases.py CLI DATA [--cases 1000]

CLI: seedwave-cli. DATA: the folder with P1 to P4; the images are parts of 256 x 256 pixels at random places of them,
turned at random. The runner's share is jobs x wall time of the whole call beyond the sum of the cases' own times
(reading, digests, steps, outputs, pictures), which each case reports; with one job and with two. Then a call is
killed by kill -9 several times and resumed: every case must be there once, whole, and with the same digest.
"""
import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

RECIPE = {"seedwave_recipe": 1, "name": "Cell nuclei",
          "steps": [{"id": "nuclei", "operation": "nuclei", "inputs": {"image": "case"}}]}
SOURCES = ("P1_nuclei_glands", "P2_nuclei_dense", "P3_nuclei_he", "P4_nuclei_aligned")
SIDE = 256
failures = 0


def tell(what, good, detail):
    global failures
    failures += not good
    print(f"   {'ok    ' if good else 'FAILED'}  {what}: {detail}", flush=True)


def make_images(data, folder, count):
    rng = np.random.default_rng(1)
    pictures = [np.asarray(Image.open(os.path.join(data, source, "image.png")).convert("RGB")) for source in SOURCES]
    os.makedirs(folder)
    for number in range(count):
        picture = pictures[number % len(pictures)]
        top, left = rng.integers(0, picture.shape[0] - SIDE + 1), rng.integers(0, picture.shape[1] - SIDE + 1)
        part = np.rot90(picture[top:top + SIDE, left:left + SIDE], int(rng.integers(4)))
        Image.fromarray(np.ascontiguousarray(part)).save(os.path.join(folder, f"case_{number:04d}.png"))


def timed(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return time.monotonic() - start, done


def digests(lines):
    return {line["case"]: line["digests"]["labels"] for line in map(json.loads, lines.splitlines())}


def measure(cli, recipe, images, out, jobs, table):
    seconds, done = timed([cli, "apply", recipe, images, "--out", out, "--jobs", str(jobs), "--threads", str(jobs),
                           "--table", table, "--quiet"])
    if done.returncode:
        sys.exit(done.stderr)
    cases = [json.loads(line) for line in done.stdout.splitlines()]
    work = sum(case["ms"] for case in cases) / 1e3
    share = (jobs * seconds - work) / work
    print(f"   {len(cases)} cases, {jobs} at a time: {seconds:.1f} s, work {work:.1f} s, {1e3 * work / len(cases):.1f} ms"
          f" a case; runner {100 * share:.1f} % of the work", flush=True)
    return digests(done.stdout), share


def kill_and_resume(cli, recipe, images, out):
    """Returns the digests of a call that was killed at random moments, and how often."""
    command = [cli, "apply", recipe, images, "--out", out, "--jobs", "2", "--resume", "--quiet"]
    kills = 0
    for _ in range(6):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
            time.sleep(random.uniform(0.5, 3.0))
            if job.poll() is None:
                job.send_signal(signal.SIGKILL)
                kills += 1
    _, done = timed(command)
    return digests(done.stdout), kills


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("cli")
    parser.add_argument("data")
    parser.add_argument("--cases", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        images, recipe = os.path.join(folder, "images"), os.path.join(folder, "nuclei.json")
        make_images(options.data, images, options.cases)
        with open(recipe, "w", encoding="utf-8") as file:
            json.dump(RECIPE, file)
        table = os.path.join(folder, "table.csv")
        one, share_of_one = measure(options.cli, recipe, images, os.path.join(folder, "one"), 1, table)
        two, share_of_two = measure(options.cli, recipe, images, os.path.join(folder, "two"), 2, table)
        tell("the runner costs at most 5 % of the work", max(share_of_one, share_of_two) <= 0.05,
             f"{100 * share_of_one:.1f} and {100 * share_of_two:.1f} %")
        tell("one and two at a time give the same", one == two and len(one) == options.cases,
             f"{len(set(one.values()))} digests")
        with open(table, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        tell("the table has a row for each", len({row["case"] for row in rows}) == options.cases, f"{len(rows)} rows")
        with open(os.path.join(folder, "two", "index.html"), encoding="utf-8") as file:
            page = file.read()
        tell("the page has a picture for each", page.count("picture.png") >= options.cases,
             f"{page.count('<img')} pictures, {len(page) / 1e3:.0f} kB")
        killed = os.path.join(folder, "killed")
        resumed, kills = kill_and_resume(options.cli, recipe, images, killed)
        whole = all(os.path.exists(os.path.join(killed, case, "result.json")) for case in one)
        left = [name for name in os.listdir(killed) if name not in one and name != "index.html"]
        tell(f"killed {kills} times and resumed: nothing is lost", resumed == one and whole and not left,
             f"{len(resumed)} cases, {len(left)} other files")
    sys.exit(1 if failures else 0)


main()
