// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Statistics of one implementation's runs by the same workers.
struct ShareCount {
  int runs = 0;
  int shared = 0;  // more than one worker visited slabs
  int different = 0;
};

struct Crew {
  std::string name;
  std::vector<Worker> workers;
};

/// Returns crews of one device and CPU threads, of two workers on a device, and of all devices.
std::vector<Crew> crews_of(const OperationTable& table, int device) {
  const Worker gpu{.device = device, .threads = 1};
  const Worker cpu{.device = kCpu, .threads = 2};
  std::vector<Crew> crews{{"cuda + cpu", {gpu, cpu}},
                          {"cuda + cuda, the same", {gpu, gpu}},
                          {"cpu + cuda + cpu", {cpu, gpu, cpu}}};
  if (table.devices().size() < 2) return crews;
  Crew all{"all devices", {}};
  for (const DeviceInfo& each : table.devices())
    all.workers.push_back({.device = each.number, .threads = 1});
  crews.push_back(all);
  all.name = "all devices + cpu";
  all.workers.push_back(cpu);
  crews.push_back(std::move(all));
  return crews;
}

/// Returns the number of layers of slabs for the run of that number: one to some, or by itself.
std::int64_t layers_for(int number) {
  constexpr std::int64_t kLayers[]{1, 2, 3, 5, 8, 0};
  return kLayers[static_cast<std::size_t>(number) % std::size(kLayers)];
}

/// Returns whether an implementation can be shared on this input.
bool works_in_parts(const Pair& pair, const CheckCase& c) {
  return !pair.cuda->least_bytes ||
         pair.cuda->least_bytes(c.inputs, values_for(*pair.operation, c)) <
             std::numeric_limits<std::int64_t>::max();
}

/// Images of phases come with one case in kCasesAPhaseImage, because the definition is slow.
constexpr int kCasesAPhaseImage = 4;

/// Returns the small cases.
std::vector<CheckCase> random_cases(int count) {
  std::vector<CheckCase> cases;
  for (int k = 0; k < count; ++k) {
    const auto number = static_cast<std::uint64_t>(k);
    cases.push_back(random_case(number));
    if (k % kCasesAPhaseImage != 0) continue;
    for (CheckCase& phases : phase_cases(number))
      cases.push_back(std::move(phases));
  }
  return cases;
}

}  // namespace

Report check_shares(const OperationTable& table, const SharesOptions& options) {
  std::vector<CheckCase> cases = random_cases(options.random_cases);
  const std::size_t small = cases.size();
  for (CheckCase& larger : larger_cases())
    cases.push_back(std::move(larger));
  const std::vector<Crew> crews = crews_of(table, options.device);
  std::map<std::string, ShareCount> counts;
  Report report;
  int number = 0;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    const CheckCase& c = cases[at];
    for (const Pair& pair : exact_pairs(table)) {
      if (pair.cuda->sharing == Sharing::None || !applies(pair, c)) continue;
      if (!is_wanted(pair.operation->id, options.operations)) continue;
      if (!works_in_parts(pair, c)) continue;
      const Outcome expected = run(*pair.operation, *pair.reference, c, {});
      for (const Crew& crew : crews) {
        // Thick slabs of the larger ones are visited in several parts later.
        const std::int64_t layers = at < small ? layers_for(number) : number % 2 == 0 ? 40 : 200;
        ++number;
        const Outcome got =
            run(*pair.operation, *pair.cuda, c,
                {.device = options.device, .layers = layers, .workers = crew.workers});
        const std::string name = pair.operation->id + ", " + crew.name;
        ShareCount& count = counts[name];
        ++count.runs;
        const auto busy =
            std::ranges::count_if(got.work, [](const WorkDone& done) { return done.visits > 0; });
        count.shared += busy > 1 ? 1 : 0;
        const auto text = difference(expected, got);
        if (!text) continue;
        ++count.different;
        if (report.failures.size() < kMostFailures)
          report.failures.push_back(name + ", " + c.name + ": " + *text);
      }
    }
  }
  for (const auto& [name, count] : counts) {
    report.rows.push_back({{"operation, workers", name},
                           {"runs", count.runs},
                           {"shared", count.shared},
                           {"different", count.different}});
    if (count.shared == 0) report.failures.push_back(name + ": nothing was shared");
  }
  if (counts.empty()) report.failures.push_back("there is nothing to compare");
  return report;
}

}  // namespace seedwave::gpu_check
