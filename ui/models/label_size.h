// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <QString>

#include <cstdint>

namespace seedwave::ui {

/// Returns the unit for the size of a label: ml for a volume with a scale, mm² for a 2-D image with
/// one, otherwise voxels or pixels.
[[nodiscard]] QString size_unit(const Geometry& geometry);
/// Returns the size in that unit.
[[nodiscard]] double size_in_unit(const Geometry& geometry, std::int64_t voxels);
/// Returns the same as text: "12.3".
[[nodiscard]] QString size_number(const Geometry& geometry, std::int64_t voxels);
/// Returns number and unit: "12.3 ml".
[[nodiscard]] QString size_text(const Geometry& geometry, std::int64_t voxels);

}  // namespace seedwave::ui
