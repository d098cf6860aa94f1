// SPDX-License-Identifier: Apache-2.0
#include "app/process_group.h"

#include "app/mpi/module.h"
#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>

namespace seedwave {
namespace {

/// Variables by which launchers tell a process its number, and the number of all: those of Open
/// MPI, and those of PMI (MPICH, Intel MPI, Slurm).
struct Variables {
  const char* rank;
  const char* count;
};
constexpr std::array kLaunchers{Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                Variables{"PMI_RANK", "PMI_SIZE"}};

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// The module lies beside the program.
std::filesystem::path module_path() {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return program.parent_path() / mpi::kModule;
}

class Group {
 public:
  const ProcessGroup& join() {
    if (joined_ || launched_count() == 1) return group_;
    // Open MPI's own modules look for its symbols among those of all.
    void* module = ::dlopen(module_path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) {
      throw UnavailableError(
          "several processes were started for one run, but this program was built without MPI");
    }
    const auto start = reinterpret_cast<mpi::Start>(::dlsym(module, mpi::kStart));
    end_ = reinterpret_cast<mpi::End>(::dlsym(module, mpi::kEnd));
    start(group_);
    joined_ = true;
    return group_;
  }

  [[nodiscard]] bool joined() const { return joined_; }

  void leave(int exit_code) {
    if (!joined_) return;
    group_.ranks.reset();
    end_(exit_code);
    joined_ = false;
  }

 private:
  ProcessGroup group_;
  mpi::End end_ = nullptr;
  bool joined_ = false;
};

/// MPI can be started once in a process.
Group& the_group() {
  static Group group;
  return group;
}

}  // namespace

int launched_count() {
  int count = 1;
  for (const Variables& launcher : kLaunchers)
    count = std::max(count, number_in(launcher.count, 1));
  return count;
}

int launched_rank() {
  for (const Variables& launcher : kLaunchers)
    if (std::getenv(launcher.rank) != nullptr) return number_in(launcher.rank, 0);
  return 0;
}

const ProcessGroup& process_group() {
  return the_group().join();
}

bool in_process_group() {
  return the_group().joined();
}

void leave_process_group(int exit_code) {
  the_group().leave(exit_code);
}

}  // namespace seedwave
