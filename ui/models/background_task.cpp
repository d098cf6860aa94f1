// SPDX-License-Identifier: Apache-2.0
#include "ui/models/background_task.h"

#include <cassert>
#include <string>
#include <utility>

namespace seedwave::ui {

BackgroundTask::BackgroundTask(QObject* parent)
    : QObject(parent),
      jobs_(
          [this](std::uint64_t job, const std::string& stage, double fraction) {
            mailbox_.post([this, job, name = QString::fromStdString(stage), fraction] {
              if (busy() && job == job_) emit progressed(name, fraction);
            });
          },
          [this](std::uint64_t job, const JobOutcome& outcome) {
            mailbox_.post([this, job, outcome] { finish(job, outcome); });
          }) {}

void BackgroundTask::start(Work work) {
  auto delivery = std::make_shared<Delivery>();
  job_ = jobs_.submit(
      [delivery, work = std::move(work)](Context& context) { *delivery = work(context); });
  delivery_ = delivery;
}

void BackgroundTask::cancel() {
  jobs_.cancel();
  delivery_.reset();
}

void BackgroundTask::finish(std::uint64_t job, const JobOutcome& outcome) {
  if (!busy() || job != job_) return;        // cancelled or replaced
  assert(outcome.end != JobEnd::Cancelled);  // only cancel() and start() stop a job
  const auto delivery = std::exchange(delivery_, nullptr);
  emit ended();
  if (outcome.end == JobEnd::Done) (*delivery)();
  if (outcome.end == JobEnd::Failed) emit failed(QString::fromStdString(outcome.message));
}

}  // namespace seedwave::ui
