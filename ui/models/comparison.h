// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/run_history.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Two runs side by side: in what they differ, and where their labels agree.
struct Compared {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::vector<RunDifference> differences;
  Agreement agreement;
  LabelMap labels_a;
  LabelMap labels_b;
};

/// Compares runs of the history in the background.
class Comparison : public QObject {
  Q_OBJECT

 public:
  /// `runs` must outlive this.
  explicit Comparison(const RunController& runs, QObject* parent = nullptr);

  void start(std::uint64_t a, std::uint64_t b);
  /// What `chosen` runs are compared as: two with each other; one with A, or where A is none or the
  /// same, with the run that is shown; none: the shown one with A, else with the one before.
  /// Nothing where there are no two. The pinned or older one is first.
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] std::optional<Pair> pair_of(const std::vector<std::uint64_t>& chosen) const;

 signals:
  void ready(const seedwave::ui::Compared& compared);
  void failed(const QString& message);

 private:
  const RunController& runs_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
