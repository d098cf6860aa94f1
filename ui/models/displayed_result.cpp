// SPDX-License-Identifier: Apache-2.0
#include "ui/models/displayed_result.h"

#include "core/engine/label_origin.h"

#include <utility>

namespace seedwave::ui {

DisplayedResult::DisplayedResult(const Workbench& workbench, const OperationTable& table,
                                 const KeptRuns& history, QObject* parent)
    : QObject(parent), workbench_(workbench), table_(table), history_(history) {}

DisplayedResult::OnScreen DisplayedResult::on_screen() const {
  if (part_) {
    return {.labels = part_->picture.labels, .maps = part_->picture.maps, .run = &part_->run};
  }
  return {.labels = result_.labels, .maps = result_.maps, .run = run(), .patch = patch_};
}

const Operation* DisplayedResult::operation() const {
  const Run* run = on_screen().run;
  return run == nullptr ? nullptr : table_.find(run->recipe.operation);
}

bool DisplayedResult::has_labels() const {
  const Operation* of_run = operation();
  return of_run != nullptr && of_run->gives(OutputKind::Labels, reads_of(on_screen().run->recipe));
}

bool DisplayedResult::has_only_maps() const {
  const Operation* of_run = operation();
  return of_run != nullptr && has_maps(*of_run, reads_of(on_screen().run->recipe)) && !has_labels();
}

bool DisplayedResult::has_objects() const {
  const Run* run = on_screen().run;
  return run != nullptr && holds_objects(table_, *run);
}

bool DisplayedResult::numbers_objects() const {
  const Run* run = on_screen().run;
  return run != nullptr && seedwave::numbers_objects(table_, *run);
}

QString DisplayedResult::label_text(Label label) const {
  if (label == 0 || !has_objects()) return workbench_.label_name(label);
  const Run& run = *on_screen().run;
  if (const auto part = part_named(table_, run, label)) {
    const bool is_named = !holds_objects(table_, *part->source);
    const QString name = is_named ? workbench_.label_name(part->of) : tr("label %1").arg(part->of);
    return tr("%1, part %2").arg(name).arg(part->part);
  }
  const bool ranked = ranks_in(table_, run) != 0;
  return (ranked ? tr("label %1") : tr("object %1")).arg(label);
}

void DisplayedResult::set_result(Result result) {
  result_ = std::move(result);
  part_.reset();
  patch_.reset();
}

void DisplayedResult::set_part(MadeRun part, Preview preview) {
  part_ = std::move(part);
  preview_ = preview;
  patch_.reset();
}

void DisplayedResult::set_patch(LabelPatch patch) {
  drop_part();
  patch_ = std::make_shared<const LabelPatch>(std::move(patch));
}

bool DisplayedResult::drop_part() {
  const bool had_patch = std::exchange(patch_, nullptr) != nullptr;
  if (!part_) return had_patch;
  part_.reset();
  // The views displayed another label map in the meantime.
  result_.labels = all_changed(result_.labels);
  return true;
}

LabelMap all_changed(const LabelMap& labels) {
  return labels.empty() ? labels : labels.with_changed(Box::whole(labels.geometry()));
}

}  // namespace seedwave::ui
