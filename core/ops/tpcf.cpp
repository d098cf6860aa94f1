// SPDX-License-Identifier: Apache-2.0

#include "core/base/error.h"
#include "core/image/label_map.h"
#include "core/image/length_scale.h"
#include "core/ops/curve_columns.h"
#include "core/ops/phase_picture.h"
#include "core/ops/place_text.h"
#include "core/ops/texture.h"
#include "core/ops/tpcf_means.h"
#include "core/ops/windows_in_parts.h"
#include "core/parallel/ranks.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kPhase = "phase";

Parameter place_parameter() {
  return {.id = "at",
          .title = "Place",
          .help = "Centre pixel of a single window; none: the mean over all windows",
          .initial = kNowhere,
          .domain = PlaceDomain{.word = kNowhere},
          .applies = Applies::Images};
}

bool has_square_pixels(const Geometry& grid) {
  return grid.spacing[0] == grid.spacing[1];
}

/// If pixels are not square, a radius is a number of pixels and not a length.
double pixel_length(const Geometry& grid) {
  return has_square_pixels(grid) ? grid.spacing[0] : 1.0;
}

ColumnSpec radius_column() {
  return {.id = "radius", .title = "Radius", .unit_for = [](const Values&, const Geometry& grid) {
            return has_square_pixels(grid) ? grid_unit(grid) : std::string("px");
          }};
}

Table curve_of(const TpcfCurves& all, const std::map<Label, TpcfCurves>& of_labels,
               std::int64_t count, const Geometry& grid) {
  Table table{.columns = {"radius"}, .rows = {}};
  for (std::int64_t phase = 1; phase <= count; ++phase)
    table.columns.push_back(column_name(kPhase, phase));
  for (const auto& [label, curves] : of_labels) {
    for (std::int64_t phase = 1; phase <= count; ++phase)
      table.columns.push_back(column_name(kPhase, phase, label));
  }
  const auto radii = static_cast<std::int64_t>(all.size()) / count;
  for (std::int64_t radius = 0; radius < radii; ++radius) {
    std::vector<double> row{static_cast<double>(radius) * pixel_length(grid)};
    const auto add = [&](const TpcfCurves& curves) {
      for (std::int64_t phase = 0; phase < count; ++phase)
        row.push_back(curves[static_cast<std::size_t>(phase * radii + radius)]);
    };
    add(all);
    for (const auto& [label, curves] : of_labels)
      add(curves);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Returns a grid with windows along x and y and features along z; its origin is the centre of the
/// first window.
Geometry feature_grid(const TpcfProblem& problem) {
  Geometry grid = problem.phases.geometry();
  const double middle = static_cast<double>(problem.window - 1) / 2;
  grid.origin = grid.to_world(Vec3{middle, middle, 0.0});
  grid.size[0] -= problem.window - 1;
  grid.size[1] -= problem.window - 1;
  grid.size[2] = plane_count(problem);
  return grid;
}

void check_features_fit(const Geometry& grid) {
  constexpr double kGigabyte = 1e9;
  const double bytes = static_cast<double>(grid.voxel_count()) * sizeof(float);
  if (bytes <= static_cast<double>(kMostFeatureBytes)) return;
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << bytes / kGigabyte;
  throw InputError("the features of all windows would take " + text.str() +
                   " GB: choose one place with `at`, choose a smaller region, or run `tissue`");
}

/// An image of all features, filled strip by strip from any thread.
class FeatureImage {
 public:
  explicit FeatureImage(const Geometry& grid)
      : grid_(grid), values_(new float[static_cast<std::size_t>(grid.voxel_count())]) {}

  /// `first_row`: of all windows, that of the strips' first row.
  void put(const FeatureStrip& strip, std::int64_t first_row) {
    for (std::int64_t line = 0; line < strip.planes * strip.rows; ++line) {
      const Index3 first{strip.first_column, first_row + strip.first_row + line % strip.rows,
                         line / strip.rows};
      std::copy_n(strip.values + line * strip.columns, strip.columns,
                  values_.get() + grid_.offset(first));
    }
  }
  /// Gives the rows of each rank to the first one. Collective.
  void collect(Ranks& ranks) {
    const std::int64_t plane = grid_.size[0] * grid_.size[1];
    for (std::int64_t i = 0; i < grid_.size[2]; ++i) {
      const std::span<float> values(values_.get() + i * plane, static_cast<std::size_t>(plane));
      collect_layers(ranks, std::as_writable_bytes(values), grid_.size[1]);
    }
  }
  [[nodiscard]] Volume volume() && { return {grid_, std::move(values_)}; }

 private:
  Geometry grid_;
  std::unique_ptr<float[]> values_;
};

/// Also fills `image`, unless it is null. Those who share the run compute parts of the windows.
/// Collective.
TpcfCurves mean_of_all(const TpcfSolver& solver, const TpcfProblem& problem, FeatureImage* image,
                       Context& context) {
  TpcfSums sums(plane_count(problem));
  for_windows_in_parts(
      problem,
      [&](const TpcfProblem& part, const LayerRange& rows, Context& own) {
        TpcfSums of_part(plane_count(problem));
        solver(
            part,
            [&](const FeatureStrip& strip) {
              if (image != nullptr) image->put(strip, rows.begin);
              of_part.add(strip);
            },
            own);
        sums.add(of_part);
      },
      context);
  if (Ranks* const ranks = context.ranks()) {
    sums.add_all(*ranks);
    if (image != nullptr) image->collect(*ranks);
  }
  return sums.means();
}

Result run_at_place(const Inputs& inputs, const Values& values, const PixelIndex& place,
                    Context& context) {
  if (inputs.requested.contains("image"))
    throw UsageError("the image output covers all windows: leave out `at`");
  const TpcfWindows windows(inputs.image, values, context);
  const auto stage = context.stage("propagate");
  const std::vector<float> here = windows.features_around(place);
  Result result;
  result.outputs["curve"] =
      curve_of({here.begin(), here.end()}, means_of_labels(windows, inputs.seeds, context),
               windows.count(), inputs.image.geometry());
  return result;
}

Result run_everywhere(const TpcfSolver& solver, const Inputs& inputs, const Values& values,
                      Context& context) {
  const TpcfWindows windows(inputs.image, values, context);
  const TpcfProblem problem = windows.all();
  check(problem);
  std::optional<FeatureImage> image;
  if (inputs.requested.contains("image")) {
    check_features_fit(feature_grid(problem));
    image.emplace(feature_grid(problem));
  }
  const auto stage = context.stage("propagate");
  const TpcfCurves means = mean_of_all(solver, problem, image ? &*image : nullptr, context);
  Result result;
  result.outputs["curve"] = curve_of(means, means_of_labels(windows, inputs.seeds, context),
                                     problem.count, inputs.image.geometry());
  if (image) result.outputs["image"] = std::move(*image).volume();
  return result;
}

}  // namespace

Implementation tpcf_implementation(std::string algorithm, Backend backend, TpcfSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run =
              [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                           Context& context) {
                const bool has_place = values.has("at");
                const auto place = has_place ? parse_place(values.word("at")) : std::nullopt;
                Result result = place ? run_at_place(inputs, values, *place, context)
                                      : run_everywhere(solver, inputs, values, context);
                result.values = with_step_used(values);
                return result;
              },
          .sharing = Sharing::InParts};
}

