// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/label_list.h"

#include "ui/panels/narrow_list.h"
#include "ui/panels/swatch.h"

#include <QColor>
#include <QComboBox>
#include <QListView>

#include <algorithm>
#include <cstddef>

namespace seedwave::ui {

void LabelList::set_rows(const std::vector<LabelEntry>& labels,
                         const std::vector<OtherRow>& others) {
  beginResetModel();
  labels_ = labels;
  others_ = others;
  endResetModel();
}

int LabelList::row_of(Label label) const {
  const auto found = std::find_if(labels_.begin(), labels_.end(),
                                  [label](const LabelEntry& entry) { return entry.id == label; });
  return found == labels_.end() ? -1 : static_cast<int>(found - labels_.begin());
}

int LabelList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(labels_.size() + others_.size());
}

QVariant LabelList::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  if (row >= labels_.size()) {
    const OtherRow& other = others_[row - labels_.size()];
    if (role == Qt::DisplayRole) return other.text;
    if (role == Qt::UserRole) return other.data;
    // QComboBox takes such a row for a separator.
    if (role == Qt::AccessibleDescriptionRole && other.text.isEmpty())
      return QStringLiteral("separator");
    return {};
  }
  const LabelEntry& entry = labels_[row];
  const QString name = QString::fromStdString(entry.name);
  switch (role) {
    case Qt::DisplayRole:
      return numbers_ == Numbers::Shown ? QStringLiteral("%1  %2").arg(entry.id).arg(name) : name;
    case Qt::DecorationRole:
      return swatch(QColor(QString::fromStdString(entry.color)));
    case Qt::UserRole:
      return entry.id;
    default:
      return {};
  }
}

Qt::ItemFlags LabelList::flags(const QModelIndex& index) const {
  const auto row = static_cast<std::size_t>(index.row());
  const bool separates = row >= labels_.size() && row < labels_.size() + others_.size() &&
                         others_[row - labels_.size()].text.isEmpty();
  return separates ? Qt::NoItemFlags : QAbstractListModel::flags(index);
}

void show_label_list(LabelList& list, int characters, QComboBox& box) {
  auto* rows = new QListView(&box);
  rows->setUniformItemSizes(true);
  box.setView(rows);
  box.setModel(&list);
  make_narrow(box, characters);
}

}  // namespace seedwave::ui
