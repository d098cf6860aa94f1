// SPDX-License-Identifier: Apache-2.0
#include "core/ops/run.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/metrics/overlap.h"
#include "core/ops/worker_list.h"
#include "core/parallel/checkpoint.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/ranks.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave {
namespace {

bool has_cpu_form(const Operation& operation, const std::string& algorithm) {
  return std::any_of(operation.implementations.begin(), operation.implementations.end(),
                     [&](const Implementation& implementation) {
                       return implementation.backend == Backend::Cpu &&
                              (algorithm.empty() || implementation.algorithm == algorithm);
                     });
}

/// Throws UsageError if a memory limit was given and the chosen implementation has no support for
/// limits.
void check_keeps_to_memory(const Operation& operation, const ImplementationChoice& choice,
                           const Context& context) {
  if (context.memory() == 0 || context.in_files() || choice.implementation->least_bytes) return;
  throw UsageError("memory: " + operation.id + " by " + choice.implementation->algorithm + " (" +
                   name_of(choice.implementation->backend) + ") does not support a memory limit");
}

/// Returns whether several workers or processes can share the operation on the CPU.
bool is_shared_on_cpu(const Operation& operation) {
  return std::ranges::any_of(operation.implementations, [](const Implementation& each) {
    return each.backend == Backend::Cpu && each.sharing != Sharing::None;
  });
}

/// Throws UsageError if the run is to be shared or saved, and the implementation cannot.
void check_sharing(const Operation& operation, const ImplementationChoice& choice,
                   const Inputs& inputs, const Context& context) {
  const Sharing sharing = choice.implementation->sharing;
  // Each label is a run of its own, and its passes are not told apart.
  if (context.saved() != nullptr && inputs.reads() == Reads::Labels)
    throw UsageError("checkpoint: a run over labels cannot be saved on its way");
  if (sharing == Sharing::BySlabs) return;
  const std::string how = operation.id + " by " + choice.implementation->algorithm + " (" +
                          name_of(choice.implementation->backend) + ")";
  if (context.saved() != nullptr)
    throw UsageError("checkpoint: " + how + " cannot be saved on its way");
  const bool on_cpu = choice.implementation->backend == Backend::Cpu;
  if (context.sharers() > 1 && sharing == Sharing::None)
    throw UsageError(
        "devices: " + how + " is not shared among devices: name one" +
        (!on_cpu && is_shared_on_cpu(operation) ? ", or groups of CPU threads (cpu,cpu)" : ""));
  if (context.ranks() != nullptr && sharing == Sharing::None)
    throw UsageError(how + " is not shared among processes: start one" +
                     (is_shared_on_cpu(operation) ? ", or use --backend cpu" : ""));
}

/// Returns the shares of this process's workers, or its own if it has one worker among those of
/// several processes.
std::vector<RunFacts::Share> own_shares(const OperationTable& table,
                                        const ImplementationChoice& choice,
                                        const Context& context) {
  const Backend backend = choice.implementation->backend;
  const Worker only{.device = backend == Backend::Cpu ? kCpu : context.device(),
                    .threads = context.threads()};
  std::vector<RunFacts::Share> shares;
  const std::vector<WorkDone> work = context.work_done();
  for (std::size_t i = 0; i < work.size(); ++i)
    shares.push_back(
        {name_of(context.workers().empty() ? only : context.workers()[i], table), work[i]});
  return shares;
}

/// Returns the shares of the workers of all processes. Collective.
std::vector<RunFacts::Share> shares_of_all(Ranks& ranks, const std::vector<RunFacts::Share>& own) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& [name, done] : own)
    json.push_back({name, done.busy_ms, done.visits, done.cells, done.failure});
  const std::vector<std::string> texts = texts_of_all(ranks, json.dump());
  std::vector<RunFacts::Share> shares;
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    for (const nlohmann::json& share : nlohmann::json::parse(texts[rank])) {
      shares.push_back(
          {"process " + std::to_string(rank) + ", " + share[0].get<std::string>(),
           {.busy_ms = share[1], .visits = share[2], .cells = share[3], .failure = share[4]}});
    }
  }
  return shares;
}

/// Adds the workers' shares to the facts, and what ranks sent since `before`, and warns of workers
/// that failed. Collective.
void add_shares(const OperationTable& table, const ImplementationChoice& choice,
                const Context& context, const Ranks::Sent& before, RunFacts& facts) {
  facts.shares = own_shares(table, choice, context);
  if (Ranks* const ranks = context.ranks()) {
    facts.shares = shares_of_all(*ranks, facts.shares);
    const Ranks::Sent sent = ranks->sent();
    facts.processes = {.count = ranks->count(),
                       .messages = ranks->all_sum(sent.messages - before.messages),
                       .message_bytes = ranks->all_sum(sent.message_bytes - before.message_bytes),
                       .shared_bytes = ranks->all_sum(sent.shared_bytes - before.shared_bytes)};
  }
  for (const auto& [name, done] : facts.shares) {
    if (done.failure.empty()) continue;
    facts.warnings.push_back(name + " failed, and the others did its part: " + done.failure);
  }
}

