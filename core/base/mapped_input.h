// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

/// Inputs that lie in files as they are in memory: they are used where they lie, and read once at
/// most. Only in programs with a ScratchMemory that maps inputs (scratch_memory.h).
namespace seedwave::mapped {

/// Sets the size from which inputs are mapped; 0: none is.
void set_least_input(std::int64_t bytes) noexcept;

/// Returns bytes of a file from `offset` on as memory that is only read, until the last copy of the
/// pointer is gone; null if inputs of that size are read into arrays, or the file cannot be mapped
/// or is shorter. The file must not change before refuse_changed_inputs().
[[nodiscard]] std::shared_ptr<const std::byte> map_input(const std::filesystem::path& file,
                                                         std::int64_t offset, std::int64_t bytes);

/// Size of a file, and seconds and nanoseconds of its time of change. Two versions of a file differ
/// in these. Not at once, if its bytes are changed through a mapping of another program: the system
/// may note that half a minute later.
using Version = std::array<std::int64_t, 3>;

/// The bytes of a file at one time, for other processes.
struct Place {
  std::string file;  // absolute
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  Version version{};
};
/// Returns where these bytes lie, if they are of an input that is mapped.
[[nodiscard]] std::optional<Place> place_of(std::span<const std::byte> bytes);
/// Maps what another process has mapped. Returns null as map_input() does, and if this process sees
/// another version of the file.
[[nodiscard]] std::shared_ptr<const std::byte> map_same(const Place& place);

/// Throws InputError that names the file if an input is not what it was when it was mapped, by size
/// and time of change, and throws as refuse_lost() does. To be called before an output appears.
void refuse_changed_inputs();
/// Changes that were found in earlier work are no longer of interest.
void forget_changed_inputs() noexcept;

// Hints on the order in which inputs are used. Bytes outside them are left alone, and
// contents never depend on these calls.

/// These bytes are used next: they are read in the background, by fetch_inputs().
void expect(std::span<const std::byte> bytes);
/// These bytes are not used for long: their memory serves others, and so does the system's cache if
/// inputs and arrays in files together have more than set_most_cached() bytes.
void leave(std::span<const std::byte> bytes);
void set_most_cached(std::int64_t bytes) noexcept;
/// Reads what is expected, until a stop is requested: the work of a thread of its own.
void fetch_inputs(const std::stop_token& stop);

}  // namespace seedwave::mapped
