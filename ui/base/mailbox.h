// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace seedwave::ui {

/// Calls that other threads ask for, made on the thread that the mailbox belongs to, in the order
/// in which they were asked for. Those that were not made when it goes are dropped; whoever still
/// asks must have ended by then.
///
/// As QMetaObject::invokeMethod() with a queued connection. But calls are handed over under a lock
/// of its own: that of Qt's queues is one that thread sanitizer does not see.
class Mailbox : public QObject {
 public:
  using QObject::QObject;

  /// Thread-safe. Does not wait.
  void post(std::function<void()> call);

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;  // guarded by mutex_; an event for each
};

}  // namespace seedwave::ui
