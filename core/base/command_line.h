// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace seedwave {

/// A parameter's id as a flag: "sigma_o" is "sigma-o".
[[nodiscard]] std::string flag_name(std::string id);

/// A word as a shell reads it back: in quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::string& word);

/// A program's call as people paste it into a shell.
class CommandLine {
 public:
  /// Begins with words that need no quotes: "seedwave-cli run irfc".
  explicit CommandLine(std::string beginning) : text_(std::move(beginning)) {}

  /// "--name", of a flag without a value.
  void add(const std::string& flag) { text_ += " --" + flag; }
  /// "--name value"; "--name=value" where the value would be read as a flag.
  void add(const std::string& flag, const std::string& value);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

}  // namespace seedwave
