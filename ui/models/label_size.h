// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <QString>

#include <cstdint>

namespace seedwave::ui {

/// How large a label is, in the unit that its image allows: ml of a volume with a scale, mm² of a
/// picture with one, voxels or pixels without.
[[nodiscard]] QString size_unit(const Geometry& geometry);
/// The number alone, in that unit: "12.3".
[[nodiscard]] QString size_number(const Geometry& geometry, std::int64_t voxels);
/// "12.3 ml".
[[nodiscard]] QString size_text(const Geometry& geometry, std::int64_t voxels);

}  // namespace seedwave::ui
