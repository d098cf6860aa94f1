// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/clean_labels.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// Cleans up labels on the context's device, bit-identical to core's clean_labels(). Without sigma,
/// and with parts other than Largest, all labels at once; otherwise label by label, each in its
/// box.
///
/// Stages: upload, clean, download. Throws what core's throws, and UnavailableError (no device, out
/// of memory, why_no_clean_labels()).
[[nodiscard]] LabelMap clean_labels(const CleanLabelsProblem& problem, Context& context);

/// Returns the reason why images of this size cannot be processed, or "".
[[nodiscard]] std::string why_no_clean_labels(const Geometry& geometry);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t clean_labels_bytes(const Geometry& geometry, std::size_t label_bytes);

}  // namespace seedwave::gpu
