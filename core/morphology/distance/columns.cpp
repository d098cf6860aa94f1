// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance/columns.h"

#include "core/morphology/distance/line.h"
#include "core/morphology/distance/share_out.h"

#include <cstddef>

namespace seedwave::distance {

Columns::Columns(const std::uint8_t* objects, const Index3& size, const Kernel& kernel,
                 Context& context)
    : objects_(objects), size_(size), kernel_(kernel), stride_(filled_up(size[0], kColumnBlock)) {
  // A slice whose steps fit into the cache is one band; a 2-D image has many.
  constexpr std::int64_t kSliceBytes = 1 << 19;
  constexpr std::int64_t kBandRows = 64;
  const bool whole = size[2] > 1 && size[1] * stride_ * 2 <= kSliceBytes;
  rows_ = whole ? size[1] : std::min<std::int64_t>(size[1], kBandRows);
  bands_ = (size[1] + rows_ - 1) / rows_;
  beyond_.assign(static_cast<std::size_t>(2 * size[2] * bands_ * stride_), kNoneYet);
  if (bands_ > 1) look_beyond(context);
}
void Columns::look_beyond(Context& context) {
  constexpr std::uint8_t kNever = 255;
  std::vector<std::uint8_t> firsts(static_cast<std::size_t>(bands() * stride_), kNever);
  std::vector<std::uint8_t> lasts(firsts.size(), 0);
  share_out(context, bands(), [&] {
    return [&](std::int64_t band) {
      context.checkpoint(0.0);
      for (std::int64_t r = 0; r < row_count(band); ++r) {
        // Numbered from 1, because 0 means never.
        kernel_.steps.mark(row(first_row(band) + r), size_[0], static_cast<std::uint8_t>(r + 1),
                           &firsts[band * stride_], &lasts[band * stride_]);
      }
    };
  });
  for (std::int64_t slice = 0; slice < size_[2]; ++slice)
    carry(slice, firsts, lasts);
}

void Columns::carry(std::int64_t slice, const std::vector<std::uint8_t>& firsts,
                    const std::vector<std::uint8_t>& lasts) {
  for (std::int64_t band = slice * bands_; band + 1 < (slice + 1) * bands_; ++band) {
    const std::uint8_t* last = &lasts[band * stride_];
    const auto rows = static_cast<std::uint16_t>(row_count(band));
    const std::uint16_t* from = above(band);
    std::uint16_t* to = above(band + 1);
    for (std::int64_t i = 0; i < stride_; ++i)
      to[i] = static_cast<std::uint16_t>(last[i] != 0 ? rows - last[i] : from[i] + rows);
  }
  for (std::int64_t band = (slice + 1) * bands_ - 1; band > slice * bands_; --band) {
    const std::uint8_t* first = &firsts[band * stride_];
    const auto rows = static_cast<std::uint16_t>(row_count(band));
    const std::uint16_t* from = below(band);
    std::uint16_t* to = below(band - 1);
    for (std::int64_t i = 0; i < stride_; ++i)
      to[i] = static_cast<std::uint16_t>(first[i] != 255 ? first[i] - 1 : from[i] + rows);
  }
}

}  // namespace seedwave::distance
