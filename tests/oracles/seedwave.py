# SPDX-License-Identifier: Apache-2.0
"""Runs seedwave-cli on arrays."""
import json
import os
import pathlib
import subprocess

import numpy as np
import SimpleITK as sitk


class Refused(Exception):
    """The program ended with an exit code other than 0."""


class Seedwave:
    """seedwave-cli with files in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = str(program), pathlib.Path(folder)

    def words(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise Refused(f"exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def put(self, name, array, spacing=()):
        """Writes an array: .npy, or with a spacing (x first) MetaImage."""
        if not spacing:
            path = self.folder / f"{name}.npy"
            np.save(path, array)
            return path
        path = self.folder / f"{name}.mha"
        image = sitk.GetImageFromArray(array)
        image.SetSpacing(spacing)
        sitk.WriteImage(image, str(path))
        return path

    def run(self, case):
        """The outputs that `case` names: arrays, or tables as columns by name."""
        command = ["run", case.operation, "--image", self.put("image", case.image, case.spacing)]
        for name, array in case.inputs.items():
            command += [f"--{name}", self.put(name, array, case.spacing)]
        for name, value in case.values.items():
            command += ["--" + name.replace("_", "-"), value]
        paths = {}
        for name, expected in case.expected.items():
            paths[name] = self.folder / (f"out_{name}" + (".csv" if isinstance(expected, dict) else ".npy"))
            command += [f"--out-{name}", paths[name]]
        self.words(*command, "--quiet")
        outputs = {}
        for name, path in paths.items():
            if path.suffix == ".csv":
                table = np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True))
                outputs[name] = {column: table[column] for column in table.dtype.names}
            else:
                outputs[name] = np.load(path).reshape(case.image.shape)
            os.remove(path)
        return outputs

    def compare(self, result, reference, spacing=()):
        paths = self.put("result", result, spacing), self.put("reference", reference, spacing)
        return json.loads(self.words("compare", *paths, "--json"))["labels"]
