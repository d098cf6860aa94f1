// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Arguments of a command.
struct Call {
  /// The words after the command's name.
  std::span<const std::string> words;
  /// Requests a stop when the user interrupts.
  std::stop_token stop;
};

/// Runs the command that the words name and returns the exit code. All errors are handled here:
/// every failure is one line on standard error, with --json also an object on standard output.
[[nodiscard]] int run_program(std::span<const std::string> words, const std::stop_token& stop);

/// Writes one JSON object and a newline to standard output. Text that is not UTF-8 (file names can
/// be anything) is written with replacement characters.
void print_json(const nlohmann::ordered_json& json);
/// Writes to standard output.
void print(const std::string& text);
/// Writes one line to standard error, whatever the message contains, so that a script can rely on
/// it.
void print_failure(std::string message);
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace seedwave::cli
