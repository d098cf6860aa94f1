// SPDX-License-Identifier: Apache-2.0
//
// Two runs in the views: the difference, side by side, one in the place of the other.
#include "ui/window/view_grid.h"

namespace seedwave::ui {

namespace {

/// Nothing by colour alone: the legend names them, and blue and orange differ in lightness too.
ResultStyles agreement_styles() {
  return {.labels = {{.id = 1, .name = ViewGrid::tr("both"), .color = QColor(0x99, 0x99, 0x99)},
                     {.id = 2, .name = ViewGrid::tr("only A"), .color = QColor(0x00, 0x72, 0xB2)},
                     {.id = 3, .name = ViewGrid::tr("only B"), .color = QColor(0xE6, 0x9F, 0x00)},
                     {.id = 4,
                      .name = ViewGrid::tr("different labels"),
                      .color = QColor(0xF0, 0xE4, 0x42)}},
          .others = {}};
}

}  // namespace

void ViewGrid::show_comparison(const Compared& compared) {
  if (!compared_) compared_plane_ = active_view()->plane();
  compared_ = compared;
  other_run_shown_ = false;
  apply_layout();
  show_compared();
  apply_display();
  emit comparison_changed();
}

void ViewGrid::end_comparison() {
  if (!compared_) return;
  compared_.reset();
  other_run_shown_ = false;
  second_->set_result({});
  apply_layout();
  show_corner_texts();
  show_result();
  apply_display();
  emit comparison_changed();
}

void ViewGrid::set_compare_mode(CompareMode mode) {
  if (mode == compare_mode_) return;
  compare_mode_ = mode;
  if (compared_) {
    if (mode == CompareMode::SideBySide) compared_plane_ = active_view()->plane();
    apply_layout();
    show_compared();
  }
  emit comparison_changed();
}

void ViewGrid::set_other_run_shown(bool shown) {
  if (!compared_ || shown == other_run_shown_) return;
  other_run_shown_ = shown;
  show_compared();
}

void ViewGrid::show_compared() {
  if (!compared_) return;
  const bool difference = difference_shown();
  // Planes show B but where it has a view of its own; the key puts each in the other's place.
  const bool planes_show_a = side_by_side() != other_run_shown_;
  for (SliceView* view : planes_) {
    view->set_result_styles(difference ? agreement_styles() : result_styles());
    view->set_result(difference ? compared_->agreement.map
                                : (planes_show_a ? compared_->labels_a : compared_->labels_b));
  }
  second_->set_result_styles(result_styles());
  second_->set_result(planes_show_a ? compared_->labels_b : compared_->labels_a);
  show_corner_texts();
}

void ViewGrid::show_corner_texts() {
  const io::DisplayHints& hints = workbench_.hints();
  CornerTexts texts;
  texts.patient = QString::fromStdString(hints.patient);
  texts.series = QString::fromStdString(hints.description);
  if (!workbench_.image_warnings().empty()) {
    texts.note = QString::fromStdString(workbench_.image_warnings().front());
  }
  CornerTexts of_second = texts;
  if (compared_) {
    const QString a = tr("A: run %1").arg(compared_->a);
    const QString b = tr("B: run %1").arg(compared_->b);
    const bool planes_show_a = side_by_side() != other_run_shown_;
    texts.run = planes_show_a ? a : b;
    of_second.run = planes_show_a ? b : a;
    if (difference_shown()) {
      texts.run = tr("A and B: runs %1 and %2").arg(compared_->a).arg(compared_->b);
    }
  }
  for (SliceView* view : planes_)
    view->set_corner_texts(texts);
  second_->set_corner_texts(of_second);
}

void ViewGrid::link_cameras(const SliceView* from) {
  if (!side_by_side()) return;
  SliceView& first = slice_view(compared_plane_);
  if (from == &first) second_->set_camera(first.camera());
  if (from == second_) first.set_camera(second_->camera());
}

}  // namespace seedwave::ui
