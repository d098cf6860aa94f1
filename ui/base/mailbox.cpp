// SPDX-License-Identifier: Apache-2.0
#include "ui/base/mailbox.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace seedwave::ui {

void Mailbox::post(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

void Mailbox::customEvent(QEvent*) {
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex_);
    call = std::move(calls_.front());
    calls_.pop_front();
  }
  call();  // may destroy the mailbox
}

}  // namespace seedwave::ui
