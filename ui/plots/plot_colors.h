// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"

#include <QColor>
#include <QPalette>

#include <cstddef>
#include <vector>

namespace seedwave::ui {

/// What a plot is drawn in, from the window's palette: readable on dark and light ones.
struct PlotColors {
  QColor background;
  QColor text;
  /// Of axes and marks.
  QColor axis;
  QColor grid;
  /// The label colours that stand out from the background (contrast of 3 and more, as WCAG 2.1,
  /// 1.4.11 wants it of graphics), so that colour-blind users tell them apart.
  std::vector<QColor> curves;

  [[nodiscard]] const QColor& curve(std::size_t at) const { return curves[at % curves.size()]; }
  /// A curve's own colour, with as much of the text's as it takes to stand out; of one that has
  /// none, one of `curves` that no other has for its own.
  [[nodiscard]] QColor of(const Plot& plot, std::size_t at) const;
};
[[nodiscard]] PlotColors plot_colors(const QPalette& palette);

/// WCAG 2.1: (L1 + 0.05) / (L2 + 0.05) of relative luminances, from 1 to 21.
[[nodiscard]] double contrast_ratio(const QColor& a, const QColor& b);

}  // namespace seedwave::ui
