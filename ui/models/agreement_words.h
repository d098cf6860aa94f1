// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"

#include <QColor>
#include <QString>

#include <array>
#include <cstdint>

namespace seedwave::ui {

/// Of two compared runs, by these colours wherever one of them is told from the other. Blue and
/// orange differ in lightness too, and neither stands without a word beside it.
[[nodiscard]] QColor color_of_a();
[[nodiscard]] QColor color_of_b();

/// What one value of an agreement's map means, as legends say it.
struct AgreementPart {
  std::uint16_t value = 0;
  QString name;
  QColor color;
  std::int64_t voxels = 0;
};

/// Both the same, only A, only B, different labels.
[[nodiscard]] std::array<AgreementPart, 4> parts_of(const Agreement& agreement);

}  // namespace seedwave::ui
