// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"

#include <QColor>
#include <QPalette>

#include <cstddef>
#include <vector>

namespace seedwave::ui {

/// The colours of a plot, taken from the palette of the window: readable on dark and light ones.
struct PlotColors {
  QColor background;
  QColor text;
  /// Colour of axes and tick marks.
  QColor axis;
  QColor grid;
  /// The label colours with a contrast of at least 3 to the background (WCAG 2.1, 1.4.11,
  /// graphics). Colour-blind users can tell them apart.
  std::vector<QColor> curves;

  [[nodiscard]] const QColor& curve(std::size_t at) const { return curves[at % curves.size()]; }
  /// Returns the colour of a curve. Its own colour is mixed with the text colour until it stands
  /// out. A curve without one gets one of `curves` that no other curve has as its own.
  [[nodiscard]] QColor of(const Plot& plot, std::size_t at) const;
};
[[nodiscard]] PlotColors plot_colors(const QPalette& palette);

/// Contrast ratio by WCAG 2.1: (L1 + 0.05) / (L2 + 0.05) of relative luminances, from 1 to 21.
[[nodiscard]] double contrast_ratio(const QColor& a, const QColor& b);

}  // namespace seedwave::ui
