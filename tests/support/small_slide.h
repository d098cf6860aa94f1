// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/io/slides/pyramid_writer.h"

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Size of a small slide with several levels.
inline constexpr Index3 kSmallSlide{900, 700, 1};

/// Writes a slide of pixels of half a micrometre, whose finest level has these values.
inline void write_small_slide(const std::filesystem::path& file, std::vector<std::uint8_t> values,
                              int components) {
  Geometry grid;
  grid.size = kSmallSlide;
  grid.unit = LengthUnit::Micrometre;
  grid.spacing = {0.5, 0.5, 1.0};
  grid.origin = {0.25, 0.25, 0.0};
  grid.planar = true;
  io::OutputSet outputs;
  io::write_pyramid(outputs, file, Volume(grid, std::move(values), components),
                    io::PyramidLevels::Mean);
  outputs.commit();
}

/// Writes one of a single channel by formula.
inline void write_small_slide(const std::filesystem::path& file) {
  std::vector<std::uint8_t> values;
  for (std::int64_t i = 0; i < kSmallSlide[0] * kSmallSlide[1]; ++i)
    values.push_back(static_cast<std::uint8_t>(i * i % 251));
  write_small_slide(file, std::move(values), 1);
}

}  // namespace seedwave::test
