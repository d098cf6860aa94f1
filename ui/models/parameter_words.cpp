// SPDX-License-Identifier: Apache-2.0
#include "ui/models/parameter_words.h"

#include "core/image/length_scale.h"
#include "ui/models/label_size.h"

namespace seedwave::ui {

QString title_on(const Choice& choice, const Geometry& grid) {
  if (!applies_to(choice.applies, grid.is_2d())) return {};
  return QString::fromStdString(choice.title_for ? choice.title_for(grid) : choice.title);
}

QString unit_on(const Parameter& parameter, const Geometry& grid) {
  if (parameter.unit() == kGridSize) return size_unit(grid);
  return QString::fromStdString(parameter.unit() == kGridLength ? grid_unit(grid)
                                                                : parameter.unit());
}

}  // namespace seedwave::ui
