// SPDX-License-Identifier: Apache-2.0
#include "research/bench/timing.h"

#include "core/base/digest.h"
#include "core/base/median.h"
#include "core/image/labels_from.h"
#include "research/bench/inputs.h"
#include "research/bench/texture_inputs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave::bench {
namespace {

/// Returns values that suit the phantom, for the parameters that the operation has.
Values values_for_head(const Operation& operation) {
  Values values;
  const auto set = [&](const char* id, double number) {
    if (operation.find_parameter(id) != nullptr) values.set(id, number);
  };
  set("m", kHeadM);
  set("sigma_o", kHeadSigmaO);
  set("sigma_h", kHeadSigmaH);
  set("low", (kHeadM + 600.0) / 2);  // between grey and white matter
  return values;
}

/// One contender during its measurement.
struct Measured {
  Timing timing;
  std::shared_ptr<ScratchCache> cache;
  std::map<std::string, std::vector<double>> stages;
  std::vector<std::string> stage_order;
};

bool goes_by_lines(const Operation& operation) {
  constexpr std::array kIds{"linear-opening",   "linear-closing", "orientation",
                            "angular-spectrum", "granulometry",   "deskew"};
  return std::find(kIds.begin(), kIds.end(), operation.id) != kIds.end();
}

bool looks_through_windows(const Operation& operation) {
  return operation.find_parameter("window") != nullptr &&
         operation.find_parameter("angle_step") != nullptr;
}

/// Number of strokes added to two others, one by one.
constexpr int kAddedStrokes = 6;

RunReport run(const OperationTable& table, const RunRequest& asked_for, const Measured& measured,
              const TimingSettings& settings, const std::shared_ptr<ScratchCache>& cache) {
  RunRequest request = asked_for;
  if (!measured.timing.contender.is_beside)
    request.how.algorithm = measured.timing.contender.algorithm;
  request.how.backend = measured.timing.contender.backend;
  Context context(Context::Settings{.stop = settings.stop,
                                    .progress = settings.progress,
                                    .threads = measured.timing.contender.threads,
                                    .device = measured.timing.contender.device,
                                    .cache = cache});
  return run_operation(table, request, context);
}

const RunRequest& request_of(const TimedCase& timed, const Measured& measured) {
  return measured.timing.contender.is_beside ? timed.beside : timed.request;
}

/// Calls body(report) for each timed run of the case.
template <typename Body>
void for_each_run(const OperationTable& table, const TimedCase& timed, const Measured& measured,
                  const TimingSettings& settings, Body&& body) {
  if (timed.further_seeds.empty()) {
    const auto cache = settings.cache == CacheState::Warm ? measured.cache : nullptr;
    body(run(table, request_of(timed, measured), measured, settings, cache));
    return;
  }
  const auto cache = std::make_shared<ScratchCache>();
  RunRequest request = request_of(timed, measured);
  (void)run(table, request, measured, settings, cache);
  for (const SeedVoxels& seeds : timed.further_seeds) {
    request.inputs.seeds = seeds;
    body(run(table, request, measured, settings, cache));
  }
}

/// Adds the digest that must agree with the other contenders: that of the main output; for several
/// runs, those of all.
void add_digest(const RunReport& report, const Operation& operation, Timing& timing) {
  const std::string& digest = report.summaries.at(operation.main_output().id).digest;
  timing.digest += timing.digest.empty() ? digest : ' ' + digest;
}

void look_once(const OperationTable& table, const TimedCase& timed, Measured& measured,
               const TimingSettings& settings) {
  const Operation& operation = table.at(request_of(timed, measured).operation);
  RunReport report;
  for_each_run(table, timed, measured, settings, [&](RunReport done) {
    add_digest(done, operation, measured.timing);
    report = std::move(done);
  });
  measured.timing.device = report.facts.device;
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.algorithm == report.facts.algorithm &&
        name_of(implementation.backend) == report.facts.backend) {
      measured.timing.exact = implementation.exactness == Exactness::Exact;
    }
  }
}

void time_once(const OperationTable& table, const TimedCase& timed, Measured& measured,
               const TimingSettings& settings) {
  for_each_run(table, timed, measured, settings, [&](const RunReport& report) {
    measured.timing.ms.push_back(report.facts.total_ms);
    for (const StageTime& stage : report.facts.stages) {
      if (!measured.stages.contains(stage.stage)) measured.stage_order.push_back(stage.stage);
      measured.stages[stage.stage].push_back(stage.ms);
    }
  });
}

void sum_up(Measured& measured) {
  Timing& timing = measured.timing;
  std::vector<double> ms = timing.ms;  // a copy: timing.ms stays in the order of the runs
  timing.median_ms = median(ms);
  timing.low_ms = *std::min_element(timing.ms.begin(), timing.ms.end());
  timing.high_ms = *std::max_element(timing.ms.begin(), timing.ms.end());
  for (const std::string& stage : measured.stage_order)
    timing.stages.push_back({stage, median(measured.stages[stage])});
}

