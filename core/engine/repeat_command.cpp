// SPDX-License-Identifier: Apache-2.0
#include "core/engine/repeat_command.h"

#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/engine/run_again.h"
#include "core/engine/step_order.h"

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

/// Returns a digest of everything that determines which voxels are fixed.
std::string digest_of(const Edits& edits) {
  std::vector<std::int64_t> numbers;
  const auto add = [&numbers](const LabelRun& run) {
    numbers.insert(numbers.end(), {run.begin, run.end, run.label});
  };
  edits.drawn.for_each(add);
  for (const auto& [label, voxels] : edits.locked)
    voxels.for_each(add);
  return xxh64_digest_of(std::span<const std::int64_t>(numbers));
}

std::string locked_labels(const Edits& edits) {
  std::string labels;
  for (const auto& [label, voxels] : edits.locked)
    labels += (labels.empty() ? "" : ",") + std::to_string(label);
  return labels;
}

/// Builds a command from the calls that lead to a run.
class Commands {
 public:
  Commands(const OperationTable& table, const CommandPlaces& places)
      : table_(table), places_(places) {}

  RepeatCommand of(const Step& step) {
    const std::vector<const Step*> order = steps_behind(table_, step, "command");
    for (const Step* each : order)
      note_read(*each);
    for (const Step* each : order) {
      made_.text += (made_.text.empty() ? "" : " && ") + call_of(*each);
    }
    return std::move(made_);
  }

 private:
  /// Notes the outputs of other steps that a step reads.
  void note_read(const Step& step) {
    for (const auto& [input, choice] : inputs_of(table_, step.recipe)) {
      if (!choice.step) continue;
      std::vector<std::string>& read = read_[choice.step->id];
      if (std::find(read.begin(), read.end(), choice.output) == read.end())
        read.push_back(choice.output);
    }
  }

  /// Returns the call without the files that it writes.
  [[nodiscard]] CommandLine bare_call_of(const Step& step) {
    const Operation& operation = table_.at(step.recipe.operation);
    CommandLine call("seedwave-cli run " + operation.id);
    add_image(step, call);
    for (const auto& [input, choice] : inputs_of(table_, step.recipe)) {
      if (input != name_of(InputKind::Image)) call.add(input, file_of(choice).string());
    }
    if (operation.wants(InputKind::Seeds) && !step.recipe.seeds.empty()) {
      const SeedSet seeds = step.recipe.seeds.as_set();
      const fs::path file = strokes_file(places_.folder, seeds);
      made_.seeds.emplace(file, seeds);
      call.add(name_of(InputKind::Seeds), file.string());
    }
    if (operation.gives(OutputKind::Labels) && places_.with_edits)
      add_edits(step.recipe.edits, call);
    const Values used = used_values(operation, step, places_.grid.is_2d());
    for (const Parameter& parameter : operation.parameters) {
      if (used.has(parameter.id)) call.add(flag_name(parameter.id), text_of(used.at(parameter.id)));
    }
    if (const Implementation* own = approximate_one(operation, step)) {
      call.add("algorithm", own->algorithm);
      call.add("backend", name_of(own->backend));
    } else if (!step.recipe.devices.empty() && !step.facts.shares.empty()) {
      // A run that could not be shared was automatic, though its recipe names devices.
      call.add("devices", step.recipe.devices);
    }
    return call;
  }

  /// Returns the whole call. The files that it reads must be written by earlier calls.
  [[nodiscard]] std::string call_of(const Step& step) {
    CommandLine call = bare_call_of(step);
    digests_[step.id] = short_digest_of(call.text());
    for (const std::string& output : read_[step.id])
      call.add("out-" + flag_name(output), result_file(step, output).string());
    return call.text() + places_.more;
  }

  void add_edits(const Edits& edits, CommandLine& call) {
    if (edits.empty()) return;
    const fs::path file = places_.folder / ("edits-" + short_digest(digest_of(edits)) + ".nrrd");
    made_.edits.emplace(file, edits);
    call.add("edits", file.string());
    if (!edits.locked.empty()) call.add("locked", locked_labels(edits));
  }

  void add_image(const Step& step, CommandLine& call) const {
    const auto chosen = step.recipe.inputs.find(name_of(InputKind::Image));
    if (chosen != step.recipe.inputs.end()) {
      call.add("image", file_of(chosen->second).string());
      if (!chosen->second.file.series.empty()) call.add("series", chosen->second.file.series);
      return;
    }
    if (places_.image.path.empty()) {
      throw InputError("the image was not read from a file: no command can read it");
    }
    call.add("image", fs::absolute(places_.image.path).string());
    if (!places_.image.series.empty()) call.add("series", places_.image.series);
    add_view(places_.image.view, call);
    if (!step.recipe.channel.empty()) call.add("channel", step.recipe.channel);
  }

  /// As app/cli reads them.
  static void add_view(const io::SlideView& view, CommandLine& call) {
    if (view.level) call.add("level", std::to_string(*view.level));
    if (!view.region) return;
    const Box& region = *view.region;
    call.add("region", std::to_string(region.lo[0]) + ',' + std::to_string(region.lo[1]) + ',' +
                           std::to_string(region.hi[0] - region.lo[0]) + ',' +
                           std::to_string(region.hi[1] - region.lo[1]));
  }

  [[nodiscard]] fs::path file_of(const InputChoice& choice) const {
    if (choice.step) return result_file(*choice.step, choice.output);
    return fs::absolute(choice.file.path);
  }

  /// Returns a file of a format that keeps grid and type of any output. It is named by the call:
  /// two runs with the same digest, that of the main output, may differ in another output.
  [[nodiscard]] fs::path result_file(const Step& step, const std::string& output) const {
    return places_.folder /
           (step.recipe.operation + "-" + digests_.at(step.id) + "-" + output + ".nrrd");
  }

  const OperationTable& table_;
  const CommandPlaces& places_;
  /// Outputs of a step that other steps read.
  std::map<std::uint64_t, std::vector<std::string>> read_;
  /// Digests of the bare calls of the steps.
  std::map<std::uint64_t, std::string> digests_;
  RepeatCommand made_;
};

}  // namespace

std::string short_digest_of(const std::string& text) {
  return short_digest(xxh64_digest_of(std::span<const char>(text.data(), text.size())));
}

fs::path strokes_file(const fs::path& folder, const SeedSet& seeds) {
  return folder / ("strokes-" + short_digest(digest_of(seeds)) + ".json");
}

RepeatCommand command_repeating(const OperationTable& table, const Step& step,
                                const CommandPlaces& places) {
  return Commands(table, places).of(step);
}

}  // namespace seedwave
