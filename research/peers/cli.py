# SPDX-License-Identifier: Apache-2.0
"""Operations of seedwave-cli on numpy arrays, for the comparisons with other libraries beside this file."""

import json
import os
import re
import subprocess
import sys

import numpy as np


def raw_nrrd(array, spacing):
    """An image in memory, [z][y][x] or [y][x], as a file's bytes; spacing in mm in the same order."""
    types = {"uint8": "uint8", "uint16": "uint16", "int16": "int16", "int32": "int32", "float32": "float"}
    n = array.ndim
    directions = " ".join("(" + ",".join(str(s if i == j else 0) for j in range(n)) + ")"
                          for i, s in enumerate(spacing[::-1]))
    header = (f"NRRD0004\ntype: {types[str(array.dtype)]}\ndimension: {n}\nspace dimension: {n}\n"
              f"sizes: {' '.join(map(str, array.shape[::-1]))}\nspace directions: {directions}\n"
              "endian: little\nencoding: raw\n\n")
    return header.encode() + np.ascontiguousarray(array).tobytes()


class Cli:
    """Runs operations; inputs and outputs are arrays."""

    def __init__(self, program, data, folder):
        self.program, self.data, self.folder = program, data, folder
        self.header = b""

    def run(self, operation, image, **values):
        out = self.folder + "/out.npy"
        command = [self.program, "run", operation, "--image", os.path.join(self.data, image[0]), *image[1:],
                   "--out", out, "--json", "--quiet"]
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value = self.with_grid(value, name)
            command += ["--" + name.replace("_", "-"), str(value)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        array = np.load(out)
        return array[0] if array.ndim == 3 and array.shape[0] == 1 else array, json.loads(done.stdout)

    def with_grid(self, array, name):
        """Writes an array where the image lies that image() was asked for last, in its type."""
        path = f"{self.folder}/{name}.nrrd"
        with open(path, "wb") as file:
            file.write(self.header + np.ascontiguousarray(array).tobytes())
        return path

    def image(self, image):
        """The image as the operations see it: reconstructed from itself."""
        array, report = self.run("reconstruct", image, marker_from="h-dome", h=0,
                                 out_image=self.folder + "/grid.nrrd")
        with open(self.folder + "/grid.nrrd", "rb") as file:
            header = file.read().split(b"\n\n", 1)[0]
        self.header = re.sub(rb"encoding: \w+", b"encoding: raw", header) + b"\n\n"
        return array, report["image"]["spacing"][::-1][-array.ndim:]
