// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAbstractItemModel;
class QTreeView;
class QWidget;

namespace seedwave::ui {

/// A flat list with columns as all panels have it: columns as wide as their content, but `wide`,
/// which takes what is left. `name` is the object's, `title` is for screen readers.
[[nodiscard]] QTreeView* make_list_view(QAbstractItemModel& model, const QString& name,
                                        const QString& title, int wide, QWidget* parent);

}  // namespace seedwave::ui
