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
/// Nothing for any other name, such as "auto".
[[nodiscard]] std::optional<Backend> backend_named(const std::string& name);

/// What an operation can be given.
enum class InputKind { Image, Seeds, Marker, Mask, Reference };
[[nodiscard]] std::string name_of(InputKind kind);  // "image", "seeds", ...

/// InputSpec::holds of an image that is read as labels or objects (0 is background), which every
/// output of labels holds: the window chooses the result that it shows.
inline constexpr const char* kLabelsHeld = "labels";

struct InputSpec {
  InputKind kind = InputKind::Image;
  bool required = true;
  /// One line: what it means to this operation.
  std::string help{};
  /// Seeds: how many labels must have some, so that the window can say what is missing.
  int fewest_labels = 1;
  /// Image: values per voxel, 1 or 3 (RGB); 0: either.
  int components = 1;
  /// Image: what it is meant to hold ("phases"): where a run gave such (OutputSpec::holds) the
  /// window chooses it by itself; "" for anything.
  std::string holds{};
};

/// What has a meaning only on 2-D images, or only on volumes.
enum class Applies { Always, Images, Volumes };
[[nodiscard]] constexpr bool applies_to(Applies where, bool image_is_2d) noexcept {
  return where == Applies::Always || (where == Applies::Images) == image_is_2d;
}

/// One of a choice's values; some apply only to 2-D images or only to volumes.
struct Choice {
  std::string id;
  std::string title;
  Applies applies = Applies::Always;
  /// What the panel calls it where that depends on the grid; empty: it is not offered there. Where
  /// none is set `title` counts.
  std::function<std::string(const Geometry&)> title_for{};
};

/// The unit of lengths that are given in units of the grid.
inline constexpr const char* kGridLength = "mm, on pictures pixels";

/// How the length of a line is counted.
enum class LineCount {
  /// Voxels along its longest axis.
  Voxels,
  /// As a ruler measures: on 2-D images in pixels, on volumes in units of the grid.
  Ruler,
};

/// A parameter and its domain. Panel, flags, help and reference page grow from this.
struct Parameter {
  /// Direction: three numbers, not all 0, as a text: "1,0,0.5" (see direction_text.h). Place: a
  /// pixel of a 2-D image, column and row from 0 on, as a text: "120,45" (see place_text.h).
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
  /// Number, Integer, Place: a word that may stand in its place ("auto", "all"); "" where none may.
  std::string word{};
  /// Place: the word stands for none yet, with which the operation refuses to run, so that the
  /// window can say it before.
  bool required = false;
  /// Number: a text with one number per label may stand in its place (see label_numbers.h).
  bool per_label = false;
  /// per_label: the numbers are those that labels of the image get, so that merging two labels of a
  /// result in the window sets it.
  bool renumbers = false;
  /// Integer: the number is the id of a label, and when that label must have seeds. The window
  /// offers the labels by their names.
  enum class Label { None, ForEstimates, Always };
  /// ForEstimates: where a number that may be given per label is left to us.
  Label label = Label::None;
  /// What the value is of a line that is drawn on the image, so that drawing one sets it.
  ///
  /// Angle: in degrees, counter-clockwise from the first axis of a 2-D image, whose second one runs
  /// down, with pixels as squares; a line has none of its own sense. Direction: of the kind
  /// Direction, in lengths along the volume's own axes. Length: see `counted`.
  enum class Line { None, Angle, Direction, Length };
  Line line = Line::None;
  /// Line::Length: in voxels along the line's longest axis where none is set.
  std::function<LineCount(const Values&)> counted{};
  /// Where it does not, there is no value: it is neither offered nor taken.
  Applies applies = Applies::Always;
  /// Choice: the values. The initial one of a dimension is the first that applies.
  std::vector<Choice> choices{};
  /// Few change it: the panel shows it under *Advanced*.
  bool advanced = false;
  /// Number in image units: where the window starts, in place of `initial`, is Otsu's threshold of
  /// the image.
  bool starts_at_otsu = false;
};

/// What comes out.
enum class OutputKind { Labels, Image, Curve, Table };

/// What the numbers of one column of a curve or table are.
struct ColumnSpec {
  std::string id;     // snake_case: the column's name in Table, and so in a CSV file
  std::string title;  // for an axis: "Angle"
  /// "\u00b0", "mm", "image units"; "" for plain numbers.
  std::string unit{};
  /// The unit where it depends on the values or on the grid; `unit` counts where none is set.
  std::function<std::string(const Values&, const Geometry&)> unit_for{};
  /// The numbers begin again after so many (180 for the angle of a line, so that 179 and 0 are
  /// neighbours); 0: they do not.
  double period = 0.0;
  /// The last column of a curve: it stands for as many as come out, which are titled by their names
  /// ("phase_2"); `title` is what stands on their axis. See curve_columns.h.
  bool repeats = false;
  /// For the x axis of a curve: a sentence that its reader must know; "" if there is none.
  std::string note{};
};

