// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace seedwave {

/// What the programs exit with where something went wrong (docs/command_line.md).
inline constexpr int kExitFault = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInput = 3;
inline constexpr int kExitOutput = 4;
inline constexpr int kExitUnavailable = 5;
inline constexpr int kExitInterrupted = 130;

/// What went wrong, in one line for the user: it names the file or value and says what to do.
///
/// The subclass tells who can mend it, and gives the exit code of the command line.
class Error : public std::runtime_error {
 public:
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 protected:
  Error(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}

 private:
  int exit_code_;
};

/// The command or value is wrong: an unknown flag, a number out of its range.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(kExitUsage, message) {}
};

/// An input cannot be used: missing, unreadable, malformed, on another grid, no seeds.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(kExitInput, message) {}
};

/// An output cannot be written. Nothing half-written is left behind.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(kExitOutput, message) {}
};

/// It cannot be done on this machine: no such device, out of memory.
class UnavailableError : public Error {
 public:
  explicit UnavailableError(const std::string& message) : Error(kExitUnavailable, message) {}
};

/// A device failed in the middle of its work: a fault of the program, the driver or the hardware.
/// Never replaced by the CPU, nor tried again with less memory, so that it does not go unseen.
class DeviceFault : public Error {
 public:
  explicit DeviceFault(const std::string& message) : Error(kExitFault, message) {}
};

/// A part of the program did not keep what it promises to another: a mistake of ours, caught before
/// it reads or writes where it must not.
class Fault : public Error {
 public:
  explicit Fault(const std::string& message) : Error(kExitFault, message) {}
};

/// Checks what a caller promises, such as two arrays of one length, where modules meet. Unlike
/// assert() in release builds too, so not in loops over voxels. Throws Fault, which names the
/// place.
inline void require(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  const std::string path = file;
  throw Fault("internal error in " + path.substr(path.rfind('/') + 1) + ", line " +
              std::to_string(line) + ": please report what led to it");
}

/// The user asked to stop. Not an Error: nothing went wrong.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace seedwave
