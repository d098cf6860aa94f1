// SPDX-License-Identifier: Apache-2.0
//
// Display of two runs: the difference, side by side, one in place of the other, or with a divider.
#include "ui/models/agreement_words.h"
#include "ui/views/slice_layers.h"
#include "ui/window/view_grid.h"

#include <algorithm>

namespace seedwave::ui {

namespace {

ResultStyles agreement_styles(const Compared& compared) {
  ResultStyles styles;
  for (const AgreementPart& part : parts_of(compared))
    styles.labels.push_back({.id = part.value, .name = part.name, .color = part.color});
  return styles;
}

}  // namespace

void ViewGrid::show_comparison() {
  const bool begins = comparison_.side_by_side() && second_->isHidden();
  if (begins) compared_plane_ = active_view()->plane();
  apply_layout();
  if (comparison_.compared()) {
    show_compared();
    display_in_views();
  } else {
    show_result();
  }
}

Wipe& ViewGrid::wipe(PlaneKind plane) const {
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (planes_[i]->plane() == plane) return *wipes_[i];
  }
  return *wipes_[0];
}

void ViewGrid::move_dividers(double share) {
  for (Wipe* wipe : wipes_)
    wipe->set_share(share);
}

const ComparedRun* ViewGrid::run_in(const SliceView& view) const {
  const std::optional<Compared>& compared = comparison_.compared();
  if (!compared || comparison_.shows_difference()) return nullptr;
  const bool is_plane = std::find(planes_.begin(), planes_.end(), &view) != planes_.end();
  return is_plane == comparison_.planes_show_a() ? &compared->a : &compared->b;
}

const ScalarMap* ViewGrid::map_of(const ComparedRun& run) const {
  const bool wanted =
      settings_.display().overlay.kind == OverlayKind::Map || run.picture.labels.empty();
  return wanted ? maps_.chosen(run.picture.maps) : nullptr;
}

MapStyle ViewGrid::map_style_of(const ComparedRun& run) const {
  const ScalarMap* map = map_of(run);
  if (map == nullptr) return maps_.style();
  MapStyle style = maps_.style(run.operation, *map);
  const Compared& compared = *comparison_.compared();
  const ComparedRun& other_run = &run == &compared.a ? compared.b : compared.a;
  const ScalarMap* other = map_of(other_run);
  if (other == nullptr || other->unit != map->unit || other->full != map->full) return style;
  // A common range: equal colours mean equal values.
  const MapStyle theirs = maps_.style(other_run.operation, *other);
  style.low = std::min(style.low, theirs.low);
  style.high = std::max(style.high, theirs.high);
  style.faint = std::min(style.faint, theirs.faint);
  style.full = std::max(style.full, theirs.full);
  return style;
}

void ViewGrid::show_compared() {
  if (!comparison_.compared()) return;
  const Compared& compared = *comparison_.compared();
  for (SliceView* view : all_) {
    SliceLayers& layers = view->layers();
    const ComparedRun* run = run_in(*view);
    if (run == nullptr) {
      layers.set_result_styles(agreement_styles(compared));
      layers.set_result(compared.agreement.map);
      continue;
    }
    layers.set_result_styles(result_styles(run->has_objects, run->ranks));
    layers.set_result(run->picture.labels);
    const ScalarMap* map = maps_.chosen(run->picture.maps);
    layers.set_map(map == nullptr ? ScalarMap() : *map);
  }
  show_corner_texts();
}

void ViewGrid::show_corner_texts() {
  const io::DisplayHints& hints = workbench_.opened().loaded.hints;
  CornerTexts texts;
  texts.patient = QString::fromStdString(hints.patient);
  texts.series = QString::fromStdString(hints.description);
  if (!workbench_.opened().loaded.warnings.empty()) {
    texts.note = QString::fromStdString(workbench_.opened().loaded.warnings.front());
  }
  if (!workbench_.document().image.view.is_whole_channel())
    texts.note = tr("Part of the slide; Shift+F: the whole");
  if (runs_.displayed().part().has_value())
    texts.run = runs_.displayed().is_draft() ? tr("Draft; being refined")
                                             : tr("Visible part; the rest is being computed");
  CornerTexts of_others = texts;
  if (const std::optional<Compared>& compared = comparison_.compared()) {
    const WipeSide a{tr("A: %1").arg(name_of(compared->a)), color_of_a()};
    const WipeSide b{tr("B: %1").arg(name_of(compared->b)), color_of_b()};
    const WipeSide& left = comparison_.planes_show_a() ? a : b;
    const WipeSide& right = comparison_.planes_show_a() ? b : a;
    texts.run = left.name;
    of_others.run = right.name;
    for (Wipe* wipe : wipes_)
      wipe->set_sides(left, right);
    // The names are beside the divider.
    if (comparison_.wipes()) texts.run = of_others.run = QString();
    if (comparison_.shows_difference()) {
      texts.run = compared->is_with_reference()
                      ? tr("Run %1 and the reference").arg(compared->b.id)
                      : tr("Runs %1 (A) and %2 (B)").arg(compared->a.id).arg(compared->b.id);
    }
  }
  for (SliceView* view : all_) {
    const bool is_plane = std::find(planes_.begin(), planes_.end(), view) != planes_.end();
    view->layers().set_corner_texts(is_plane ? texts : of_others);
  }
}

void ViewGrid::link_cameras(const SliceView* from) {
  const auto link = [from](SliceView& one, SliceView& other) {
    if (from == &one) other.set_camera(one.camera());
    if (from == &other) one.set_camera(other.camera());
  };
  if (comparison_.side_by_side()) link(slice_view(compared_plane_), *second_);
  if (!comparison_.wipes()) return;
  for (std::size_t i = 0; i < planes_.size(); ++i)
    link(*planes_[i], wipes_[i]->over());
}

}  // namespace seedwave::ui
