// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/vary.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace seedwave {
namespace {

/// Largest distance of `to` from a whole number of steps at which it still counts as reached.
constexpr double kStepRounding = 1e-9;

[[noreturn]] void refuse(const std::string& vary, const std::string& why) {
  throw UsageError(vary + ": " + why);
}

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(between, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

double number_in(const std::string& vary, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number) refuse(vary, "'" + text + "' is not a number");
  return *number;
}

/// Rounds a number to the 15 digits that matter beside `largest`, which removes binary rounding
/// errors.
double rounded(double number, double largest) {
  constexpr int kDigits = 15;
  constexpr int kMostBehindPoint = 300;
  if (largest == 0.0) return number;
  const int before_point = static_cast<int>(std::floor(std::log10(largest))) + 1;
  const int behind_point = std::clamp(kDigits - before_point, 0, kMostBehindPoint);
  std::array<char, 700> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::fixed, behind_point);
  return parse_number({text.data(), end.ptr}).value_or(number);
}

void check_in_range(const Parameter& parameter, const std::string& vary, double number) {
  const NumberDomain& range = *parameter.numbers();
  if (number >= range.low && number <= range.high) return;
  refuse(vary,
         parameter.id + " must be " + domain_text(parameter) + ", not " + number_text(number));
}

void check_whole(const Parameter& parameter, const std::string& vary, double number) {
  if (!parameter.is_whole() || number == std::trunc(number)) return;
  refuse(vary, parameter.id + " takes whole numbers, not " + number_text(number));
}

/// The step or factor that leads from `from` towards `to`. A step above 0 or a factor above 1 only
/// gives the distance between values: a falling range subtracts or divides by it.
struct Pace {
  double step = 0.0;
  double factor = 1.0;
  /// Divides by the factor instead of multiplying: 1/3 as a factor would not be exact.
  bool divides = false;
};

Pace pace_of(const Vary& vary) {
  const bool falls = vary.to < vary.from;
  if (vary.by == Vary::By::Step) return {.step = falls && vary.step > 0.0 ? -vary.step : vary.step};
  return {.factor = vary.step, .divides = falls && vary.step > 1.0};
}

/// Returns the number of steps from `from` to `to`, not rounded. Throws if no number of steps leads
/// there.
double span_of(const Vary& vary, const std::string& text) {
  const Pace pace = pace_of(vary);
  if (vary.by == Vary::By::Step) {
    if (vary.step == 0.0) refuse(text, "the step must not be 0");
    const double span = (vary.to - vary.from) / pace.step;
    if (span < 0) {
      refuse(text,
             "a step of " + number_text(vary.step) + " leads away from " + number_text(vary.to));
    }
    return span;
  }
  if (!(vary.step > 0.0)) refuse(text, "the factor must be above 0");
  if (!(vary.from > 0.0 && vary.to > 0.0)) {
    refuse(text, "a factor needs bounds above 0");
  }
  if (vary.from == vary.to) return 0.0;
  if (vary.step == 1.0) refuse(text, "the factor must not be 1");
  const double logarithm = std::log(vary.to / vary.from) / std::log(vary.step);
  const double span = pace.divides ? -logarithm : logarithm;
  if (span < 0) {
    refuse(text,
           "a factor of " + number_text(vary.step) + " leads away from " + number_text(vary.to));
  }
  return span;
}

std::vector<Value> range_of(const Parameter& parameter, const Vary& vary, const std::string& text) {
  for (const double bound : {vary.from, vary.to}) {
    check_in_range(parameter, text, bound);
    check_whole(parameter, text, bound);
  }
  if (vary.by == Vary::By::Step) check_whole(parameter, text, vary.step);
  const double span = span_of(vary, text);
  if (!(span < static_cast<double>(kMostSweepRuns))) {
    refuse(text, "these are more than the " + std::to_string(kMostSweepRuns) +
                     " runs that a sweep may have");
  }
  const auto steps = static_cast<int>(std::floor(span + kStepRounding));
  const bool reaches_end = std::abs(span - std::round(span)) <= kStepRounding;
  const Pace pace = pace_of(vary);
  std::vector<Value> values;
  for (int i = 0; i <= steps; ++i) {
    double number = 0.0;
    if (i == steps && reaches_end) {
      number = vary.to;
    } else if (vary.by == Vary::By::Step) {
      number = rounded(vary.from + i * pace.step, std::max(std::abs(vary.from), std::abs(vary.to)));
    } else {
      const double power = std::pow(pace.factor, i);
      number = pace.divides ? vary.from / power : vary.from * power;
      number = rounded(number, number);
    }
    if (parameter.is_whole()) number = std::round(number);
    if (values.empty() || values.back() != Value(number)) values.emplace_back(number);
  }
  return values;
}

