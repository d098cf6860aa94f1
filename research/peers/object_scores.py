#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `compare --objects` with the definitions of its figures, written in NumPy.

    research/peers/object_scores.py CLI DATA [--pairs 200] [--seed 1]

CLI: seedwave-cli. DATA: the folder with the nuclei P1 to P4. First random pairs of maps, in 2-D and 3-D, then the
references of P1 to P4 with the objects that the command line finds: the two darkest of four phases, split at necks.
Prints the largest difference of each figure. Ends with 1 where one is above 1e-12 or a count differs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

LIMITS = ("0.5", "0.1", "0.25", "0.3", "0.4", "0.55", "0.75", "0.9")
NUCLEI = ("P1_nuclei_glands", "P2_nuclei_dense", "P3_nuclei_he", "P4_nuclei_aligned")
COUNTS = ("reference", "found", "matched", "split", "merged", "missed", "spurious")
RATIOS = ("precision", "recall", "f1", "f1_mean", "pq", "aji", "foreground_dice")
TOLERANCE = 1e-12


def most_pairs(partners):
    """The largest number of pairs, one to one; partners[i] are those that i may have."""
    taken_by = {}

    def place(item, seen):
        for partner in partners[item]:
            if partner in seen:
                continue
            seen.add(partner)
            if partner not in taken_by or place(taken_by[partner], seen):
                taken_by[partner] = item
                return True
        return False

    return sum(place(item, set()) for item in range(len(partners)))


def ratio(above, below):
    return None if below == 0 else float(Fraction(above, below))


def definitions(result, reference, limit):
    """Every figure of the JSON, from a matrix of all pairs; rows are the result's objects."""
    _, a = np.unique(np.append(0, result), return_inverse=True)
    _, b = np.unique(np.append(0, reference), return_inverse=True)
    both = np.zeros((a.max() + 1, b.max() + 1), np.int64)
    np.add.at(both, (a[1:], b[1:]), 1)
    size_a, size_b = both.sum(1)[1:], both.sum(0)[1:]
    labelled = both[1:, 1:]
    either = size_a[:, None] + size_b[None, :] - labelled
    found, wanted = labelled.shape

    def matched(above):
        may = labelled * above.denominator > above.numerator * either
        return most_pairs([np.flatnonzero(row).tolist() for row in may])

    pairs = matched(limit)
    by_iou = [2 * matched(Fraction(10 + i, 20)) for i in range(10)]
    half = 2 * labelled > either
    iou_sum = sum(Fraction(int(i), int(u)) for i, u in zip(labelled[half], either[half]))
    intersections, unions, taken = 0, 0, set()
    for column in range(wanted):
        ious = [Fraction(int(i), int(u)) for i, u in zip(labelled[:, column], either[:, column])]
        best = max(range(found), key=lambda row: (ious[row], -row), default=None)
        if best is None or ious[best] == 0:
            unions += int(size_b[column])
            continue
        intersections += int(labelled[best, column])
        unions += int(either[best, column])
        taken.add(best)
    unions += sum(int(size) for row, size in enumerate(size_a) if row not in taken)
    return {"reference": wanted, "found": found, "matched": pairs, "missed": wanted - pairs,
            "spurious": found - pairs,
            "split": int(((2 * labelled > size_a[:, None]).sum(0) >= 2).sum()),
            "merged": int(((2 * labelled > size_b[None, :]).sum(1) >= 2).sum()),
            "precision": ratio(pairs, found), "recall": ratio(pairs, wanted),
            "f1": ratio(2 * pairs, found + wanted), "f1_mean": ratio(sum(by_iou), 10 * (found + wanted)),
            "f1_by_iou": [ratio(each, found + wanted) for each in by_iou],
            "pq": ratio(2 * iou_sum, found + wanted), "aji": ratio(intersections, unions),
            # Without a reference the Dice is undefined, as that of a label.
            "foreground_dice": ratio(2 * int(labelled.sum()), int(size_a.sum() + size_b.sum())) if wanted else None}


def difference(ours, theirs):
    if ours is None or theirs is None:
        return 0.0 if ours is theirs else float("inf")
    return abs(ours - theirs)


class Differences:
    """The largest difference of each figure."""

    def __init__(self):
        self.largest = dict.fromkeys((*COUNTS, *RATIOS, "f1_by_iou"), 0.0)

    def add(self, ours, theirs):
        for name in (*COUNTS, *RATIOS):
            self.largest[name] = max(self.largest[name], difference(ours[name], theirs[name]))
        by_iou = [difference(*pair) for pair in zip(ours["f1_by_iou"], theirs["f1_by_iou"])]
        self.largest["f1_by_iou"] = max(self.largest["f1_by_iou"], *by_iou)

    def print(self, title):
        print(title)
        for name, largest in self.largest.items():
            print(f"  {name:16} largest difference {largest:.1e}")
        return max(self.largest.values()) <= TOLERANCE


