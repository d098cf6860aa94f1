// SPDX-License-Identifier: Apache-2.0
#include "app/cli/picture.h"

#include "core/image/cyclic_color.h"
#include "core/image/histogram.h"
#include "core/image/label_color.h"
#include "core/io/save.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave::cli {

namespace {

constexpr int kLetterWidth = 10;
constexpr int kLetterHeight = 14;
constexpr int kEnlarged = 2;

/// 5 x 7 dots, rows from the top.
struct Shape {
  char letter;
  std::string_view dots;
};

constexpr std::array kShapes{
    Shape{'R',
          "####."
          "#...#"
          "#...#"
          "####."
          "#.#.."
          "#..#."
          "#...#"},
    Shape{'L',
          "#...."
          "#...."
          "#...."
          "#...."
          "#...."
          "#...."
          "#####"},
    Shape{'A',
          ".###."
          "#...#"
          "#...#"
          "#####"
          "#...#"
          "#...#"
          "#...#"},
    Shape{'P',
          "####."
          "#...#"
          "#...#"
          "####."
          "#...."
          "#...."
          "#...."},
    Shape{'S',
          ".####"
          "#...."
          "#...."
          ".###."
          "....#"
          "....#"
          "####."},
    Shape{'I',
          ".###."
          "..#.."
          "..#.."
          "..#.."
          "..#.."
          "..#.."
          ".###."},
};

/// Returns whether a pixel of an orientation letter (R L A P S I) is set; false for other
/// characters.
/// x < kLetterWidth, y < kLetterHeight.
bool letter_pixel(char letter, int x, int y) noexcept {
  for (const Shape& shape : kShapes) {
    if (shape.letter == letter) return shape.dots[x / kEnlarged + y / kEnlarged * 5] == '#';
  }
  return false;
}

constexpr double kFill = 0.45;
/// Approximate length of a panel's longer side in pixels.
constexpr std::int64_t kPanelSide = 480;
constexpr std::int64_t kGap = 6;
constexpr Rgb kLetterColor{255, 255, 255};

/// Converts voxels to RGB bytes; intensities pass through a window.
class Colors {
 public:
  explicit Colors(const Volume& image) : image_(image) {
    if (image.components() == 1) window_ = automatic_window(image, WindowRule::Percentiles);
  }

  [[nodiscard]] Rgb at(const Index3& index) const {
    if (image_.components() == 3) {
      return {byte(image_.value_at(index, 0)), byte(image_.value_at(index, 1)),
              byte(image_.value_at(index, 2))};
    }
    const double share = (image_.value_at(index) - window_.low()) / window_.width;
    const std::uint8_t grey = byte(255.0 * share);
    return {grey, grey, grey};
  }

 private:
  static std::uint8_t byte(double value) {
    if (!(value > 0.0)) return 0;  // NaN is black
    return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0)));
  }
  const Volume& image_;
  GreyWindow window_;
};

/// The index axis that runs along a screen axis, and its direction. Letters stand at both ends.
struct ScreenAxis {
  int axis = 0;
  bool reversed = false;
  char from = ' ';
  char to = ' ';
};

/// A slice of the grid as it is displayed.
struct Plane {
  ScreenAxis right;
  ScreenAxis down;
  Index3 through{0, 0, 0};
};

/// Returns for each world axis the index axis that is most nearly parallel to it, each used once.
std::array<int, 3> nearest_axes(const Matrix3& direction) {
  std::array<int, 3> nearest{-1, -1, -1};
  std::array<bool, 3> taken{};
  for (int round = 0; round < 3; ++round) {
    double best = -1.0;
    int world = 0;
    int index = 0;
    for (int w = 0; w < 3; ++w) {
      for (int i = 0; i < 3; ++i) {
        const double along = std::abs(direction[3 * w + i]);
        if (nearest[w] >= 0 || taken[i] || along <= best) continue;
        best = along;
        world = w;
        index = i;
      }
    }
    nearest[world] = index;
    taken[index] = true;
  }
  return nearest;
}

