// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/feature_sample.h"
#include "core/texture/nearest_class.h"

#include <vector>

/// The passes over all windows of tissue classification, on the context's device. Features stay
/// there. Only a class and a distance per window, or the requested windows, are downloaded.
namespace seedwave::gpu {

/// Gives the same bits as core's nearest_class(): f64, with every operation rounded separately.
/// Stages: upload, features, nearest, download. Throws as core's, and UnavailableError.
[[nodiscard]] NearestClasses nearest_class(const TpcfProblem& windows,
                                           const FeatureClasses& classes, Context& context);

/// Gives the same bits as core's sample_features(). The windows are gathered from a pass or, if
/// they are few, computed by the host.
[[nodiscard]] Points sample_features(const TpcfProblem& windows,
                                     const std::vector<WindowPlace>& places, Context& context);

}  // namespace seedwave::gpu
