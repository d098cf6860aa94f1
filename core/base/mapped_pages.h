// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Parts of files that are mapped into memory: arrays that lie in files (scratch_files.h), and
/// inputs (mapped_input.h). Their pages come into the program's memory when they are used, and can
/// be taken out of it at any time. It allocates no memory itself, as it serves `operator new`.
/// Linux only.
///
/// A page that cannot be read, as the disk fails or somebody cut the file short, does not kill the
/// program: zeros take the place of the whole mapping, and from then on refuse_lost() throws. Any
/// other bus error kills as usual.
namespace seedwave::mapped {

inline constexpr std::int64_t kPageBytes = 4096;

enum class Access { ReadOnly, ReadWrite };

/// Maps bytes of a file from `offset` on, which is a multiple of kPageBytes, so that large pages
/// of the file can be large pages of memory. What is written goes to the file. Returns null with
/// errno set if that fails. `name` is the file's for refuse_lost(), valid until unmap(); null for
/// an array.
[[nodiscard]] void* map(int file, std::int64_t offset, std::size_t bytes, Access access,
                        const char* name);
/// Ends a mapping that begins there.
void unmap(void* memory) noexcept;

/// Takes the pages of all mappings out of the program's memory. Their contents stay in the files,
/// and come back when they are next used.
void drop_pages();

/// Returns the bytes of mapped files that are in memory, those of the program's own code included.
[[nodiscard]] std::int64_t in_memory() noexcept;

/// Sets how many bytes of mapped files may be in memory when keep_pace() returns; 0: any number.
void set_most_in_memory(std::int64_t bytes) noexcept;
/// Drops pages if more are in memory. To be called now and then by threads that work on arrays,
/// since many bring in pages faster than one thread drops them. Costs next to nothing. Throws as
/// refuse_lost() does.
void keep_pace();

/// Throws InputError that names the file if a page of an input was lost, UnavailableError if one of
/// an array was. To be called before anything that was computed leaves the program.
void refuse_lost();
/// Lost pages of earlier work are no longer of interest.
void forget_lost() noexcept;

}  // namespace seedwave::mapped
