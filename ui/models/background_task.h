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

/// One piece of work in the background whose outcome is taken on the window's thread. The newest
/// wins: of one that was replaced or cancelled nothing is heard any more.
class BackgroundTask : public QObject {
  Q_OBJECT

 public:
  /// What is to be done on the window's thread with what the work made.
  using Delivery = std::function<void()>;
  /// Throws as JobRunner::Work does.
  using Work = std::function<Delivery(Context&)>;

  explicit BackgroundTask(QObject* parent = nullptr);

  void start(Work work);
  void cancel();
  /// From start() until ended() or cancel().
  [[nodiscard]] bool busy() const noexcept { return delivery_ != nullptr; }
  /// What its works keep for each other.
  [[nodiscard]] ScratchCache& cache() const noexcept { return *jobs_.cache(); }

 signals:
  void progressed(const QString& stage, double fraction);
  /// Well or not; what it made is delivered, or failed() says why not, right after this.
  void ended();
  void failed(const QString& message);

 private:
  void finish(std::uint64_t job, const JobOutcome& outcome);

  std::uint64_t job_ = 0;
  std::shared_ptr<Delivery> delivery_;  // none: nothing is awaited
  Mailbox mailbox_;
  JobRunner jobs_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
