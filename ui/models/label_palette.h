// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"
#include "core/image/label_map.h"
#include "core/session/document.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace seedwave::ui {

/// Sets of label colours. The default one and Tol's are safe for colour-blind users; the others are
/// familiar to users of those programs.
enum class LabelPalette { OkabeIto, TolBright, ItkSnap, Slicer };

/// All palettes, for a menu.
inline constexpr LabelPalette kLabelPalettes[] = {LabelPalette::OkabeIto, LabelPalette::TolBright,
                                                  LabelPalette::ItkSnap, LabelPalette::Slicer};

[[nodiscard]] QString title_of(LabelPalette palette);

/// Returns the colour of a label, fixed by its id. Labels beyond the palette have the colours of
/// label_color().
[[nodiscard]] Rgb color_of(LabelPalette palette, Label label);

/// Returns the same labels in the colours of the palette.
[[nodiscard]] std::vector<LabelEntry> recoloured(std::vector<LabelEntry> labels,
                                                 LabelPalette palette);
/// Returns whether all labels have the colours of the palette.
[[nodiscard]] bool has_palette(const std::vector<LabelEntry>& labels, LabelPalette palette);
/// Returns the palette that a new label continues: the first whose colours all labels have,
/// otherwise the default.
[[nodiscard]] LabelPalette palette_of(const std::vector<LabelEntry>& labels);

}  // namespace seedwave::ui
