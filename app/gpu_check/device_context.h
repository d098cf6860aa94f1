// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace seedwave::gpu_check {

[[nodiscard]] Context::Settings settings_of_device(int number);

/// Device memory that is spoiled before a small run, more than it takes.
inline constexpr std::int64_t kPoisonBytes = 16 << 20;

/// The time of a stage; 0 if there was none of that name.
[[nodiscard]] double stage_ms(std::span<const StageTime> stages, std::string_view stage);
/// The same of a context's run.
[[nodiscard]] double stage_ms(const Context& context, std::string_view stage);

}  // namespace seedwave::gpu_check
