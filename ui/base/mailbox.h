// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace seedwave::ui {

/// Runs calls that other threads post on the thread that owns the mailbox, in the order posted. The
/// destructor drops calls that have not run; no thread may still post by then.
///
/// Like QMetaObject::invokeMethod() with a queued connection. Calls are passed under a lock of the
/// mailbox, because thread sanitizer does not see the lock of Qt's queues.
class Mailbox : public QObject {
 public:
  using QObject::QObject;

  /// Thread-safe. Returns immediately.
  void post(std::function<void()> call);

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;  // guarded by mutex_; one event for each
};

}  // namespace seedwave::ui
