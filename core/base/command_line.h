// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace seedwave {

/// Returns a parameter's id as a flag: "sigma_o" becomes "sigma-o".
[[nodiscard]] std::string flag_name(std::string id);

/// Returns a word as a shell reads it back, quoted if necessary.
[[nodiscard]] std::string shell_word(const std::string& word);

/// A program's call in a form that people can paste into a shell.
class CommandLine {
 public:
  /// Starts with words that need no quotes: "seedwave-cli run irfc".
  explicit CommandLine(std::string beginning) : text_(std::move(beginning)) {}

  /// Adds "--name", a flag without a value.
  void add(const std::string& flag) { text_ += " --" + flag; }
  /// Adds "--name value", or "--name=value" if the value could be read as a flag.
  void add(const std::string& flag, const std::string& value);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

}  // namespace seedwave
