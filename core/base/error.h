// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace seedwave {

/// Exit codes of the programs for each kind of error (docs/command_line.md).
inline constexpr int kExitFault = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInput = 3;
inline constexpr int kExitOutput = 4;
inline constexpr int kExitUnavailable = 5;
inline constexpr int kExitInterrupted = 130;

/// An error as one line for the user: it names the file or value and says what to do.
///
/// The subclass tells who can fix it, and gives the exit code of the command line.
class Error : public std::runtime_error {
 public:
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 protected:
  Error(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}

 private:
  int exit_code_;
};

/// The command or value is wrong: an unknown flag, a number out of range.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(kExitUsage, message) {}
};

/// An input cannot be used: it is missing, unreadable, malformed or on another grid, or has no
/// seeds.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(kExitInput, message) {}
};

/// An output cannot be written. Nothing half-written is left behind.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(kExitOutput, message) {}
};

/// This machine cannot do it: there is no such device, or not enough memory.
class UnavailableError : public Error {
 public:
  explicit UnavailableError(const std::string& message) : Error(kExitUnavailable, message) {}
};

/// A device failed during its work: a fault of the program, the driver or the hardware. The work is
/// not moved to the CPU or repeated with less memory, so that the failure does not go unnoticed.
/// Only where several workers share a run do the others do it, with a warning.
class DeviceFault : public Error {
 public:
  explicit DeviceFault(const std::string& message) : Error(kExitFault, message) {}
};

/// A part of the program broke its promise to another: a bug, caught before it reads or writes
/// memory that it must not.
class Fault : public Error {
 public:
  explicit Fault(const std::string& message) : Error(kExitFault, message) {}
};

/// Checks a precondition where modules meet, such as two arrays of equal length. Unlike assert() it
/// is active in release builds, so it does not belong in loops over voxels. Throws Fault, which
/// names the place.
inline void require(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  const std::string path = file;
  throw Fault("internal error in " + path.substr(path.rfind('/') + 1) + ", line " +
              std::to_string(line) + ": please report how to reproduce it");
}

/// The user asked to stop. Not an Error: nothing went wrong.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace seedwave
