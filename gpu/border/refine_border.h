// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/refine_border.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// Moves the borders of labels on the context's device, bit-identical to core's refine_border().
/// The image stays on the device for the next run.
///
/// The sets of a minimum cut that decide are unique, so pushing flow (minimum_cut.cuh) gives the
/// bits of the CPU's two trees.
///
/// Stages: upload, border, download. Throws what core's throws, and UnavailableError (no device,
/// out of memory, why_no_refine_border()).
[[nodiscard]] LabelMap refine_border(const border::RefineBorderProblem& problem, Context& context);

/// Returns the reason why images of this size cannot be processed, or "".
[[nodiscard]] std::string why_no_refine_border(const Geometry& geometry);

/// Returns the device memory of a run whose bands hold an eighth of the image.
[[nodiscard]] std::int64_t refine_border_bytes(const Geometry& geometry, VoxelType image,
                                               std::size_t label_bytes);

}  // namespace seedwave::gpu