struct OutputSpec {
  std::string id;
  OutputKind kind = OutputKind::Labels;
  std::string help;
  /// Image: what one unit of its values is: "mm", "px", "image units"; "" for plain numbers.
  std::string unit{};
  /// Image: the unit where it depends on the values or on the grid; `unit` counts where none is
  /// set.
  std::function<std::string(const Values&, const Geometry&)> unit_for{};
  /// Image: the stored value that stands for 1 where values are shares of a whole ("strength": u16
  /// 0..4096 for 0..1); 0 where they stand for themselves.
  double full = 0.0;
  /// Image: the stored value that means "nothing here" (-1 for the nearest cell of none).
  std::optional<double> none{};
  /// Image: the values begin again after so many (180 for the angle of a line), and are shown in
  /// colours that close; 0: they do not.
  double period = 0.0;
  /// Image: the id of the output, an image too, that says how much each value counts (the response
  /// behind an angle); "": all alike. Shown faint where it is low.
  std::string weight{};
  /// Curve, Table: the columns, in the order of Table::columns. A curve's first is x, and each of
  /// the others is drawn over it.
  std::vector<ColumnSpec> columns{};
  /// Curve: the parameter that an x is a value of, of this operation or of others ("angle"), so
  /// that a place on the curve can be tried out; "" where there is none.
  std::string x_parameter{};
  /// Labels, Image: what it holds, for the inputs that want such (InputSpec::holds); "" for nothing
  /// of that kind.
  std::string holds{};
  /// The same where it holds what the image held that it was made from, as labels under other
  /// numbers do; `holds` then counts for nothing.
  bool holds_what_the_image_held = false;
  /// Labels: numbers are ranks (phases from dark to bright), not names, and shown in colours of
  /// rising lightness.
  bool ranked = false;
  /// Where it does not, it does not come out.
  Applies applies = Applies::Always;
  /// Costs time and memory that few want to pay: left out unless Inputs::requested names it.
  bool on_request = false;
  /// Image: on a grid of its own, not the image's: for files, since nothing lies under it in the
  /// window.
  bool own_grid = false;
};

/// A curve or a table of objects: named columns of numbers.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};
using Output = std::variant<LabelMap, Volume, Table>;

/// What somebody looks at while an operation runs. One that can gives its answer there before it
/// goes on with the whole; see part_before_all().
struct Focus {
  /// Of the image, not empty.
  Box box;
  /// Takes outputs in the box, on its grid (crop()): the bits that the result will have there. From
  /// the run's own thread.
  std::function<void(const std::map<std::string, Output>& part)> show;
};

/// What an implementation reads. Grids have been checked against the image's.
struct Inputs {
  Volume image;
  SeedVoxels seeds;
  LabelMap mask;       // empty: every cell takes part
  Volume marker;       // empty: none
  LabelMap reference;  // empty: none
  /// Ids of outputs beyond those that come unasked.
  std::set<std::string> requested;
  /// Nothing: nobody looks.
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
  /// Why it cannot compute this; "" where it can. Without it, it can compute all.
  std::function<std::string(const Inputs&, const Values&)> why_not{};
  /// Device memory that it needs, so that `auto` can tell whether the data fit. CUDA only.
  std::function<std::int64_t(const Inputs&, const Values&)> device_bytes{};
  /// The least Context::memory() that it can do with, in parts where it must: on the CPU what it
  /// works with beside inputs and outputs, on CUDA all device memory. Empty: it keeps to none.
  std::function<std::int64_t(const Inputs&, const Values&)> least_bytes{};
};

/// One thing that the user can run.
struct Operation {
  std::string id;
  std::string title;
  std::string help;  // one line
  std::vector<InputSpec> inputs;
  /// None of these is required by itself, but the operation refuses to run without any of them:
  /// so that the window can say it before.
  std::vector<InputKind> one_of{};
  std::vector<Parameter> parameters;
  std::vector<OutputSpec> outputs;
  /// In order of preference: the first of a backend is that backend's default. The reference for
  /// parity tests is the one named by `reference_algorithm`, on the CPU.
  std::vector<Implementation> implementations;
  std::string reference_algorithm;

  [[nodiscard]] bool wants(InputKind kind) const;
  [[nodiscard]] const Parameter* find_parameter(const std::string& id) const;
  /// Throws UsageError that lists the ids when there is none of that name.
  [[nodiscard]] const Parameter& parameter(const std::string& id) const;
  /// The first image or label output that comes unasked; where there is none, the first of all. It
  /// is what `--out` writes, and its digest stands for the run.
  [[nodiscard]] const OutputSpec& main_output() const;
};

/// The value a parameter starts with on an image of that dimension.
[[nodiscard]] Value initial_value(const Parameter& parameter, bool image_is_2d);

/// A value as it is written: a number at full precision, or the word.
[[nodiscard]] std::string text_of(const Value& value);

/// The parameter's domain in words: "a number from 0 to 10, or auto", "6, 18 or 26".
[[nodiscard]] std::string domain_text(const Parameter& parameter);

/// Those of parameters that apply: what was set on the other dimension counts for nothing there.
[[nodiscard]] Values applicable(const Operation& operation, const Values& values, bool image_is_2d);

/// All parameters that apply: `given` where set, else the initial value.
/// Throws UsageError, naming the parameter and its range, for an unknown id, one that does not
/// apply, or a value outside.
[[nodiscard]] Values checked_values(const Operation& operation, const Values& given,
                                    bool image_is_2d);

/// Throws UsageError, naming the parameter and the image's size, for a place that lies outside.
void check_places(const Operation& operation, const Values& values, const Geometry& geometry);

/// Reads "12.5", "auto", "26" for a parameter. Throws UsageError with the range or the choices.
[[nodiscard]] Value parse_value(const Parameter& parameter, const std::string& text);

/// Where to give a part of the answer first; null where nobody looks, or where the part, with the
/// `margin` of cells around it that it depends on, is more than half of the image: then it would
/// come late, and make the whole so much later.
[[nodiscard]] const Focus* part_before_all(const Inputs& inputs, std::int64_t margin);

/// Throws InputError when something required is missing, empty, or is on a different grid.
void check_inputs(const Operation& operation, const Inputs& inputs);

}  // namespace seedwave
