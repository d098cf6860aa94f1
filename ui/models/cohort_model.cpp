// SPDX-License-Identifier: Apache-2.0
#include "ui/models/cohort_model.h"

#include "core/base/number_text.h"
#include "ui/models/path_text.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

namespace seedwave::ui {
namespace {

using State = CohortEntry::State;

/// Identifies the image of a case, whatever the case is called.
std::string key_of(const CohortCase& one) {
  return one.image().string() + "\n" + one.series;
}

/// Returns whether a result of one case is that of the other.
bool same_case(const CohortCase& a, const CohortCase& b) {
  return a.name == b.name && a.files == b.files && key_of(a) == key_of(b);
}

}  // namespace

QString missing_file_of(const CohortCase& one) {
  std::error_code ignored;
  if (!one.item && !std::filesystem::exists(one.path, ignored))
    return CohortModel::tr("%1 is missing").arg(to_text(one.path));
  for (const auto& [input, file] : one.files) {
    if (std::filesystem::exists(file, ignored)) continue;
    return CohortModel::tr("%1: %2 is missing")
        .arg(QString::fromStdString(input), to_text(file.filename()));
  }
  return {};
}

void CohortModel::set_entries(std::vector<CohortEntry> entries) {
  std::erase_if(entries,
                [&](const CohortEntry& entry) { return removed_.contains(key_of(entry.of)); });
  for (CohortEntry& entry : entries) {
    const CohortEntry* before = find(QString::fromStdString(entry.of.name));
    if (before != nullptr && before->state != State::Waiting && same_case(before->of, entry.of))
      entry = *before;
  }
  beginResetModel();
  entries_ = std::move(entries);
  places_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i)
    places_[entries_[i].of.name] = i;
  endResetModel();
  emit changed();
}

void CohortModel::remove(std::vector<int> rows) {
  std::ranges::sort(rows, std::greater<>());
  std::vector<CohortEntry> kept = entries_;
  for (const int row : rows) {
    const CohortCase& one = entry(row).of;
    removed_[key_of(one)] = one.path;
    kept.erase(kept.begin() + row);
  }
  set_entries(std::move(kept));
}

void CohortModel::forget_removed(const QString& path) {
  std::erase_if(removed_, [&](const auto& each) { return each.second == path.toStdString(); });
}

void CohortModel::reset_states() {
  for (CohortEntry& entry : entries_)
    entry = {.of = std::move(entry.of)};
  if (entries_.empty()) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  emit changed();
}

void CohortModel::begin_run() {
  for (CohortEntry& entry : entries_)
    entry.has_ended = false;
}

void CohortModel::begin(const QString& name) {
  CohortEntry* entry = find(name);
  if (entry == nullptr || entry->has_ended) return;
  *entry = {.of = std::move(entry->of), .state = State::Running};
  tell(*entry);
}

void CohortModel::end(const CaseRow& row) {
  CohortEntry* entry = find(QString::fromStdString(row.name));
  if (entry == nullptr) return;
  *entry = {.of = std::move(entry->of), .has_ended = true};
  entry->state = row.code == 0 ? State::Done : State::Failed;
  entry->note = QString::fromStdString(row.error);
  if (row.code == 0) {
    const nlohmann::ordered_json& result = result_of(row);
    entry->score = QString::fromStdString(score_text(result));
    nlohmann::ordered_json score = mean_dice(result);
    if (!score.is_number()) score = member_of(member_of(result, "objects"), "f1");
    if (score.is_number()) entry->scored = score.get<double>();
    entry->ms = row.ms;
    if (row.was_there) entry->note = tr("was there already");
  }
  tell(*entry);
}

void CohortModel::interrupt(const QString& failure) {
  for (CohortEntry& entry : entries_) {
    if (entry.state != State::Running) continue;
    entry.state = failure.isEmpty() ? State::Waiting : State::Failed;
    entry.note = failure;
    tell(entry);
  }
}

std::vector<CohortCase> CohortModel::cases() const {
  std::vector<CohortCase> cases;
  cases.reserve(entries_.size());
  for (const CohortEntry& entry : entries_)
    cases.push_back(entry.of);
  return cases;
}

CohortModel::Counts CohortModel::counts() const {
  Counts counts;
  for (const CohortEntry& entry : entries_) {
    switch (entry.state) {
      case State::Waiting:
        ++counts.waiting;
        break;
      case State::Running:
        ++counts.running;
        break;
      case State::Done:
        ++counts.done;
        break;
      case State::Failed:
        ++counts.failed;
        break;
    }
  }
  return counts;
}

int CohortModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int CohortModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant CohortModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const CohortEntry& one = entry(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text_in(one, index.column());
    case Qt::UserRole:
      return key_in(one, index.column());
    case Qt::ToolTipRole:
      return index.column() == StateColumn && !one.note.isEmpty() ? one.note
                                                                  : to_text(one.of.image());
    case Qt::TextAlignmentRole:
      return int((index.column() == TimeColumn ? Qt::AlignRight : Qt::AlignLeft) |
                 Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant CohortModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return tr("Case");
    case StateColumn:
      return tr("State");
    case ScoreColumn:
      return tr("Score");
    default:
      return tr("Time");
  }
}

CohortEntry* CohortModel::find(const QString& name) {
  const auto found = places_.find(name.toStdString());
  return found == places_.end() ? nullptr : &entries_[found->second];
}

QString CohortModel::text_in(const CohortEntry& entry, int column) const {
  if (column == NameColumn) return QString::fromStdString(entry.of.name);
  if (column == ScoreColumn) return entry.score;
  if (column == TimeColumn)
    return entry.ms ? QString::fromStdString(in_time(*entry.ms)) : QString();
  switch (entry.state) {
    case CohortEntry::State::Waiting:
      return entry.note.isEmpty() ? tr("Waiting") : tr("Waiting: %1").arg(entry.note);
    case CohortEntry::State::Running:
      return tr("Running");
    case CohortEntry::State::Done:
      return entry.note.isEmpty() ? tr("Done") : tr("Done (%1)").arg(entry.note);
    case CohortEntry::State::Failed:
      break;
  }
  return tr("Failed: %1").arg(entry.note);
}

QVariant CohortModel::key_in(const CohortEntry& entry, int column) const {
  if (column == ScoreColumn) return entry.scored ? QVariant(*entry.scored) : QVariant();
  if (column == TimeColumn) return entry.ms ? QVariant(*entry.ms) : QVariant();
  if (column == StateColumn) return static_cast<int>(entry.state);
  return QString::fromStdString(entry.of.name);
}

void CohortModel::tell(const CohortEntry& entry) {
  const int row = static_cast<int>(&entry - entries_.data());
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
  emit changed();
}

}  // namespace seedwave::ui