std::size_t baseline_of(const Operation& operation, const TimedCase& timed,
                        std::span<const Contender> contenders) {
  for (const std::string& algorithm : {operation.reference_algorithm, timed.baseline}) {
    const auto found = std::ranges::find_if(contenders, [&](const Contender& contender) {
      return contender.backend == Backend::Cpu && contender.algorithm == algorithm;
    });
    if (found != contenders.end()) return static_cast<std::size_t>(found - contenders.begin());
  }
  return 0;
}

std::string line_of(const Timing& timing, bool is_baseline) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), "  %-12s %-5s %7d %12.2f %10.2f %10.2f %9.2f",
                timing.contender.algorithm.c_str(), name_of(timing.contender.backend).c_str(),
                timing.contender.threads, timing.median_ms, timing.low_ms, timing.high_ms,
                timing.times_faster);
  std::string line = text.data();
  line += timing.contender.is_beside ? "          "
          : is_baseline              ? "  baseline"
          : timing.agrees            ? "  agrees  "
                                     : "  DIFFERS ";
  for (const StageTime& stage : timing.stages) {
    std::snprintf(text.data(), text.size(), "  %s %.2f", stage.stage.c_str(), stage.ms);
    line += text.data();
  }
  return line + "\n";
}

/// Returns all contenders except those that the case leaves out, all if none would remain; and the
/// operation beside them, once for each number of threads.
std::vector<Contender> contenders_for(const TimedCase& timed, std::span<const Contender> all) {
  std::vector<Contender> kept;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [&](const Contender& contender) {
    return std::find(timed.left_out.begin(), timed.left_out.end(), contender.algorithm) ==
           timed.left_out.end();
  });
  if (kept.empty()) kept.assign(all.begin(), all.end());
  if (timed.beside.operation.empty()) return kept;
  const std::vector<Contender> algorithms = kept;
  for (const Contender& contender : algorithms) {
    const bool is_there = std::ranges::any_of(kept, [&](const Contender& other) {
      return other.is_beside && other.threads == contender.threads;
    });
    if (contender.backend == Backend::Cpu && !is_there)
      kept.push_back(
          {.algorithm = timed.beside.operation, .threads = contender.threads, .is_beside = true});
  }
  return kept;
}

/// Returns the measurements of `segment` beside `irfc` on the head, with two strokes.
std::vector<TimedCase> segment_cases(const TimedCase& head_case, const SeedVoxels& strokes) {
  TimedCase estimated = head_case;
  estimated.request.inputs.seeds = strokes;
  estimated.beside = estimated.request;
  estimated.beside.operation = "irfc";
  estimated.beside.values = {};
  estimated.beside.values.set("m", kHeadM);
  estimated.beside.values.set("sigma_o", kHeadSigmaO);
  estimated.beside.values.set("sigma_h", kHeadSigmaH);
  TimedCase given = estimated;
  Values& values = given.request.values;
  values.set("windows", std::string("1=900:60:60"));
  values.set("sigma_h", kHeadSigmaH);
  values.set("smooth_mm", 0.6);
  values.set("evidence", std::string("1=600:900:-4,4"));
  values.set("evidence_weight", 1.0);
  values.set("contrast", kHeadSigmaH);
  TimedCase added = given;
  added.further_seeds = added_strokes(head_case.request.inputs.image, strokes, kAddedStrokes);
  estimated.name += ", two strokes, all estimated";
  given.name += ", two strokes, given values";
  added.name += ", added stroke, given values";
  return {estimated, given, added};
}

}  // namespace

std::string text_of_size(const Index3& size) {
  std::string text = std::to_string(size[0]) + "x" + std::to_string(size[1]);
  if (size[2] > 1) text += "x" + std::to_string(size[2]);
  return text;
}

