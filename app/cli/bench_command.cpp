// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/io/save.h"
#include "research/bench/timing.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

constexpr Index3 kUsualSize{256, 256, 124};

constexpr const char* kBenchDescription =
    "Compares the run times of the algorithms of one operation, or of all, on synthetic inputs.\n"
    "The results are compared first; then the algorithms take turns. The table shows median, "
    "minimum\n"
    "and maximum of the runs; ratio is the baseline's median divided by the algorithm's. The "
    "baseline\n"
    "is the operation's reference algorithm. Times cover the operation alone, from image to "
    "result\n"
    "in memory.\n\n"
    "bench accuracy measures Dice instead of time, bench slide writes a slide by formula: see\n"
    "their --help.";

std::vector<FlagGroup> bench_flags() {
  return {
      {"flags",
       {{"size", "X,Y[,Z]", "size of the input (default: 256,256,124)"},
        {"repeat", "N", "timed runs of each algorithm (default: 5)"},
        {"algorithm", "A,B,...", "algorithms to time (default: all)"},
        {"backend", "B,...", "cpu, cuda (default: all available)"},
        {"threads", "N,M,...", "thread counts to time the CPU algorithms with (default: 1)"},
        {"device", "N", "CUDA device to use (default: 0)"},
        {"cache", "NAME",
         "cold: every run as the first on an image; warm: as after another stroke (default: cold)"},
        {"json", "",
         "{\"cache\", \"repeat\", \"cases\": [{\"operation\", \"input\", "
         "\"input_digest\", \"voxels\", \"baseline\", \"timings\": [...]}]}"},
        {"keep-inputs", "DIR",
         "write each case's image, marker and seeds as .npy, so that other programs can be "
         "timed on them"},
        {"quiet", "", "no progress"},
        {"help", "", "this page"}}}};
}

struct Plan {
  Index3 size = kUsualSize;
  bench::TimingSettings settings;
  std::vector<std::string> algorithms;  // empty: all
  std::vector<std::string> backends;    // empty: all that there are
  std::vector<std::int64_t> threads{1};
  int device = 0;
};

