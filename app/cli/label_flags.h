// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/io/region_file.h"
#include "core/io/surfaces.h"

#include <filesystem>
#include <vector>

namespace seedwave::cli {

/// Returns the flag --names: names and colours for the labels in an output.
[[nodiscard]] Flag names_flag();

/// Returns the flags of surfaces: --surface, --file-per-label.
[[nodiscard]] std::vector<Flag> surface_flags();

/// Returns the choice that the flags of surfaces make. Throws UsageError, also if a flag of
/// surfaces is given although no output in `paths` is a surface.
[[nodiscard]] io::SurfaceChoice surface_choice(const Arguments& arguments,
                                               const std::vector<std::filesystem::path>& paths);

/// Returns the flag --outline: the outlines of regions.
[[nodiscard]] Flag outline_flag();
/// Returns its choice. Throws UsageError, also if it is given although no output in `paths` holds
/// regions.
[[nodiscard]] io::RegionOutline outline_choice(const Arguments& arguments,
                                               const std::vector<std::filesystem::path>& paths);

}  // namespace seedwave::cli
