// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/ops/values.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace seedwave {

enum class Backend { Cpu, Cuda };
[[nodiscard]] std::string name_of(Backend backend);  // "cpu", "cuda"
/// Returns nothing for any other name, such as "auto".
[[nodiscard]] std::optional<Backend> backend_named(const std::string& name);

/// A kind of input of an operation.
enum class InputKind { Image, Seeds, Marker, Mask, Reference };
[[nodiscard]] std::string name_of(InputKind kind);  // "image", "seeds", ...

/// InputSpec::holds of an image that is read as labels or objects (0 is background). Every label
/// output holds these, so the window selects the displayed result.
inline constexpr const char* kLabelsHeld = "labels";

struct InputSpec {
  InputKind kind = InputKind::Image;
  bool required = true;
  /// One line: the role of the input in this operation.
  std::string help{};
  /// Seeds: minimum number of labels with seeds. The window reports what is missing.
  int fewest_labels = 1;
  /// Image: values per voxel, 1 or 3 (RGB); 0: either.
  int components = 1;
  /// Image: expected content ("phases"), or "" for any. The window preselects an output of a run
  /// with this content (OutputSpec::holds).
  std::string holds{};
};

/// The images that something applies to: all, only 2-D images, or only volumes.
enum class Applies { Always, Images, Volumes };
[[nodiscard]] constexpr bool applies_to(Applies where, bool image_is_2d) noexcept {
  return where == Applies::Always || (where == Applies::Images) == image_is_2d;
}

/// One value of a choice. Some apply only to 2-D images or only to volumes.
struct Choice {
  std::string id;
  std::string title;
  Applies applies = Applies::Always;
  /// Returns the title in the panel if it depends on the grid. An empty title means that the value
  /// is not offered. If not set, `title` is used.
  std::function<std::string(const Geometry&)> title_for{};
};

/// Unit of lengths that are given in units of the grid.
inline constexpr const char* kGridLength = "mm (pixels in 2-D)";

/// The measure of a line's length.
enum class LineCount {
  /// Number of voxels along the line's longest axis.
  Voxels,
  /// Euclidean length: in pixels on 2-D images, in units of the grid on volumes.
  Ruler,
};

/// A parameter and its domain. Panel, flags, help and reference page are generated from it.
struct Parameter {
  /// Direction: three numbers, not all 0, as text: "1,0,0.5" (see direction_text.h). Place: a pixel
  /// of a 2-D image, column and row counted from 0, as text: "120,45" (see place_text.h).
  enum class Kind { Number, Integer, Choice, Direction, Place };
  enum class Scale { Linear, Logarithmic };

  std::string id{};     // snake_case, as in a session and in `values`
  std::string title{};  // for the panel
  std::string help{};   // one line
  std::string unit{};   // "mm", "voxels", "image units", ""
  Kind kind = Kind::Number;
  Value initial = 0.0;
  /// Number, Integer: the closed range, the step of the panel's spin box, the slider's scale.
  double low = 0.0;
  double high = 0.0;
  double step = 1.0;
  Scale scale = Scale::Linear;
  /// Number, Integer, Place: a word allowed instead of the value ("auto", "all"); "" if none.
  std::string word{};
  /// Place: the word means that no place is set. The operation then refuses to run, and the window
  /// says so beforehand.
  bool required = false;
  /// Number: a text with one number per label is allowed instead (see label_numbers.h).
  bool per_label = false;
  /// per_label: the numbers are new labels for the labels of the image. Merging two labels of a
  /// result in the window sets this parameter.
  bool renumbers = false;
  /// Integer: whether the number is the id of a label, and when that label must have seeds. The
  /// window offers the labels by name.
  enum class Label { None, ForEstimates, Always };
  /// ForEstimates: the label needs seeds if a per-label number is to be estimated.
  Label label = Label::None;
  /// The quantity of a line drawn on the image that sets this parameter.
  ///
  /// Angle: in degrees, counter-clockwise from the first axis of a 2-D image, whose second axis
  /// points down. Pixels count as squares, and lines have no sense of direction. Direction: a
  /// parameter of kind Direction, in lengths along the volume's own axes. Length: see `counted`.
  enum class Line { None, Angle, Direction, Length };
  Line line = Line::None;
  /// Line::Length: how the line is measured; if not set, in voxels along its longest axis.
  std::function<LineCount(const Values&)> counted{};
  /// A parameter that does not apply has no value: it is neither offered nor accepted.
  Applies applies = Applies::Always;
  /// Choice: the values. If `initial` does not apply to an image, the first one that does is the
  /// initial value.
  std::vector<Choice> choices{};
  /// Rarely changed: the panel shows it under *Advanced*.
  bool advanced = false;
  /// Number in image units: the window starts with Otsu's threshold of the image instead of
  /// `initial`.
  bool starts_at_otsu = false;
};