/// Returns the index axis that runs along a world axis (0 to L, 1 to P, 2 to S), or against it.
ScreenAxis screen_axis(const Geometry& geometry, int world, bool against) {
  constexpr std::array kLow{'R', 'A', 'I'};
  constexpr std::array kHigh{'L', 'P', 'S'};
  ScreenAxis screen;
  screen.axis = nearest_axes(geometry.direction)[world];
  screen.reversed = (geometry.direction[3 * world + screen.axis] < 0.0) != against;
  screen.from = against ? kHigh[world] : kLow[world];
  screen.to = against ? kLow[world] : kHigh[world];
  return screen;
}

std::vector<Plane> planes_of(const Geometry& geometry, const Index3& through) {
  // Radiological convention: the patient's right is on the left of the screen; head, or nose, is
  // up.
  const ScreenAxis left = screen_axis(geometry, 0, false);
  const ScreenAxis back = screen_axis(geometry, 1, false);
  const ScreenAxis feet = screen_axis(geometry, 2, true);
  return {{left, back, through}, {left, feet, through}, {back, feet, through}};
}

/// An RGB image, initially black.
struct Canvas {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;

  Canvas(std::int64_t w, std::int64_t h)
      : width(w), height(h), rgb(static_cast<std::size_t>(3 * w * h)) {}
  void set(std::int64_t x, std::int64_t y, const Rgb& color) {
    std::copy(color.begin(), color.end(),
              rgb.begin() + static_cast<std::ptrdiff_t>(3 * (x + y * width)));
  }
};

/// Maps the panel's pixels to the nearest voxels, in the proportions of the spacing.
class Panel {
 public:
  Panel(const Geometry& geometry, const Plane& plane, double mm_per_pixel)
      : geometry_(geometry), plane_(plane), mm_per_pixel_(mm_per_pixel) {}

  [[nodiscard]] std::int64_t width() const { return pixels(plane_.right.axis); }
  [[nodiscard]] std::int64_t height() const { return pixels(plane_.down.axis); }
  [[nodiscard]] Index3 voxel_at(std::int64_t x, std::int64_t y) const {
    Index3 index = plane_.through;
    index[plane_.right.axis] = along(plane_.right, x);
    index[plane_.down.axis] = along(plane_.down, y);
    return index;
  }

 private:
  [[nodiscard]] std::int64_t pixels(int axis) const {
    const double mm = static_cast<double>(geometry_.size[axis]) * geometry_.spacing[axis];
    return std::max<std::int64_t>(1, std::llround(mm / mm_per_pixel_));
  }
  [[nodiscard]] std::int64_t along(const ScreenAxis& screen, std::int64_t pixel) const {
    const double mm = (static_cast<double>(pixel) + 0.5) * mm_per_pixel_;
    const std::int64_t last = geometry_.size[screen.axis] - 1;
    const auto index = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(mm / geometry_.spacing[screen.axis]), 0, last);
    return screen.reversed ? last - index : index;
  }
  const Geometry& geometry_;
  const Plane& plane_;
  double mm_per_pixel_;
};

Rgb mixed(const Rgb& below, const Rgb& above, double share) {
  Rgb color{};
  for (std::size_t i = 0; i < 3; ++i) {
    color[i] = static_cast<std::uint8_t>(std::lround(below[i] + share * (above[i] - below[i])));
  }
  return color;
}

/// Draws the labels. A pixel belongs to the outline if a neighbour on the screen has another label.
void draw_labels(const LabelMap& labels, const Panel& panel, std::int64_t left, Canvas& canvas) {
  const std::int64_t width = panel.width();
  const std::int64_t height = panel.height();
  std::vector<Label> seen(static_cast<std::size_t>(width * height));
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x)
      seen[x + y * width] = labels.at(panel.voxel_at(x, y));
  }
  const auto differs = [&](std::int64_t x, std::int64_t y, Label label) {
    return x < 0 || y < 0 || x >= width || y >= height || seen[x + y * width] != label;
  };
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const Label label = seen[x + y * width];
      if (label == 0) continue;
      const bool outline = differs(x - 1, y, label) || differs(x + 1, y, label) ||
                           differs(x, y - 1, label) || differs(x, y + 1, label);
      const auto at = static_cast<std::size_t>(3 * (left + x + y * canvas.width));
      const Rgb below{canvas.rgb[at], canvas.rgb[at + 1], canvas.rgb[at + 2]};
      canvas.set(left + x, y, mixed(below, label_color(label), outline ? 1.0 : kFill));
    }
  }
}

