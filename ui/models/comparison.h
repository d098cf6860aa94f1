// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/make_run.h"
#include "core/engine/run_history.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// One of two runs that are compared, and what it gave.
struct ComparedRun {
  std::uint64_t id = 0;
  std::string operation;
  RunPicture picture;
  /// Its labels are objects that the operation numbered.
  bool has_objects = false;
  /// As RunController::ranks() says.
  int ranks = 0;
};

/// Two runs side by side: in what they differ, and where their labels agree.
struct Compared {
  ComparedRun a;
  ComparedRun b;
  /// As Comparison::differences_of() tells them.
  std::vector<RunDifference> differences;
  /// Its map is empty where one of them gave no labels: there is no difference to be shown.
  Agreement agreement;

  [[nodiscard]] bool has_agreement() const noexcept { return !agreement.map.empty(); }
};

/// Compares runs of the history in the background.
class Comparison : public QObject {
  Q_OBJECT

 public:
  /// `runs` must outlive this.
  explicit Comparison(const RunController& runs, QObject* parent = nullptr);

  /// What was given up for space is computed again, and `waits` tells it.
  void start(std::uint64_t a, std::uint64_t b);
  /// In what two runs differ by now, in the panel's words; nothing where one of them is gone.
  [[nodiscard]] std::optional<std::vector<RunDifference>> differences_of(std::uint64_t a,
                                                                         std::uint64_t b) const;
  /// What `chosen` runs are compared as: two with each other; one with A, or where A is none or the
  /// same, with the run that is shown; none: the shown one with A, else with the one before.
  /// Nothing where there are no two. The pinned or older one is first.
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] std::optional<Pair> pair_of(const std::vector<std::uint64_t>& chosen) const;

 signals:
  /// For what, in a sentence.
  void waits(const QString& what);
  void ready(const seedwave::ui::Compared& compared);
  void failed(const QString& message);

 private:
  const RunController& runs_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
