// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/device_context.h"

namespace seedwave::gpu_check {

Context::Settings settings_of_device(int number) {
  Context::Settings settings;
  settings.device = number;
  return settings;
}

double stage_ms(std::span<const StageTime> stages, std::string_view stage) {
  for (const StageTime& time : stages) {
    if (time.stage == stage) return time.ms;
  }
  return 0.0;
}

double stage_ms(const Context& context, std::string_view stage) {
  return stage_ms(context.stage_times(), stage);
}

}  // namespace seedwave::gpu_check
