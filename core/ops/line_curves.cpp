// SPDX-License-Identifier: Apache-2.0
// Operations that compute a curve over angles or lengths, and the operations derived from them.
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/morphology/linear/deskew.h"
#include "core/ops/line_parameters.h"
#include "core/ops/lines.h"
#include "core/ops/shared_in_parts.h"
#include "core/ops/timed_solver.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kDegree = "\u00b0";

std::vector<double> spectrum_angles(const Values& values) {
  const double from = values.number("from");
  const double to = values.number("to");
  if (!(from < to))
    throw UsageError("to must lie above from, " + number_text(from) + ", not at " +
                     number_text(to));
  return angles_between(from, to, static_cast<std::int64_t>(values.number("angles")));
}

std::vector<double> deskew_angles(const Values& values) {
  const double range = values.number("range");
  const double step = values.number("step");
  // Outward from 0, which is always included.
  const auto each_way = static_cast<std::int64_t>(std::floor(range / step + 1e-9));
  std::vector<double> angles;
  for (std::int64_t i = -each_way; i <= each_way; ++i)
    angles.push_back(std::round(static_cast<double>(i) * step * 1e9) /
                     1e9);  // 2.3, not 2.3000000000000003
  return angles;
}

Table curve_of(std::string x, const std::vector<double>& xs, const std::vector<double>& sums) {
  Table curve{.columns = {std::move(x), "sum"}, .rows = {}};
  for (std::size_t i = 0; i < xs.size(); ++i)
    curve.rows.push_back({xs[i], sums[i]});
  return curve;
}

ColumnSpec angle_column() {
  return {.id = "angle", .title = "Angle", .unit = kDegree, .period = 180.0};
}
/// Digital lines differ with the angle: see docs/algorithms/linear_openings.md.
ColumnSpec spectrum_angle_column() {
  ColumnSpec column = angle_column();
  column.note =
      "Cusps at 45\u00b0 and 135\u00b0 come from the pixel grid, not from the image: there, lines "
      "of a given number of pixels are 1.41 times as long, and lines of a given Euclidean length "
      "have 1.41 times fewer pixels.";
  return column;
}
ColumnSpec cells_column() {
  return {.id = "length", .title = "Length", .unit_for = [](const Values&, const Geometry& grid) {
            return std::string(grid.is_2d() ? "pixels" : "voxels");
          }};
}
ColumnSpec sum_column() {
  return {.id = "sum", .title = "Sum of the filtered image", .unit = "image units"};
}

/// Returns whether the page has rows of text instead of lines.
bool are_rows(const Values& values) {
  return values.word("lines") == "text";
}

ColumnSpec compared_column() {
  return {.id = "sum", .title = "Sum", .unit_for = [](const Values& values, const Geometry&) {
            return are_rows(values) ? std::string("image units\u00b2") : std::string("image units");
          }};
}

/// Returns a solver that sums the openings of `open`.
AngularSpectrumSolver spectrum_by(LinearOpeningSolver open) {
  return [open = std::move(open)](const LineFanProblem& problem, Context& context) {
    return angular_spectrum_by(open, problem, context);
  };
}

LineFanProblem fan_of(const Inputs& inputs, const Values& values,
                      const std::vector<double>& angles) {
  return {.image = inputs.image,
          .directions = segments_at(angles, values, inputs.image.geometry()),
          .border = values.has("border") ? border_of(values) : LineBorder::Anchor,
          .filter = filter_of(values)};
}

std::vector<double> row_contrasts(const LineFanProblem& problem, double paper, Context& context) {
  std::vector<LineFamily> rows;
  rows.reserve(problem.directions.size());
  for (const auto& direction : problem.directions)
    rows.push_back(direction.lines);
  const auto stage = context.stage("propagate");
  return row_contrast(problem.image, paper, rows, context);
}

/// Pages of random pixels have a lower confidence.
constexpr double kLeastConfidence = 0.2;

/// Returns the coarse angle, or the fitted one near it.
SkewFit fitted(const Volume& image, double paper, double coarse, const Values& values,
               Context& context) {
  const auto stage = context.stage("fit");
  const bool fits = values.word("fit") == "profile";
  // On a flat curve the extreme may lie next to the neighbours of the true angle.
  constexpr double kBesides = 0.5;
  const double reach = values.number("step") + kBesides;
  const SkewFit fit = fit_skew(image, paper, coarse, deskew_angles(values), reach, context);
  return fits ? fit : SkewFit{coarse, fit.confidence};
}

Parameter level_lines_parameter() {
  return {
      .id = "lines",
      .title = "Lines",
      .help =
          "Horizontal structures of the page: dark or bright lines of `length`, such as rules and "
          "staves, or rows of text of any length",
      .initial = "dark",
      .domain = ChoiceDomain{
          {"dark", "Dark lines"}, {"bright", "Bright lines"}, {"text", "Rows of text"}}};
}

}  // namespace

