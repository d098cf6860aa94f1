// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/engine/loaded_case.h"
#include "core/image/region.h"
#include "core/io/image_source.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// Returns the flags for an operation's inputs and for the part of the image.
[[nodiscard]] FlagGroup input_flags(const Operation& operation);
inline constexpr const char* kAllowDamagedHelp =
    "read what is intact of a damaged or truncated image, with a warning";
/// Ends a message about a damaged image.
inline constexpr const char* kHowToRead = ": use --allow-damaged to read what is intact";
/// Returns whether --allow-damaged was given.
[[nodiscard]] io::Damaged damaged_of(const Arguments& arguments);
/// Returns the flags for a part of an image: --series, --region, --channel, --allow-damaged, and of
/// a slide --level, --magnification and --mpp.
[[nodiscard]] std::vector<Flag> part_flags();

/// Returns the regions that "FILE" or "FILE#CLASS" names, for an image. Throws InputError.
[[nodiscard]] Regions regions_named(const std::string& text, const LoadedCase& of,
                                    Context& context);

/// An image that was found, and not yet read.
struct FoundCase {
  std::string path;
  io::Item item;
  /// The channel that the flags name; "" if none is left to take after the image was read.
  std::string channel{};
};
/// Finds the image at `path`: of a slide, the part that the flags name, with pixels of `mpp`
/// micrometres if they name no scale (nothing: those of level 0). Throws UsageError, InputError,
/// Cancelled.
[[nodiscard]] FoundCase find_case(const std::string& path, const Arguments& arguments,
                                  Context& context, std::optional<double> mpp = {});

/// The image of a case, cut to the region and checked for the channel that the flags name.
struct ReadCase {
  LoadedCase of;
  /// The channel to take of a colour image; "" for all colours, and for other images.
  std::string channel{};
  std::vector<std::string> warnings{};
};
[[nodiscard]] ReadCase read_case(const FoundCase& found, const Arguments& arguments,
                                 Context& context);

/// The inputs of an operation and the reference, from the files that the flags name.
struct ReadInputs {
  LoadedCase of;
  Inputs inputs;
  LabelMap reference;  // empty: none
  std::vector<std::string> warnings;
};
/// Returns the path of --image. Throws UsageError if it was not given.
[[nodiscard]] std::string image_path(const Arguments& arguments);
/// Throws InputError that names the first input that the operation needs and no flag gives.
void check_inputs_given(const Operation& operation, const Arguments& arguments);
/// Reads the image and the other inputs. Throws UsageError (a bad region), InputError (names the
/// file), Cancelled.
[[nodiscard]] ReadInputs read_inputs(const OperationTable& table, const Operation& operation,
                                     const FoundCase& found, const Arguments& arguments,
                                     Context& context);

}  // namespace seedwave::cli
