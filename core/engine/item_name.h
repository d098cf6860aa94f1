// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"

#include <cstddef>
#include <string>

namespace seedwave {

/// Returns the name by which an item of a scan is found again, see Source::series: "" if it is the
/// only one, its series UID if that is unique, otherwise its 1-based place.
[[nodiscard]] std::string name_of_item(const io::Scan& scan, std::size_t item);

}  // namespace seedwave
