// SPDX-License-Identifier: Apache-2.0
#include "core/engine/object_filter.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace seedwave {
namespace {

using Comparison = ObjectCondition::Comparison;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return lower;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

/// Splits at "and" and at commas.
std::vector<std::string> conditions_in(std::string_view text) {
  std::string rest = in_lower_case(text);
  constexpr std::string_view kAnd = " and ";
  for (std::size_t at = rest.find(kAnd); at != std::string::npos; at = rest.find(kAnd, at))
    rest.replace(at, kAnd.size(), ",");
  std::vector<std::string> parts(1);
  for (const char c : rest) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::size_t column_named(const std::string& name, const ObjectList& list) {
  const std::string id = name == "area" || name == "volume" ? "size" : name;
  if (const auto found = list.find_column(id)) return *found;
  for (std::size_t i = 0; i < list.columns().size(); ++i) {
    if (in_lower_case(list.columns()[i].column.spec.title) == name) return i;
  }
  throw UsageError("there is no column '" + name + "'");
}

ObjectCondition parse_condition(std::string_view text, const ObjectList& list) {
  // Longer signs before those that they begin with.
  constexpr std::array<std::pair<std::string_view, Comparison>, 6> kSigns{
      {{"<=", Comparison::AtMost},
       {">=", Comparison::AtLeast},
       {"!=", Comparison::Unequal},
       {"<", Comparison::Less},
       {">", Comparison::More},
       {"=", Comparison::Equal}}};
  const std::size_t at = text.find_first_of("<>=!");
  const auto* sign = at == std::string_view::npos
                         ? kSigns.end()
                         : std::ranges::find_if(kSigns, [&](const auto& each) {
                             return text.substr(at).starts_with(each.first);
                           });
  const std::string condition(trimmed(text));
  if (sign == kSigns.end())
    throw UsageError("'" + condition + "' is not a condition such as area > 30");
  const std::string name(trimmed(text.substr(0, at)));
  std::string_view number = trimmed(text.substr(at + sign->first.size()));
  const std::string number_given(number);
  const auto value = take_number<double>(number);
  if (!value || !number.empty())
    throw UsageError("'" + number_given + "' is not a number: " + condition);
  return {.column = column_named(name, list), .comparison = sign->second, .value = *value};
}

/// Returns bits whose order as whole numbers is that of the numbers; NaN comes last.
std::uint64_t sortable(double number, bool falls) {
  if (std::isnan(number)) return ~std::uint64_t{0};
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // no -0
  const bool negative = bits >> 63 != 0;
  const std::uint64_t rises = negative ? ~bits : bits | std::uint64_t{1} << 63;
  return falls ? ~rises : rises;
}

struct Keyed {
  std::uint64_t key = 0;
  std::int32_t object = 0;
};

/// Sorts by key and keeps the order of equal ones: by digits of 11 bits, the last first.
void sort_by_key(std::vector<Keyed>& objects, Context& context) {
  constexpr int kBits = 11;
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kBits;
  std::vector<Keyed> sorted(objects.size());
  for (int shift = 0; shift < 64; shift += kBits) {
    context.checkpoint(shift / 64.0);
    const auto digit = [shift](const Keyed& each) { return each.key >> shift & (kDigits - 1); };
    std::vector<std::size_t> places(kDigits + 1);
    for (const Keyed& each : objects)
      ++places[digit(each) + 1];
    if (std::ranges::find(places, objects.size()) != places.end()) continue;  // all the same
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const Keyed& each : objects)
      sorted[places[digit(each)]++] = each;
    std::swap(objects, sorted);
  }
}

}  // namespace

bool ObjectCondition::holds(double number) const noexcept {
  switch (comparison) {
    case Comparison::Less:
      return number < value;
    case Comparison::AtMost:
      return number <= value;
    case Comparison::More:
      return number > value;
    case Comparison::AtLeast:
      return number >= value;
    case Comparison::Equal:
      return number == value;
    case Comparison::Unequal:
      break;
  }
  return number < value || number > value;
}

ObjectFilter parse_object_filter(std::string_view text, const ObjectList& list) {
  ObjectFilter filter;
  if (trimmed(text).empty()) return filter;
  for (const std::string& condition : conditions_in(text))
    filter.push_back(parse_condition(condition, list));
  return filter;
}

std::string range_text(const ObjectList& list, std::size_t column, double low, double high) {
  const std::string& id = list.columns().at(column).column.spec.id;
  return id + " >= " + number_text(low) + " and " + id + " <= " + number_text(high);
}

std::vector<std::int32_t> ordered_objects(const ObjectList& list, const ObjectOrder& order,
                                          Context& context) {
  const auto count = static_cast<std::int64_t>(list.objects().size());
  std::vector<std::uint8_t> passes(static_cast<std::size_t>(count));
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
  constexpr std::int64_t kAtOnce = 4096;
  parallel_for(context, count, kAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (auto object = static_cast<std::size_t>(begin); object < static_cast<std::size_t>(end);
         ++object) {
      passes[object] = static_cast<std::uint8_t>(
          std::ranges::all_of(order.filter, [&](const ObjectCondition& condition) {
            return condition.holds(list.number(condition.column, object));
          }));
      if (passes[object] != 0 && order.column >= 0)
        keys[object] =
            sortable(list.number(static_cast<std::size_t>(order.column), object), order.falls);
    }
  });
  std::vector<Keyed> listed;
  listed.reserve(static_cast<std::size_t>(count));
  for (std::size_t object = 0; object < static_cast<std::size_t>(count); ++object) {
    if (passes[object] != 0)
      listed.push_back({.key = keys[object], .object = static_cast<std::int32_t>(object)});
  }
  if (order.column >= 0) sort_by_key(listed, context);
  std::vector<std::int32_t> objects(listed.size());
  std::ranges::transform(listed, objects.begin(), &Keyed::object);
  if (!order.first.empty()) {
    std::stable_partition(objects.begin(), objects.end(), [&](std::int32_t object) {
      return order.first[static_cast<std::size_t>(object)];
    });
  }
  return objects;
}

}  // namespace seedwave
