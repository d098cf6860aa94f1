// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// NumPy's .npy: [y][x] is a 2-D image, [z][y][x] a volume with voxels of 1 mm, and a fourth axis
/// of length 3 is colour; in C order or in Fortran order. It cannot store a position.
/// Source: NumPy Enhancement Proposal 1 and numpy/lib/format.py, versions 1.0 to 3.0.
[[nodiscard]] Format npy_format();

/// Writes version 1.0. Throws OutputError.
void write_npy(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

/// The contents of a .npy file's text header.
struct NpyHeader {
  std::string type;  // "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Parses the dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".
/// Throws InputError that names `file`.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text, const std::string& file);

}  // namespace seedwave::io
