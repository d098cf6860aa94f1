// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/format.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace seedwave::io {

void report_damage(Damaged damaged, const std::string& file, const std::string& reason,
                   std::vector<std::string>& warnings) {
  const std::string what = "damaged or truncated (" + reason + ")";
  if (damaged == Damaged::Refuse) throw DamagedError(file + " is " + what);
  warnings.push_back("is " + what + ": parts of it may be wrong, gray, black or 0");
}

std::vector<Item> items_of_parts(const Item& item, std::int64_t parts, const std::string& word,
                                 const std::function<void(std::int64_t)>& check) {
  if (parts == 1) return {item};
  std::vector<Item> items;
  for (std::int64_t part = 0; part < parts; ++part) {
    Item one = item;
    one.part = std::to_string(part);
    one.hints.description += (item.hints.description.empty() ? "" : ", ") + word + " " +
                             std::to_string(part + 1) + " of " + std::to_string(parts);
    try {
      check(part);
    } catch (const InputError& error) {
      one.usable = false;
      one.warnings.emplace_back(error.what());
    }
    items.push_back(std::move(one));
  }
  return items;
}

std::int64_t checked_parts(CheckedSize parts, const std::string& file) {
  constexpr std::int64_t kMostParts = 10000;
  if (parts.fits(kMostParts)) return *parts.value();
  throw InputError(file + " holds more than " + std::to_string(kMostParts) + " volumes: split it");
}

std::int64_t number_of_part(const Item& item, std::int64_t parts) {
  std::int64_t part = 0;
  std::from_chars(item.part.data(), item.part.data() + item.part.size(), part);
  if (part >= 0 && part < parts) return part;
  throw InputError(item.files.at(0).string() + " has changed: it holds only " +
                   std::to_string(parts) + " volumes now");
}

LoadedImage load_part(const Item& item, const RawVoxels& raw, std::int64_t parts,
                      std::vector<std::string> warnings, const LoadOptions& options,
                      Context& context) {
  LoadedImage image;
  image.hints = item.hints;
  image.warnings = std::move(warnings);
  image.volume = load_raw(part_of(raw, number_of_part(item, parts)), options.slices, options.as,
                          context, image.warnings);
  return image;
}

bool has_mark(std::span<const std::byte> head, std::string_view mark, std::size_t offset) {
  const auto wanted = std::as_bytes(std::span(mark));
  return head.size() >= offset + wanted.size() &&
         std::equal(wanted.begin(), wanted.end(),
                    head.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace seedwave::io
