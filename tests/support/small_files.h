// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <sys/resource.h>

namespace seedwave::test {

/// Limits the size of all files during its lifetime, as on a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    // Otherwise the signal would end the program; when it is ignored, the write fails.
    previous_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    (void)std::signal(SIGXFSZ, previous_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit limit_{};
  void (*previous_)(int) = nullptr;
};

}  // namespace seedwave::test
