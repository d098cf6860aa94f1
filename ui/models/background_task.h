// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/job_runner.h"
#include "ui/base/mailbox.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>

namespace seedwave::ui {

/// One piece of background work whose outcome is delivered on the window's thread. The newest wins:
/// work that was replaced or cancelled delivers nothing and emits nothing.
class BackgroundTask : public QObject {
  Q_OBJECT

 public:
  /// Runs on the window's thread with the results of the work.
  using Delivery = std::function<void()>;
  /// Throws as JobRunner::Work does.
  using Work = std::function<Delivery(Context&)>;

  explicit BackgroundTask(QObject* parent = nullptr);

  void start(Work work);
  void cancel();
  /// Returns true from start() until ended() or cancel().
  [[nodiscard]] bool busy() const noexcept { return delivery_ != nullptr; }
  /// Returns the cache that all works of this task share.
  [[nodiscard]] ScratchCache& cache() const noexcept { return *jobs_.cache(); }

 signals:
  void progressed(const QString& stage, double fraction);
  /// Emitted at the end of the work, successful or not. Delivery, or failed() with the reason,
  /// follows immediately.
  void ended();
  void failed(const QString& message);

 private:
  void finish(std::uint64_t job, const JobOutcome& outcome);

  std::uint64_t job_ = 0;
  std::shared_ptr<Delivery> delivery_;  // null: nothing is expected
  Mailbox mailbox_;
  JobRunner jobs_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
