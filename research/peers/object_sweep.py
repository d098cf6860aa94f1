#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps one value of a chain for nuclei on P1, and checks its scores of objects with NumPy.

    research/peers/object_sweep.py CLI DATA

CLI: seedwave-cli. DATA: the folder with P1. The chain is a Gaussian, a threshold of the stain, filled holes, specks
removed and a split; the height h of the split varies. Prints Dice and F1 of each row. Ends with 1 unless Dice is
the same in all rows, every F1 equals its definition (object_scores.py beside this file), and the plateau lies at the
largest F1 of the definition.
"""
import argparse
import json
import os
import sys
import tempfile
from fractions import Fraction

import numpy as np
from object_scores import checked, definitions

H = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16]
CHAIN = {
    "seedwave_recipe": 1, "name": "Nuclei by a chain",
    "steps": [
        {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "channel": "hematoxylin",
         "values": {"sigma": 1.5}},
        {"id": "dark", "operation": "threshold", "inputs": {"image": "smooth.image"}, "values": {"low": 0.42}},
        {"id": "filled", "operation": "fill-holes", "inputs": {"labels": "dark.labels"}},
        {"id": "clean", "operation": "clean-labels", "inputs": {"image": "filled.labels"}, "values": {"smallest": 30}},
        {"id": "split", "operation": "split-objects", "inputs": {"image": "clean.labels"}}]}


def labels_at(cli, folder, image, h):
    """The labels of the chain with one value of h, by `apply`."""
    recipe = json.loads(json.dumps(CHAIN))
    recipe["steps"][-1]["values"] = {"h": h}
    path = os.path.join(folder, f"h{h}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(recipe, file)
    out = os.path.join(folder, f"h{h}")
    result = json.loads(checked(cli, "apply", path, image, "--out", out, "--quiet"))
    array = os.path.join(folder, f"h{h}.npy")
    checked(cli, "convert", os.path.join(out, "image", "labels.nrrd"), array, "--quiet")
    return np.load(array).squeeze(), result["digests"]["labels"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("cli")
    parser.add_argument("data")
    options = parser.parse_args()
    tile = os.path.join(options.data, "P1_nuclei_glands")
    image, reference = os.path.join(tile, "image.png"), os.path.join(tile, "nuclei_instances.png")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        chain = os.path.join(folder, "chain.json")
        with open(chain, "w", encoding="utf-8") as file:
            json.dump(CHAIN, file)
        sweep = json.loads(checked(options.cli, "sweep", chain, "--image", image, "--reference", reference, "--vary",
                                   "split.h=" + ",".join(map(str, H)), "--json", "--quiet"))
        checked(options.cli, "convert", reference, os.path.join(folder, "r.npy"), "--quiet")
        truth = np.load(os.path.join(folder, "r.npy")).squeeze()
        independent = []
        print("     h   objects     Dice       F1       PQ   F1 by NumPy")
        for row, h in zip(sweep["rows"], H):
            labels, digest = labels_at(options.cli, folder, image, h)
            f1 = definitions(labels, truth, Fraction(1, 2))["f1"]
            independent.append(f1)
            good = good and abs(row["f1"] - f1) < 1e-12 and row["digest"] == digest
            print(f"{h:6g} {row['label_count']:9d} {row['dice']:8.4f} {row['f1']:8.4f} {row['pq']:8.4f} {f1:13.4f}")
    best = sweep["best"]["run"] - 1
    good = good and len({row["dice"] for row in sweep["rows"]}) == 1 and sweep["ranked_by"] == "f1"
    good = good and independent[best] == max(independent) and best + 1 in sweep["plateau"]["runs"]
    runs = [H[run - 1] for run in sweep["plateau"]["runs"]]
    print(f"ranked by {sweep['ranked_by']}: best h {H[best]:g}, plateau h {', '.join(f'{h:g}' for h in runs)};"
          f" {'as it should be' if good else 'WRONG'}")
    sys.exit(0 if good else 1)


main()
