// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/ranks.h"

#include <memory>

namespace seedwave {

/// The processes that mpirun or srun started for one run, seen from one of them.
struct ProcessGroup {
  /// Null if this process is alone.
  std::shared_ptr<Ranks> ranks;
  /// This process's number among those on its machine.
  int number_here = 0;
  /// Its share of the cores that its launcher lets it use, perhaps with others; at least 1.
  int threads = 1;
  /// Number of processes that share these cores, itself included.
  int sharing = 1;

  /// Returns whether another process reports and writes the results.
  [[nodiscard]] bool follows() const { return ranks && ranks->rank() > 0; }
};

/// Returns the number of processes that mpirun or srun started, without MPI; 1 if none of them did.
[[nodiscard]] int launched_count();
/// Returns this process's number among them.
[[nodiscard]] int launched_rank();

/// Returns the group of this process; joins it at the first call. Throws UnavailableError if a
/// launcher started several, and the module for MPI is not there.
[[nodiscard]] const ProcessGroup& process_group();

[[nodiscard]] bool in_process_group();

/// Leaves the group at the end of the program, if this process joined it. After a failure all
/// others are ended, too.
void leave_process_group(int exit_code);

}  // namespace seedwave
