// SPDX-License-Identifier: Apache-2.0
#include "core/engine/repeat_command.h"

#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/engine/run_again.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {

namespace {

namespace fs = std::filesystem;

/// The first half of "xxh64:0123456789abcdef": enough to tell files in a folder apart.
std::string short_digest(const std::string& digest) {
  constexpr std::size_t kPrefix = 6;
  constexpr std::size_t kDigits = 8;
  return digest.size() < kPrefix + kDigits ? digest : digest.substr(kPrefix, kDigits);
}

/// Returns a digest of everything that determines which voxels the strokes cover.
std::string digest_of(const SeedSet& seeds) {
  std::vector<double> numbers;
  for (const Stroke& stroke : seeds.strokes) {
    numbers.insert(numbers.end(), {static_cast<double>(stroke.label), stroke.radius_mm,
                                   static_cast<double>(stroke.points.size())});
    for (const Vec3& point : stroke.points)
      numbers.insert(numbers.end(), point.begin(), point.end());
    if (!stroke.plane) continue;
    numbers.insert(numbers.end(), stroke.plane->normal.begin(), stroke.plane->normal.end());
    numbers.push_back(stroke.plane->thickness_mm);
  }
  return xxh64_digest_of(std::span<const double>(numbers));
}

/// Builds a command from the calls that lead to a run.
class Commands {
 public:
  Commands(const OperationTable& table, const RunHistory& history, const CommandPlaces& places)
      : table_(table), history_(history), places_(places) {}

  RepeatCommand of(std::uint64_t run) {
    visit(run);
    for (const Run* each : order_) {
      made_.text += (made_.text.empty() ? "" : " && ") + call_of(*each);
    }
    return std::move(made_);
  }

 private:
  /// Adds a run after the runs that it reads, each once.
  void visit(std::uint64_t id) {
    const Run* run = history_.find(id);
    if (run == nullptr) {
      throw InputError(
          "run " + std::to_string(id) +
          ", which this one reads, is no longer in the list: no command can repeat it");
    }
    if (std::find(order_.begin(), order_.end(), run) != order_.end()) return;
    for (const auto& [input, choice] : inputs_of(*run)) {
      if (choice.run == 0) continue;
      visit(choice.run);
      std::vector<std::string>& read = read_[choice.run];
      if (std::find(read.begin(), read.end(), choice.output) == read.end())
        read.push_back(choice.output);
    }
    order_.push_back(run);
  }

  /// Returns the choices for the inputs of the operation.
  [[nodiscard]] InputChoices inputs_of(const Run& run) const {
    InputChoices inputs;
    for (const InputSpec& input : table_.at(run.recipe.operation).inputs) {
      const auto chosen = run.recipe.inputs.find(name_of(input.kind));
      if (chosen != run.recipe.inputs.end()) inputs.insert(*chosen);
    }
    return inputs;
  }

  /// Returns the call without the files that it writes.
  [[nodiscard]] CommandLine bare_call_of(const Run& run) {
    const Operation& operation = table_.at(run.recipe.operation);
    CommandLine call("seedwave-cli run " + operation.id);
    add_image(run, call);
    for (const auto& [input, choice] : inputs_of(run)) {
      if (input != name_of(InputKind::Image)) call.add(input, file_of(choice).string());
    }
    if (operation.wants(InputKind::Seeds) && !run.recipe.seeds.empty()) {
      const SeedSet seeds = run.recipe.seeds.as_set();
      const fs::path file =
          places_.folder / ("strokes-" + short_digest(digest_of(seeds)) + ".json");
      made_.seeds.emplace(file, seeds);
      call.add(name_of(InputKind::Seeds), file.string());
    }
    for (const Parameter& parameter : operation.parameters) {
      if (!run.facts.values.has(parameter.id)) continue;
      const Value& value = run.facts.values.at(parameter.id);
      if (value == initial_value(parameter, places_.grid.is_2d())) continue;
      call.add(flag_name(parameter.id), text_of(value));
    }
    if (const Implementation* own = approximate_one(operation, run)) {
      call.add("algorithm", own->algorithm);
      call.add("backend", name_of(own->backend));
    }
    return call;
  }

  /// Returns the whole call. The files that it reads must be written by earlier calls.
  [[nodiscard]] std::string call_of(const Run& run) {
    CommandLine call = bare_call_of(run);
    digests_[run.id] = short_digest(
        xxh64_digest_of(std::span<const char>(call.text().data(), call.text().size())));
    for (const std::string& output : read_[run.id])
      call.add("out-" + flag_name(output), result_file(run, output).string());
    return call.text();
  }

  void add_image(const Run& run, CommandLine& call) const {
    const auto chosen = run.recipe.inputs.find(name_of(InputKind::Image));
    if (chosen != run.recipe.inputs.end()) {
      call.add("image", file_of(chosen->second).string());
      if (!chosen->second.file.series.empty()) call.add("series", chosen->second.file.series);
      return;
    }
    if (places_.image.path.empty()) {
      throw InputError("the image was not read from a file: no command can read it");
    }
    call.add("image", fs::absolute(places_.image.path).string());
    if (!places_.image.series.empty()) call.add("series", places_.image.series);
    if (!run.recipe.channel.empty()) call.add("channel", run.recipe.channel);
  }

  [[nodiscard]] fs::path file_of(const InputChoice& choice) const {
    if (choice.run != 0) return result_file(*history_.find(choice.run), choice.output);
    return fs::absolute(choice.file.path);
  }

  /// Returns a file of a format that keeps grid and type of any output. It is named by the call:
  /// two runs with the same digest, that of the main output, may differ in another output.
  [[nodiscard]] fs::path result_file(const Run& run, const std::string& output) const {
    return places_.folder /
           (run.recipe.operation + "-" + digests_.at(run.id) + "-" + output + ".nrrd");
  }

  const OperationTable& table_;
  const RunHistory& history_;
  const CommandPlaces& places_;
  /// The runs in the order of their calls.
  std::vector<const Run*> order_;
  /// Outputs of a run that other runs read.
  std::map<std::uint64_t, std::vector<std::string>> read_;
  /// Digests of the bare calls of the runs.
  std::map<std::uint64_t, std::string> digests_;
  RepeatCommand made_;
};

}  // namespace

RepeatCommand command_repeating(const OperationTable& table, const RunHistory& history,
                                std::uint64_t run, const CommandPlaces& places) {
  return Commands(table, history, places).of(run);
}

}  // namespace seedwave
