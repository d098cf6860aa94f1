// SPDX-License-Identifier: Apache-2.0
#include "ui/views/label_colors.h"

#include "core/image/label_color.h"

#include <QCoreApplication>

#include <array>

namespace seedwave::ui {
namespace {

using Palette = std::array<QRgb, 8>;

/// P. Tol, Colour schemes, SRON/EPS/TN/09-002: "bright"; white last, as it has seven.
constexpr Palette kTolBright{0xFF4477AA, 0xFFEE6677, 0xFF228833, 0xFFCCBB44,
                             0xFF66CCEE, 0xFFAA3377, 0xFFBBBBBB, 0xFFFFFFFF};
/// The first six labels of ITK-SNAP, then its seventh and eighth as far as they differ.
constexpr Palette kItkSnap{0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFF00,
                           0xFF00FFFF, 0xFFFF00FF, 0xFFFFEFD5, 0xFF0000CD};
/// Tissue, bone, skin and so on of Slicer's generic anatomy colours.
constexpr Palette kSlicer{0xFF80AE80, 0xFFF1D691, 0xFFB17A65, 0xFF6FB8D2,
                          0xFFD8654F, 0xFFDD8265, 0xFF90EE90, 0xFFC06858};

}  // namespace

QString name_of(LabelPalette palette) {
  switch (palette) {
    case LabelPalette::OkabeIto:
      break;
    case LabelPalette::TolBright:
      return QCoreApplication::translate("LabelColors", "Bright (Tol)");
    case LabelPalette::ItkSnap:
      return QStringLiteral("ITK-SNAP");
    case LabelPalette::Slicer:
      return QStringLiteral("Slicer");
  }
  return QCoreApplication::translate("LabelColors", "Colour-blind safe (Okabe-Ito)");
}

QColor label_color(std::uint16_t label, LabelPalette palette) {
  if (label >= 1 && label <= 8) {
    const std::size_t i = label - 1U;
    if (palette == LabelPalette::TolBright) return QColor(kTolBright[i]);
    if (palette == LabelPalette::ItkSnap) return QColor(kItkSnap[i]);
    if (palette == LabelPalette::Slicer) return QColor(kSlicer[i]);
  }
  const Rgb rgb = seedwave::label_color(label);
  return QColor(rgb[0], rgb[1], rgb[2]);
}

}  // namespace seedwave::ui
