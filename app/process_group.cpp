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

/// Variables by which launchers tell a process its number, and the number of all: Open MPI's, those
/// of PMI (MPICH, Intel MPI, Slurm), and of Slurm with PMIx.
struct Variables {
  const char* rank;
  const char* count;
};
constexpr std::array kLaunchers{Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                Variables{"PMI_RANK", "PMI_SIZE"},
                                Variables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

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
      const char* const why = ::dlerror();
      throw UnavailableError(
          "several processes were started for one run, but the module for MPI "
          "cannot be loaded: " +
          std::string(why == nullptr ? "no reason given" : why));
    }
    const auto start = reinterpret_cast<mpi::Start>(::dlsym(module, mpi::kStart));
    end_ = reinterpret_cast<mpi::End>(::dlsym(module, mpi::kEnd));
    require(start != nullptr && end_ != nullptr);
    start(group_);
    joined_ = true;
    const int count = group_.ranks ? group_.ranks->count() : 1;
    if (count != launched_count()) {
      throw UnavailableError("the launcher started " + std::to_string(launched_count()) +
                             " processes, and MPI sees " + std::to_string(count) +
                             ": the module was built for another MPI");
    }
    return group_;
  }

  [[nodiscard]] bool joined() const { return joined_; }

  void leave(int exit_code) {
    if (!joined_) return;
    // After a failure nobody may take what is still to be sent.
    if (exit_code != 0) end_(exit_code);
    group_.ranks.reset();
    end_(0);
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
    if (std::getenv(launcher.rank) != nullptr)
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