Rgb grey_of(const Rgb& rgb) {
  // Rec. 601, as in the channel "gray".
  const double luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
  const auto grey = static_cast<std::uint8_t>(std::lround(luma));
  return {grey, grey, grey};
}

/// Draws cyclic colours over the image in grayscale, with the weight as opacity. Colours of the
/// image itself could be mistaken for values.
void draw_round_map(const ScalarMap& map, const Panel& panel, std::int64_t left, Canvas& canvas) {
  for (std::int64_t y = 0; y < panel.height(); ++y) {
    for (std::int64_t x = 0; x < panel.width(); ++x) {
      const Index3 voxel = panel.voxel_at(x, y);
      const auto at = static_cast<std::size_t>(3 * (left + x + y * canvas.width));
      const Rgb below{canvas.rgb[at], canvas.rgb[at + 1], canvas.rgb[at + 2]};
      const Rgb grey = grey_of(below);
      canvas.set(left + x, y, grey);
      const double value = map.shown_at(voxel);
      if (!std::isfinite(value)) continue;
      double share = 1.0;
      if (map.weight != nullptr) {
        const MapRange& range = map.weight->range;
        const double over = (map.weight->shown_at(voxel) - range.low) / (range.high - range.low);
        share = over > 0.0 ? std::min(over, 1.0) : 0.0;
      }
      canvas.set(left + x, y, mixed(grey, cyclic_color(value / map.period), share));
    }
  }
}

void draw_letter(char letter, std::int64_t left, std::int64_t top, Canvas& canvas) {
  for (int y = 0; y < kLetterHeight; ++y) {
    for (int x = 0; x < kLetterWidth; ++x) {
      const bool inside =
          left + x >= 0 && left + x < canvas.width && top + y >= 0 && top + y < canvas.height;
      if (inside && letter_pixel(letter, x, y)) canvas.set(left + x, top + y, kLetterColor);
    }
  }
}

void draw_letters(const Plane& plane, const Panel& panel, std::int64_t left, Canvas& canvas) {
  constexpr std::int64_t kMargin = 4;
  const std::int64_t right = left + panel.width() - kMargin - kLetterWidth;
  const std::int64_t bottom = panel.height() - kMargin - kLetterHeight;
  const std::int64_t middle_x = left + (panel.width() - kLetterWidth) / 2;
  const std::int64_t middle_y = (panel.height() - kLetterHeight) / 2;
  draw_letter(plane.right.from, left + kMargin, middle_y, canvas);
  draw_letter(plane.right.to, right, middle_y, canvas);
  draw_letter(plane.down.from, middle_x, kMargin, canvas);
  draw_letter(plane.down.to, middle_x, bottom, canvas);
}

/// Returns the voxel nearest to the centroid of the label with the most voxels, or the centre of
/// the grid without labels.
Index3 centre_of(const LabelMap& labels, const Geometry& geometry) {
  const Index3 middle{geometry.size[0] / 2, geometry.size[1] / 2, geometry.size[2] / 2};
  if (labels.empty()) return middle;
  const auto counts = count_labels(labels);
  const auto largest =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest == counts.end()) return middle;
  Index3 sum{0, 0, 0};
  std::int64_t offset = 0;
  for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
    for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
      for (std::int64_t x = 0; x < geometry.size[0]; ++x, ++offset) {
        if (labels.labels()[offset] != largest->first) continue;
        sum[0] += x;
        sum[1] += y;
        sum[2] += z;
      }
    }
  }
  const std::int64_t n = largest->second;
  return {(sum[0] + n / 2) / n, (sum[1] + n / 2) / n, (sum[2] + n / 2) / n};
}

/// Returns the millimetres per pixel of all panels. A 2-D image with square pixels keeps its size;
/// otherwise the longest side is scaled to kPanelSide.
double scale_of(const Geometry& geometry) {
  if (geometry.is_2d() && geometry.spacing[0] == geometry.spacing[1]) return geometry.spacing[0];
  double longest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    longest = std::max(longest, static_cast<double>(geometry.size[axis]) * geometry.spacing[axis]);
  }
  if (longest == 0.0) longest = geometry.spacing[0];
  return longest / static_cast<double>(kPanelSide);
}