/// Runs the chosen implementation. If no backend was requested and the device fails, the CPU takes
/// over. An algorithm without a CPU version fails with the error of the device.
Result run_chosen(const OperationTable& table, const Operation& operation,
                  const RunRequest& request, const Values& values, ImplementationChoice& choice,
                  Context& context) {
  try {
    return choice.implementation->run(request.inputs, values, context);
  } catch (const UnavailableError& error) {
    // Other processes of the run would go on with the device.
    if (choice.implementation->backend == Backend::Cpu || request.how.backend || context.ranks())
      throw;
    if (!has_cpu_form(operation, request.how.algorithm)) throw;
    const std::string why = error.what();
    ImplementationRequest on_cpu = request.how;
    on_cpu.backend = Backend::Cpu;
    choice = choose_implementation(table, operation, on_cpu, request.inputs, values);
    choice.why = "auto: the device failed: " + why;
    check_keeps_to_memory(operation, choice, context);
    if (context.saved() != nullptr) context.saved()->begin_anew();
  }
  return choice.implementation->run(request.inputs, values, context);
}

/// Throws InputError if edits are on another grid than the image.
void check_edits(const Edits& edits, const Geometry& geometry) {
  if (edits.empty() || edits.size == geometry.size) return;
  throw InputError("the edits are on another grid than the image, which has " + describe(geometry));
}

/// Puts the edits above the labels of `outputs`, which lie on a grid of the edits' size. Returns
/// the labels without them; empty if there are none.
LabelMap put_edits(const Operation& operation, const Edits& edits,
                   std::map<std::string, Output>& outputs) {
  const OutputSpec* spec = operation.find_output(OutputKind::Labels);
  const auto found = spec == nullptr ? outputs.end() : outputs.find(spec->id);
  if (found == outputs.end()) return {};
  LabelMap labels = std::get<LabelMap>(found->second);
  if (!edits.empty()) found->second = with_edits(labels, edits);
  return labels;
}

using ShowOutputs = std::function<void(const std::map<std::string, Output>&)>;

ShowOutputs with_edits_above(const Operation& operation, ShowOutputs show, Edits edits) {
  return [&operation, show = std::move(show),
          edits = std::move(edits)](const std::map<std::string, Output>& outputs) {
    std::map<std::string, Output> edited = outputs;
    (void)put_edits(operation, edits, edited);
    show(edited);
  };
}

/// Returns the request with the edits above all that is shown before the result.
RunRequest with_edits_above(const Operation& operation, const RunRequest& request) {
  RunRequest changed = request;
  if (std::optional<Focus>& focus = changed.inputs.focus)
    focus->show =
        with_edits_above(operation, focus->show, cropped(request.inputs.edits, focus->box));
  if (request.inputs.show_draft)
    changed.inputs.show_draft =
        with_edits_above(operation, request.inputs.show_draft, request.inputs.edits);
  if (request.inputs.show_band) {
    changed.inputs.show_band = [&operation, show = request.inputs.show_band,
                                edits = request.inputs.edits](
                                   const Box& band, const std::map<std::string, Output>& part) {
      with_edits_above(
          operation, [&](const auto& outputs) { show(band, outputs); }, cropped(edits, band))(part);
    };
  }
  return changed;
}

std::string digest_of(const LabelMap& map) {
  // They count as u16 in any case.
  if (map.labels().bytes_each() == 2)
    return known_xxh64_digest(std::as_bytes(map.labels().as<std::uint16_t>()));
  return digest_of(map.labels());
}

std::string digest_of(const Volume& volume) {
  return known_xxh64_digest(volume.bytes());
}

std::string digest_of(const Table& rows) {
  std::vector<double> numbers;
  for (const std::vector<double>& row : rows.rows)
    numbers.insert(numbers.end(), row.begin(), row.end());
  return xxh64_digest_of(std::span<const double>(numbers));
}

/// Computes digests and counts in parallel. Each is a sequential pass over one output, which for a
/// large output takes as long as some solvers.
std::map<std::string, OutputSummary> summaries_of(const std::map<std::string, Output>& outputs,
                                                  Context& context) {
  std::map<std::string, OutputSummary> summaries;
  std::vector<std::function<void()>> tasks;
  for (const auto& entry : outputs) {
    const Output& output = entry.second;
    OutputSummary& summary = summaries[entry.first];
    tasks.emplace_back([&summary, &output] {
      summary.digest = std::visit([](const auto& value) { return digest_of(value); }, output);
    });
    if (const auto* labels = std::get_if<LabelMap>(&output))
      tasks.emplace_back([&summary, labels] { summary.counts = count_labels(*labels); });
  }
  parallel_for(context, std::ssize(tasks), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task)
      tasks[static_cast<std::size_t>(task)]();
  });
  return summaries;
}

}  // namespace

