// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/list_view.h"

#include <QHeaderView>
#include <QTreeView>

namespace seedwave::ui {

QTreeView* make_list_view(QAbstractItemModel& model, const QString& name, const QString& title,
                          int wide, QWidget* parent) {
  auto* list = new QTreeView(parent);
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
