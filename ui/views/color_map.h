// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QRgb>

#include <array>

namespace seedwave::ui {

/// Viridis (Smith and van der Walt, 2015, CC0): even steps to the eye, also without colour vision.
[[nodiscard]] const std::array<QRgb, 256>& viridis();

}  // namespace seedwave::ui
