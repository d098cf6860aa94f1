// SPDX-License-Identifier: Apache-2.0
#include "core/base/unnamed_file.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace seedwave {

int open_unnamed_file(const char* folder) {
  const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // Not every file system has files without names: one that loses its name at once.
  char path[PATH_MAX + 32];
  std::snprintf(path, sizeof(path), "%s/.seedwave-XXXXXX", folder);
  const int named = mkostemp(path, O_CLOEXEC);
  if (named >= 0) unlink(path);
  return named;
}

}  // namespace seedwave
