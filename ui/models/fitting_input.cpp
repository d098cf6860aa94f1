// SPDX-License-Identifier: Apache-2.0
#include "ui/models/fitting_input.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace seedwave::ui {

namespace {

const OutputSpec* find_output(const Operation* operation, const std::string& id) {
  if (operation == nullptr) return nullptr;
  for (const OutputSpec& output : operation->outputs) {
    if (output.id == id) return &output;
  }
  return nullptr;
}

/// What an output of a run holds; "" for nothing of a kind, or where what it was made from is gone.
std::string held_by(const RunController& runs, const Run& run, const OutputSpec& output) {
  if (!output.holds_what_the_image_held) return output.holds;
  const auto image = run.inputs.find(name_of(InputKind::Image));
  const Run* source = image == run.inputs.end() ? nullptr : runs.history().find(image->second.run);
  if (source == nullptr) return {};
  const OutputSpec* read =
      find_output(runs.find_operation(source->operation), image->second.output);
  return read == nullptr ? std::string() : held_by(runs, *source, *read);
}

/// The newest result that holds it.
std::optional<InputChoice> newest_of(const RunController& runs, const std::string& held) {
  const std::vector<Run>& all = runs.history().runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    const Operation* operation = runs.find_operation(run->operation);
    if (operation == nullptr) continue;
    for (const OutputSpec& output : operation->outputs) {
      if (held_by(runs, *run, output) == held)
        return InputChoice{.file = {}, .run = run->id, .output = output.id};
    }
  }
  return std::nullopt;
}

std::uint64_t last_run_of(const RunController& runs, const std::string& operation) {
  std::uint64_t last = 0;
  for (const Run& run : runs.history().runs()) {
    if (run.operation == operation) last = std::max(last, run.id);
  }
  return last;
}

std::optional<InputChoice> fitting_image(const Workbench& workbench, const RunController& runs,
                                         const std::string& id) {
  const Operation* operation = runs.find_operation(id);
  if (operation == nullptr) return std::nullopt;
  const auto image =
      std::find_if(operation->inputs.begin(), operation->inputs.end(), [](const InputSpec& input) {
        return input.kind == InputKind::Image && !input.holds.empty();
      });
  if (image == operation->inputs.end()) return std::nullopt;
  const std::optional<InputChoice> newest = newest_of(runs, image->holds);
  const auto& all = workbench.document().inputs;
  const auto of_operation = all.find(id);
  if (!newest || of_operation == all.end()) return newest;
  const auto chosen = of_operation->second.find(name_of(InputKind::Image));
  if (chosen == of_operation->second.end()) return newest;
  const bool is_there =
      chosen->second.run == 0 || runs.history().find(chosen->second.run) != nullptr;
  const bool is_kept = chosen->second.run == 0 || last_run_of(runs, id) > newest->run;
  return is_there && is_kept ? std::nullopt : newest;
}

}  // namespace

void choose_operation(Workbench& workbench, const RunController& runs, const std::string& id,
                      const QString& title) {
  if (id == workbench.document().operation) return;
  const std::optional<InputChoice> image = fitting_image(workbench, runs, id);
  if (!image) {
    workbench.set_operation(id, title);
    return;
  }
  workbench.undo_stack().beginMacro(Workbench::tr("choice of %1").arg(title));
  workbench.set_operation(id, title);
  workbench.set_input(name_of(InputKind::Image), *image);
  workbench.undo_stack().endMacro();
}

}  // namespace seedwave::ui
