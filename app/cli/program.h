// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace seedwave::cli {

/// What a command is given.
struct Call {
  /// The words behind the command's name.
  std::span<const std::string> words;
  /// Set when the user interrupts.
  std::stop_token stop;
};

/// Runs the command that the words name and returns the exit code; the one place where errors end.
/// Every failure is one line on standard error, with --json also an object on standard output.
[[nodiscard]] int run_program(std::span<const std::string> words, std::stop_token stop);

/// Writes one JSON object and a line end to standard output. Text that is not UTF-8 (file names can
/// be anything) is written with replacement characters.
void print_json(const nlohmann::ordered_json& json);
/// Writes to standard output.
void print(const std::string& text);
/// One line on standard error, whatever the message holds, so that a script can rely on it.
void print_failure(std::string message);
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace seedwave::cli
