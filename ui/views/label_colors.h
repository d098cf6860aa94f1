// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

#include <cstdint>

namespace seedwave::ui {

/// Where the colours of labels 1..8 come from; beyond 8 all palettes go on alike.
enum class LabelPalette {
  OkabeIto,  // the default: told apart with every kind of colour vision
  TolBright,
  ItkSnap,
  Slicer,
};

inline constexpr LabelPalette kLabelPalettes[] = {LabelPalette::OkabeIto, LabelPalette::TolBright,
                                                  LabelPalette::ItkSnap, LabelPalette::Slicer};

[[nodiscard]] QString name_of(LabelPalette palette);

/// The colour of a label in a palette, fixed by its id alone: nothing is recoloured by a reload.
[[nodiscard]] QColor label_color(std::uint16_t label, LabelPalette palette);

}  // namespace seedwave::ui