/// Returns an image output as a map on `grid`; empty if it is missing or on another grid.
ScalarMap map_of(const RunReport& report, const OutputSpec& output, const Geometry& grid) {
  const auto found = report.outputs.find(output.id);
  if (found == report.outputs.end()) return {};
  const auto* volume = std::get_if<Volume>(&found->second);
  if (volume == nullptr || !same_grid(volume->geometry(), grid)) return {};
  const ImageForm& image = *output.image();
  return {.name = output.id,
          .full = image.full,
          .none = image.none,
          .period = image.period,
          .volume = *volume};
}

/// Returns the first cyclic output that has a weight, with that weight, or an empty map.
ScalarMap weighed_map_of(const Operation& operation, const RunReport& report,
                         const Geometry& grid) {
  for (const OutputSpec& output : operation.outputs) {
    const ImageForm* image = output.image();
    if (image == nullptr || image->period <= 0.0 || image->weight.empty()) continue;
    ScalarMap map = map_of(report, output, grid);
    for (const OutputSpec& other : operation.outputs) {
      if (other.id != image->weight || map.empty()) continue;
      ScalarMap weight = map_of(report, other, grid);
      if (weight.empty()) continue;
      map.weight = as_weight(std::move(weight));
      return map;
    }
  }
  return {};
}

/// Draws the panels of the image. draw(panel, left edge, canvas) adds the overlay to each.
template <typename Draw>
Volume picture_with(const Volume& image, const Index3& through, Draw&& draw) {
  const Geometry& geometry = image.geometry();
  std::vector<Plane> planes;
  if (geometry.is_2d()) {
    planes = {{{.axis = 0}, {.axis = 1}, through}};
  } else {
    planes = planes_of(geometry, through);
  }
  const double scale = scale_of(geometry);
  std::int64_t width = -kGap;
  std::int64_t height = 0;
  for (const Plane& plane : planes) {
    const Panel panel(geometry, plane, scale);
    width += panel.width() + kGap;
    height = std::max(height, panel.height());
  }
  Canvas canvas(width, height);
  const Colors colors(image);
  std::int64_t left = 0;
  for (const Plane& plane : planes) {
    const Panel panel(geometry, plane, scale);
    for (std::int64_t y = 0; y < panel.height(); ++y) {
      for (std::int64_t x = 0; x < panel.width(); ++x)
        canvas.set(left + x, y, colors.at(panel.voxel_at(x, y)));
    }
    draw(panel, left, canvas);
    if (!geometry.is_2d()) draw_letters(plane, panel, left, canvas);
    left += panel.width() + kGap;
  }
  Geometry grid;
  grid.size = {canvas.width, canvas.height, 1};
  grid.unit = LengthUnit::Pixel;
  return {grid, std::move(canvas.rgb), 3};
}

}  // namespace

Volume picture_of(const Volume& image, const LabelMap& labels) {
  return picture_with(image, centre_of(labels, image.geometry()),
                      [&](const Panel& panel, std::int64_t left, Canvas& canvas) {
                        if (!labels.empty()) draw_labels(labels, panel, left, canvas);
                      });
}

Volume picture_of(const Volume& image, const ScalarMap& map) {
  return picture_with(image, centre_of({}, image.geometry()),
                      [&](const Panel& panel, std::int64_t left, Canvas& canvas) {
                        draw_round_map(map, panel, left, canvas);
                      });
}

void save_picture(io::OutputSet& outputs, const std::filesystem::path& path, const Volume& image,
                  const Operation& operation, const RunReport& report) {
  if (const ScalarMap map = weighed_map_of(operation, report, image.geometry()); !map.empty()) {
    io::save_volume(outputs, path, picture_of(image, map));
    return;
  }
  const Output& output = report.outputs.at(operation.main_output(report.reads).id);
  if (const auto* labels = std::get_if<LabelMap>(&output)) {
    io::save_volume(outputs, path, picture_of(image, *labels));
  } else if (const auto* volume = std::get_if<Volume>(&output)) {
    io::save_volume(outputs, path, picture_of(*volume, LabelMap()));
  } else {
    io::save_volume(outputs, path, picture_of(image, LabelMap()));
  }
}

}  // namespace seedwave::cli
