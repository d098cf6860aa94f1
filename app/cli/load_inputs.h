// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/image_source.h"
#include "core/ops/operation.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// What an operation is run on, read from the files that the flags name.
struct LoadedInputs {
  Inputs inputs;
  /// The image as it is shown: in colour where a channel of it was taken.
  Volume shown;
  std::vector<std::string> warnings;
};

/// The flags that name an operation's inputs, and which part of the image is meant.
[[nodiscard]] FlagGroup input_flags(const Operation& operation);
inline constexpr const char* kAllowDamagedHelp =
    "reads what is there of a picture that is damaged or cut short, with a warning";
/// Behind what is wrong with a damaged picture.
inline constexpr const char* kHowToRead = ": --allow-damaged reads what is there";
/// --allow-damaged.
[[nodiscard]] io::Damaged damaged_of(const Arguments& arguments);
/// --series, --region, --channel, --allow-damaged: which part of an image is meant.
[[nodiscard]] std::vector<Flag> part_flags();

/// An image, cut to the region and turned to the channel that the flags name.
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

/// Reads all inputs, labels and seeds brought onto the image's grid by geometry.
/// Throws UsageError (no --image, a bad region), InputError (naming the file), Cancelled.
[[nodiscard]] LoadedInputs load_inputs(const Arguments& arguments, const Operation& operation,
                                       Context& context);

}  // namespace seedwave::cli
