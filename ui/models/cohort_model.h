// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/case_row.h"
#include "core/recipes/cohort.h"

#include <QAbstractTableModel>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::ui {

/// A case of a cohort, and what is known of its result.
struct CohortEntry {
  enum class State { Waiting, Running, Done, Failed };

  CohortCase of;
  State state = State::Waiting;
  /// One line: why it failed, or what it lacks.
  QString note{};
  QString score{};
  /// The score as a number, for sorting.
  std::optional<double> scored{};
  std::optional<double> ms{};
  /// Its line of the current run has come. That of its begin may come later.
  bool has_ended = false;
};

/// Returns the first file of a case that does not exist, as "seeds: a.json is missing"; "" if all
/// do. Reads the file system.
[[nodiscard]] QString missing_file_of(const CohortCase& one);

/// The cases of a cohort: name, state, score, time. Qt::UserRole holds the sort key of a column.
class CohortModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { NameColumn, StateColumn, ScoreColumn, TimeColumn, ColumnCount };
  /// Numbers of cases by state.
  struct Counts {
    std::size_t waiting = 0, running = 0, done = 0, failed = 0;
    [[nodiscard]] std::size_t all() const { return waiting + running + done + failed; }
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces the cases. Those that were there keep their state; those that were removed stay so.
  void set_entries(std::vector<CohortEntry> entries);
  void remove(std::vector<int> rows);
  /// Lets cases of a path that were removed come back with the next set_entries().
  void forget_removed(const QString& path);
  /// All wait again: for another recipe or folder.
  void reset_states();
  /// A run starts: each case begins and ends once in it.
  void begin_run();
  void begin(const QString& name);
  void end(const CaseRow& row);
  /// A run has ended: its running cases wait again, or have failed for this reason.
  void interrupt(const QString& failure);

  [[nodiscard]] const CohortEntry& entry(int row) const {
    return entries_[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] std::vector<CohortCase> cases() const;
  [[nodiscard]] Counts counts() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 signals:
  /// The cases or a state have changed.
  void changed();

 private:
  [[nodiscard]] CohortEntry* find(const QString& name);
  [[nodiscard]] QString text_in(const CohortEntry& entry, int column) const;
  [[nodiscard]] QVariant key_in(const CohortEntry& entry, int column) const;
  void tell(const CohortEntry& entry);

  std::vector<CohortEntry> entries_;
  std::map<std::string, std::size_t> places_;  // by name
  /// The removed cases by image and series, with the paths that the user gave.
  std::map<std::string, std::string> removed_;
};

}  // namespace seedwave::ui
