// SPDX-License-Identifier: Apache-2.0
#include "ui/models/editor.h"

#include "core/base/error.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <variant>

namespace seedwave::ui {

Editor::Editor(Workbench& workbench, const RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {
  connect(&task_, &BackgroundTask::failed, this, &Editor::rejected);
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    task_.cancel();
    set_range(std::nullopt);
  });
}

EditFilter Editor::filter(Label label) const {
  const Volume& scene = workbench_.opened().scene.volume;
  return filter_of(workbench_.document().edits, label, scene.empty() ? std::nullopt : range_,
                   scene);
}

LabelMap Editor::labels() const {
  const Geometry& grid = workbench_.image().geometry();
  const LabelMap& shown = runs_.displayed().result().labels;
  if (!shown.empty() && same_grid(shown.geometry(), grid)) return shown;
  std::vector<std::uint8_t> none(static_cast<std::size_t>(grid.voxel_count()));
  return with_edits(LabelMap(grid, std::move(none)), workbench_.document().edits);
}

void Editor::apply(const EditGesture& gesture) {
  if (!workbench_.has_image()) return;
  if (const std::optional<Label> label = label_of(gesture)) {
    carry_out({.label = *label, .shape = gesture.shape});
  } else {
    emit rejected(tr("No number is left for another object."));
  }
}

std::optional<Label> Editor::label_of(const EditGesture& gesture) const {
  const Label label = gesture.label;
  const bool draws = label != 0 && label != kFixedAsNone;
  // In a volume an object is drawn slice by slice, with one label.
  const bool by_object =
      workbench_.image().geometry().is_2d() && runs_.displayed().numbers_objects();
  if (!draws || !by_object) return label;
  if (std::holds_alternative<Outline>(gesture.shape)) return next_object();
  const auto* stroke = std::get_if<Stroke>(&gesture.shape);
  if (stroke == nullptr || stroke->points.empty()) return label;
  const Label under = label_on_screen(stroke->points.front());
  return under != 0 && under <= kLargestLabel ? under : next_object();
}

Label Editor::label_on_screen(const Vec3& world) const {
  const Geometry& grid = workbench_.image().geometry();
  const Index3 index = grid.nearest_index(world);
  if (!grid.contains(index)) return 0;
  const Label drawn = workbench_.document().edits.drawn.at(grid.offset(index));
  if (drawn != 0) return drawn == kFixedAsNone ? 0 : drawn;
  const LabelMap& shown = runs_.displayed().on_screen().labels;
  if (shown.empty()) return 0;
  const Index3 in_shown = shown.geometry().nearest_index(world);  // of a part, if that is shown
  return shown.geometry().contains(in_shown) ? shown.at(in_shown) : 0;
}

std::optional<Label> Editor::next_object() const {
  std::set<Label> drawn;
  workbench_.document().edits.drawn.for_each(
      [&drawn](const LabelRun& run) { drawn.insert(run.label); });
  const Run* run = runs_.displayed().on_screen().run;
  const LabelCounts numbered = run != nullptr ? run->facts.voxels : LabelCounts();
  for (Label next = kFirstDrawnObject; next <= kLargestLabel; ++next) {
    if (!drawn.contains(next) && !numbered.contains(next)) return next;
  }
  return std::nullopt;
}

void Editor::carry_out(const EditGesture& gesture) {
  if (workbench_.document().edits.is_locked(gesture.label)) {
    emit rejected(
        tr("“%1” is locked: unlock it to change it.").arg(workbench_.label_name(gesture.label)));
    return;
  }
  const Geometry& grid = workbench_.image().geometry();
  if (!reads_labels(gesture)) {
    Context context;
    try {
      put(runs_of(gesture, grid, {}, context), gesture);
    } catch (const InputError& error) {
      emit rejected(QString::fromUtf8(error.what()));
    }
    return;
  }
  if (task_.busy()) {
    emit rejected(tr("The edit before is still being made."));
    return;
  }
  task_.start([this, gesture, grid, labels = labels()](Context& context) {
    return [this, gesture, runs = runs_of(gesture, grid, labels, context)] { put(runs, gesture); };
  });
}

