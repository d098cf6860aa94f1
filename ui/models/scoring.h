// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"
#include "ui/models/background_task.h"
#include "ui/models/displayed_result.h"
#include "ui/models/kept_runs.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <map>

namespace seedwave::ui {

/// Keeps the scores of all runs up to date with the reference and its region, in the background.
class Scoring : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object.
  Scoring(const Workbench& workbench, const OperationTable& table, KeptRuns& history,
          const DisplayedResult& displayed, QObject* parent = nullptr);

  /// Changes with reference and region: a score that was begun under another number is outdated.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// Scores the displayed result, if there is a reference.
  void score_displayed();
  /// Returns the part of a score that has a meaning for the labels of this run.
  [[nodiscard]] Score meaningful(const Run& run, const Score& score) const;

 signals:
  void failed(const QString& message);

 private:
  void score_all();
  void score_others(std::uint64_t scored);
  /// Scores the displayed run, then calls `then`.
  void start_displayed(const std::function<void()>& then);
  void set_scores(const std::map<std::uint64_t, Score>& scores);

  const Workbench& workbench_;
  const OperationTable& table_;
  KeptRuns& history_;
  const DisplayedResult& displayed_;
  std::uint64_t number_ = 0;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
