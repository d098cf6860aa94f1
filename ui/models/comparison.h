// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/run_history.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"

#include <QObject>

#include <cstdint>
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
  /// The run that is shown against the pinned one, or where that is not another, the one before.
  void start_with_shown();

 signals:
  void ready(const seedwave::ui::Compared& compared);
  void failed(const QString& message);

 private:
  const RunController& runs_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
