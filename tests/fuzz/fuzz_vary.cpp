// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/sweep/vary.h"
#include "core/ops/direction_text.h"
#include "core/ops/operation_table.h"
#include "core/ops/place_text.h"

#include <cstdlib>
#include <string>

/// The text that a user types for a parameter: a value, a direction, a place, the values of a
/// sweep. Text that can be read is written back to text that reads the same, and a sweep's values
/// stay within its bounds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  static const OperationTable table = make_operation_table();
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  if (const auto direction = parse_direction(text)) {
    if (parse_direction(direction_text(*direction)) != direction) std::abort();
  }
  if (const auto place = parse_place(text)) {
    if (parse_place(place_text(*place)) != place) std::abort();
  }
  for (const Operation& operation : table.operations()) {
    for (const Parameter& parameter : operation.parameters) {
      try {
        const Value value = parse_value(parameter, text);
        if (parse_value(parameter, text_of(value)) != value) std::abort();
      } catch (const UsageError&) {
      }
    }
    try {
      const Vary vary = parse_vary(operation, text);
      if (parse_vary(operation, to_text(vary)) != vary) std::abort();
      if (axis_of(operation, vary, true).values.size() > kMostSweepRuns) std::abort();
    } catch (const UsageError&) {
    }
  }
  return 0;
}
