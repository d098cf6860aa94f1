// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/format.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/npy.h"

#include <algorithm>
#include <array>

namespace seedwave::io {

std::span<const Format> formats() {
  static const std::array kFormats{nifti_format(), npy_format()};
  return kFormats;
}

bool has_mark(std::span<const std::byte> head, std::string_view mark, std::size_t offset) {
  const auto wanted = std::as_bytes(std::span(mark));
  return head.size() >= offset + wanted.size() &&
         std::equal(wanted.begin(), wanted.end(),
                    head.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace seedwave::io
