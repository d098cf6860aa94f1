// SPDX-License-Identifier: Apache-2.0
#include "app/cli/memory_plan.h"

#include "core/base/available_memory.h"
#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace seedwave::cli {
namespace {

/// Bytes of memory to a byte of the image that any solver does with. Below, it runs in one piece.
constexpr std::int64_t kMostToAByte = 16;

/// Returns the folder of --scratch, else one that is on a disk by custom: /tmp may be in memory.
std::filesystem::path scratch_folder(const Arguments& arguments) {
  if (const auto folder = arguments.text("scratch")) return *folder;
  const char* set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? set : "/var/tmp";
}

/// Returns whether the implementation on the CPU can work in parts.
bool can_keep_limit(const Operation& operation, const ImplementationRequest& how) {
  const auto found =
      std::ranges::find_if(operation.implementations, [&](const Implementation& implementation) {
        return implementation.backend == Backend::Cpu &&
               (how.algorithm.empty() || how.algorithm == implementation.algorithm);
      });
  return found != operation.implementations.end() && found->least_bytes != nullptr;
}

/// Returns the limit that was given, or three quarters of what is available.
std::int64_t limit_of_arrays(std::int64_t given) {
  return given > 0 ? given : std::max<std::int64_t>(1, available_memory() / 4 * 3);
}

std::unique_ptr<ScratchMemory> files_beyond(std::int64_t memory, bool maps_inputs,
                                            const Arguments& arguments) {
  return std::make_unique<ScratchMemory>(ScratchSettings{
      .folder = scratch_folder(arguments), .memory = memory, .maps_inputs = maps_inputs});
}

}  // namespace

Flag memory_flag() {
  return {"memory", "SIZE",
          "limit of working memory beyond inputs and outputs, such as 500M or 2G; on cuda, of "
          "device memory; larger data are processed in parts; of a slide, of all arrays in memory "
          "(default: all available)"};
}

Flag scratch_flag() {
  return {"scratch", "DIR",
          "folder for arrays that do not fit into --memory, which then limits them all; always "
          "used for slides (default: TMPDIR, or /var/tmp)"};
}

Flag tile_flag() {
  return {"tile", "N",
          "largest number of rows (of a volume slices) of the parts in which connectedness, "
          "reconstruction, watershed, openings along a line and, of an image, distances work; the "
          "result is the same for any, except with iwpp-edt"};
}

std::int64_t memory_of(const Arguments& arguments) {
  const auto text = arguments.text("memory");
  if (!text) return 0;
  const std::optional<std::int64_t> bytes = parse_bytes(*text);
  if (!bytes) {
    throw UsageError("--memory must be a size of at least 1 byte, such as 500M or 2G, not '" +
                     *text + "'");
  }
  return *bytes;
}

ImageSize size_of(const io::Item& item) {
  return {.is_slide = item.kind == io::ItemKind::Slide,
          .bytes = item.geometry.voxel_count() * item.components *
                   static_cast<std::int64_t>(bytes_of(item.type))};
}

MemoryPlan plan_memory(const Arguments& arguments, const Operation& operation,
                       const ImplementationRequest& how, const ImageSize& image) {
  const std::int64_t given = memory_of(arguments);
  if (!image.is_slide && !arguments.has("scratch")) return {given, nullptr};
  const std::int64_t all = limit_of_arrays(given);
  MemoryPlan plan;
  // That an input changes is noticed at the end. No states may be saved before.
  const bool maps_inputs = !arguments.has("checkpoint");
  try {
    plan.files = files_beyond(all, maps_inputs, arguments);
  } catch (const UnavailableError&) {
    // Only a folder that was asked for must do: the run may fit into memory.
    if (arguments.has("scratch")) throw;
  }
  // Labels are processed in one piece.
  const bool in_parts = !arguments.has("labels") && (given > 0 || image.bytes > all / kMostToAByte);
  if (in_parts && (plan.files || can_keep_limit(operation, how)))
    plan.solver = std::max<std::int64_t>(1, all / 2);
  return plan;
}

std::vector<Flag> cases_memory_flags() {
  return {
      {"memory", "SIZE",
       "limit of the arrays in memory, of all cases at the same time, such as 500M or 2G; files "
       "hold the rest, and results have the same bits (default: all in memory)"},
      {"scratch", "DIR", "folder of these files, on a disk (default: TMPDIR, or /var/tmp)"}};
}

MemoryPlan plan_memory_of_cases(const Arguments& arguments, int jobs) {
  const std::int64_t given = memory_of(arguments);
  if (given == 0 && !arguments.has("scratch")) return {};
  const std::int64_t all = limit_of_arrays(given);
  return {.solver = std::max<std::int64_t>(1, all / 2 / jobs),
          .files = files_beyond(all, false, arguments)};
}

}  // namespace seedwave::cli
