// SPDX-License-Identifier: Apache-2.0
#include "research/gpu_check/serpentine_case.h"

#include "research/bench/mazes.h"
#include "research/bench/timing.h"

namespace seedwave::gpu_check {

CheckCase serpentine_case(std::int64_t side) {
  CheckCase c;
  c.operation = "reconstruct";
  c.inputs.image = bench::snake(side);
  c.inputs.marker = bench::corner_marker(c.inputs.image);
  c.name = "serpentine " + bench::text_of_size(c.inputs.image.geometry().size);
  c.values.set("connectivity", "4");
  return c;
}

}  // namespace seedwave::gpu_check