Values one_value(const Parameter& parameter, const Value& value) {
  Values values;
  values.set(parameter.id, value);
  return values;
}

}  // namespace

Vary parse_vary(const Operation& operation, const std::string& text) {
  const std::size_t equals = text.find('=');
  Vary vary{.parameter = text.substr(0, equals)};
  std::replace(vary.parameter.begin(), vary.parameter.end(), '-', '_');
  const Parameter& parameter = operation.parameter(vary.parameter);
  if (parameter.place() != nullptr) refuse(text, "a place cannot be varied");
  if (parameter.estimate() != nullptr) refuse(text, "an estimate cannot be varied");
  if (parameter.numbers() == nullptr && parameter.choices() == nullptr)
    refuse(text, "a direction cannot be varied");
  const std::string said = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (said.empty()) {
    refuse(text, "no values: use " + vary.parameter + "=FROM:TO:STEP, " + vary.parameter +
                     "=FROM:TO:*FACTOR or a comma-separated list");
  }
  if (said.find(':') == std::string::npos) {
    vary.by = Vary::By::List;
    for (const std::string& word : split(said, ',')) {
      // A text with one number per label has commas itself.
      if (word.find('=') != std::string::npos) refuse(text, "a list takes one number per value");
      vary.list.push_back(parse_value(parameter, word));
    }
    return vary;
  }
  if (parameter.choices() != nullptr) {
    refuse(text, vary.parameter + " is a choice: give its values as a comma-separated list");
  }
  std::vector<std::string> parts = split(said, ':');
  if (parts.size() != 3) refuse(text, "a range is FROM:TO:STEP or FROM:TO:*FACTOR");
  if (parts[2].starts_with('*')) {
    vary.by = Vary::By::Factor;
    parts[2].erase(0, 1);
  }
  vary.from = number_in(text, parts[0]);
  vary.to = number_in(text, parts[1]);
  vary.step = number_in(text, parts[2]);
  return vary;
}

std::string to_text(const Vary& vary) {
  std::string text = vary.parameter + "=";
  if (vary.by == Vary::By::List) {
    for (std::size_t i = 0; i < vary.list.size(); ++i)
      text += (i == 0 ? "" : ",") + text_of(vary.list[i]);
    return text;
  }
  return text + number_text(vary.from) + ":" + number_text(vary.to) + ":" +
         (vary.by == Vary::By::Factor ? "*" : "") + number_text(vary.step);
}

Vary vary_evenly(const Parameter& parameter, double from, double to, int count, Scale scale) {
  Vary vary{.parameter = parameter.id, .from = from, .to = to};
  const int steps = std::max(1, count - 1);
  if (scale == Scale::Logarithmic && from > 0.0 && to > 0.0 && from != to) {
    vary.by = Vary::By::Factor;
    vary.step = std::pow(to / from, 1.0 / steps);
    return vary;
  }
  vary.step = (to - from) / steps;
  if (parameter.is_whole()) {
    vary.step = std::round(vary.step);
    if (vary.step == 0.0) vary.step = to < from ? -1.0 : 1.0;
  }
  if (vary.step == 0.0) vary.step = 1.0;  // one value
  return vary;
}

SweepAxis axis_of(const Operation& operation, const Vary& vary, bool image_is_2d) {
  const Parameter& parameter = operation.parameter(vary.parameter);
  const std::string text = to_text(vary);
  SweepAxis axis{.parameter = vary.parameter, .values = {}, .scale = Scale::Linear};
  if (const NumberDomain* range = parameter.numbers()) axis.bounds = {range->low, range->high};
  if (vary.by == Vary::By::List) {
    axis.values = vary.list;
    axis.scale = parameter.is_logarithmic() ? Scale::Logarithmic : Scale::Linear;
  } else {
    if (parameter.choices() != nullptr) refuse(text, "a choice has no range");
    axis.values = range_of(parameter, vary, text);
    if (vary.by == Vary::By::Factor) axis.scale = Scale::Logarithmic;
  }
  if (axis.values.empty()) refuse(text, "no values");
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const Value& value = axis.values[i];
    static_cast<void>(checked_values(operation, one_value(parameter, value), image_is_2d));
    const auto here = axis.values.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(axis.values.begin(), here, value) != here) {
      refuse(text, text_of(value) + " appears twice");
    }
  }
  return axis;
}

}  // namespace seedwave
