// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/ops/direction_text.h"
#include "core/ops/label_numbers.h"
#include "core/ops/operation.h"
#include "core/ops/place_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace seedwave {
namespace {

/// Returns the ids of the choices; only of those that apply if the dimension is given.
std::vector<std::string> choice_ids(const ChoiceDomain& choices, std::optional<bool> image_is_2d) {
  std::vector<std::string> ids;
  for (const Choice& choice : choices) {
    if (!image_is_2d || applies_to(choice.applies, *image_is_2d)) ids.push_back(choice.id);
  }
  return ids;
}

bool is_one_of(const std::vector<std::string>& ids, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && std::find(ids.begin(), ids.end(), *word) != ids.end();
}

std::string described(const NumberDomain& numbers) {
  return std::string(numbers.whole ? "a whole number" : "a number") + " from " +
         number_text(numbers.low) + " to " + number_text(numbers.high) +
         (numbers.word.empty() ? "" : ", or " + numbers.word) +
         (numbers.per_label ? ", or one per label (1=900,2=600)" : "");
}

std::string described(const ChoiceDomain& choices) {
  return listed(choice_ids(choices, std::nullopt));
}

std::string described(const DirectionDomain& /*any*/) {
  return "three numbers X,Y,Z, not all 0";
}

std::string described(const PlaceDomain& place) {
  return "two whole numbers X,Y" + (place.word.empty() ? "" : ", or " + place.word);
}

std::string described(const EstimateDomain& estimate) {
  return estimate.form + (estimate.word.empty() ? "" : ", or " + estimate.word);
}

bool contains(const NumberDomain& numbers, double number) {
  return number >= numbers.low && number <= numbers.high &&
         (!numbers.whole || number == std::trunc(number));
}

bool contains(const NumberDomain& numbers, const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return contains(numbers, *number);
  const auto& word = std::get<std::string>(value);
  if (!numbers.word.empty() && word == numbers.word) return true;
  if (!numbers.per_label) return false;
  const std::optional<LabelNumbers> by_label = parse_label_numbers(word);
  return by_label && std::all_of(by_label->begin(), by_label->end(), [&](const auto& entry) {
           return contains(numbers, entry.second);
         });
}

bool contains(const ChoiceDomain& choices, const Value& value) {
  return is_one_of(choice_ids(choices, std::nullopt), value);
}

bool contains(const DirectionDomain& /*any*/, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr && parse_direction(*word).has_value();
}

bool contains(const PlaceDomain& place, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr &&
         ((!place.word.empty() && *word == place.word) || parse_place(*word).has_value());
}

bool contains(const EstimateDomain& estimate, const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr &&
         ((!estimate.word.empty() && *word == estimate.word) || estimate.is_valid(*word));
}

[[noreturn]] void refuse(const Parameter& parameter, const std::string& domain,
                         const Value& given) {
  throw UsageError(parameter.id + " must be " + domain + ", not '" + text_of(given) + "'");
}

/// Throws UsageError for a value outside the domain. Does not check which choices apply.
void check_domain(const Parameter& parameter, const Value& value) {
  const auto fits = [&](const auto& domain) { return contains(domain, value); };
  if (!std::visit(fits, parameter.domain)) refuse(parameter, domain_text(parameter), value);
}

}  // namespace

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string Parameter::word() const {
  if (const NumberDomain* range = numbers()) return range->word;
  if (estimate() != nullptr) return estimate()->word;
  return place() == nullptr ? std::string() : place()->word;
}

bool Parameter::is_word(const Value& value) const {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == word();
}

std::string Parameter::unit() const {
  return numbers() == nullptr ? std::string() : numbers()->unit;
}

Value initial_value(const Parameter& parameter, bool image_is_2d) {
  if (parameter.choices() == nullptr) return parameter.initial;
  const std::vector<std::string> ids = choice_ids(*parameter.choices(), image_is_2d);
  require(!ids.empty());  // each dimension has a choice
  return is_one_of(ids, parameter.initial) ? parameter.initial : Value(ids.front());
}

std::string text_of(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? number_text(*number) : std::get<std::string>(value);
}

std::string domain_text(const Parameter& parameter) {
  return std::visit([](const auto& domain) { return described(domain); }, parameter.domain);
}

Value parse_value(const Parameter& parameter, const std::string& text) {
  Value value = text;
  if (parameter.numbers() != nullptr) {
    if (const std::optional<double> number = parse_number(text)) value = *number;
  }
  check_domain(parameter, value);
  return value;
}

void check_value(const Parameter& parameter, const Value& value, bool image_is_2d) {
  check_domain(parameter, value);
  if (parameter.choices() == nullptr) return;
  const std::vector<std::string> ids = choice_ids(*parameter.choices(), image_is_2d);
  if (!is_one_of(ids, value))
    refuse(parameter, listed(ids) + (image_is_2d ? " on a 2-D image" : " on a volume"), value);
}

}  // namespace seedwave
