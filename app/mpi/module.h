// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave {
struct ProcessGroup;
}

/// Names in the module for MPI. It is a module of its own, so that the program runs where MPI is
/// not installed.
namespace seedwave::mpi {

inline constexpr const char* kModule = "seedwave-mpi.so";
inline constexpr const char* kStart = "seedwave_mpi_start";
inline constexpr const char* kEnd = "seedwave_mpi_end";
/// Starts MPI and fills the group. Throws UnavailableError.
using Start = void (*)(ProcessGroup& group);
/// Ends MPI: together with the other processes if the exit code is 0, else at once and for all.
using End = void (*)(int exit_code);

}  // namespace seedwave::mpi