std::vector<TimedCase> cases_of(const Operation& operation, const Index3& size, Context& context) {
  for (const ReconstructionOperation reconstruction : kReconstructionOperations) {
    if (operation.id == id_of(reconstruction)) {
      return reconstruction_cases(reconstruction, size, context);
    }
  }
  if (operation.id == "distance" || operation.id == "influence-zones")
    return distance_cases(operation, size, context);
  if (operation.id == "watershed" || operation.id == "split-objects" ||
      operation.id == "clean-labels")
    return watershed_cases(operation, size, context);
  if (goes_by_lines(operation)) return line_cases(operation, size, context);
  if (looks_through_windows(operation)) return texture_cases(operation, size, context);
  const Volume image = head(size, context);
  TimedCase timed;
  timed.name = "head " + text_of_size(size);
  timed.digest = xxh64_digest(image.bytes());
  timed.request.operation = operation.id;
  timed.request.values = values_for_head(operation);
  timed.request.inputs.image = image;
  if (operation.wants(InputKind::Labels)) {
    const Volume tissue = head_tissue(size, context);
    timed.request.inputs.labels = labels_from(tissue, "the tissue", [] {});
    return {timed};
  }
  if (!operation.wants(InputKind::Seeds)) return {timed};
  const auto seeded = [&](const char* name, const SeedVoxels& seeds) {
    TimedCase one = timed;
    one.name += std::string(", ") + name;
    one.request.inputs.seeds = seeds;
    return one;
  };
  const SeedVoxels strokes = two_strokes(image);
  if (operation.id == "segment") return segment_cases(timed, strokes);
  std::vector<TimedCase> cases{seeded("many seeds", many_seeds(image)),
                               seeded("two strokes", strokes)};
  if (operation.find_parameter("sigma_o") == nullptr) return cases;
  cases.push_back(seeded("front only", strokes));
  cases.back().request.values.set("sigma_o", kFrontSigmaO);
  cases.push_back(seeded("every voxel", strokes));
  cases.back().request.values.set("sigma_o", kNoObjectSigmaO);
  cases.push_back(seeded("added stroke", strokes));
  cases.back().further_seeds = added_strokes(image, strokes, kAddedStrokes);
  const Volume path = winding_path(size);
  cases.push_back(timed);
  cases.back().name = "snake " + text_of_size(size);
  cases.back().digest = xxh64_digest(path.bytes());
  cases.back().request.inputs.image = path;
  cases.back().request.inputs.seeds = path_ends(path);
  return cases;
}

bool CaseTimings::all_agree() const {
  return std::all_of(timings.begin(), timings.end(),
                     [](const Timing& timing) { return timing.agrees || !timing.exact; });
}

CaseTimings time_case(const OperationTable& table, const TimedCase& timed,
                      std::span<const Contender> asked_for, const TimingSettings& settings) {
  const Operation& operation = table.at(timed.request.operation);
  const std::vector<Contender> contenders = contenders_for(timed, asked_for);
  CaseTimings result;
  result.name = timed.name;
  result.operation = operation.id;
  result.input_digest = timed.digest;
  result.voxels = timed.request.inputs.image.geometry().voxel_count();
  result.baseline = baseline_of(operation, timed, contenders);
  std::vector<Measured> all;
  for (const Contender& contender : contenders) {
    Measured measured;
    measured.timing.contender = contender;
    measured.cache = std::make_shared<ScratchCache>();
    look_once(table, timed, measured, settings);
    all.push_back(std::move(measured));
  }
  for (int round = 0; round < settings.repeats; ++round) {
    for (Measured& measured : all)
      time_once(table, timed, measured, settings);
  }
  for (Measured& measured : all)
    sum_up(measured);
  const Timing baseline = all[result.baseline].timing;
  for (Measured& measured : all) {
    measured.timing.times_faster = baseline.median_ms / measured.timing.median_ms;
    measured.timing.agrees =
        measured.timing.contender.is_beside || measured.timing.digest == baseline.digest;
    result.timings.push_back(std::move(measured.timing));
  }
  return result;
}

std::string describe(const CaseTimings& timings) {
  std::string text = timings.operation + ", " + timings.name + " (" +
                     std::to_string(timings.voxels) + " voxels, " + timings.input_digest + ")\n" +
                     "  algorithm    on    threads    median ms        low       high     ratio\n";
  for (std::size_t i = 0; i < timings.timings.size(); ++i)
    text += line_of(timings.timings[i], i == timings.baseline);
  return text;
}

nlohmann::ordered_json to_json(const CaseTimings& timings) {
  nlohmann::ordered_json json{{"operation", timings.operation},
                              {"input", timings.name},
                              {"input_digest", timings.input_digest},
                              {"voxels", timings.voxels},
                              {"baseline", timings.baseline}};
  json["timings"] = nlohmann::ordered_json::array();
  for (const Timing& timing : timings.timings) {
    nlohmann::ordered_json stages = nlohmann::ordered_json::object();
    for (const StageTime& stage : timing.stages)
      stages[stage.stage] = stage.ms;
    json["timings"].push_back({{"algorithm", timing.contender.algorithm},
                               {"backend", name_of(timing.contender.backend)},
                               {"device", timing.device},
                               {"threads", timing.contender.threads},
                               {"ms_median", timing.median_ms},
                               {"ms_low", timing.low_ms},
                               {"ms_high", timing.high_ms},
                               {"ms_runs", timing.ms},
                               {"ms_stages", std::move(stages)},
                               {"times_faster", timing.times_faster},
                               {"digest", timing.digest},
                               {"exact", timing.exact},
                               {"agrees", timing.agrees}});
  }
  return json;
}

}  // namespace seedwave::bench
