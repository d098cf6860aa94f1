#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares reading and writing of image files with other libraries, on random images.

    tests/oracles/formats.py [--cli build/bin/seedwave-cli] [--cases 40] [--seed 1]

Files that nibabel, SimpleITK, pynrrd, numpy, tifffile and pydicom write are read by seedwave-cli;
files that seedwave-cli writes are read by these libraries. Size, spacing, origin, direction and every
value must be the same. Prints one line for each pair, "N cases, M differ", with the first
differences below it, and exits with 1 when any differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import nibabel
import nrrd
import numpy as np
import pydicom
import SimpleITK as sitk
import tifffile

import libraries
from libraries import Image

TYPES = ["uint8", "int16", "uint16", "int32", "float32"]
ALL_TYPES = [*TYPES, "int8", "uint32", "float64"]
SHOWN = 3


class Disagreement(Exception):
    """The program refused what a library wrote, or says something else."""


class Program:
    """seedwave-cli in a folder of its own."""

    def __init__(self, cli, folder):
        self.cli, self.folder = cli, pathlib.Path(folder)

    def run(self, *words):
        done = subprocess.run([self.cli, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Disagreement(done.stderr.strip() or f"exit code {done.returncode}")
        return done.stdout

    def read(self, path):
        item = json.loads(self.run("info", path, "--json"))["items"][0]
        out = self.folder / "read.npy"
        self.run("convert", path, out)
        values = np.load(out)
        if values.ndim == 2:
            values = values[None]
        if values.ndim == 3:
            values = values[..., None]
        image = Image(values, item["spacing"], item["origin"], item["direction"])
        if list(image.size) != item["size"]:
            raise Disagreement(f"info says {item['size']}, convert writes {image.size}")
        return image


class Source:
    """Random images."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def chance(self, share):
        return self.random.random() < share

    def choose(self, *things):
        return things[self.random.integers(len(things))]

    def values(self, dtype, axes, colors=False):
        shape = tuple(self.random.integers(1, 9, axes)) + ((3,) if colors else ())
        if axes == 2:  # readers take a single pixel row for what it is, but not all writers do
            shape = tuple(max(2, n) for n in shape)
        if np.dtype(dtype).kind == "f":
            return (np.round(self.random.normal(size=shape) * 1000) / 4).astype(dtype)
        info = np.iinfo(dtype)
        # Other integers than the program's own are read as 32 bits where they fit.
        return self.random.integers(info.min, min(info.max, 2**31 - 1), shape, np.int64).astype(dtype)

    def geometry(self, n, turned=True, mirrored=True):
        """Spacing, origin, direction of n axes: turned in space, along axes, or plain."""
        spacing = np.round(np.exp(self.random.uniform(-2, 1.5, n)), 4)
        origin = np.round(self.random.uniform(-400, 400, n), 3)
        direction = np.eye(n)
        if turned and self.chance(0.7):
            direction = np.linalg.qr(self.random.normal(size=(n, n)))[0]
        elif turned:
            direction = np.eye(n)[self.random.permutation(n)] * self.random.choice([-1, 1], n)
        if not mirrored and np.linalg.det(direction) < 0:
            direction[:, 0] *= -1
        return spacing, origin, direction

    def half_turn(self):
        axis = self.random.normal(size=3)
        axis /= np.linalg.norm(axis)
        return 2 * np.outer(axis, axis) - np.eye(3)


def path_in(folder, suffix):
    """A name of its own for each suffix: ITK takes the voxels of a.nii.gz from an a.nii beside it."""
    return folder / ("image" + suffix.replace(".", "_") + suffix)


def affine_of(spacing, origin, direction):
    matrix = np.eye(4)
    n = len(spacing)
    matrix[:n, :n] = direction * spacing
    matrix[:n, 3] = origin
    return np.diag([-1, -1, 1, 1]) @ matrix


def sitk_of(values, geometry, vector=False):
    image = sitk.GetImageFromArray(values, isVector=vector)
    spacing, origin, direction = geometry
    image.SetSpacing(spacing.tolist())
    image.SetOrigin(origin.tolist())
    image.SetDirection(direction.ravel().tolist())
    return image


# What libraries write and the program reads. Each returns the file and what its library reads in it.

def nifti_by_nibabel(source, folder):
    axes = source.choose(2, 3, 3, 3)
    dtype = source.choose(*ALL_TYPES)
    values = source.values(dtype, axes).transpose()
    spacing, origin, direction = source.geometry(axes)
    if axes == 3 and source.chance(0.4):
        direction = source.half_turn()
    matrix = affine_of(spacing, origin, direction)
    kind = source.choose(nibabel.Nifti1Image, nibabel.Nifti1Image, nibabel.Nifti2Image)
    header = kind.header_class(endianness=source.choose("<", ">"))
    header.set_data_dtype(dtype)
    image = kind(values, matrix, header)
    sform, qform = source.choose((1, 1), (2, 0), (0, 1))
    image.set_sform(matrix, sform)
    image.set_qform(matrix, qform)
    path = path_in(folder, source.choose(".nii", ".nii.gz"))
    nibabel.save(image, path)
    return path, libraries.by_nibabel(path)[0]


def by_itk(suffixes, dtypes, turned=True, flat=True):
    def write(source, folder):
        axes = source.choose(2, 3, 3) if flat else 3
        colors = suffixes[0] not in (".nii", ".gipl") and source.chance(0.2)
        dtype = source.choose(*dtypes)
        values = source.values(dtype, axes, colors)
        path = path_in(folder, source.choose(*suffixes))
        image = sitk_of(values, source.geometry(axes, turned), colors)
        sitk.WriteImage(image, str(path), source.chance(0.5) and "gipl" not in path.name)
        return path, libraries.by_sitk(path)[0]
    return write


def nrrd_by_pynrrd(source, folder):
    axes = source.choose(2, 3, 3)
    values = source.values(source.choose(*ALL_TYPES), axes).transpose()
    spacing, origin, direction = source.geometry(axes)
    header = {"encoding": source.choose("raw", "gzip"), "space directions": (direction * spacing).T,
              "space origin": origin}
    if axes == 3:
        header["space"] = source.choose("right-anterior-superior", "left-anterior-superior",
                                        "left-posterior-superior")
    else:
        header["space dimension"] = 2
    path = path_in(folder, ".nrrd")
    nrrd.write(str(path), values, header, index_order="F")
    return path, libraries.by_pynrrd(path)[0]


def npy_by_numpy(source, folder):
    axes = source.choose(2, 3)
    colors = axes == 3 and source.chance(0.3)
    values = source.values(source.choose(*ALL_TYPES, "float16"), axes, colors)
    values = values.astype(values.dtype.newbyteorder(source.choose("<", ">")))
    if source.chance(0.5):
        values = np.asfortranarray(values)
    path = path_in(folder, ".npy")
    np.save(path, values)
    return path, libraries.by_numpy(path)[0]


def tiff_by_tifffile(source, folder):
    axes = source.choose(2, 2, 3)
    dtype = source.choose(*TYPES, "int8", "float64")
    values = source.values(dtype, axes)
    if axes == 3 and values.shape[0] == 1:
        values = values[0]
    path = path_in(folder, ".tif")
    tifffile.imwrite(path, values, photometric="minisblack", byteorder=source.choose("<", ">"),
                     bigtiff=source.chance(0.3), metadata=None,
                     rowsperstrip=int(source.random.integers(1, 5)),
                     compression=source.choose(None, "zlib"))
    return path, libraries.by_tifffile(path)[0]


def dicom_by_pydicom(source, folder):
    values = source.values(source.choose("uint8", "int16", "uint16"), 2)
    spacing, origin, direction = source.geometry(3, mirrored=False)
    one = pydicom.dataset.Dataset()
    one.SOPClassUID, one.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.4", "1.2.3.4.5"
    one.StudyInstanceUID, one.SeriesInstanceUID, one.Modality = "1.2.3", "1.2.3.4", "MR"
    one.Rows, one.Columns = values.shape
    one.SamplesPerPixel, one.PhotometricInterpretation = 1, "MONOCHROME2"
    one.BitsAllocated = one.BitsStored = 8 * values.dtype.itemsize
    one.HighBit = one.BitsStored - 1
    one.PixelRepresentation = int(values.dtype.kind == "i")
    one.PixelSpacing = [float(spacing[1]), float(spacing[0])]
    one.SliceThickness = float(spacing[2])
    one.ImageOrientationPatient = [f"{x:.13f}" for x in direction[:, :2].T.ravel()]
    one.ImagePositionPatient = [f"{x:.6f}" for x in origin]
    slope, intercept = source.choose((1, 0), (1, -1024), (2, 3), (0.5, 0.25), (1, -2147483648))
    one.RescaleSlope, one.RescaleIntercept = str(slope), str(intercept)
    syntax = source.choose(pydicom.uid.ExplicitVRLittleEndian, pydicom.uid.ImplicitVRLittleEndian)
    one.file_meta = pydicom.dataset.FileMetaDataset()
    one.file_meta.TransferSyntaxUID = syntax
    data = values.tobytes()
    one.add_new("PixelData", "OB" if values.dtype.itemsize == 1 and not syntax.is_implicit_VR else "OW",
                data + bytes(len(data) % 2))
    if source.chance(0.3):
        one.compress(pydicom.uid.RLELossless, generate_instance_uid=False)
    path = path_in(folder, ".dcm")
    one.save_as(path, enforce_file_format=True)
    read = libraries.by_pydicom(path)[0]
    # The program holds such values in 32 bits.
    if abs(intercept) > 1e6 and values.dtype.kind == "i":
        read.values = read.values.astype("f4")
    return path, read


# What the program writes and libraries read: the source is a MetaImage, put together here.

def metaimage(path, values, geometry, colors):
    spacing, origin, direction = geometry
    n = len(spacing)
    element = {"uint8": "UCHAR", "int16": "SHORT", "uint16": "USHORT", "int32": "INT",
               "float32": "FLOAT"}[values.dtype.name]
    text = [f"ObjectType = Image\nNDims = {n}\nBinaryData = True\nBinaryDataByteOrderMSB = False"]

    def line(name, numbers):
        text.append(f"{name} = " + " ".join(repr(float(x)) for x in numbers))

    line("TransformMatrix", direction.T.ravel())
    line("Offset", origin)
    line("ElementSpacing", spacing)
    shape = values.shape[:-1] if colors else values.shape
    text.append("DimSize = " + " ".join(map(str, shape[::-1])))
    if colors:
        text.append("ElementNumberOfChannels = 3")
    text.append(f"ElementType = MET_{element}\nElementDataFile = LOCAL\n")
    path.write_bytes("\n".join(text).encode() + values.tobytes())


def expected_of(values, geometry, colors):
    spacing, origin, direction = geometry
    n = len(spacing)
    full = np.eye(3)
    full[:n, :n] = direction
    values = values if colors else values[..., None]
    return Image(values if n == 3 else values[None], tuple(spacing) + (1,) * (3 - n),
                 tuple(origin) + (0,) * (3 - n), full)


def by_pillow(path):
    from PIL import Image as Picture
    values = np.array(Picture.open(path))
    return [Image(values[None] if values.ndim == 3 else values[None, ..., None])]


WRITTEN = [
    # suffixes, reader, types, colours, placed, axes
    ((".nii", ".nii.gz"), libraries.by_nibabel, TYPES, ("uint8",), True, (2, 3, 3)),
    ((".nii", ".nii.gz"), libraries.by_sitk, TYPES, (), True, (2, 3, 3)),
    ((".nrrd",), libraries.by_pynrrd, TYPES, (), True, (2, 3, 3)),
    ((".nrrd",), libraries.by_sitk, TYPES, TYPES, True, (2, 3, 3)),
    ((".mha",), libraries.by_sitk, TYPES, TYPES, True, (2, 3, 3)),
    ((".npy",), libraries.by_numpy, TYPES, (), False, (2, 3)),
    ((".tif",), libraries.by_tifffile, TYPES, ("uint8", "uint16"), False, (2, 3)),
    ((".png",), by_pillow, ("uint8", "uint16"), ("uint8",), False, (2,)),
]
READ = {
    "NIfTI written by nibabel": nifti_by_nibabel,
    "NIfTI written by SimpleITK": by_itk((".nii", ".nii.gz"), ALL_TYPES),
    "NRRD written by SimpleITK": by_itk((".nrrd", ".nhdr"), ALL_TYPES),
    "NRRD written by pynrrd": nrrd_by_pynrrd,
    "MetaImage written by SimpleITK": by_itk((".mha", ".mhd"), ALL_TYPES),
    "GIPL written by SimpleITK": by_itk((".gipl",), ["uint8", "int8", "int16", "uint16", "float32",
                                                     "float64"], turned=False, flat=False),
    ".npy written by numpy": npy_by_numpy,
    "TIFF written by tifffile": tiff_by_tifffile,
    "DICOM written by pydicom": dicom_by_pydicom,
}


def written_case(program, source, row):
    suffixes, reader, types, colored, placed, axes_of = row
    colors = bool(colored) and source.chance(0.25)
    axes = source.choose(*axes_of)
    values = source.values(source.choose(*(colored if colors else types)), axes, colors)
    if axes == 3 and not placed and values.shape[0] == 1:
        values = np.concatenate([values, values])  # without a position one slice is a picture
    geometry = source.geometry(axes)
    start = program.folder / "start.mha"
    metaimage(start, values, geometry, colors)
    path = path_in(program.folder, source.choose(*suffixes))
    program.run("convert", start, path)
    if not placed:
        geometry = (np.ones(axes), np.zeros(axes), np.eye(axes))
    return expected_of(values, geometry, colors).differs_from(reader(path)[0])


def report(name, cases, differences):
    print(f"{name}: {cases} cases, {len(differences)} differ", flush=True)
    for difference in differences[:SHOWN]:
        print("   ", difference)
    return bool(differences)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--cli", default=root / "build" / "bin" / "seedwave-cli")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.cli, folder)
        for number, (name, write) in enumerate(READ.items()):
            differences = []
            for case in range(options.cases):
                source = Source([options.seed, number, case])
                try:
                    path, expected = write(source, program.folder)
                    if why := expected.differs_from(program.read(path)):
                        differences.append(f"case {case}: {why}")
                except Disagreement as error:
                    differences.append(f"case {case}: {error}")
            failed |= report("read: " + name, options.cases, differences)
        for number, row in enumerate(WRITTEN):
            differences = []
            for case in range(options.cases):
                source = Source([options.seed, 100 + number, case])
                try:
                    if why := written_case(program, source, row):
                        differences.append(f"case {case}: {why}")
                except Disagreement as error:
                    differences.append(f"case {case}: {error}")
            name = f"written: {row[0][0]} read by {row[1].__name__.removeprefix('by_')}"
            failed |= report(name, options.cases, differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