void Editor::put(const std::vector<LabelRun>& runs, const EditGesture& gesture) {
  const std::vector<LabelRun> kept = filtered(runs, filter(gesture.label));
  if (kept.empty()) {
    emit rejected(nothing_found(gesture));
    return;
  }
  Edits edits = workbench_.document().edits;
  edits.drawn = edits.drawn.with(kept);
  if (edits.drawn == workbench_.document().edits.drawn) {
    emit rejected({});
    return;
  }
  push(std::move(edits), name_of(gesture));
}

void Editor::push(Edits edits, const QString& step_name) {
  edits.size = edits.empty() ? Index3{} : workbench_.image().geometry().size;
  workbench_.steps().set_edits(edits, step_name);
}

QString Editor::name_of(const EditGesture& gesture) const {
  const Label label = gesture.label;
  const bool is_object = runs_.displayed().numbers_objects() && label >= kFirstDrawnObject;
  const QString what = label == kFixedAsNone ? tr("no label")
                       : label == 0          ? tr("the result")
                       : is_object           ? tr("object %1").arg(label)
                                             : runs_.displayed().label_text(label);
  if (std::holds_alternative<Stroke>(gesture.shape)) return tr("drawing of %1").arg(what);
  if (std::holds_alternative<Outline>(gesture.shape)) return tr("outline of %1").arg(what);
  if (const auto* area = std::get_if<RegionArea>(&gesture.shape))
    return area->outside ? tr("clearing outside of regions")
                         : tr("fill of regions with %1").arg(what);
  if (const auto* margin = std::get_if<Margin>(&gesture.shape)) {
    const QString name = workbench_.label_name(margin->of);
    return label == kFixedAsNone ? tr("shrinking of %1").arg(name) : tr("growth of %1").arg(name);
  }
  return label == kFixedAsNone ? tr("removal of a part") : tr("fill with %1").arg(what);
}

QString Editor::nothing_found(const EditGesture& gesture) const {
  if (std::holds_alternative<PartAround>(gesture.shape)) {
    return tr(
        "Nothing to change there: click a part of another label, or a hole that labels "
        "enclose.");
  }
  if (const auto* margin = std::get_if<Margin>(&gesture.shape)) {
    return tr("No voxel of “%1” lies within the margin.").arg(workbench_.label_name(margin->of));
  }
  return range_ ? tr("Nothing was edited: no voxel there is unlocked and in the range of "
                     "intensities.")
                : tr("Nothing was edited: no voxel there is inside the image and unlocked.");
}

void Editor::grow(double distance) {
  const Label label = workbench_.document().current_label;
  apply({.label = label, .shape = Margin{.of = label, .distance = distance}});
}

void Editor::shrink(double distance) {
  const Label label = workbench_.document().current_label;
  if (workbench_.document().edits.is_locked(label))
    return apply({.label = label, .shape = Margin{}});
  apply({.label = kFixedAsNone, .shape = Margin{.of = label, .distance = distance}});
}

void Editor::set_locked(Label label, bool locked) {
  if (!workbench_.has_image() || workbench_.document().find_label(label) == nullptr) return;
  Edits edits = workbench_.document().edits;
  if (edits.is_locked(label) == locked) return;
  if (locked) {
    edits.locked[label] = voxels_of(labels(), label);
  } else {
    edits.locked.erase(label);
  }
  const QString name = workbench_.label_name(label);
  push(std::move(edits), locked ? tr("lock of %1").arg(name) : tr("unlocking of %1").arg(name));
}

void Editor::remove_all() {
  Edits edits = workbench_.document().edits;
  edits.drawn = {};
  push(std::move(edits), tr("removal of all edits"));
}

}  // namespace seedwave::ui
