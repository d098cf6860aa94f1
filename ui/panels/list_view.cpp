// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/list_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QTreeView>

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

}  // namespace seedwave::ui
