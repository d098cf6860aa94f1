// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// Parses a JSON text. Throws InputError that names `file` and the line of a syntax error, or says
/// that the text is nested too deep.
[[nodiscard]] nlohmann::json parse_json(const std::string& text, const std::string& file);

/// A value inside a JSON file that knows its place, so that every error names it: "seeds.json:
/// strokes[3].radius must be a number from 0 to 1000".
///
/// All readers throw InputError. Borrows the document, which must outlive it.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string file)
      : JsonPlace(value, std::move(file), "") {}

  [[nodiscard]] const nlohmann::json& value() const noexcept { return *value_; }
  /// Returns a required member. The value itself must be an object.
  [[nodiscard]] JsonPlace at(const std::string& key) const;
  /// Returns an optional member; null counts as absent.
  [[nodiscard]] std::optional<JsonPlace> find(const std::string& key) const;
  /// Returns the elements of an array.
  [[nodiscard]] std::vector<JsonPlace> items() const;
  /// Returns the members of an object with their names.
  [[nodiscard]] std::vector<std::pair<std::string, JsonPlace>> members() const;

  /// Returns a finite number in the closed range.
  [[nodiscard]] double number(double low, double high) const;
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;

  /// Throws InputError that names file and place, followed by `complaint`: "must be ...".
  [[noreturn]] void fail(const std::string& complaint) const;

 private:
  JsonPlace(const nlohmann::json& value, std::string file, std::string place)
      : value_(&value), file_(std::move(file)), place_(std::move(place)) {}
  [[nodiscard]] JsonPlace member(const std::string& key, const nlohmann::json& value) const;

  const nlohmann::json* value_;
  std::string file_;
  std::string place_;
};

}  // namespace seedwave