LineFanProblem angular_spectrum_problem(const Inputs& inputs, const Values& values) {
  return fan_of(inputs, values, spectrum_angles(values));
}

LineFanProblem deskew_problem(const Inputs& inputs, const Values& values) {
  return fan_of(inputs, values, deskew_angles(values));
}

GranulometryProblem granulometry_problem(const Inputs& inputs, const Values& values) {
  return {.image = inputs.image,
          .lines = lines_of(values, inputs.image.geometry()),
          .longest = static_cast<std::int64_t>(values.number("longest")),
          .border = border_of(values),
          .filter = filter_of(values)};
}

Implementation angular_spectrum_implementation(std::string algorithm, Backend backend,
                                               AngularSpectrumSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = timed_solver(backend, std::move(solver))](
                     const Inputs& inputs, const Values& values, Context& context) {
            const LineFanProblem problem = angular_spectrum_problem(inputs, values);
            Result result;
            result.outputs["curve"] =
                curve_of("angle", spectrum_angles(values), solver(problem, context));
            result.values = values;
            return result;
          }};
}

Operation angular_spectrum_operation() {
  Operation operation{
      .id = "angular-spectrum",
      .title = "Angular spectrum",
      .help =
          "Sum of an image after openings along lines, by angle; on volumes the lines lie in the "
          "slices.",
      .order = 640,
      .inputs = {{InputKind::Image, true, "bright or dark lines on a background"}},
      .parameters = {lines_parameter("bright"),
                     length_parameter(41.0),
                     length_in_parameter(),
                     {.id = "angles",
                      .title = "Angles",
                      .help = "Number of angles, evenly spaced from the first",
                      .initial = 180.0,
                      .domain = NumberDomain{.low = 1.0, .high = 720.0, .whole = true}},
                     {.id = "from",
                      .title = "From",
                      .help = "First angle, counter-clockwise from the right",
                      .initial = 0.0,
                      .domain = NumberDomain{.unit = kDegree, .low = -90.0, .high = 180.0}},
                     {.id = "to",
                      .title = "To",
                      .help = "End of the angles, excluded: 180 is the same as 0",
                      .initial = 180.0,
                      .domain = NumberDomain{.unit = kDegree, .low = -90.0, .high = 360.0}},
                     border_parameter()},
      .outputs = {{.id = "curve",
                   .help =
                       "sum over all voxels of the opening (dark lines: closing) at each angle; "
                       "the pixel grid causes cusps at 45 and 135 degrees, where a line of a given "
                       "number of pixels is 1.41 times as long as a horizontal one, and a line of "
                       "a given Euclidean length has 1.41 times fewer pixels",
                   .form = CurveForm{.columns = {spectrum_angle_column(), sum_column()},
                                     .x_parameter = "angle"}}},
      .implementations = {shared_in_parts(
          angular_spectrum_implementation("strips", Backend::Cpu, angular_spectrum))},
      .reference_algorithm = kReferenceLines,
      .example = {.digest = "xxh64:b9b5ba9a443b4d28"}};
  for (NamedLineSolver& solver : line_solvers_on_cpu()) {
    if (solver.algorithm == "strips") continue;
    operation.implementations.push_back(angular_spectrum_implementation(
        solver.algorithm, Backend::Cpu, spectrum_by(std::move(solver.open))));
  }
  return operation;
}

Implementation granulometry_implementation(std::string algorithm, Backend backend,
                                           GranulometrySolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = timed_solver(backend, std::move(solver))](
                     const Inputs& inputs, const Values& values, Context& context) {
            const GranulometryProblem problem = granulometry_problem(inputs, values);
            const std::vector<double> sums = solver(problem, context);
            Table curve{.columns = {"length", "sum", "taken"}, .rows = {}};
            for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
              curve.rows.push_back(
                  {static_cast<double>(i + 1), sums[i], std::abs(sums[i] - sums[i + 1])});
            }
            Result result;
            result.outputs["curve"] = std::move(curve);
            result.values = values;
            return result;
          }};
}

Operation granulometry_operation() {
  return {
      .id = "granulometry",
      .title = "Granulometry by lines",
      .help =
          "Lengths of structures along a line: the sum of the image after openings of every "
          "length.",
      .order = 650,
      .inputs = {{InputKind::Image, true, "bright or dark structures on a background"}},
      .parameters =
          {lines_parameter("bright"),
           angle_parameter(),
           direction_parameter(),
           {.id = "longest",
            .title = "Longest",
            .help =
                "Longest line, measured along its longest axis; all lengths from 1 are computed",
            .initial = 100.0,
            .domain = NumberDomain{.unit = "pixels or voxels",
                                   .low = 1.0,
                                   .high = 100'000.0,
                                   .scale = Scale::Logarithmic,
                                   .whole = true},
            .role = DrawnLength{}},
           border_parameter()},
      .outputs = {{.id = "curve",
                   .help =
                       "for each length the sum over all voxels of the opening (dark: closing), "
                       "and the part that the next length removes: the pattern spectrum",
                   .form = CurveForm{.columns = {cells_column(),
                                                 sum_column(),
                                                 {.id = "taken",
                                                  .title = "Removed by the next length",
                                                  .unit = "image units"}},
                                     .x_parameter = "length"}}},
      .implementations = {shared_in_parts(
                              granulometry_implementation("stack", Backend::Cpu, granulometry)),
                          granulometry_implementation(
                              "by-length", Backend::Cpu,
                              [](const GranulometryProblem& problem, Context& context) {
                                return granulometry_by(linear_opening, problem, context);
                              })},
      .reference_algorithm = "by-length",
      .example = {.digest = "xxh64:94e4a1239844b618"}};
}

