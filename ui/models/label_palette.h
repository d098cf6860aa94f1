// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"
#include "core/session/document.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace seedwave::ui {

/// Sets of label colours: the default one and Tol's can be told apart by colour-blind users, the
/// others are what users of those programs know.
enum class LabelPalette { OkabeIto, TolBright, ItkSnap, Slicer };

/// All of them, for a menu.
inline constexpr LabelPalette kLabelPalettes[] = {LabelPalette::OkabeIto, LabelPalette::TolBright,
                                                  LabelPalette::ItkSnap, LabelPalette::Slicer};

[[nodiscard]] QString title_of(LabelPalette palette);

/// The colour of a label, fixed by its id; beyond the palette's own those of label_color().
[[nodiscard]] Rgb color_of(LabelPalette palette, std::uint16_t label);

/// The same labels in the colours of the palette.
[[nodiscard]] std::vector<LabelEntry> recoloured(std::vector<LabelEntry> labels,
                                                 LabelPalette palette);
/// Whether all labels have the palette's colours, none chosen by hand.
[[nodiscard]] bool has_palette(const std::vector<LabelEntry>& labels, LabelPalette palette);
/// The palette that a new label continues: the first whose colours all labels have, else the
/// default.
[[nodiscard]] LabelPalette palette_of(const std::vector<LabelEntry>& labels);

}  // namespace seedwave::ui