RunReport run_operation(const OperationTable& table, const RunRequest& request, Context& context) {
  const Operation& operation = table.at(request.operation);
  check_inputs(operation, request.inputs);
  check_edits(request.inputs.edits, request.inputs.image.geometry());
  const Geometry& geometry = request.inputs.image.geometry();
  const Values values = checked_values(operation, request.values, geometry.is_2d());
  check_places(operation, values, geometry);
  ImplementationRequest how = request.how;
  how.device = context.device();
  how.memory = context.memory();
  ImplementationChoice choice =
      choose_implementation(table, operation, how, request.inputs, values);
  check_keeps_to_memory(operation, choice, context);
  check_sharing(operation, choice, request.inputs, context);

  const Ranks::Sent sent_before =
      context.ranks() == nullptr ? Ranks::Sent{} : context.ranks()->sent();
  const auto start = std::chrono::steady_clock::now();
  std::optional<RunRequest> edited;
  if (!request.inputs.edits.empty()) edited = with_edits_above(operation, request);
  Result result;
  try {
    result = run_chosen(table, operation, edited ? *edited : request, values, choice, context);
  } catch (const LeftToFirst&) {
    // It finishes the run.
  }
  if (context.ranks() != nullptr && context.ranks()->rank() > 0) result.outputs.clear();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  LabelMap unedited = put_edits(operation, request.inputs.edits, result.outputs);

  RunReport report{.operation = operation.id,
                   .facts = {.values = std::move(result.values),
                             .algorithm = choice.implementation->algorithm,
                             .backend = name_of(choice.implementation->backend),
                             .device = choice.device_name,
                             .why = choice.why,
                             .stages = context.stage_times(),
                             .total_ms = taken.count(),
                             .digest = {},
                             .voxels = {},
                             .warnings = std::move(result.warnings),
                             .shares = {}},
                   .geometry = geometry,
                   .type = request.inputs.image.type(),
                   .outputs = std::move(result.outputs),
                   .unedited = std::move(unedited),
                   .summaries = {},
                   .dice = {}};
  add_shares(table, choice, context, sent_before, report.facts);
  report.summaries = summaries_of(report.outputs, context);
  report.reads = request.inputs.reads();
  const auto main = report.summaries.find(operation.main_output(report.reads).id);
  if (main != report.summaries.end()) {
    const OutputSummary& summary = main->second;
    report.facts.digest = summary.digest;
    report.facts.voxels = summary.counts;
  }
  return report;
}

std::string share_text(const RunFacts::Share& share) {
  const WorkDone& done = share.done;
  return share.name + ": " + std::to_string(done.visits) + " visits to slabs, " +
         std::to_string(done.cells) + " voxels, " + fixed_text(done.busy_ms, 1) + " ms";
}

std::string shares_in_brief(const std::vector<RunFacts::Share>& shares) {
  struct Kind {
    std::string name;  // "NVIDIA H200", "CPU"
    int count = 0;
    double cells = 0.0;
  };
  std::vector<Kind> kinds;
  double all_cells = 0.0;
  for (const auto& [name, done] : shares) {
    const std::string kind = name.substr(0, std::min(name.find(" ("), name.find(", ")));
    auto found = std::ranges::find(kinds, kind, &Kind::name);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {.name = kind});
    ++found->count;
    found->cells += static_cast<double>(done.cells);
    all_cells += static_cast<double>(done.cells);
  }
  std::string text;
  for (const auto& [name, count, cells] : kinds) {
    text += text.empty() ? "" : ", ";
    if (count > 1) text += std::to_string(count) + " \u00d7 ";
    text += name;
    if (all_cells == 0.0) continue;
    constexpr double kPercent = 100.0;
    text += " " + fixed_text(kPercent * cells / all_cells, 0) + " %";
  }
  return text;
}

DiceByLabel dice_of(const Operation& operation, const RunReport& report, const LabelMap& reference,
                    Context& context) {
  DiceByLabel dice;
  const auto main = report.outputs.find(operation.main_output(report.reads).id);
  const auto* labels =
      main == report.outputs.end() ? nullptr : std::get_if<LabelMap>(&main->second);
  if (labels == nullptr) return dice;
  const OverlapCounts counts(*labels, reference, context);
  for (const auto& [label, overlap] : counts.labels())
    dice.emplace(label, overlap.dice());
  return dice;
}

}  // namespace seedwave
