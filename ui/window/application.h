// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QString>

#include <deque>
#include <functional>

namespace seedwave::ui {

/// The last net of the window's thread: an exception that reaches the event loop does not end the
/// program. The work is saved automatically and the user is told; where such exceptions keep
/// coming, the program ends with kExitFault and offers the work at its next start.
///
/// A fault (a segmentation fault, a kill) is not caught, since nothing is safe to read then:
/// FileSaver has kept the work before, up to the last half second.
class Application : public QApplication {
  Q_OBJECT

 public:
  /// References as QApplication keeps them.
  Application(int& argc, char** argv) : QApplication(argc, argv) {}

  /// Called with what went wrong, on the window's thread; must save first. Empty: only standard
  /// error is told.
  void set_rescue(std::function<void(const QString& what)> rescue) { rescue_ = std::move(rescue); }
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  void caught(const QString& what) noexcept;

  std::function<void(const QString&)> rescue_;
  /// Times of the last ones, in ms since 1970.
  std::deque<qint64> caught_at_;
};

}  // namespace seedwave::ui
