// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/stacks.h"
#include "core/io/image_source.h"

#include <vector>

namespace seedwave::io::dicom {

/// Returns the items as which a stack can be opened. A grid gives one. Uneven or sheared slices
/// give one that is not usable and says why, then its repairs, each marked in its description.
[[nodiscard]] std::vector<Item> items_of(const Stack& stack);

}  // namespace seedwave::io::dicom
