#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the watershed with ITK and scikit-image, and with the definition.

    tests/oracles/watershed.py [--cases N] [--seed S] [--program build/bin/seedwave-cli]
    tests/oracles/watershed.py --write tests/data/oracles/watershed.json

On images whose values are all distinct the three must agree in every cell. On images with ties each
library may give any label that arrives over optimal predecessors, and Seedwave gives the smallest
of them: altitudes, hops and these sets are computed here anew, straight from the definition.
--write makes the data that the tests keep, with the libraries alone.

Needs numpy, scikit-image and SimpleITK.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import SimpleITK as sitk
from skimage.segmentation import watershed as skimage_watershed

DISTANCE = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}  # the largest sum of steps along the axes


def neighbours(shape, connectivity):
    """Lists, for each cell (raster order), its neighbours."""
    ndim = len(shape)
    steps = [s for s in itertools.product((-1, 0, 1), repeat=ndim)
             if 0 < sum(map(abs, s)) <= DISTANCE[connectivity]]
    lists = []
    for place in np.ndindex(*shape):
        there = [tuple(a + b for a, b in zip(place, s)) for s in steps]
        lists.append([int(np.ravel_multi_index(t, shape)) for t in there
                      if all(0 <= t[i] < shape[i] for i in range(ndim))])
    return lists


def definition(image, markers, mask, connectivity):
    """The labels that can arrive at each cell over its optimal predecessors, as sets."""
    f = image.ravel().tolist()
    marker = (markers * mask).ravel().tolist()
    inside = mask.ravel().tolist()
    around = neighbours(image.shape, connectivity)
    count = len(f)
    infinity = float("inf")
    altitude = [f[c] if marker[c] else infinity for c in range(count)]
    changed = True
    while changed:  # to the fixpoint, whatever the order
        changed = False
        for c in range(count):
            if marker[c] or not inside[c]:
                continue
            lowest = min((max(altitude[e], f[c]) for e in around[c]), default=infinity)
            if lowest < altitude[c]:
                altitude[c] = lowest
                changed = True
    hops = [infinity] * count
    for c in range(count):
        comes_in = inside[c] and f[c] == altitude[c] and any(altitude[e] < altitude[c] for e in around[c])
        if marker[c] or comes_in:
            hops[c] = 0
    changed = True
    while changed:
        changed = False
        for c in range(count):
            if marker[c] or not inside[c] or altitude[c] == infinity:
                continue
            least = min((hops[e] + 1 for e in around[c] if altitude[e] == altitude[c]), default=infinity)
            if least < hops[c]:
                hops[c] = least
                changed = True
    arriving = [{marker[c]} if marker[c] else set() for c in range(count)]
    for c in sorted(range(count), key=lambda c: (altitude[c], hops[c])):
        if marker[c] or not inside[c] or altitude[c] == infinity:
            continue
        when = lambda e: (altitude[e], hops[e])
        first = min(when(e) for e in around[c] if inside[e])
        for e in around[c]:
            if inside[e] and when(e) == first:
                arriving[c] |= arriving[e]
    return arriving


def by_skimage(image, markers, mask, connectivity):
    return skimage_watershed(image, markers=markers * mask, mask=mask.astype(bool),
                             connectivity=DISTANCE[connectivity])


def by_itk(image, markers, connectivity):
    """ITK knows neighbours across faces and all of them, and no mask."""
    result = sitk.MorphologicalWatershedFromMarkers(
        sitk.GetImageFromArray(image), sitk.GetImageFromArray(markers.astype(np.uint16)), False,
        connectivity in (8, 26))
    return sitk.GetArrayFromImage(result)


