// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/edits.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/ops/values.h"
#include "core/parallel/context.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
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
inline constexpr const char* kGridLength = "mm (\u00b5m on slides, pixels in other 2-D)";
/// Unit of sizes that are given in units of the grid: of volumes, or of areas in 2-D.
inline constexpr const char* kGridSize = "ml (\u00b5m2 on slides, mm2 or pixels in other 2-D)";

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

/// A text that runs estimate, in a form of its own: curves or ranges of intensities per label. It
/// is fixed and repeated as it is, and not changed by hand in the panel.
struct EstimateDomain {
  std::string form;  // for messages: "curves LABEL=LOW:HIGH:VALUE,VALUE,..."
  std::function<bool(const std::string&)> is_valid;
  /// Returns a line for the panel.
  std::function<std::string(const std::string&)> summary;
  std::string word{};  // means that it is estimated
};

// Roles of a parameter: ways in which the window sets it apart from its row in the panel.

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
  /// The entry of the list for the parameter's word.
  std::string word_title = "all: each label separately";
};
/// The per-label numbers are new labels for the labels of the image. Merging two labels of a result
/// in the window sets them.
struct RenumbersLabels {};
/// The window starts with Otsu's threshold of the image instead of `initial`.
struct StartsAtOtsu {};
/// The numbers of the output's labels are those of the labels that were read, times this number,
/// plus the number of a part, from 1. With 0 they are numbers of parts alone.
struct NumbersParts {};

/// A parameter of an operation. Panel, flags, help and reference page are generated from it.
struct Parameter {
  using Domain =
      std::variant<NumberDomain, ChoiceDomain, DirectionDomain, PlaceDomain, EstimateDomain>;
  using Role = std::variant<std::monostate, DrawnAngle, DrawnDirection, DrawnLength, NamesLabel,
                            RenumbersLabels, StartsAtOtsu, NumbersParts>;

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
  [[nodiscard]] const EstimateDomain* estimate() const {
    return std::get_if<EstimateDomain>(&domain);
  }
  [[nodiscard]] bool is_whole() const { return numbers() != nullptr && numbers()->whole; }
  [[nodiscard]] bool is_logarithmic() const {
    return numbers() != nullptr && numbers()->scale == Scale::Logarithmic;
  }
  /// Returns the word allowed instead of a number, place or estimate, or "".
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

enum class Backend { Cpu, Cuda };
[[nodiscard]] std::string name_of(Backend backend);  // "cpu", "cuda"
/// Returns nothing for any other name, such as "auto".
[[nodiscard]] std::optional<Backend> backend_named(const std::string& name);

/// A kind of input of an operation.
enum class InputKind { Image, Labels, Seeds, Marker, Mask, Start, Edits };
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
  /// Image, Labels: expected content ("phases"), or "" for any. The window preselects an output of
  /// a run with this content (OutputSpec::holds).
  std::string holds{};
  /// Not required if one of these is given.
  std::set<InputKind> waived_by{};

  /// Returns whether an operation needs the input; `is_given` tells of each kind.
  [[nodiscard]] bool is_needed(const std::function<bool(InputKind)>& is_given) const {
    return required && std::none_of(waived_by.begin(), waived_by.end(), is_given);
  }
};

/// The input that a run works on: the image, or a label map (InputKind::Labels) if it has one. Of
/// operations that read both, some give an image for an image and labels for labels.
enum class Reads { Image, Labels };

/// A kind of output of an operation, in the order of OutputSpec::form.
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

  /// Returns the unit of the numbers that a run gives.
  [[nodiscard]] std::string unit_of(const Values& values, const Geometry& geometry) const {
    return unit_for ? unit_for(values, geometry) : unit;
  }
};

struct LabelsForm {
  /// Numbers are ranks (phases from dark to bright), not names. They are shown in colours of
  /// increasing lightness.
  bool ranked = false;
};

