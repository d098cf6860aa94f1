// SPDX-License-Identifier: Apache-2.0
#include "ui/views/wipe.h"

#include "ui/views/wipe_divider.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

/// Below the letter of the patient's side.
constexpr int kTagsFromTop = 30;

}  // namespace

Wipe::Wipe(SliceView& under) : QObject(&under), under_(under) {
  window_ = new QWidget(&under);
  over_ = new SliceView(under.plane(), window_);
  over_->setAccessibleName(tr("%1, the other run").arg(under.accessibleName()));
  tags_ = new WipeTags(&under);
  divider_ = new WipeDivider(&under);
  for (QWidget* part : std::initializer_list<QWidget*>{window_, tags_, divider_})
    part->hide();
  under.installEventFilter(this);
  const auto move = [this](double share) {
    set_share(share);
    emit share_changed(share_);
  };
  connect(divider_, &WipeDivider::stepped, this, [this, move](double by) { move(share_ + by); });
  connect(divider_, &WipeDivider::centred, this, [move] { move(0.5); });
  connect(divider_, &WipeDivider::dragged, this,
          [this, move](int x) { move(static_cast<double>(x) / std::max(under_.width(), 1)); });
}

QWidget& Wipe::divider() const {
  return *divider_;
}

void Wipe::set_shown(bool shown) {
  if (shown == shown_) return;
  shown_ = shown;
  if (shown) place();
  for (QWidget* part : std::initializer_list<QWidget*>{window_, tags_, divider_})
    part->setVisible(shown);
}

void Wipe::set_share(double share) {
  share_ = std::clamp(share, 0.0, 1.0);
  if (shown_) place();
}

void Wipe::set_sides(const WipeSide& left, const WipeSide& right) {
  left_ = left;
  right_ = right;
  tags_->set_sides(left, right);
  if (shown_) place();
}

bool Wipe::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && shown_) place();
  return QObject::eventFilter(watched, event);
}

void Wipe::place() {
  const QSize size = under_.size();
  const int x = static_cast<int>(std::lround(share_ * size.width()));
  window_->setGeometry(x, 0, size.width() - x, size.height());
  over_->setGeometry(-x, 0, size.width(), size.height());
  divider_->setGeometry(x - WipeDivider::kWidth / 2, 0, WipeDivider::kWidth, size.height());
  tags_->move(x - tags_->width() / 2, kTagsFromTop);
  divider_->describe(share_, left_.name, right_.name);
}

}  // namespace seedwave::ui
