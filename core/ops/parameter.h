// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/ops/values.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace seedwave {

/// The images that something applies to: all, only 2-D images, or only volumes.
enum class Applies { Always, Images, Volumes };
[[nodiscard]] constexpr bool applies_to(Applies where, bool image_is_2d) noexcept {
  return where == Applies::Always || (where == Applies::Images) == image_is_2d;
}

/// Unit of lengths that are given in units of the grid.
inline constexpr const char* kGridLength = "mm (pixels in 2-D)";

enum class Scale { Linear, Logarithmic };

/// A closed range of numbers.
struct NumberDomain {
  std::string unit{};  // "mm", "voxels", "image units", ""
  double low = 0.0;
  double high = 0.0;
  double step = 1.0;            // of the panel's spin box
  Scale scale = Scale::Linear;  // of the panel's slider
  bool whole = false;           // whole numbers only
  std::string word{};           // allowed instead of a number ("auto", "all"); "" if none
  bool per_label = false;       // a text with one number per label is allowed (label_numbers.h)
};

/// One value of a choice. Some apply only to 2-D images or only to volumes.
struct Choice {
  std::string id;
  std::string title;
  Applies applies = Applies::Always;
  /// Returns the title in the panel if it depends on the grid. An empty title means that the value
  /// is not offered. If not set, `title` is used.
  std::function<std::string(const Geometry&)> title_for{};
};
/// The values of a choice. If `initial` does not apply to an image, the first one that does is the
/// initial value.
using ChoiceDomain = std::vector<Choice>;

/// Three numbers, not all 0, as text: "1,0,0.5" (direction_text.h).
struct DirectionDomain {};

/// A pixel of a 2-D image, column and row counted from 0, as text: "120,45" (place_text.h).
struct PlaceDomain {
  std::string word{};  // means that no place is set
  /// The operation refuses to run without a place, and the window says so beforehand.
  bool required = false;
};

// Roles of a parameter: how the window sets it otherwise than by its row in the panel.

/// A line drawn on a 2-D image sets this angle: in degrees, counter-clockwise from the first axis;
/// the second axis points down. Pixels count as squares, and lines have no sense of direction.
struct DrawnAngle {};
/// A drawn line sets this direction, in lengths along the volume's own axes.
struct DrawnDirection {};
/// The measure of a line's length.
enum class LineCount {
  /// Number of voxels along the line's longest axis.
  Voxels,
  /// Euclidean length: in pixels on 2-D images, in units of the grid on volumes.
  Ruler,
};
/// A drawn line sets this length.
struct DrawnLength {
  /// Returns how the line is measured; if not set, in voxels along its longest axis.
  std::function<LineCount(const Values&)> counted{};
};
/// The number is the id of a label, which the window offers by name.
struct NamesLabel {
  /// The label must have seeds always, or only if a per-label number is to be estimated.
  bool always = false;
};
/// The per-label numbers are new labels for the labels of the image. Merging two labels of a result
/// in the window sets them.
struct RenumbersLabels {};
/// The window starts with Otsu's threshold of the image instead of `initial`.
struct StartsAtOtsu {};

/// A parameter of an operation. Panel, flags, help and reference page are generated from it.
struct Parameter {
  using Domain = std::variant<NumberDomain, ChoiceDomain, DirectionDomain, PlaceDomain>;
  using Role = std::variant<std::monostate, DrawnAngle, DrawnDirection, DrawnLength, NamesLabel,
                            RenumbersLabels, StartsAtOtsu>;

  std::string id{};     // snake_case, as in a session and in `values`
  std::string title{};  // for the panel
  std::string help{};   // one line
  Value initial = 0.0;
  Domain domain = NumberDomain{};
  Role role{};
  /// A parameter that does not apply has no value: it is neither offered nor accepted.
  Applies applies = Applies::Always;
  /// Rarely changed: the panel shows it under *Advanced*.
  bool advanced = false;

  /// Returns the domain, or null if it is of another kind.
  [[nodiscard]] const NumberDomain* numbers() const { return std::get_if<NumberDomain>(&domain); }
  [[nodiscard]] const ChoiceDomain* choices() const { return std::get_if<ChoiceDomain>(&domain); }
  [[nodiscard]] const PlaceDomain* place() const { return std::get_if<PlaceDomain>(&domain); }
  [[nodiscard]] bool is_whole() const { return numbers() != nullptr && numbers()->whole; }
  [[nodiscard]] bool is_logarithmic() const {
    return numbers() != nullptr && numbers()->scale == Scale::Logarithmic;
  }
  /// Returns the word allowed instead of a number or place, or "".
  [[nodiscard]] std::string word() const;
  /// Returns whether the value is that word.
  [[nodiscard]] bool is_word(const Value& value) const;
  /// Returns the unit of its numbers, or "".
  [[nodiscard]] std::string unit() const;
  /// Returns the role, or null if the parameter has another or none.
  template <typename R>
  [[nodiscard]] const R* role_as() const {
    return std::get_if<R>(&role);
  }
};

/// Returns "6, 18 or 26".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

/// Returns the initial value on an image of that dimension.
[[nodiscard]] Value initial_value(const Parameter& parameter, bool image_is_2d);

/// Returns the text of a value: a number at full precision, or the word.
[[nodiscard]] std::string text_of(const Value& value);

/// Returns the domain in words: "a number from 0 to 10, or auto", "6, 18 or 26".
[[nodiscard]] std::string domain_text(const Parameter& parameter);

/// Reads "12.5", "auto", "26". Throws UsageError with the range or the choices.
[[nodiscard]] Value parse_value(const Parameter& parameter, const std::string& text);

/// Throws UsageError, naming the parameter and its range, for a value out of its domain or a choice
/// that does not apply to images of that dimension.
void check_value(const Parameter& parameter, const Value& value, bool image_is_2d);

}  // namespace seedwave
