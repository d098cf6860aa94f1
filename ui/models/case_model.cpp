// SPDX-License-Identifier: Apache-2.0
#include "ui/models/case_model.h"

#include "ui/models/path_text.h"

#include <QDir>
#include <QFont>
#include <QLocale>

#include <algorithm>
#include <optional>
#include <utility>

namespace seedwave::ui {

void CaseModel::set_walk(CaseWalk walk) {
  beginResetModel();
  walk_ = std::move(walk);
  open_ = -1;
  failures_.clear();
  update_score_kind();
  endResetModel();
  emit changed();
}

int CaseModel::done_count() const {
  return static_cast<int>(std::ranges::count_if(walk_.cases(), &WalkedCase::done));
}

void CaseModel::set_open_row(int row) {
  const int before = std::exchange(open_, row);
  if (before == row) return;
  if (row >= 0) walk_.set_current(static_cast<std::size_t>(row));
  for (const int changed : {before, row}) {
    if (changed >= 0) tell(changed);
  }
  emit changed();
}

void CaseModel::set_done(int row, bool done) {
  if (at(row).done == done) return;
  walk_.set_done(static_cast<std::size_t>(row), done);
  tell(row);
  emit changed();
}

void CaseModel::set_work(int row, const CaseWork& work) {
  if (at(row).work == work) return;
  walk_.set_work(static_cast<std::size_t>(row), work);
  const ScoreKind before = score_kind_;
  update_score_kind();
  tell(row);
  if (score_kind_ == before) return;
  emit headerDataChanged(Qt::Horizontal, Score, Score);
  emit dataChanged(index(0, Score), index(rowCount() - 1, Score));
}

void CaseModel::update_score_kind() {
  const auto& cases = walk_.cases();
  const bool has_f1 =
      std::ranges::any_of(cases, [](const WalkedCase& one) { return one.work.f1.has_value(); });
  const bool has_dice = std::ranges::any_of(
      cases, [](const WalkedCase& one) { return one.work.dice && !one.work.f1; });
  score_kind_ = has_f1 ? (has_dice ? ScoreKind::Both : ScoreKind::F1)
                       : (has_dice ? ScoreKind::Dice : ScoreKind::None);
}

void CaseModel::set_labels_file(const std::string& stem, const std::string& file) {
  const auto found = std::ranges::find(walk_.cases(), stem, &WalkedCase::stem);
  if (found != walk_.cases().end())
    walk_.set_labels_file(static_cast<std::size_t>(found - walk_.cases().begin()), file);
}

void CaseModel::add_failures(const Failures& failures) {
  if (failures.empty()) return;
  for (const auto& [row, failure] : failures) {
    failures_[row] = failure;
    tell(row);
  }
  emit changed();
}

QString CaseModel::and_others(const QString& reason, std::size_t count) {
  const int others = static_cast<int>(count) - 1;
  return others == 0 ? reason : tr("%1 (and %n more)", nullptr, others).arg(reason);
}

void CaseModel::forget_failure(int row) {
  if (failures_.erase(row) == 0) return;
  tell(row);
  emit changed();
}

int CaseModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(walk_.cases().size());
}

int CaseModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant CaseModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int row = index.row();
  switch (role) {
    case Qt::DisplayRole:
      return text_in(row, index.column());
    case Qt::CheckStateRole:
      if (index.column() != Name) return {};
      return at(row).done ? Qt::Checked : Qt::Unchecked;
    case Qt::UserRole:
      return at(row).done;
    case Qt::ToolTipRole:
      return tooltip_of(row);
    case Qt::FontRole: {
      QFont font;
      font.setBold(row == open_);
      return font;
    }
    case Qt::TextAlignmentRole:
      return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant CaseModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section != Name)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == Strokes) return tr("Number of strokes");
  if (role != Qt::DisplayRole) return {};
  if (section == Name) return tr("Case");
  if (section == Strokes) return QStringLiteral("#");
  switch (score_kind_) {
    case ScoreKind::Dice:
      return tr("Dice");
    case ScoreKind::F1:
      return tr("F1");
    case ScoreKind::None:
    case ScoreKind::Both:
      break;
  }
  return tr("Score");
}

Qt::ItemFlags CaseModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  // A case is marked while it is seen; a mark can be taken back at any time.
  const bool can_be_marked = index.row() == open_ || (index.isValid() && at(index.row()).done);
  return index.column() == Name && can_be_marked ? flags | Qt::ItemIsUserCheckable : flags;
}

bool CaseModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || index.column() != Name) return false;
  emit done_wanted(index.row(), value.toInt() == Qt::Checked);
  return true;
}

QString CaseModel::text_in(int row, int column) const {
  const WalkedCase& one = at(row);
  if (column == Name) return QString::fromStdString(one.name);
  if (has_failed(row)) return column == Score ? tr("failed") : QString();
  if (column == Strokes)
    return one.work.strokes == 0 ? QString() : QLocale().toString(qulonglong{one.work.strokes});
  return score_text(one.work);
}

/// The header names the score, unless cases have different ones.
QString CaseModel::score_text(const CaseWork& work) const {
  const std::optional<double> score = work.f1 ? work.f1 : work.dice;
  if (!score) return {};
  QString number = QLocale().toString(*score, 'f', 3);
  if (score_kind_ != ScoreKind::Both) return number;
  return work.f1 ? tr("F1 %1").arg(number) : tr("Dice %1").arg(number);
}

QString CaseModel::tooltip_of(int row) const {
  if (const auto failure = failures_.find(row); failure != failures_.end()) return failure->second;
  QString image = QDir::toNativeSeparators(to_text(at(row).image));
  if (row == open_) return image;
  return tr("%1\nDouble-click to open the case").arg(image);
}

void CaseModel::tell(int row) {
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

}  // namespace seedwave::ui
