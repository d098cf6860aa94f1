// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/raw_voxels.h"
#include "core/io/image_source.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

struct LoadOptions {
  SliceRange slices;
  ReadAs as = ReadAs::Image;
  Damaged damaged = Damaged::Refuse;
};

/// Applies the rule for damaged images of all formats: they are refused, unless reading them is
/// allowed; then the warning describes the damage. `reason` is the decoder's message.
///
/// Throws DamagedError that names `file`.
void report_damage(Damaged damaged, const std::string& file, const std::string& reason,
                   std::vector<std::string>& warnings);

/// One file format: how its first bytes are recognised, and how it is read. image_source.cpp knows
/// formats only by their table (format_table.h).
struct Format {
  /// The name as in Item::format.
  std::string_view name;
  /// Examines the first kHeadBytes, decompressed if the file is gzip and `in_gzip` allows it.
  bool (*recognises)(std::span<const std::byte> head);
  bool in_gzip = false;
  /// Reads the header and checks that the file can hold what it claims. Throws InputError.
  std::vector<Item> (*scan)(const std::filesystem::path& file) = nullptr;
  /// Throws InputError, UnavailableError, Cancelled.
  LoadedImage (*load)(const Item& item, const LoadOptions& options, Context& context) = nullptr;
};

/// Enough for every format's mark; that of NIfTI is at byte 344.
inline constexpr std::size_t kHeadBytes = 1024;

/// Returns one item for each of `parts` time points or layers, named "time 2 of 5", or `item`
/// itself if there is one. `check` throws InputError for a part that the file cannot hold: that
/// item is not usable, and says why.
[[nodiscard]] std::vector<Item> items_of_parts(const Item& item, std::int64_t parts,
                                               const std::string& word,
                                               const std::function<void(std::int64_t)>& check);
/// Returns the number of parts that a header states. Throws InputError that names `file` if it is
/// unreasonably large.
[[nodiscard]] std::int64_t checked_parts(CheckedSize parts, const std::string& file);
/// Returns which of `parts` an item represents, from 0. Throws InputError if the file has fewer by
/// now.
[[nodiscard]] std::int64_t number_of_part(const Item& item, std::int64_t parts);

/// Loads the part of a file of raw voxels that an item represents. `warnings`: those of the header.
/// Throws as number_of_part() and load_raw().
[[nodiscard]] LoadedImage load_part(const Item& item, const RawVoxels& raw, std::int64_t parts,
                                    std::vector<std::string> warnings, const LoadOptions& options,
                                    Context& context);

/// Returns whether `head` has these bytes at `offset`.
[[nodiscard]] bool has_mark(std::span<const std::byte> head, std::string_view mark,
                            std::size_t offset = 0);

}  // namespace seedwave::io