/// A kind of output of an operation.
enum class OutputKind { Labels, Image, Curve, Table };

/// One column of a curve or table.
struct ColumnSpec {
  std::string id;     // snake_case: the column's name in Table, and so in a CSV file
  std::string title;  // for an axis: "Angle"
  /// "\u00b0", "mm", "image units"; "" for plain numbers.
  std::string unit{};
  /// The unit if it depends on the values or the grid. If not set, `unit` is used.
  std::function<std::string(const Values&, const Geometry&)> unit_for{};
  /// Period of the numbers (180 for the angle of a line: 179 and 0 are neighbours); 0 if they are
  /// not periodic.
  double period = 0.0;
  /// The last column of a curve: it stands for any number of columns, which are titled by their
  /// names ("phase_2"). `title` is the title of their axis. See curve_columns.h.
  bool repeats = false;
  /// For the x axis of a curve: a sentence that its reader must know, or "".
  std::string note{};
};

struct OutputSpec {
  std::string id;
  OutputKind kind = OutputKind::Labels;
  std::string help;
  /// Image: unit of its values: "mm", "px", "image units"; "" for plain numbers.
  std::string unit{};
  /// Image: the unit if it depends on the values or the grid. If not set, `unit` is used.
  std::function<std::string(const Values&, const Geometry&)> unit_for{};
  /// Image: the stored value that represents 1 if the values are fractions ("strength": u16 0..4096
  /// for 0..1); 0 if values are stored as they are.
  double full = 0.0;
  /// Image: the stored value that means "no value" (-1: no nearest cell).
  std::optional<double> none{};
  /// Image: period of the values (180 for the angle of a line), which are then shown in cyclic
  /// colours; 0 if they are not periodic.
  double period = 0.0;
  /// Image: id of the image output that weights each value (the response behind an angle), or ""
  /// for equal weights. Values with a low weight are drawn faintly.
  std::string weight{};
  /// Curve, Table: the columns, in the order of Table::columns. The first column of a curve is x;
  /// each of the others is plotted against it.
  std::vector<ColumnSpec> columns{};
  /// Curve: the parameter, of this or another operation, that x is a value of ("angle"), or "". A
  /// point of the curve can then be tried out.
  std::string x_parameter{};
  /// Labels, Image: content of the output, matched with InputSpec::holds; "" if it has no name.
  std::string holds{};
  /// The output has the same content as its input image, as renumbered labels do; `holds` is then
  /// ignored.
  bool holds_what_the_image_held = false;
  /// Labels: numbers are ranks (phases from dark to bright), not names. They are shown in colours
  /// of increasing lightness.
  bool ranked = false;
  /// The output is left out if it does not apply.
  Applies applies = Applies::Always;
  /// Expensive and rarely needed: left out unless Inputs::requested names it.
  bool on_request = false;
  /// Image: on a grid of its own instead of the image's. Only written to files, because the window
  /// cannot show it over the image.
  bool own_grid = false;
};

/// A curve or a table of objects: named columns of numbers.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};
using Output = std::variant<LabelMap, Volume, Table>;

/// The part of the image that the user looks at while an operation runs. An operation that supports
/// this computes the part before the whole; see part_before_all().
struct Focus {
  /// A box of the image, not empty.
  Box box;
  /// Receives the outputs in the box, on its grid (crop()), bit for bit as in the final result.
  /// Called on the thread of the run.
  std::function<void(const std::map<std::string, Output>& part)> show;
};

