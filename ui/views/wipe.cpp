// SPDX-License-Identifier: Apache-2.0
#include "ui/views/wipe.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

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

namespace {

constexpr double kStep = 0.01;
constexpr double kLargeStep = 0.1;

constexpr int kTagPadding = 6;

/// White letters are readable on darker colours, black ones on the others.
constexpr int kDarkGrey = 128;

}  // namespace

WipeDivider::WipeDivider(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("wipe_divider"));
  setCursor(Qt::SplitHCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Divider between two runs"));
  setToolTip(tr("Drag, or use the arrow keys (Shift: larger steps); double-click to centre"));
}

void WipeDivider::describe(double share, const QString& left, const QString& right) {
  const QString text =
      tr("%1 on %2 % of the width, %3 on the rest").arg(left).arg(qRound(100.0 * share)).arg(right);
  if (text == accessibleDescription()) return;
  setAccessibleDescription(text);
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

void WipeDivider::paintEvent(QPaintEvent*) {
  constexpr double kKnob = 11.0;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double x = width() / 2.0;
  const QColor front = hasFocus() ? palette().color(QPalette::Highlight) : QColor(Qt::white);
  // A dark rim on both sides is visible on any image.
  painter.setPen(QPen(QColor(0, 0, 0, 160), 4.0));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  painter.setPen(QPen(front, 2.0));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  const QPointF middle(x, height() / 2.0);
  painter.setPen(QPen(QColor(0, 0, 0, 160), 1.0));
  painter.setBrush(front);
  painter.drawEllipse(middle, kKnob, kKnob);
  painter.setPen(Qt::NoPen);
  painter.setBrush(hasFocus() ? palette().color(QPalette::HighlightedText) : QColor(40, 40, 40));
  for (const double side : {-1.0, 1.0}) {
    painter.drawPolygon(QPolygonF{middle + QPointF(side * 7.5, 0.0),
                                  middle + QPointF(side * 2.5, -4.5),
                                  middle + QPointF(side * 2.5, 4.5)});
  }
}

void WipeDivider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    QWidget::mousePressEvent(event);
    return;
  }
  hold_ = event->pos().x() - width() / 2;
  setFocus(Qt::MouseFocusReason);
}

void WipeDivider::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) emit dragged(mapToParent(event->pos()).x() - hold_);
}

void WipeDivider::mouseDoubleClickEvent(QMouseEvent*) {
  emit centred();
}

void WipeDivider::keyPressEvent(QKeyEvent* event) {
  const double step = event->modifiers() & Qt::ShiftModifier ? kLargeStep : kStep;
  switch (event->key()) {
    case Qt::Key_Left:
      emit stepped(-step);
      return;
    case Qt::Key_Right:
      emit stepped(step);
      return;
    case Qt::Key_Home:
      emit stepped(-1.0);
      return;
    case Qt::Key_End:
      emit stepped(1.0);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void WipeDivider::focusInEvent(QFocusEvent*) {
  update();
}

void WipeDivider::focusOutEvent(QFocusEvent*) {
  update();
}

WipeTags::WipeTags(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void WipeTags::set_sides(const WipeSide& left, const WipeSide& right) {
  left_ = left;
  right_ = right;
  const int widest = std::max(fontMetrics().horizontalAdvance(left.name),
                              fontMetrics().horizontalAdvance(right.name));
  resize(2 * (widest + 2 * kTagPadding + 2), fontMetrics().height() + kTagPadding);
  update();
}

void WipeTags::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto draw = [&](const WipeSide& side, bool is_left) {
    const int wide = fontMetrics().horizontalAdvance(side.name) + 2 * kTagPadding;
    const QRect box(is_left ? width() / 2 - wide - 2 : width() / 2 + 2, 0, wide, height());
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1.0));
    painter.setBrush(side.color);
    painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), 3, 3);
    painter.setPen(qGray(side.color.rgb()) < kDarkGrey ? Qt::white : Qt::black);
    painter.drawText(box, Qt::AlignCenter, side.name);
  };
  draw(left_, true);
  draw(right_, false);
}

}  // namespace seedwave::ui