def by_seedwave(program, folder, number, image, markers, mask, connectivity):
    files = {name: os.path.join(folder, f"{number}_{name}.npy") for name in ("image", "marker", "mask", "out")}
    np.save(files["image"], image)
    np.save(files["marker"], markers.astype(np.uint16))
    np.save(files["mask"], mask.astype(np.uint8))
    subprocess.run([program, "run", "watershed", "--quiet", "--image", files["image"], "--marker",
                    files["marker"], "--mask", files["mask"], "--connectivity", str(connectivity),
                    "--out", files["out"]], check=True, capture_output=True)
    labels = np.load(files["out"]).reshape(image.shape)
    for file in files.values():
        os.remove(file)
    return labels


def random_case(seed, distinct, with_mask=True):
    random = np.random.default_rng(seed)
    connectivity = int(random.choice([4, 8, 6, 18, 26]))
    ndim = 2 if connectivity in (4, 8) else 3
    shape = tuple(int(n) for n in random.integers(2, 16 if ndim == 2 else 7, ndim))
    count = int(np.prod(shape))
    if distinct:
        image = random.permutation(count).reshape(shape).astype(np.int32)
    else:
        image = random.integers(0, int(random.integers(2, 21)), shape).astype(np.uint8)
    markers = np.zeros(shape, np.int32)
    for label in range(1, int(random.integers(2, 7)) + 1):
        size = int(random.integers(1, 4))
        markers.flat[random.integers(0, count, size)] = label
    masked = with_mask and random.random() < 0.5
    mask = (random.random(shape) > 0.2).astype(np.int32) if masked else np.ones(shape, np.int32)
    return image, markers, mask, connectivity


def compare(job):
    seed, distinct, program, folder = job
    image, markers, mask, connectivity = random_case(seed, distinct)
    found = by_seedwave(program, folder, f"{seed}_{int(distinct)}", image, markers, mask, connectivity).ravel()
    arriving = definition(image, markers, mask, connectivity)
    wrong = {"definition": any(l != min(a, default=0) for l, a in zip(found, arriving))}
    peers = {"scikit-image": by_skimage(image, markers, mask, connectivity).ravel()}
    if mask.all() and connectivity not in (18,):
        peers["ITK"] = by_itk(image, markers, connectivity).ravel()
    for name, labels in peers.items():
        wrong[name] = any(l not in (a or {0}) for l, a in zip(labels, arriving))
        if distinct:
            wrong[name] |= bool((labels != found).any())
    return distinct, wrong, int(sum(len(a) > 1 for a in arriving)), len(arriving)


def write(path):
    cases = []
    seed = 0
    while len(cases) < 40:
        seed += 1
        distinct = len(cases) % 2 == 0
        image, markers, mask, connectivity = random_case(seed, distinct, with_mask=len(cases) % 4 < 2)
        if image.size < 60:
            continue
        case = {"size": list(image.shape[::-1]), "connectivity": connectivity, "distinct": distinct,
                "image": image.ravel().tolist(), "markers": markers.ravel().tolist(),
                "mask": mask.ravel().tolist(),
                "scikit-image": by_skimage(image, markers, mask, connectivity).ravel().tolist()}
        if mask.all() and connectivity != 18:
            case["ITK"] = by_itk(image, markers, connectivity).ravel().tolist()
        cases.append(case)
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="build/bin/seedwave-cli")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    if arguments.write:
        return write(arguments.write)
    totals = {}
    ties = cells = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor() as pool:
        jobs = [(arguments.seed * 1000000 + i, i % 4 == 0, arguments.program, folder)
                for i in range(arguments.cases)]
        for distinct, wrong, tied, count in pool.map(compare, jobs, chunksize=8):
            if not distinct:
                ties += tied
                cells += count
            for name, differs in wrong.items():
                key = (name, "distinct values" if distinct else "values with ties")
                total = totals.setdefault(key, [0, 0])
                total[0] += 1
                total[1] += differs
    for (name, kind), (count, differ) in sorted(totals.items()):
        print(f"watershed, {name}, {kind}: {count} cases, {differ} differ")
    print(f"(of the images with ties {ties} of {cells} cells may have more than one label)")
    return 1 if any(differ for _, differ in totals.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
