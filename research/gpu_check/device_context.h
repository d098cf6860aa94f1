// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace seedwave::gpu_check {

[[nodiscard]] Context::Settings settings_of_device(int number);

/// Device memory that is overwritten before a small run; more than the run takes.
inline constexpr std::int64_t kPoisonBytes = 16 << 20;

/// Returns the time of a stage; 0 if there is none of that name.
[[nodiscard]] double stage_ms(std::span<const StageTime> stages, std::string_view stage);
/// Returns the time of a stage of a context's run.
[[nodiscard]] double stage_ms(const Context& context, std::string_view stage);

}  // namespace seedwave::gpu_check
