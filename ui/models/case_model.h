// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/case_walk.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <map>
#include <string>

namespace seedwave::ui {

/// The cases of the list that is open: mark "done", name, strokes, score. Qt::UserRole tells
/// whether a case is done.
class CaseModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Strokes, Score, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces the list; none is open with a walk without cases.
  void set_walk(CaseWalk walk);
  [[nodiscard]] const CaseWalk& walk() const noexcept { return walk_; }
  [[nodiscard]] const WalkedCase& at(int row) const {
    return walk_.cases()[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] int done_count() const;

  /// The row whose case is on the workbench, or -1.
  [[nodiscard]] int open_row() const noexcept { return open_; }
  void set_open_row(int row);
  void set_done(int row, bool done);
  void set_work(int row, const CaseWork& work);
  /// `stem`: of the case, if the list has it.
  void set_labels_file(const std::string& stem, const std::string& file);
  /// Reasons in one line why cases could not be opened, by row.
  using Failures = std::map<int, QString>;
  void add_failures(const Failures& failures);
  /// The case has been opened.
  void forget_failure(int row);
  [[nodiscard]] bool has_failed(int row) const { return failures_.contains(row); }
  [[nodiscard]] const Failures& failures() const noexcept { return failures_; }
  /// Returns one of several reasons, and the number of the others: "... (and 2 more)".
  [[nodiscard]] static QString and_others(const QString& reason, std::size_t count);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Emits done_wanted when the user ticks a case.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void done_wanted(int row, bool done);
  /// A case, or the row that is open, has changed.
  void changed();

 private:
  /// The score that the cases have.
  enum class ScoreKind { None, Dice, F1, Both };
  void update_score_kind();
  [[nodiscard]] QString text_in(int row, int column) const;
  [[nodiscard]] QString score_text(const CaseWork& work) const;
  [[nodiscard]] QString tooltip_of(int row) const;
  void tell(int row);

  CaseWalk walk_;
  ScoreKind score_kind_ = ScoreKind::None;
  int open_ = -1;
  Failures failures_;
};

}  // namespace seedwave::ui