struct ImageForm {
  /// Unit of the values: "mm", "px", "image units"; "" for plain numbers.
  std::string unit{};
  /// The unit if it depends on the values or the grid. If not set, `unit` is used.
  std::function<std::string(const Values&, const Geometry&)> unit_for{};
  /// The stored value that represents 1 if the values are fractions ("strength": u16 0..4096 for
  /// 0..1); 0 if values are stored as they are.
  double full = 0.0;
  /// The stored value that means "no value" (-1: no nearest cell).
  std::optional<double> none{};
  /// Period of the values (180 for the angle of a line), which are then shown in cyclic colours; 0
  /// if they are not periodic.
  double period = 0.0;
  /// Id of the image output that weights each value (the response behind an angle), or "" for equal
  /// weights. Values with a low weight are drawn faintly.
  std::string weight{};
  /// On a grid of its own instead of the image's. Only written to files, because the window cannot
  /// show it over the image.
  bool own_grid = false;

  /// Returns the unit of the values that a run gives.
  [[nodiscard]] std::string unit_of(const Values& values, const Geometry& geometry) const {
    return unit_for ? unit_for(values, geometry) : unit;
  }
};

struct CurveForm {
  /// In the order of Table::columns. The first is x; each of the others is plotted against it.
  std::vector<ColumnSpec> columns{};
  /// The parameter, of this or another operation, that x is a value of ("angle"), or "". A point of
  /// the curve can then be tried out.
  std::string x_parameter{};
};

struct TableForm {
  std::vector<ColumnSpec> columns{};  // in the order of Table::columns
};

/// OutputSpec::holds of an output with the same content as its input labels or image, such as
/// labels that keep their numbers.
inline constexpr const char* kHeldByImage = "content of the image";

struct OutputSpec {
  std::string id;
  std::string help;
  std::variant<LabelsForm, ImageForm, CurveForm, TableForm> form{};
  /// Labels, Image: the content, matched with InputSpec::holds; "" if it has no name.
  std::string holds{};
  /// The output is left out if it does not apply.
  Applies applies = Applies::Always;
  /// Expensive and rarely needed: left out unless Inputs::requested names it.
  bool on_request = false;
  /// Left out by runs that read something else; empty: given by all.
  std::optional<Reads> only_for{};

  [[nodiscard]] OutputKind kind() const { return static_cast<OutputKind>(form.index()); }
  [[nodiscard]] bool is_given(Reads reads) const { return only_for.value_or(reads) == reads; }
  /// Returns the form, or null if it is another.
  [[nodiscard]] const LabelsForm* labels() const { return std::get_if<LabelsForm>(&form); }
  [[nodiscard]] const ImageForm* image() const { return std::get_if<ImageForm>(&form); }
  [[nodiscard]] const CurveForm* curve() const { return std::get_if<CurveForm>(&form); }
  /// Returns the columns of a curve or table; none for other forms.
  [[nodiscard]] const std::vector<ColumnSpec>& columns() const;
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
  LabelMap labels;  // empty: none
  SeedVoxels seeds;
  LabelMap mask;  // empty: every cell takes part
  Volume marker;  // empty: none
  /// Labels to correct; empty: none.
  LabelMap start{};
  /// Lie above the label output of any operation: run_operation() puts them there.
  Edits edits{};
  /// Ids of additional outputs.
  std::set<std::string> requested;
  /// Empty if no part is to be computed first.
  std::optional<Focus> focus{};
  /// Receives drafts: outputs on the image's grid that come long before the final ones, and may
  /// differ from them. Called on the thread of the run. Empty: nobody wants them.
  std::function<void(const std::map<std::string, Output>& outputs)> show_draft{};
  /// Receives the outputs in bands of rows of a 2-D image, each on the grid of its box (crop()),
  /// bit for bit as in the final result, as soon as they are computed. Operations that know nothing
  /// final before their end call it never. Called on the thread of the run. Empty: nobody waits.
  std::function<void(const Box& band, const std::map<std::string, Output>& part)> show_band{};

  [[nodiscard]] Reads reads() const { return labels.empty() ? Reads::Image : Reads::Labels; }
};

struct Result {
  std::map<std::string, Output> outputs;
  /// The values used, `auto` replaced by its number.
  Values values;
  std::vector<std::string> warnings;
};

