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

/// More threads than any machine has. The limit keeps a typing error from starting a million
/// threads.
inline constexpr std::int64_t kMostThreads = 4096;

/// A flag that a command takes: "--name VALUE", or "--name" alone if `value` is empty.
struct Flag {
  /// Number of times that the flag may be given.
  enum class Times { Once, Often };

  std::string name;   // with '-' between words; users may write '_' as well
  std::string value;  // placeholder for its value: "PATH", "N"
  std::string help;
  Times times = Times::Once;
};

/// Flags under a heading of the help page.
struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
};

/// The words after a command's name, parsed by its flags.
///
/// Accepts "--name value" and "--name=value". A word that does not begin with "--" is positional,
/// and so is every word after a lone "--". A value may begin with '-': "--m -100".
class Arguments {
 public:
  /// Throws UsageError for an unknown flag (suggests the nearest), for a flag that is given too
  /// often, and for a value that is missing, empty or not allowed.
  Arguments(std::span<const std::string> words, const std::vector<FlagGroup>& groups);

  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  /// Returns the first value of a flag, or nothing if it was not given.
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  /// Returns all values of a flag that may be given often, in order.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  /// Returns a flag's whole number in the closed range. Throws UsageError that states the range.
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name, std::int64_t low,
                                                    std::int64_t high) const;
  [[nodiscard]] const std::vector<std::string>& positionals() const noexcept {
    return positionals_;
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> positionals_;
};

/// Returns "2-D images only" or "volumes only", or "" if it always applies.
[[nodiscard]] std::string only_on(Applies where);

/// Splits "a,b,c" at its commas. Returns no parts for "".
[[nodiscard]] std::vector<std::string> split_at_commas(const std::string& text);

/// Parses whole numbers separated by commas, exactly `count` of them (0: one or more).
/// Throws UsageError that names the flag.
[[nodiscard]] std::vector<std::int64_t> integers_of(const std::string& flag,
                                                    const std::string& text, std::size_t count);

/// A line of two columns in a list.
struct ListLine {
  std::string left;
  std::string right;
};
/// Formats the lines with their right column aligned after the widest left one.
[[nodiscard]] std::string in_columns(std::span<const ListLine> lines);

/// Formats a help page: synopsis, description, and the flags in columns.
[[nodiscard]] std::string help_page(const std::string& synopsis, const std::string& description,
                                    const std::vector<FlagGroup>& groups);

}  // namespace seedwave::cli