Operation tpcf_operation() {
  Operation operation{
      .id = "tpcf",
      .title = "Two-point correlation",
      .help =
          "Probability that two pixels at a given distance share a phase, in one window or in all "
          "windows.",
      .order = 720,
      .inputs = {{.kind = InputKind::Image,
                  .help = "phases 1 to 16 as labels, 0 for none",
                  .holds = kPhasesHeld},
                 {InputKind::Seeds, false,
                  "tissues: also gives the mean over windows around each label's seeds"}},
      .parameters = {window_parameter(), angle_step_parameter(), place_parameter()},
      .outputs =
          {{.id = "curve",
            .help = "probability that both pixels of a pair are in a phase, by radius",
            .form =
                CurveForm{.columns = {radius_column(),
                                      {.id = kPhase, .title = "Probability", .repeats = true}}}},
           {.id = "image",
            .help = "f32: windows along x and y, features along z, phase by phase and radius by "
                    "radius",
            .form = ImageForm{.own_grid = true},
            .on_request = true}},
      .implementations = {tpcf_implementation("box", Backend::Cpu, tpcf)},
      .reference_algorithm = name_of(TpcfAlgorithm::Naive),
      .example = {.digest = "xxh64:0b5aedf6b4d24dd5"}};
  for (const TpcfAlgorithm algorithm :
       {TpcfAlgorithm::Update, TpcfAlgorithm::Fft, TpcfAlgorithm::Naive}) {
    operation.implementations.push_back(tpcf_implementation(
        name_of(algorithm), Backend::Cpu,
        [algorithm](const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
          tpcf_by(algorithm, problem, sink, context);
        }));
  }
  return operation;
}

}  // namespace seedwave