def random_objects(rng, shape, rounded):
    labels = np.zeros(shape, np.uint32)
    grid = np.indices(shape)
    for _ in range(rng.integers(0, 30)):
        centre = [rng.uniform(0, side) for side in shape]
        radius = rng.uniform(0.8, 6)
        apart = [np.abs(axis - c) for axis, c in zip(grid, centre)]
        inside = sum(a * a for a in apart) <= radius ** 2 if rounded else np.max(apart, 0) <= radius
        labels[inside] = rng.integers(1, 60)
    return labels


def changed(rng, labels):
    """The same objects moved by a voxel or so, some of them cut in two, joined, removed or renumbered."""
    moved = np.roll(labels, rng.integers(-1, 2, labels.ndim), tuple(range(labels.ndim)))
    first_half = np.indices(labels.shape)[-1] < labels.shape[-1] // 2
    for label in np.unique(moved[moved != 0]):
        here = moved == label
        kind = rng.integers(0, 5)
        if kind == 0:
            moved[here & first_half] = 1000 + label
        elif kind == 1:
            moved[here] = rng.integers(1, 60)
        elif kind == 2:
            moved[here] = 0
        elif kind == 3:
            moved[here] = 4294967295 - label
    return moved


def random_pair(rng, number):
    shape = ((40, 37), (9, 14, 11), (1, 60))[number % 3]
    reference = random_objects(rng, shape, number % 2 == 0)
    return (random_objects(rng, shape, True) if number % 5 == 0 else changed(rng, reference)), reference


def checked(cli, *words):
    done = subprocess.run([cli, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def scores(cli, result, reference, limit):
    return json.loads(checked(cli, "compare", result, reference, "--objects", "--iou", limit, "--json"))["objects"]


def compare_random(cli, folder, pairs, seed):
    rng = np.random.default_rng(seed)
    differences = Differences()
    a, b = (os.path.join(folder, name) for name in ("a.npy", "b.npy"))
    for number in range(pairs):
        result, reference = random_pair(rng, number)
        np.save(a, result)
        np.save(b, reference)
        limit = LIMITS[number % len(LIMITS)]
        differences.add(scores(cli, a, b, limit), definitions(result, reference, Fraction(limit)))
    return differences.print(f"{pairs} random pairs of maps, seed {seed}")


def found_nuclei(cli, folder, image):
    """The file of the nuclei that the command line finds."""
    phases, mask, nuclei = (os.path.join(folder, name) for name in ("phases.npy", "mask.npy", "nuclei.npy"))
    checked(cli, "run", "phases", "--image", image, "--count", "4", "--out", phases, "--quiet")
    checked(cli, "run", "threshold", "--image", phases, "--low", "1", "--high", "2", "--out", mask, "--quiet")
    checked(cli, "run", "split-objects", "--image", mask, "--out", nuclei, "--quiet")
    return nuclei


def compare_nuclei(cli, folder, data):
    differences = Differences()
    reference = os.path.join(folder, "reference.npy")
    print("\nfigures of seedwave-cli, by definition where they differ")
    for name in NUCLEI:
        nuclei = found_nuclei(cli, folder, os.path.join(data, name, "image.png"))
        checked(cli, "convert", os.path.join(data, name, "nuclei_instances.png"), reference)
        for limit in ("0.5", "0.3"):
            ours = scores(cli, nuclei, reference, limit)
            theirs = definitions(np.load(nuclei), np.load(reference), Fraction(limit))
            differences.add(ours, theirs)
            print(f"{name}, IoU > {limit}")
            for figure in (*COUNTS, *RATIOS):
                other = "" if difference(ours[figure], theirs[figure]) <= TOLERANCE else f"  {theirs[figure]}"
                print(f"  {figure:16} {ours[figure]:.6g}{other}")
            print("  f1_by_iou        " + " ".join(f"{f1:.4f}" for f1 in ours["f1_by_iou"]))
    print()
    return differences.print("P1 to P4, two limits")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("data")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        equal = compare_random(options.cli, folder, options.pairs, options.seed)
        equal &= compare_nuclei(options.cli, folder, options.data)
    sys.exit(0 if equal else "a figure differs")


if __name__ == "__main__":
    main()
