// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace seedwave {

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
  explicit UsageError(const std::string& message) : Error(2, message) {}
};

/// An input cannot be used: missing, unreadable, malformed, on another grid, no seeds.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(3, message) {}
};

/// An output cannot be written. Nothing half-written is left behind.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(4, message) {}
};

/// It cannot be done on this machine: no such device, out of memory.
class UnavailableError : public Error {
 public:
  explicit UnavailableError(const std::string& message) : Error(5, message) {}
};

/// The user asked to stop. Not an Error: nothing went wrong.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

inline constexpr int kExitInterrupted = 130;

}  // namespace seedwave
