// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/distance.h"
#include "core/ops/operations.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

[[noreturn]] void refuse_value(double value) {
  throw InputError("the image holds " + number_text(value) +
                   ", which is no label: labels are whole numbers from 0 to 65535");
}

LabelMap labels_of(const Volume& image, Context& context) {
  constexpr std::int64_t kVoxelsPerCheck = 1 << 20;
  constexpr double kLargestValue = 65535.0;
  const std::int64_t count = image.geometry().voxel_count();
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(count));
  visit_voxels(image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    for (std::int64_t begin = 0; begin < count; begin += kVoxelsPerCheck) {
      context.checkpoint(0.0);
      const std::int64_t end = std::min(begin + kVoxelsPerCheck, count);
      if constexpr (std::is_unsigned_v<Voxel>) {  // u8, u16: all are labels
        std::copy(voxels.begin() + begin, voxels.begin() + end, labels.begin() + begin);
      } else {
        for (std::int64_t i = begin; i < end; ++i) {
          const auto value = static_cast<double>(voxels[i]);
          if (!(value >= 0.0 && value <= kLargestValue)) refuse_value(value);  // nor NaN
          labels[i] = static_cast<std::uint16_t>(value);
          if (labels[i] != value) refuse_value(value);
        }
      }
    }
  });
  return LabelMap(image.geometry(), std::move(labels));
}

}  // namespace

InfluenceZonesProblem influence_zones_problem(const Inputs& inputs, const Values& values,
                                              Context& context) {
  return {.labels = labels_of(inputs.image, context), .scale = distance_scale(inputs, values)};
}

Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                              InfluenceZonesSolver solver) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solver = std::move(solver)](const Inputs& inputs, const Values& values,
                                              Context& context) {
            Result result;
            result.outputs["labels"] =
                solver(influence_zones_problem(inputs, values, context), context);
            result.values = values;
            return result;
          }};
}

Operation influence_zones_operation() {
  return {.id = "influence-zones",
          .title = "Influence zones",
          .help = "Gives each voxel without a label that of the nearest voxel with one.",
          .inputs = {{InputKind::Image, true, "labels, 0 where there is none yet"}},
          .parameters = {units_parameter("Nearest in millimetres by the spacing, or in voxels")},
          .outputs = {{"labels", OutputKind::Labels,
                       "the label of each voxel, of equally near ones the smallest"}},
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
