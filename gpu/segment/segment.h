// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/segment.h"
#include "core/parallel/context.h"

#include <optional>

namespace seedwave::gpu {

/// Runs all steps of a segmentation on the context's device, bit-identical to the CPU's steps. The
/// labels stay there between the steps; only the last ones are downloaded, as u8 if they fit. The
/// strengths are downloaded while the borders are cut.
///
/// Returns nothing for diagonal neighbours, smoothed outlines, KeptParts::Largest, a memory limit,
/// and if the device has too little memory: then the steps run one by one.
///
/// Stages: those of irfc_by_tiles(), and border, of which all but the rest after the download of
/// the strengths runs beside it. Throws InputError for NaN near a border, and Cancelled.
[[nodiscard]] std::optional<Segmented> segment_at_once(const SegmentSteps& steps, Context& context);

}  // namespace seedwave::gpu
