// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/each_label.h"
#include "core/ops/operation.h"

#include <functional>
#include <string>

/// Parts of operations that work on an image, or on the labels of a map, each label by itself.
namespace seedwave {

/// The parameter that names the label of everything else.
inline constexpr const char* kBackground = "background";

/// Returns the labels that such an operation reads in place of its image.
[[nodiscard]] InputSpec labels_in_place(std::string help);
/// Returns the parameter `background` of such an operation.
[[nodiscard]] Parameter background_parameter();
/// Returns the labels of a run that reads some. Sets the value of `background` to the number used.
[[nodiscard]] LabelledObjects labelled_objects(const Inputs& inputs, Values& values,
                                               Context& context);
/// Returns the `why_not` of an implementation: devices cannot process labels.
[[nodiscard]] std::function<std::string(const Inputs&, const Values&)> labels_on_cpu_alone(
    Backend backend);

}  // namespace seedwave
