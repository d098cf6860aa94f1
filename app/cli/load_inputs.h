// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/image_source.h"
#include "core/ops/operation.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// Inputs of an operation, read from the files that the flags name.
struct LoadedInputs {
  Inputs inputs;
  /// The image to display: in colour even if the operation reads one channel of it.
  Volume shown;
  std::vector<std::string> warnings;
};

/// Returns the flags for an operation's inputs and for the part of the image.
[[nodiscard]] FlagGroup input_flags(const Operation& operation);
inline constexpr const char* kAllowDamagedHelp =
    "read what is intact of a damaged or truncated image, with a warning";
/// Ends a message about a damaged image.
inline constexpr const char* kHowToRead = ": use --allow-damaged to read what is intact";
/// Returns whether --allow-damaged was given.
[[nodiscard]] io::Damaged damaged_of(const Arguments& arguments);
/// Returns the flags for a part of an image: --series, --region, --channel, --allow-damaged.
[[nodiscard]] std::vector<Flag> part_flags();

/// An image, cropped to the region and reduced to the channel that the flags name.
struct LoadedPart {
  Volume image;
  Volume shown;
  /// The whole grid, and the part of it that was kept.
  Geometry whole;
  Box box;
  std::vector<std::string> warnings;
};
[[nodiscard]] LoadedPart load_part(const std::string& path, const Arguments& arguments,
                                   Context& context);

/// Reads all inputs, and maps labels and seeds onto the image's grid by geometry.
/// Throws UsageError (no --image, a bad region), InputError (names the file), Cancelled.
[[nodiscard]] LoadedInputs load_inputs(const Arguments& arguments, const Operation& operation,
                                       Context& context);

}  // namespace seedwave::cli
