#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the Gaussian, the median and the gradient magnitude beside SciPy, ITK and OpenCV, on noise.

    research/peers/filters.py CLI [THREADS]

CLI: seedwave-cli; THREADS: of Seedwave, ITK and OpenCV (1); SciPy has one. Prints milliseconds, files not counted:
for Seedwave of the median of three runs, for the others of the fastest, and how many times as fast Seedwave is. ITK's
Gaussian and gradient magnitude are the recursive ones, its median and OpenCV's are those of the square or cube around
the disc or ball, of integers. SciPy differentiates the Gaussian itself. Needs numpy, SciPy, SimpleITK and OpenCV.
"""

import functools
import json
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
import SimpleITK as sitk
from scipy import ndimage

from cli import raw_nrrd

RUNS = 3


def fastest(call):
    """In milliseconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def seedwave(program, threads, image, operation, **values):
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/image.nrrd", "wb") as file:
            file.write(raw_nrrd(image, [1.0] * image.ndim))
        flags = [text for name, value in values.items() for text in ("--" + name, str(value))]
        done = subprocess.run([program, "run", operation, "--image", folder + "/image.nrrd", *flags, "--backend", "cpu",
                               "--threads", str(threads), "--repeat", str(RUNS), "--json", "--quiet"],
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)["ms"]["total"]


def ball(radius, ndim):
    axes = np.ogrid[(slice(-radius, radius + 1),) * ndim]
    return sum(axis * axis for axis in axes) <= radius * radius


def main():
    program = sys.argv[1]
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    sitk.ProcessObject.SetGlobalDefaultNumberOfThreads(threads)
    cv2.setNumThreads(threads)
    rng = np.random.default_rng(1)
    images = {"volume 512x512x64 u16": rng.integers(1000, 4000, (64, 512, 512)).astype(np.uint16),
              "image 4096x4096 u8": rng.integers(0, 256, (4096, 4096)).astype(np.uint8)}

    def row(name, own, **peers):
        ratios = ", ".join(f"{peer} {ms:.0f} ({ms / own:.1f} times)" for peer, ms in peers.items())
        print(f"{name}: Seedwave {own:.0f} ms; {ratios}", flush=True)

    for name, image in images.items():
        read = sitk.GetImageFromArray(image)
        own = functools.partial(seedwave, program, threads, image)
        for sigma in (1.0, 2.0):
            row(f"gaussian, sigma {sigma:g}, {name}", own("gaussian", sigma=sigma),
                SciPy=fastest(lambda: ndimage.gaussian_filter(image, sigma, mode="nearest")),
                ITK=fastest(lambda: sitk.SmoothingRecursiveGaussian(read, sigma)))
            row(f"gradient-magnitude, sigma {sigma:g}, {name}", own("gradient-magnitude", sigma=sigma),
                SciPy=fastest(lambda: ndimage.gaussian_gradient_magnitude(image.astype(np.float32), sigma,
                                                                          mode="nearest")),
                ITK=fastest(lambda: sitk.GradientMagnitudeRecursiveGaussian(read, sigma)))
        for radius in (1, 2, 5) if image.ndim == 2 else (1, 2):
            # A sixteenth of the image: SciPy takes minutes.
            part = image[tuple(slice(n // 4) for n in image.shape[-2:])] if image.ndim == 2 else image[:4]
            peers = {"SciPy": 16 * fastest(lambda: ndimage.median_filter(part, footprint=ball(radius, image.ndim),
                                                                         mode="nearest")),
                     "ITK": fastest(lambda: sitk.Median(read, [radius] * image.ndim))}
            if image.ndim == 2:
                peers["OpenCV"] = fastest(lambda: cv2.medianBlur(image, 2 * radius + 1))
            row(f"median, radius {radius}, {name}", own("median", radius=radius), **peers)


if __name__ == "__main__":
    main()
