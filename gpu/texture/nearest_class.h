// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"

#include <vector>

/// What goes over all windows where tissue is told apart, on the context's device. Features stay
/// there; what comes back is a class and a distance a window, or the windows that are asked for.
namespace seedwave::gpu {

/// nearest_class()'s bits: f64, every operation rounded by itself. Stages: upload, features,
/// nearest, download. Throws as core's, and UnavailableError.
[[nodiscard]] NearestClasses nearest_class(const TpcfProblem& windows,
                                           const FeatureClasses& classes, Context& context);

/// sample_features()'s bits, picked out of a pass, or where they are few computed by the host.
[[nodiscard]] Points sample_features(const TpcfProblem& windows,
                                     const std::vector<WindowPlace>& places, Context& context);

}  // namespace seedwave::gpu
