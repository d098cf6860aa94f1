// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace seedwave {
namespace {

template <typename T>
std::optional<T> parse(std::string_view text) {
  // from_chars accepts no plus sign, but users type it.
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const std::optional<T> number = take_number<T>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace

std::string number_text(double number) {
  std::array<char, 40> text{};
  // Small whole numbers read better as 100 than as 1e+02.
  const bool whole = number == std::trunc(number) && std::abs(number) < 1e15;
  const auto end = whole ? std::to_chars(text.data(), text.data() + text.size(),
                                         static_cast<std::int64_t>(number))
                         : std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end.ptr};
}

std::string fixed_text(double number, int digits) {
  if (!std::isfinite(number)) return "-";
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

std::string in_gigabytes(std::int64_t bytes) {
  constexpr std::int64_t kTenth = 100'000'000;
  const std::int64_t tenths = bytes / kTenth + (bytes % kTenth >= kTenth / 2 ? 1 : 0);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

std::string in_bytes(std::int64_t bytes) {
  constexpr std::int64_t kThousand = 1000;
  if (bytes < kThousand * kThousand) {
    return std::to_string((bytes + kThousand - 1) / kThousand) + " kB";
  }
  const bool giga = bytes >= kThousand * kThousand * kThousand;
  const std::int64_t tenth = kThousand * kThousand * (giga ? kThousand : 1) / 10;
  const std::int64_t tenths = (bytes + tenth - 1) / tenth;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (giga ? " GB" : " MB");
}

std::string in_time(double ms) {
  // Each unit applies up to the number that would round to one of the next.
  struct Unit {
    const char* name;
    double ms;
    double end;
  };
  constexpr std::array kUnits{Unit{" ms", 1.0, 999.5}, Unit{" s", 1e3, 59.5e3},
                              Unit{" min", 60e3, 59.5 * 60e3}, Unit{" h", 3600e3, INFINITY}};
  const auto* unit = kUnits.begin();
  while (!(ms < unit->end) && unit + 1 != kUnits.end())
    ++unit;
  const double number = ms / unit->ms;
  const bool tenths = number < 9.95 && unit != kUnits.begin();
  return number_text(tenths ? std::round(number * 10) / 10 : std::round(number)) + unit->name;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  const auto drop = [&](std::string_view end) {
    if (!text.ends_with(end)) return false;
    text.remove_suffix(end.size());
    return true;
  };
  drop("B");
  double unit = 1.0;
  if (drop("k")) {
    unit = 1e3;
  } else if (drop("M")) {
    unit = 1e6;
  } else if (drop("G")) {
    unit = 1e9;
  }
  drop(" ");
  const std::optional<double> number = parse_number(text);
  if (!number || !(*number * unit >= 1.0 && *number * unit < 1e18)) return {};
  return static_cast<std::int64_t>(std::ceil(*number * unit));
}

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> number = parse<double>(text);
  if (!number || !std::isfinite(*number)) return {};
  return number;
}

std::optional<double> parse_any_number(std::string_view text) {
  return parse<double>(text);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(text);
}

}  // namespace seedwave
