// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/io/slides/dicom_slide.h"
#include "core/io/slides/slide.h"
#include "core/io/slides/slide_view.h"

#include <filesystem>
#include <memory>
#include <vector>

/// Slides among the items of a scan.
namespace seedwave::io {

/// Largest number of pixels of the level that a slide opens with: it is shown within half a second,
/// and runs on it are live.
inline constexpr std::int64_t kMostPixelsOpened = 20'000'000;
/// Largest number of pixels of a part that is read at the finest level unless another is asked for.
inline constexpr std::int64_t kMostPixelsAtOnce = 64'000'000;

/// Largest number of pixels of the level that surrounds a part of a slide, if there is one.
inline constexpr std::int64_t kMostPixelsAround = 4'000'000;

/// Returns the level that a slide opens with: the finest of at most kMostPixelsOpened pixels, or
/// the coarsest.
[[nodiscard]] int opened_level(const SlideInfo& info);

/// Returns the item of a slide: its finest level of at most kMostPixelsOpened pixels, or the
/// coarsest.
[[nodiscard]] Item slide_item(const Slide& slide, std::vector<std::filesystem::path> files);

/// Returns the same item for another view. A scale that no level has is made from the next finer
/// level, by the mean of squares of whole pixels: so it may be finer than asked for, by less than
/// half. Throws UsageError that names the flag: a level or a channel that does not exist, a region
/// outside the slide, a scale where the size of a pixel is unknown.
[[nodiscard]] Item with_view(const Item& item, const SlideView& view);

/// Returns the same item for the pixels that lie on `grid`, on whichever level: what is read beside
/// an image. For the finest level if no pixels do.
[[nodiscard]] Item with_pixels_on(const Item& item, const Geometry& grid);

/// Reads what an item represents. Throws DamagedError (tiles that cannot be decoded; with
/// Damaged::Read they are the background, and a warning says how many), InputError,
/// UnavailableError, Cancelled.
[[nodiscard]] LoadedImage load_slide(const Item& item, Context& context, Damaged damaged);
/// Reads the same from the slide of the item, which is open already. Throws as load_slide().
[[nodiscard]] LoadedImage load_part(const std::shared_ptr<const Slide>& slide, const Item& item,
                                    Context& context, Damaged damaged);

/// Returns a coarse copy of the whole slide, to be shown around an image that is a part of it;
/// empty for other images, for slides that do not state the size of a pixel, and for those without
/// a level that is small enough. Throws InputError, Cancelled.
[[nodiscard]] Volume read_surroundings(const LoadedImage& image, Context& context);

}  // namespace seedwave::io
