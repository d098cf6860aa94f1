// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "gpu/device/memory.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Memory limits between the minimum and that of the whole, as fractions of the interval.
constexpr std::array kShares{0.0, 0.1, 0.3, 0.7};

constexpr double kLeastShareOfBricks = 0.3;
constexpr std::int64_t kMostPixels = 150 * 150;

/// Statistics of one implementation's runs.
struct Count {
  int runs = 0;
  int in_parts = 0;
  int different = 0;
  double most_used = 0.0;  // fraction of the limit
};

}  // namespace

Report check_parts(const OperationTable& table, const PartsOptions& options) {
  std::vector<CheckCase> cases = larger_cases();
  for (int k = 0; k < options.random_cases; ++k)
    cases.push_back(random_case(static_cast<std::uint64_t>(k)));
  std::map<std::string, Count> counts;
  Report report;
  const auto fail = [&](const std::string& text) {
    if (report.failures.size() < kMostFailures) report.failures.push_back(text);
  };
  for (const CheckCase& c : cases) {
    for (const Pair& pair : exact_pairs(table)) {
      if (!pair.cuda->least_bytes || !applies(pair, c)) continue;
      if (!is_wanted(pair.operation->id, options.operations)) continue;
      const Values values = values_for(*pair.operation, c);
      const std::int64_t least = pair.cuda->least_bytes(c.inputs, values);
      if (least == std::numeric_limits<std::int64_t>::max()) continue;  // impossible here
      const std::int64_t whole = std::max(least, pair.cuda->device_bytes(c.inputs, values));
      const Outcome expected = run(*pair.operation, *pair.reference, c, {});
      const std::string name = pair.operation->id + " (" + pair.cuda->algorithm + ")";
      Count& count = counts[name];
      // For connectedness a thin slab costs as much as a thick one, and a snake costs a visit per
      // crossing.
      const bool connects = pair.operation->find_parameter("sigma_h") != nullptr;
      if (connects && c.inputs.image.geometry().voxel_count() > kMostPixels &&
          c.inputs.image.geometry().is_2d()) {
        continue;
      }
      for (const double share : kShares) {
        if (connects && share < kLeastShareOfBricks) continue;
        const std::int64_t memory =
            least + static_cast<std::int64_t>(share * static_cast<double>(whole - least));
        gpu::poison_pool(options.device, std::max(memory, whole));
        gpu::reset_peak_bytes(options.device);
        const std::int64_t before = gpu::peak_bytes(options.device);
        const Outcome got =
            run(*pair.operation, *pair.cuda, c, {.device = options.device, .memory = memory});
        const std::int64_t used = gpu::peak_bytes(options.device) - before;
        ++count.runs;
        count.in_parts += memory < whole ? 1 : 0;
        count.most_used =
            std::max(count.most_used, static_cast<double>(used) / static_cast<double>(memory));
        const std::string where = name + ", " + c.name + ", " + in_bytes(memory) + ": ";
        if (const auto text = difference(expected, got)) {
          ++count.different;
          fail(where + *text);
        }
        if (used > memory) fail(where + std::to_string(used) + " bytes were taken");
      }
    }
  }
  for (const auto& [name, count] : counts) {
    report.rows.push_back({{"operation", name},
                           {"runs", count.runs},
                           {"in_parts", count.in_parts},
                           {"different", count.different},
                           {"most_used", count.most_used}});
  }
  compare_on_full_device(table, options, report);
  if (counts.empty()) fail("there is nothing to compare: nothing works in parts");
  return report;
}

}  // namespace seedwave::gpu_check
