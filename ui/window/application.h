// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QString>

#include <deque>
#include <functional>

namespace seedwave::ui {

/// The last handler of the window's thread: an exception that reaches the event loop does not end
/// the program. The work is saved automatically and the user is informed. If exceptions keep
/// coming, the program ends with kExitFault and offers the work at its next start.
///
/// A fault (a segmentation fault, a kill) is not caught, because no data is safe to read then.
/// FileSaver has saved the work before, except for the last half second.
class Application : public QApplication {
  Q_OBJECT

 public:
  /// References, because QApplication keeps them.
  Application(int& argc, char** argv) : QApplication(argc, argv) {}

  /// Called with the failure on the window's thread; must save first. If empty, the failure is only
  /// written to standard error.
  void set_rescue(std::function<void(const QString& what)> rescue) { rescue_ = std::move(rescue); }
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  void caught(const QString& what) noexcept;

  std::function<void(const QString&)> rescue_;
  /// Times of the last failures, in ms since 1970.
  std::deque<qint64> caught_at_;
};

}  // namespace seedwave::ui
