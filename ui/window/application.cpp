// SPDX-License-Identifier: Apache-2.0
#include "ui/window/application.h"

#include "core/base/error.h"

#include <QDateTime>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

namespace seedwave::ui {

namespace {

/// After so many failures within this time, the program ends.
constexpr std::size_t kMostCaught = 5;
constexpr qint64 kWithinMs = 10'000;

}  // namespace

bool Application::notify(QObject* receiver, QEvent* event) {
  try {
    return QApplication::notify(receiver, event);
  } catch (const std::bad_alloc&) {
    caught(tr("there is not enough memory"));
  } catch (const std::exception& error) {
    caught(QString::fromLocal8Bit(error.what()));
  } catch (...) {
    caught(tr("an unknown exception"));
  }
  return false;
}

void Application::caught(const QString& what) noexcept {
  try {
    std::fprintf(stderr, "seedwave: unexpected failure: %s\n", qPrintable(what));
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    caught_at_.push_back(now);
    while (now - caught_at_.front() > kWithinMs)
      caught_at_.pop_front();
    if (caught_at_.size() >= kMostCaught) {
      std::fputs(
          "seedwave: stopped after repeated failures; the work can be recovered at the next "
          "start\n",
          stderr);
      exit(kExitFault);
    }
    if (rescue_) rescue_(what);
  } catch (...) {
    // Saving also failed; the last autosave remains.
    exit(kExitFault);
  }
}

}  // namespace seedwave::ui