/// The inputs of an implementation. Their grids have been checked against that of the image.
struct Inputs {
  Volume image;
  SeedVoxels seeds;
  LabelMap mask;       // empty: every cell takes part
  Volume marker;       // empty: none
  LabelMap reference;  // empty: none
  /// Ids of additional outputs.
  std::set<std::string> requested;
  /// Empty if no part is to be computed first.
  std::optional<Focus> focus{};
};

struct Result {
  std::map<std::string, Output> outputs;
  /// The values used, `auto` replaced by its number.
  Values values;
  std::vector<std::string> warnings;
};

enum class Exactness { Exact, Approximate };

/// One way to compute an operation.
struct Implementation {
  std::string algorithm;
  Backend backend = Backend::Cpu;
  Exactness exactness = Exactness::Exact;
  std::function<Result(const Inputs&, const Values&, Context&)> run;
  /// Returns why it cannot compute this, or "" if it can. If not set, it can compute everything.
  std::function<std::string(const Inputs&, const Values&)> why_not{};
  /// Returns the device memory that it needs; `auto` uses this to check whether the data fit. CUDA
  /// only.
  std::function<std::int64_t(const Inputs&, const Values&)> device_bytes{};
  /// Returns the minimum Context::memory() that it can work with, in parts if necessary. On the CPU
  /// this excludes inputs and outputs; on CUDA it is all device memory. If not set, memory limits
  /// are not supported.
  std::function<std::int64_t(const Inputs&, const Values&)> least_bytes{};
};

/// An operation that the user can run.
struct Operation {
  std::string id;
  std::string title;
  std::string help;  // one line
  std::vector<InputSpec> inputs;
  /// At least one of these inputs is required. The window says so before the operation runs.
  std::vector<InputKind> one_of{};
  std::vector<Parameter> parameters;
  std::vector<OutputSpec> outputs;
  /// In order of preference: the first of a backend is that backend's default. The reference for
  /// parity tests is the one named by `reference_algorithm`, on the CPU.
  std::vector<Implementation> implementations;
  std::string reference_algorithm;

  [[nodiscard]] bool wants(InputKind kind) const;
  [[nodiscard]] const Parameter* find_parameter(const std::string& id) const;
  /// Throws UsageError, which lists the ids, if there is no such parameter.
  [[nodiscard]] const Parameter& parameter(const std::string& id) const;
  /// The first image or label output that is not on request; if there is none, the first output.
  /// `--out` writes it, and its digest identifies the run.
  [[nodiscard]] const OutputSpec& main_output() const;
};

/// The initial value of a parameter on an image of that dimension.
[[nodiscard]] Value initial_value(const Parameter& parameter, bool image_is_2d);

/// The text of a value: a number at full precision, or the word.
[[nodiscard]] std::string text_of(const Value& value);

/// The parameter's domain in words: "a number from 0 to 10, or auto", "6, 18 or 26".
[[nodiscard]] std::string domain_text(const Parameter& parameter);

/// Returns the values without those of parameters that do not apply to images of that dimension.
[[nodiscard]] Values applicable(const Operation& operation, const Values& values, bool image_is_2d);

/// Returns a value for each parameter that applies: from `given` if set, else the initial value.
/// Throws UsageError, naming the parameter and its range, for an unknown id, one that does not
/// apply, or a value out of range.
[[nodiscard]] Values checked_values(const Operation& operation, const Values& given,
                                    bool image_is_2d);

/// Throws UsageError, naming the parameter and the image's size, for a place that lies outside.
void check_places(const Operation& operation, const Values& values, const Geometry& geometry);

/// Reads "12.5", "auto", "26" for a parameter. Throws UsageError with the range or the choices.
[[nodiscard]] Value parse_value(const Parameter& parameter, const std::string& text);

/// Returns the focus if its part is to be computed first, else null. Also null if the part, with
/// the `margin` of cells that it depends on, exceeds half of the image: it would come late and
/// delay the whole.
[[nodiscard]] const Focus* part_before_all(const Inputs& inputs, std::int64_t margin);

/// Throws InputError if a required input is missing or empty, or if an input is on a different
/// grid.
void check_inputs(const Operation& operation, const Inputs& inputs);

}  // namespace seedwave
