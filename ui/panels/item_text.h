// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <QString>

namespace seedwave::ui {

/// "256 × 328 × 258", and with a scale on a second line "0.70 × 0.67 × 0.67 mm"; of a single slice
/// both have two numbers.
[[nodiscard]] QString size_text(const Geometry& geometry);
/// The modality, or the format where there is none.
[[nodiscard]] QString kind_text(const io::Item& item);
/// The series' own words, or the file's name.
[[nodiscard]] QString description_text(const io::Item& item);

}  // namespace seedwave::ui
