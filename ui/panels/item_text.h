// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <QString>

namespace seedwave::ui {

/// Returns "256 × 328 × 258" and, with a scale, a second line "0.70 × 0.67 × 0.67 mm"; two numbers
/// each for a single slice.
[[nodiscard]] QString size_text(const Geometry& geometry);
/// Returns "0.70 × 0.67 × 0.67 mm", two numbers for a single slice.
[[nodiscard]] QString spacing_text(const Geometry& geometry);
/// Returns the modality, or the format if there is none.
[[nodiscard]] QString kind_text(const io::Item& item);
/// Returns the description of the series, or the name of the file.
[[nodiscard]] QString description_text(const io::Item& item);

}  // namespace seedwave::ui
