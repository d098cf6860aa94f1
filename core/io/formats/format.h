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

/// What a palette picture gives: its colours, or the numbers that stand for them. In a label
/// picture the numbers are the labels.
enum class Palette { Colors, Indices };

struct LoadOptions {
  SliceRange slices;
  Palette palette = Palette::Colors;
  Damaged damaged = Damaged::Refuse;
};

/// The one rule for pictures that are damaged, whatever their format: they are refused, unless they
/// may be read; then the warning says what was found. `reason` is the decoder's own word.
///
/// Throws DamagedError that names `file`.
void report_damage(Damaged damaged, const std::string& file, const std::string& reason,
                   std::vector<std::string>& warnings);

/// One file format: how it is told from its first bytes, and how it is read. The table of them
/// (format_table.h) is all that image_source.cpp knows of formats.
struct Format {
  /// As in Item::format.
  std::string_view name;
  /// Looks at the first kHeadBytes, unpacked when the file is gzip and `in_gzip` allows it.
  bool (*recognises)(std::span<const std::byte> head);
  bool in_gzip = false;
  /// Reads the header and checks that the file can hold what it claims. Throws InputError.
  std::vector<Item> (*scan)(const std::filesystem::path& file) = nullptr;
  /// Throws InputError, UnavailableError, Cancelled.
  LoadedImage (*load)(const Item& item, const LoadOptions& options, Context& context) = nullptr;
};

/// Enough for every format's mark; NIfTI's stands at byte 344.
inline constexpr std::size_t kHeadBytes = 1024;

/// One item for each of `parts` time points or layers, named "time 2 of 5"; `item` itself where
/// there is one. `check` throws InputError for a part that the file cannot hold: that item is then
/// not usable, and says why.
[[nodiscard]] std::vector<Item> items_of_parts(const Item& item, std::int64_t parts,
                                               const std::string& word,
                                               const std::function<void(std::int64_t)>& check);
/// The number of parts that a header states. Throws InputError that names `file` for more than
/// anybody opens.
[[nodiscard]] std::int64_t checked_parts(CheckedSize parts, const std::string& file);
/// Which of `parts` an item stands for, from 0. Throws InputError when the file has fewer by now.
[[nodiscard]] std::int64_t number_of_part(const Item& item, std::int64_t parts);

/// Loads the part of a file of raw voxels that an item stands for. `warnings`: those of the header.
/// Throws as number_of_part() and load_raw().
[[nodiscard]] LoadedImage load_part(const Item& item, const RawVoxels& raw, std::int64_t parts,
                                    std::vector<std::string> warnings, const LoadOptions& options,
                                    Context& context);

/// True when `head` has these bytes at `offset`.
[[nodiscard]] bool has_mark(std::span<const std::byte> head, std::string_view mark,
                            std::size_t offset = 0);

}  // namespace seedwave::io