enum class Exactness { Exact, Approximate };

/// The ways in which workers and ranks of a context may share a run: not at all; in parts that are
/// computed once (for_each_part()); or in slabs that are visited as often as they must be
/// (settle_slabs()), and then it can be saved on its way. On CUDA workers may be devices and the
/// CPU, on the CPU only groups of threads.
enum class Sharing { None, InParts, BySlabs };

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
  Sharing sharing = Sharing::None;
  /// Returns why it cannot share this run though it shares others, or "". If not set, it can.
  std::function<std::string(const Inputs&, const Values&)> why_not_shared{};
};

/// A run on example_inputs() (example.h), which a test repeats with every exact implementation.
struct Example {
  Values values{};
  std::string digest{};  // of the main output
};

/// An operation that the user can run.
struct Operation {
  std::string id;
  std::string title;
  std::string help;  // one line
  /// The operation's place in lists: a number of its own. The hundreds are families.
  int order = 1000;
  std::vector<InputSpec> inputs;
  /// At least one of these inputs is required. The window says so before the operation runs.
  std::vector<InputKind> one_of{};
  std::vector<Parameter> parameters;
  std::vector<OutputSpec> outputs;
  /// In order of preference: the first of a backend is that backend's default. The reference for
  /// parity tests is the one named by `reference_algorithm`, on the CPU.
  std::vector<Implementation> implementations;
  std::string reference_algorithm;
  Example example{};

  /// Returns the input or the first output of a kind, or null.
  [[nodiscard]] const InputSpec* find_input(InputKind kind) const;
  [[nodiscard]] const OutputSpec* find_output(OutputKind kind) const;
  [[nodiscard]] bool wants(InputKind kind) const { return find_input(kind) != nullptr; }
  [[nodiscard]] bool gives(OutputKind kind) const { return find_output(kind) != nullptr; }
  /// Returns whether labels, if a run has them, are read in place of the image.
  [[nodiscard]] bool labels_replace_image() const;
  /// Returns whether its runs give an output of a kind.
  [[nodiscard]] bool gives(OutputKind kind, Reads reads) const;
  [[nodiscard]] const Parameter* find_parameter(const std::string& id) const;
  /// Throws UsageError, which lists the ids, if there is no such parameter.
  [[nodiscard]] const Parameter& parameter(const std::string& id) const;
  /// The first image or label output that is not on request; if there is none, the first output.
  /// `--out` writes it, and its digest identifies the run.
  [[nodiscard]] const OutputSpec& main_output(Reads reads = Reads::Image) const;
};

/// Returns the values without those of parameters that do not apply to images of that dimension.
[[nodiscard]] Values applicable(const Operation& operation, const Values& values, bool image_is_2d);

/// Returns a value for each parameter that applies: from `given` if set, else the initial value.
/// Throws UsageError, naming the parameter and its range, for an unknown id, one that does not
/// apply, or a value out of range.
[[nodiscard]] Values checked_values(const Operation& operation, const Values& given,
                                    bool image_is_2d);

/// Throws UsageError, naming the parameter and the image's size, for a place that lies outside.
void check_places(const Operation& operation, const Values& values, const Geometry& geometry);

/// Returns the focus if its part is to be computed first, else null. Also null if the part, with
/// the `margin` of cells that it depends on, exceeds half of the image: it would come late and
/// delay the whole.
[[nodiscard]] const Focus* part_before_all(const Inputs& inputs, std::int64_t margin);

/// Throws InputError if a required input is missing or empty, or if an input is on a different
/// grid.
void check_inputs(const Operation& operation, const Inputs& inputs);

/// Throws InputError if a reference is not on the grid of the image.
void check_reference(const LabelMap& reference, const Geometry& image);

/// Returns small inputs, by a formula, that suit every operation: a 2-D picture of discs on a
/// striped ground, in colour, as objects or as phases if the operation reads those; and seeds
/// of two labels.
///
/// With Operation::example they fix the operation's result to the bit.
[[nodiscard]] Inputs example_inputs(const Operation& operation);

}  // namespace seedwave