Plan plan_of(const Arguments& arguments) {
  Plan plan;
  if (const auto size = arguments.text("size")) {
    std::vector<std::int64_t> n = integers_of("size", *size, 0);
    if (n.size() == 2) n.push_back(1);
    if (n.size() != 3 ||
        std::any_of(n.begin(), n.end(), [](std::int64_t s) { return s < 1 || s > 8192; })) {
      throw UsageError("--size needs X,Y or X,Y,Z, each from 1 to 8192, not '" + *size + "'");
    }
    plan.size = {n[0], n[1], n[2]};
  }
  plan.settings.repeats = static_cast<int>(arguments.integer("repeat", 1, 10'000).value_or(5));
  plan.algorithms = split_at_commas(arguments.text("algorithm").value_or(""));
  plan.backends = split_at_commas(arguments.text("backend").value_or(""));
  for (const std::string& backend : plan.backends) {
    if (backend != "cpu" && backend != "cuda") {
      throw UsageError("--backend must list cpu, cuda or both, not '" + backend + "'");
    }
  }
  if (const auto threads = arguments.text("threads")) {
    plan.threads = integers_of("threads", *threads, 0);
    for (const std::int64_t count : plan.threads) {
      if (count < 1 || count > kMostThreads) {
        throw UsageError("--threads must be whole numbers from 1 to " +
                         std::to_string(kMostThreads) + ", not '" + *threads + "'");
      }
    }
  }
  plan.device = static_cast<int>(arguments.integer("device", 0, 1024).value_or(0));
  const std::string cache = arguments.text("cache").value_or("cold");
  if (cache != "cold" && cache != "warm") {
    throw UsageError("--cache must be cold or warm, not '" + cache + "'");
  }
  if (cache == "warm") plan.settings.cache = bench::CacheState::Warm;
  return plan;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<bench::Contender> contenders_of(const OperationTable& table, const Operation& operation,
                                            const Plan& plan) {
  std::vector<bench::Contender> contenders;
  for (const Implementation& implementation : operation.implementations) {
    const std::string backend = name_of(implementation.backend);
    if (!holds(plan.algorithms, implementation.algorithm) || !holds(plan.backends, backend)) {
      continue;
    }
    if (implementation.backend == Backend::Cuda) {
      if (table.devices().empty()) continue;  // a request for it was refused before
      contenders.push_back({implementation.algorithm, Backend::Cuda, 1, plan.device});
      continue;
    }
    for (const std::int64_t threads : plan.threads) {
      contenders.push_back(
          {implementation.algorithm, Backend::Cpu, static_cast<int>(threads), plan.device});
    }
  }
  return contenders;
}

/// Returns the named operation, or all if none is named.
std::vector<const Operation*> operations_of(const OperationTable& table,
                                            const std::vector<std::string>& names) {
  if (names.size() > 1) throw UsageError("bench takes one operation, or none for all");
  std::vector<const Operation*> operations;
  if (!names.empty()) return {&table.at(names.front())};
  for (const Operation& operation : table.operations())
    operations.push_back(&operation);
  return operations;
}

/// Writes OPERATION-N-image.npy, -marker.npy and -seeds.npy (a label map), N from 1 in the order of
/// the cases.
void keep_inputs(const std::filesystem::path& folder, const std::string& operation,
                 const std::vector<bench::TimedCase>& cases) {
  io::OutputSet outputs;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string stem = operation + "-" + std::to_string(i + 1);
    const Inputs& inputs = cases[i].request.inputs;
    const Geometry& grid = inputs.image.geometry();
    io::save_volume(outputs, folder / (stem + "-image.npy"), inputs.image);
    if (!inputs.marker.empty())
      io::save_volume(outputs, folder / (stem + "-marker.npy"), inputs.marker);
    if (inputs.seeds.seeds.empty()) continue;
    std::vector<Label> labels(static_cast<std::size_t>(grid.voxel_count()));
    for (const Seed& seed : inputs.seeds.seeds)
      labels[static_cast<std::size_t>(seed.offset)] = seed.label;
    io::save_labels(outputs, folder / (stem + "-seeds.npy"), LabelMap(grid, std::move(labels)));
  }
  outputs.commit();
}

}  // namespace

int bench_command(const Call& call) {
  if (!call.words.empty() && call.words.front() == "accuracy") {
    return bench_accuracy_command({call.words.subspan(1), call.stop});
  }
  if (!call.words.empty() && call.words.front() == "slide") {
    return bench_slide_command({call.words.subspan(1), call.stop});
  }
  const Arguments arguments(call.words, bench_flags());
  if (arguments.has("help")) {
    print(help_page("bench [OP] [flags]", kBenchDescription, bench_flags()));
    return 0;
  }
  Plan plan = plan_of(arguments);
  const OperationTable table = make_table();
  if (!plan.backends.empty() && holds(plan.backends, "cuda") && table.devices().empty()) {
    throw UnavailableError("CUDA was requested but is not available: " + table.why_no_device());
  }
  const std::vector<const Operation*> operations = operations_of(table, arguments.positionals());
  const bool json = arguments.has("json");
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  bool all_agree = true;
  bool any = false;
  for (const Operation* operation : operations) {
    const std::vector<bench::Contender> contenders = contenders_of(table, *operation, plan);
    if (contenders.empty()) {
      if (arguments.positionals().empty()) continue;
      throw UsageError(operation->id + " has no such algorithm on this machine: see run " +
                       operation->id + " --help");
    }
    any = true;
    std::vector<bench::CaseTimings> done;
    {
      ProgressBar bar(arguments.has("quiet"));
      plan.settings.stop = call.stop;
      plan.settings.progress = bar.callback();
      Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
      const std::vector<bench::TimedCase> timed_cases =
          bench::cases_of(*operation, plan.size, context);
      if (const auto folder = arguments.text("keep-inputs"))
        keep_inputs(*folder, operation->id, timed_cases);
      for (const bench::TimedCase& timed : timed_cases)
        done.push_back(bench::time_case(table, timed, contenders, plan.settings));
    }
    for (const bench::CaseTimings& timings : done) {
      all_agree = all_agree && timings.all_agree();
      if (json) {
        cases.push_back(bench::to_json(timings));
      } else {
        print(bench::describe(timings));
      }
    }
  }
  if (!any) throw UsageError("no operation has such an algorithm on this machine: ops lists them");
  if (json) {
    print_json({{"cache", plan.settings.cache == bench::CacheState::Warm ? "warm" : "cold"},
                {"repeat", plan.settings.repeats},
                {"cases", std::move(cases)}});
  }
  if (all_agree) return 0;
  print_failure("exact algorithms disagree: see DIFFERS in the table, or agrees: false in JSON");
  return 1;
}

}  // namespace seedwave::cli
