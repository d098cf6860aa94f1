// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/distance.h"
#include "core/ops/operations.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

LabelMap labels_of(const Volume& image, Context& context) {
  constexpr std::int64_t kVoxelsPerCheck = 1 << 20;
  constexpr double kLargestLabel = 65535.0;
  const Geometry& geometry = image.geometry();
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  visit_voxels(image, [&](auto voxels) {
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      if (i % kVoxelsPerCheck == 0) context.checkpoint(0.0);
      const auto value = static_cast<double>(voxels[i]);
      if (!(value >= 0.0 && value <= kLargestLabel)) {  // nor NaN
        throw InputError("the image holds " + number_text(value) +
                         ", which is no label: labels are whole numbers from 0 to 65535");
      }
      labels[i] = static_cast<std::uint16_t>(value);
      if (labels[i] != value) {
        throw InputError("the image holds " + number_text(value) +
                         ", which is no label: labels are whole numbers from 0 to 65535");
      }
    }
  });
  return LabelMap(geometry, std::move(labels));
}

}  // namespace

InfluenceZonesProblem influence_zones_problem(const Inputs& inputs, const Values& values,
                                              Context& context) {
  const Geometry& geometry = inputs.image.geometry();
  return {.labels = labels_of(inputs.image, context),
          .scale = values.word("units") == "voxel"
                       ? voxel_scale()
                       : spacing_scale(geometry.size, geometry.spacing)};
}

Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                              InfluenceZonesSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run =
              [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                           Context& context) {
                Result result;
                result.outputs["labels"] =
                    solver(influence_zones_problem(inputs, values, context), context);
                result.values = values;
                return result;
              },
          .device_bytes = {}};
}

Operation influence_zones_operation() {
  return {.id = "influence-zones",
          .title = "Influence zones",
          .help = "Gives each voxel without a label that of the nearest voxel with one.",
          .inputs = {{InputKind::Image, true, "labels, 0 where there is none yet"}},
          .parameters = {{.id = "units",
                          .title = "Units",
                          .help = "Nearest in millimetres by the spacing, or in voxels",
                          .kind = Parameter::Kind::Choice,
                          .initial = "mm",
                          .choices = {{"mm", "Millimetres"}, {"voxel", "Voxels"}}}},
          .outputs = {{"labels", OutputKind::Labels,
                       "the label of each voxel, of equally near ones the smallest"}},
          .halo = Halo::Unbounded,
          .implementations = {influence_zones_implementation(
                                  "min-plus", Backend::Cpu,
                                  [](const InfluenceZonesProblem& problem, Context& context) {
                                    return influence_zones_by_min_plus(problem, context);
                                  }),
                              influence_zones_implementation("envelope", Backend::Cpu,
                                                             influence_zones_by_envelope)},
          .reference_algorithm = "envelope"};
}

}  // namespace seedwave
