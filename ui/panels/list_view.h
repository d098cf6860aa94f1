// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAbstractItemModel;
class QTreeView;
class QWidget;

namespace seedwave::ui {

/// Returns a flat list with columns, as in all panels. Columns are as wide as their content; column
/// `wide` takes the rest. `name` is the object name, `title` is for screen readers. `empty` is
/// shown while there are no rows.
[[nodiscard]] QTreeView* make_list_view(QAbstractItemModel& model, const QString& name,
                                        const QString& title, int wide, QWidget* parent,
                                        const QString& empty = {});

/// Wraps the texts of a column to at most five lines instead of eliding them.
void wrap_column(QTreeView& list, int column);

}  // namespace seedwave::ui
