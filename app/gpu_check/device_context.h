// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <string_view>

namespace seedwave::gpu_check {

[[nodiscard]] Context::Settings settings_of_device(int number);

/// Of a run; 0 where there was no such stage.
[[nodiscard]] double stage_ms(const Context& context, std::string_view stage);

}  // namespace seedwave::gpu_check
