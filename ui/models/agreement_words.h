// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/comparison.h"

#include <QColor>
#include <QString>

#include <array>
#include <cstdint>

namespace seedwave::ui {

/// The colours of two compared runs, wherever they must be distinguished. Blue and orange also
/// differ in lightness, and each stands beside a word.
[[nodiscard]] QColor color_of_a();
[[nodiscard]] QColor color_of_b();

/// The meaning of one value of an agreement map, for legends.
struct AgreementPart {
  Label value = 0;
  QString name;
  QColor color;
  /// Number of voxels, or of objects.
  std::int64_t count = 0;
};

/// Returns the parts in the order both the same, only A, only B, different. Against a reference
/// they are right, missed, spurious and different.
[[nodiscard]] std::array<AgreementPart, 4> parts_of(const Compared& compared);
/// Returns "Reference" or "run 3".
[[nodiscard]] QString name_of(const ComparedRun& run);

}  // namespace seedwave::ui
