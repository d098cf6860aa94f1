// SPDX-License-Identifier: Apache-2.0
#include "app/write_signals.h"

#include <csignal>

namespace seedwave {

void ignore_write_signals() {
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace seedwave
