// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/plot_colors.h"

#include "core/image/label_color.h"
#include "core/image/label_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seedwave::ui {

namespace {

constexpr Label kSafeLabels = 8;  // more label colours cannot be told apart
constexpr double kLeastContrast = 3.0;
constexpr double kGridShare = 0.16;
constexpr double kAxisShare = 0.55;

QColor between(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](int from, int to) {
    return static_cast<int>(std::lround(from + share * (to - from)));
  };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

}  // namespace

double contrast_ratio(const QColor& a, const QColor& b) {
  const double of_a = luminance(a) + 0.05;
  const double of_b = luminance(b) + 0.05;
  return std::max(of_a, of_b) / std::min(of_a, of_b);
}

QColor PlotColors::of(const Plot& plot, std::size_t at) const {
  const auto standing_out = [&](const QString& name) {
    const QColor own(name);
    QColor color = own;
    for (double share = 0.1; contrast_ratio(color, background) < kLeastContrast && share <= 1.0;
         share += 0.1)
      color = between(own, text, share);
    return color;
  };
  if (!plot.curves[at].color.isEmpty()) return standing_out(plot.curves[at].color);
  std::vector<QColor> left = curves;
  for (const PlotCurve& other : plot.curves) {
    if (!other.color.isEmpty()) std::erase(left, standing_out(other.color));
  }
  const std::vector<QColor>& choice = left.empty() ? curves : left;
  return choice[plot.color_of(at) % choice.size()];
}

PlotColors plot_colors(const QPalette& palette) {
  const QColor background = palette.color(QPalette::Active, QPalette::Base);
  const QColor text = palette.color(QPalette::Active, QPalette::Text);
  PlotColors colors{.background = background,
                    .text = text,
                    .axis = between(background, text, kAxisShare),
                    .grid = between(background, text, kGridShare),
                    .curves = {}};
  for (Label label = 1; label <= kSafeLabels; ++label) {
    const Rgb rgb = label_color(label);
    const QColor color(rgb[0], rgb[1], rgb[2]);
    if (contrast_ratio(color, background) >= kLeastContrast) colors.curves.push_back(color);
  }
  if (colors.curves.empty()) colors.curves.push_back(text);
  return colors;
}

}  // namespace seedwave::ui
