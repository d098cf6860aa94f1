// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAbstractItemModel;
class QTreeView;
class QWidget;

namespace seedwave::ui {

/// A flat list with columns as all panels have it: columns as wide as their content, but `wide`,
/// which takes what is left. `name` is the object's, `title` is for screen readers. `empty` stands
/// in it as long as it has no rows.
[[nodiscard]] QTreeView* make_list_view(QAbstractItemModel& model, const QString& name,
                                        const QString& title, int wide, QWidget* parent,
                                        const QString& empty = {});

/// Breaks the texts of a column into lines, five at most, instead of cutting them off.
void wrap_column(QTreeView& list, int column);

}  // namespace seedwave::ui
