// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <string_view>

namespace seedwave::gpu_check {

[[nodiscard]] Context::Settings settings_of_device(int number);

/// Device memory that is spoiled before a small run, more than it takes.
inline constexpr std::int64_t kPoisonBytes = 16 << 20;

/// Of a run; 0 where there was no such stage.
[[nodiscard]] double stage_ms(const Context& context, std::string_view stage);

}  // namespace seedwave::gpu_check
