// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/command_line.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave::cli {

/// More than any machine has; a limit, so that a slip of the keyboard starts no million threads.
inline constexpr std::int64_t kMostThreads = 4096;

/// A flag that a command takes: "--name VALUE", or "--name" alone where `value` is "".
struct Flag {
  /// How often it may be given.
  enum class Times { Once, Often };

  std::string name;   // with '-' between words; users may write '_' as well
  std::string value;  // what stands behind it: "PATH", "N"
  std::string help;
  Times times = Times::Once;
};

/// Flags under a heading of the help page.
struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
};

/// The words behind a command's name, taken apart by the flags that it knows.
///
/// "--name value" and "--name=value"; what does not begin with "--" is a positional, and so is
/// everything behind a lone "--". A value may begin with '-': "--m -100".
class Arguments {
 public:
  /// Throws UsageError: an unknown flag (naming the nearest), one given too often, a value
  /// missing,
  /// empty or too many.
  Arguments(std::span<const std::string> words, const std::vector<FlagGroup>& groups);

  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  /// The value of a flag, the first one; nothing where it was not given.
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  /// All values of a flag that may be given often, in order.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  /// A flag's whole number in the closed range. Throws UsageError with the range.
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name, std::int64_t low,
                                                    std::int64_t high) const;
  [[nodiscard]] const std::vector<std::string>& positionals() const noexcept {
    return positionals_;
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> positionals_;
};

/// "only on images", "only on volumes"; "" where it always applies.
[[nodiscard]] std::string only_on(Applies where);

/// "a,b,c" taken apart; "" gives nothing.
[[nodiscard]] std::vector<std::string> split_at_commas(const std::string& text);

/// Whole numbers between commas, exactly `count` of them (0: any number, at least one).
/// Throws UsageError that names the flag.
[[nodiscard]] std::vector<std::int64_t> integers_of(const std::string& flag,
                                                    const std::string& text, std::size_t count);

/// A line of two columns in a list.
struct ListLine {
  std::string left;
  std::string right;
};
/// The lines with their right column aligned behind the widest left one.
[[nodiscard]] std::string in_columns(std::span<const ListLine> lines);

/// A help page: how the command is called, what it does, its flags in columns.
[[nodiscard]] std::string help_page(const std::string& synopsis, const std::string& description,
                                    const std::vector<FlagGroup>& groups);

}  // namespace seedwave::cli
