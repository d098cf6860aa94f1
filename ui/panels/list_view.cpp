// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/list_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

class ListView : public QTreeView {
 public:
  ListView(QString empty, QWidget* parent) : QTreeView(parent), empty_(std::move(empty)) {}

 protected:
  void paintEvent(QPaintEvent* event) override {
    QTreeView::paintEvent(event);
    if (empty_.isEmpty() || model()->rowCount() > 0) return;
    constexpr int kMargin = 12;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty_);
  }

 private:
  QString empty_;
};

class WrappingDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override {
    constexpr int kMostLines = 5;
    const QSize one_line = QStyledItemDelegate::sizeHint(option, index);
    const auto* list = qobject_cast<const QTreeView*>(option.widget);
    if (list == nullptr) return one_line;
    QStyleOptionViewItem own = option;
    initStyleOption(&own, index);
    const int margin = list->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &own, list) + 1;
    const int width = list->columnWidth(index.column()) - 2 * margin;
    const int all =
        own.fontMetrics
            .boundingRect(QRect(0, 0, std::max(1, width), 1 << 16), Qt::TextWordWrap, own.text)
            .height();
    const int most = kMostLines * own.fontMetrics.lineSpacing();
    return {one_line.width(), one_line.height() + std::min(all, most) - own.fontMetrics.height()};
  }
};

}  // namespace

QTreeView* make_list_view(QAbstractItemModel& model, const QString& name, const QString& title,
                          int wide, QWidget* parent, const QString& empty) {
  auto* list = new ListView(empty, parent);
  list->setObjectName(name);
  list->setAccessibleName(title);
  list->setModel(&model);
  list->setRootIsDecorated(false);
  list->setUniformRowHeights(true);
  list->setAllColumnsShowFocus(true);
  list->header()->setStretchLastSection(false);
  list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list->header()->setSectionResizeMode(wide, QHeaderView::Stretch);
  return list;
}

void wrap_column(QTreeView& list, int column) {
  list.setUniformRowHeights(false);
  list.setWordWrap(true);
  list.setItemDelegateForColumn(column, new WrappingDelegate(&list));
  QObject::connect(list.header(), &QHeaderView::sectionResized, &list,
                   [&list, column](int section) {
                     if (section == column) list.doItemsLayout();
                   });
}

}  // namespace seedwave::ui
