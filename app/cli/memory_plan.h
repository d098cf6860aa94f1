// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/base/scratch_memory.h"
#include "core/io/image_source.h"
#include "core/ops/operation_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::cli {

/// Returns the flags --memory, --scratch and --tile.
[[nodiscard]] Flag memory_flag();
[[nodiscard]] Flag scratch_flag();
[[nodiscard]] Flag tile_flag();
/// Returns --memory in bytes, 0 if it was not given. Throws UsageError.
[[nodiscard]] std::int64_t memory_of(const Arguments& arguments);

/// The memory of a run. For an image that may be larger than memory, a slide or one with --scratch,
/// --memory limits the arrays that the program keeps in memory, and files hold the rest; otherwise
/// it limits what the solver takes beside inputs and outputs.
struct MemoryPlan {
  /// Context::Settings::memory.
  std::int64_t solver = 0;
  /// Null if all arrays are in memory. It must live as long as the run.
  std::unique_ptr<ScratchMemory> files;
};

/// The image of a run, as far as its memory depends on it.
struct ImageSize {
  bool is_slide = false;
  std::int64_t bytes = 0;
};
[[nodiscard]] ImageSize size_of(const io::Item& item);

/// `how`: as the user asks. Throws UsageError, and UnavailableError if there can be no files in
/// --scratch.
[[nodiscard]] MemoryPlan plan_memory(const Arguments& arguments, const Operation& operation,
                                     const ImplementationRequest& how, const ImageSize& image);

/// Returns --memory and --scratch of a call with several cases, where they limit the arrays of all.
[[nodiscard]] std::vector<Flag> cases_memory_flags();

/// The memory of cases of which `jobs` run at the same time: with --memory or --scratch files hold
/// what exceeds the limit; without, all arrays are in memory. Throws UsageError, and
/// UnavailableError if there can be no files.
[[nodiscard]] MemoryPlan plan_memory_of_cases(const Arguments& arguments, int jobs);

}  // namespace seedwave::cli
