# SPDX-License-Identifier: Apache-2.0
"""What other libraries say about an image file, in one form: LPS millimetres, x fastest.

nibabel, SimpleITK (ITK), pynrrd, pydicom, tifffile and numpy read files on their own; nothing here
is shared with the readers under test.
"""

import pathlib

import nibabel
import nrrd
import numpy as np
import pydicom
import SimpleITK as sitk
import tifffile

sitk.ProcessObject.SetGlobalWarningDisplay(False)


class Image:
    """Values as [z][y][x][component]; size, spacing, origin, direction with three numbers an axis."""

    def __init__(self, values, spacing=(1, 1, 1), origin=(0, 0, 0), direction=np.eye(3)):
        values = np.asarray(values)
        self.values = values
        self.size = values.shape[2::-1]
        self.components = values.shape[3]
        self.spacing = np.array(spacing, float)
        self.origin = np.array(origin, float)
        self.direction = np.array(direction, float).reshape(3, 3)

    def differs_from(self, other, relative=1e-5):
        """Why two statements about one file differ; "" where they agree."""
        if tuple(self.size) != tuple(other.size) or self.components != other.components:
            return f"size {self.size} x {self.components} and {other.size} x {other.components}"
        if not np.array_equal(self.values, other.values, equal_nan=self.values.dtype.kind == "f"):
            return "values"
        reach = float(np.linalg.norm(self.spacing * self.size)) + float(np.abs(self.origin).max())
        for name in ("spacing", "origin"):
            if np.abs(getattr(self, name) - getattr(other, name)).max() > relative * reach:
                return f"{name} {getattr(self, name)} and {getattr(other, name)}"
        if np.abs(self.direction - other.direction).max() > relative:
            return f"direction {self.direction.ravel()} and {other.direction.ravel()}"
        return ""


def of_affine(values, lps):
    """From the matrix that maps an index to LPS."""
    spacing = np.linalg.norm(lps[:3, :3], axis=0)
    return Image(values, spacing, lps[:3, 3], lps[:3, :3] / spacing)


def by_nibabel(path):
    """One image for each time point."""
    image = nibabel.load(path)
    values = np.asanyarray(image.dataobj)
    if values.dtype.fields:  # RGB
        values = np.stack([values[name] for name in "RGB"], axis=-1)
        components = 3
    else:
        values = values[..., None]
        components = 1
    x, y, z = (values.shape[:-1] + (1, 1, 1))[:3]
    values = values.reshape((x, y, z, -1, components))  # further axes one after the other
    matrix = np.diag([-1.0, -1.0, 1.0, 1.0]) @ image.affine
    return [of_affine(values[:, :, :, part].transpose(2, 1, 0, 3), matrix)
            for part in range(values.shape[3])]


def of_sitk(image):
    values = sitk.GetArrayFromImage(image)
    n = image.GetDimension()
    if image.GetNumberOfComponentsPerPixel() == 1:
        values = values[..., None]
    direction = np.eye(3)
    direction[:n, :n] = np.array(image.GetDirection()).reshape(n, n)
    if n == 2:
        values = values[None]
    pad = (1.0,) * (3 - n), (0.0,) * (3 - n)
    return Image(values, image.GetSpacing() + pad[0], image.GetOrigin() + pad[1], direction)


def by_sitk(path):
    """One image for each time point of a 4-D image, and for each component but three of colour."""
    image = sitk.ReadImage(str(path))
    if image.GetDimension() == 4:
        return [of_sitk(image[..., part]) for part in range(image.GetSize()[3])]
    count = image.GetNumberOfComponentsPerPixel()
    if count in (1, 3):
        return [of_sitk(image)]
    return [of_sitk(sitk.VectorIndexSelectionCast(image, part)) for part in range(count)]


def by_pynrrd(path):
    values, header = nrrd.read(str(path))
    n = values.ndim
    if "space directions" in header:
        steps = np.array(header["space directions"], float)
    else:
        steps = np.diag([s if np.isfinite(s) else 1.0 for s in header.get("spacings", np.ones(n))])
    lps = np.eye(4)
    lps[:n, :n] = steps.T
    lps[:n, 3] = header.get("space origin", np.zeros(n))
    signs = {"right-anterior-superior": (-1, -1, 1), "left-anterior-superior": (1, -1, 1)}
    lps = np.diag(signs.get(header.get("space"), (1, 1, 1)) + (1,)).astype(float) @ lps
    values = values.reshape(values.shape + (1,) * (3 - n))
    return [of_affine(values.transpose(2, 1, 0)[..., None], lps)]


def by_numpy(path):
    values = np.load(path)
    if values.ndim == 2:
        values = values[None]
    return [Image(values if values.ndim == 4 else values[..., None])]


def by_tifffile(path):
    """The pages one above the other."""
    with tifffile.TiffFile(path) as file:
        pages = np.stack([page.asarray() for page in file.pages])
        color = file.pages[0].photometric == tifffile.PHOTOMETRIC.RGB
    return [Image(pages if color else pages[..., None])]


def by_pydicom(path):
    """The slices of a folder, or one file, by their places; colours as RGB."""
    path = pathlib.Path(path)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    slices = [pydicom.dcmread(file) for file in files]

    def values_of(one):
        if one.SamplesPerPixel == 3:
            return pydicom.pixels.pixel_array(one)  # RGB by default
        stored = one.pixel_array.astype(float)
        return (float(one.get("RescaleSlope", 1)) * stored +
                float(one.get("RescaleIntercept", 0)))[..., None]

    if "ImagePositionPatient" not in slices[0]:
        spacing = tuple(slices[0].get("PixelSpacing", (1, 1)))[::-1] + (1,)
        return [Image(values_of(slices[0])[None], spacing)]
    row, column = np.array(slices[0].ImageOrientationPatient, float).reshape(2, 3)
    normal = np.cross(row, column)
    slices.sort(key=lambda one: np.dot(normal, np.array(one.ImagePositionPatient, float)))
    places = np.array([np.array(one.ImagePositionPatient, float) for one in slices])
    step = np.linalg.norm(places[-1] - places[0]) / max(1, len(slices) - 1)
    down, right = (float(x) for x in slices[0].PixelSpacing)
    thickness = step if len(slices) > 1 else float(slices[0].SliceThickness)
    return [Image(np.stack([values_of(one) for one in slices]), (right, down, thickness), places[0],
                  np.stack([row, column, normal], axis=1))]
