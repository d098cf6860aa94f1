// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/number_text.h"
#include "core/ops/operation.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace seedwave {
namespace {

constexpr const char* kNoBound = "none";

Parameter bound(const char* id, const char* title, const char* help) {
  return {
      .id = id,
      .title = title,
      .help = help,
      .initial = kNoBound,
      .domain = NumberDomain{.unit = "image units", .low = -1e9, .high = 1e9, .word = kNoBound}};
}

/// Sets label 1 where low <= value <= high; NaN is in no range.
Result run_compare(const Inputs& inputs, const Values& values, Context& context) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double low = values.is_word("low") ? -kInfinity : values.number("low");
  const double high = values.is_word("high") ? kInfinity : values.number("high");
  if (low > high) {
    throw UsageError("low must not be above high: " + number_text(low) + " > " + number_text(high));
  }
  const auto stage = context.stage("threshold");
  const Geometry& geometry = inputs.image.geometry();
  auto labels = large_vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count()));
  visit_voxels(inputs.image, [&](auto voxels) {
    constexpr std::int64_t kGrain = 1 << 18;
    parallel_for(context, geometry.voxel_count(), kGrain,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t at = begin; at < end; at += kGrain) {
                     context.checkpoint(static_cast<double>(at) /
                                        static_cast<double>(geometry.voxel_count()));
                     const std::int64_t stop = std::min(end, at + kGrain);
                     for (std::int64_t i = at; i < stop; ++i) {
                       const double value = voxels[i];
                       labels[i] = value >= low && value <= high ? 1 : 0;
                     }
                   }
                 });
  });
  Result result;
  result.outputs["labels"] = LabelMap(geometry, std::move(labels));
  result.values = values;
  return result;
}

}  // namespace

Operation threshold_operation() {
  Parameter from = bound("low", "From", "Smallest value of the range; none: no lower bound");
  from.role = StartsAtOtsu{};
  return {
      .id = "threshold",
      .title = "Threshold",
      .help = "Labels the voxels whose value lies in a range.",
      .order = 250,
      .inputs = {{InputKind::Image, true, "one channel"}},
      .parameters = {from, bound("high", "To", "Largest value of the range; none: no upper bound")},
      .outputs = {{"labels", "1 inside the range, 0 outside", LabelsForm{}}},
      .implementations = {{.algorithm = "compare",
                           .backend = Backend::Cpu,
                           .exactness = Exactness::Exact,
                           .run = run_compare}},
      .reference_algorithm = "compare",
      .example = {.values = {{"low", 100.0}}, .digest = "xxh64:5c7efe006651781a"}};
}

}  // namespace seedwave
