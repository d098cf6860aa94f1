// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/background_task.h"

#include <QObject>
#include <QString>

namespace seedwave::ui {

/// A background task with a description for the user, as the status line shows it. New work
/// replaces the current one.
class NamedTask : public QObject {
  Q_OBJECT

 public:
  explicit NamedTask(QObject* parent = nullptr);

  /// what: a word or two.
  void start(const QString& what, BackgroundTask::Work work);
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return task_.busy(); }

 signals:
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  void ended();
  void failed(const QString& what, const QString& message);

 private:
  QString what_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
