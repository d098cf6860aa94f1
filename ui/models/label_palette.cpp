// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_palette.h"

#include "core/image/label_map.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace seedwave::ui {

namespace {

// P. Tol, Colour Schemes, SRON/EPS/TN/09-002, 2021: bright.
constexpr std::array<Rgb, 7> kTolBright{{{0x44, 0x77, 0xAA},
                                         {0xEE, 0x66, 0x77},
                                         {0x22, 0x88, 0x33},
                                         {0xCC, 0xBB, 0x44},
                                         {0x66, 0xCC, 0xEE},
                                         {0xAA, 0x33, 0x77},
                                         {0xBB, 0xBB, 0xBB}}};

// The colours of ITK-SNAP's first labels.
constexpr std::array<Rgb, 6> kItkSnap{
    {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}, {0, 255, 255}, {255, 0, 255}}};

// Slicer's generic anatomy: tissue, bone, skin, connective tissue, blood, organ, mass, muscle.
constexpr std::array<Rgb, 8> kSlicer{{{128, 174, 128},
                                      {241, 214, 145},
                                      {177, 122, 101},
                                      {111, 184, 210},
                                      {216, 101, 79},
                                      {221, 130, 101},
                                      {144, 238, 144},
                                      {192, 104, 88}}};

std::span<const Rgb> colors_of(LabelPalette palette) {
  switch (palette) {
    case LabelPalette::OkabeIto:
      return {};  // the first colours of label_color()
    case LabelPalette::TolBright:
      return kTolBright;
    case LabelPalette::ItkSnap:
      return kItkSnap;
    case LabelPalette::Slicer:
      break;
  }
  return kSlicer;
}

struct PaletteText {
  Q_DECLARE_TR_FUNCTIONS(LabelPalette)
};

}  // namespace

QString title_of(LabelPalette palette) {
  switch (palette) {
    case LabelPalette::OkabeIto:
      return PaletteText::tr("Okabe and Ito (colour-blind safe)");
    case LabelPalette::TolBright:
      return PaletteText::tr("Tol bright (colour-blind safe)");
    case LabelPalette::ItkSnap:
      return PaletteText::tr("ITK-SNAP");
    case LabelPalette::Slicer:
      break;
  }
  return PaletteText::tr("3D Slicer");
}

Rgb color_of(LabelPalette palette, Label label) {
  const std::span<const Rgb> colors = colors_of(palette);
  return label == 0 || label > colors.size() ? label_color(label)
                                             : colors[static_cast<std::size_t>(label) - 1];
}

std::vector<LabelEntry> recoloured(std::vector<LabelEntry> labels, LabelPalette palette) {
  for (LabelEntry& label : labels)
    label.color = to_hex(color_of(palette, label.id));
  return labels;
}

bool has_palette(const std::vector<LabelEntry>& labels, LabelPalette palette) {
  return std::all_of(labels.begin(), labels.end(), [palette](const LabelEntry& label) {
    return label.color == to_hex(color_of(palette, label.id));
  });
}

LabelPalette palette_of(const std::vector<LabelEntry>& labels) {
  for (const LabelPalette palette : kLabelPalettes) {
    if (has_palette(labels, palette)) return palette;
  }
  return LabelPalette::OkabeIto;
}

}  // namespace seedwave::ui