Implementation deskew_implementation(std::string algorithm, Backend backend,
                                     AngularSpectrumSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run =
              [solver = timed_solver(backend, std::move(solver))](
                  const Inputs& inputs, const Values& values, Context& context) {
                const LineFanProblem problem = deskew_problem(inputs, values);
                const std::vector<double> angles = deskew_angles(values);
                const double paper = middle_value(inputs.image);
                const std::vector<double> sums = are_rows(values)
                                                     ? row_contrasts(problem, paper, context)
                                                     : solver(problem, context);
                const double coarse = angles[strongest_angle(angles, sums, problem.filter)];
                const SkewFit fit = fitted(inputs.image, paper, coarse, values, context);
                const double angle = fit.angle;
                Result result;
                if (fit.confidence < kLeastConfidence) {
                  result.warnings.push_back("no angle stands out (confidence " +
                                            number_text(fit.confidence) +
                                            "): check the straightened page");
                }
                result.outputs["image"] =
                    angle == 0.0 ? inputs.image
                                 : turned_clockwise(inputs.image, angle, paper, context);
                result.outputs["angle"] =
                    Table{.columns = {"angle", "confidence"}, .rows = {{angle, fit.confidence}}};
                result.outputs["curve"] = curve_of("angle", angles, sums);
                result.values = values;
                return result;
              },
          .why_not =
              [backend](const Inputs&, const Values& values) {
                const bool can = backend == Backend::Cpu || !are_rows(values);
                return std::string(can ? "" : "does not compare rows of text");
              }};
}

Operation deskew_operation() {
  Operation operation{
      .id = "deskew",
      .title = "Straighten a scan",
      .help = "Measures the skew of the lines of a page, and rotates the page back.",
      .order = 660,
      .inputs = {{InputKind::Image, true,
                  "a page with nearly horizontal lines: print, staff lines, rules"}},
      .parameters = {level_lines_parameter(),
                     length_parameter(250.0),
                     {.id = "range",
                      .title = "Range",
                      .help = "Largest skew of the page, in either direction",
                      .initial = 10.0,
                      .domain =
                          NumberDomain{.unit = kDegree, .low = 0.0, .high = 45.0, .step = 0.5}},
                     {.id = "step",
                      .title = "Step",
                      .help = "Step between the angles that are tried",
                      .initial = 0.25,
                      .domain =
                          NumberDomain{.unit = kDegree, .low = 0.05, .high = 5.0, .step = 0.05}},
                     {.id = "fit",
                      .title = "Fit",
                      .help = "Refinement between the angles that are tried: profile, to the peak "
                              "of the sharpness of the page's rows; none",
                      .initial = "profile",
                      .domain = ChoiceDomain{{"profile", "To the rows' profile"},
                                             {"none", "Tried angles only"}}}},
      .outputs = {{.id = "image",
                   .help = "the page rotated back about its centre, bilinear, of the same size; "
                           "corners have the image's median",
                   .form = ImageForm{.unit = "image units"}},
                  {.id = "angle",
                   .help = "skew of the lines, counter-clockwise, and how much sharper the rows "
                           "are at that angle than at others: 0 (not at all) to 1",
                   .form = TableForm{.columns = {angle_column(),
                                                 {.id = "confidence", .title = "Confidence"}}}},
                  {.id = "curve",
                   .help = "score of each angle that was tried: the sum of the closing (bright "
                           "lines: opening), or for text the sum of squared differences between "
                           "successive rows of pixels along that angle",
                   .form = CurveForm{.columns = {angle_column(), compared_column()},
                                     .x_parameter = "angle"}}},
      .implementations = {deskew_implementation("strips", Backend::Cpu, angular_spectrum)},
      .reference_algorithm = kReferenceLines,
      .example = {.digest = "xxh64:05c6665a2148ba96"}};
  for (NamedLineSolver& solver : line_solvers_on_cpu()) {
    if (solver.algorithm != kReferenceLines) continue;
    operation.implementations.push_back(
        deskew_implementation(solver.algorithm, Backend::Cpu, spectrum_by(std::move(solver.open))));
  }
  return operation;
}

}  // namespace seedwave
