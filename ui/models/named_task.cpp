// SPDX-License-Identifier: Apache-2.0
#include "ui/models/named_task.h"

#include <utility>

namespace seedwave::ui {

NamedTask::NamedTask(QObject* parent) : QObject(parent) {
  connect(&task_, &BackgroundTask::progressed, this, &NamedTask::progressed);
  connect(&task_, &BackgroundTask::ended, this, &NamedTask::ended);
  connect(&task_, &BackgroundTask::failed, this,
          [this](const QString& message) { emit failed(what_, message); });
}

void NamedTask::start(const QString& what, BackgroundTask::Work work) {
  const bool was_busy = busy();
  task_.start(std::move(work));
  what_ = what;
  if (was_busy) emit ended();
  emit started(what);
}

void NamedTask::cancel() {
  if (!busy()) return;
  task_.cancel();
  emit ended();
}

}  // namespace seedwave::ui
