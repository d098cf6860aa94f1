// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint_folder.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/formats/atomic_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The first line of each file, without the digits for its length.
constexpr std::string_view kMagic = "Seedwave checkpoint 1";
constexpr std::string_view kStates = ".states";
constexpr std::string_view kFinal = ".final";
constexpr std::size_t kMostHeader = 1024;

/// A file's lines before its states: magic, identity, digest of the states.
struct Header {
  std::string identity;
  std::string digest;
  std::int64_t bytes = 0;  // of the header
};

std::string header_text(const std::string& identity, const std::string& digest) {
  return std::string(kMagic) + '\n' + identity + '\n' + digest + '\n';
}

/// Returns nothing if it is no file of a checkpoint.
std::optional<Header> header_of(std::istream& file) {
  std::array<std::string, 3> lines;
  std::int64_t bytes = 0;
  for (std::string& line : lines) {
    if (!std::getline(file, line) || line.size() > kMostHeader) return {};
    bytes += std::ssize(line) + 1;
  }
  if (lines[0] != kMagic) return {};
  return Header{.identity = lines[1], .digest = lines[2], .bytes = bytes};
}

/// The numbers in "pass-0-4096-1024.states".
struct Name {
  int pass = 0;
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

std::optional<Name> name_of(const std::string& file) {
  constexpr std::string_view kBegin = "pass-";
  if (!file.starts_with(kBegin) || !file.ends_with(kStates)) return {};
  const char* at = file.data() + kBegin.size();
  const char* const end = file.data() + file.size() - kStates.size();
  Name name;
  const auto number = [&](auto& value, char before) {
    if (before != 0 && (at == end || *at++ != before)) return false;
    const auto [next, error] = std::from_chars(at, end, value);
    at = next;
    return error == std::errc() && value >= 0;
  };
  const bool good = number(name.pass, 0) && number(name.offset, '-') && number(name.size, '-');
  if (!good || at != end) return {};
  return name;
}

fs::path file_of(const fs::path& folder, int pass, std::int64_t offset, std::int64_t size) {
  return folder / ("pass-" + std::to_string(pass) + '-' + std::to_string(offset) + '-' +
                   std::to_string(size) + std::string(kStates));
}

bool is_of_a_checkpoint(const fs::path& file) {
  return file.extension() == kStates || file.extension() == kFinal;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    if (is_of_a_checkpoint(at->path())) files.push_back(at->path());
  if (failure) throw InputError("cannot list " + folder.string() + ": " + failure.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder, std::string identity,
                                   std::chrono::milliseconds every)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      every_(every),
      last_(Clock::now()) {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure || !fs::is_directory(folder_, failure)) {
    throw OutputError("cannot make the folder " + folder_.string() +
                      (failure ? ": " + failure.message() : ": a file has its name"));
  }
  for (const fs::path& file : files_in(folder_)) {
    std::ifstream stream(file, std::ios::binary);
    const std::optional<Header> header = header_of(stream);
    // A file that is cut off in its first lines says nothing.
    if (!header) continue;
    if (header->identity != identity_) {
      throw InputError(folder_.string() +
                       " holds the checkpoint of another run (another image, value or version): "
                       "name another folder, or remove it");
    }
    files_.insert(file);
  }
}

bool CheckpointFolder::is_due() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() - last_ >= every_;
}

int CheckpointFolder::begin_pass(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto pass = static_cast<int>(passes_.size());
  passes_[pass];
  for (const fs::path& file : files_)
    read_part(file, pass, bytes);
  // All bytes are there, and the pass was called final when they were written.
  std::int64_t covered = 0;
  std::vector<Part> parts = passes_[pass].parts;
  std::ranges::sort(parts, {}, &Part::offset);
  for (const Part& part : parts)
    if (part.offset <= covered) covered = std::max(covered, part.offset + part.size);
  passes_[pass].final = covered == bytes && files_.contains(final_file(pass));
  return pass;
}

/// Adds a file if it is whole and of that pass.
void CheckpointFolder::read_part(const fs::path& file, int pass, std::int64_t bytes) {
  const std::optional<Name> name = name_of(file.filename().string());
  if (!name || name->pass != pass || name->size > bytes || name->offset > bytes - name->size)
    return;
  std::ifstream stream(file, std::ios::binary);
  const std::optional<Header> header = header_of(stream);
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 22;
  Digest digest;
  std::vector<std::byte> some(static_cast<std::size_t>(std::min(kAtOnce, name->size)));
  std::int64_t left = header ? name->size : -1;
  while (left > 0) {
    const auto size = std::min(left, kAtOnce);
    if (!stream.read(reinterpret_cast<char*>(some.data()), size)) break;
    digest.add(std::span(some).first(static_cast<std::size_t>(size)));
    left -= size;
  }
  if (left != 0 || stream.peek() != std::char_traits<char>::eof() ||
      digest.text() != header->digest) {
    note(file.string() + " is damaged, and its part of the run is done again");
    return;
  }
  passes_[pass].parts.push_back({.file = file, .offset = name->offset, .size = name->size});
  found_ += name->size;
}

bool CheckpointFolder::is_final(int pass) const {
  const std::lock_guard lock(mutex_);
  return passes_.at(pass).final;
}

void CheckpointFolder::restore(int pass, std::int64_t offset, std::span<std::byte> states) const {
  std::vector<Part> parts;
  {
    const std::lock_guard lock(mutex_);
    parts = passes_.at(pass).parts;
  }
  const std::int64_t end = offset + std::ssize(states);
  for (const Part& part : parts) {
    const std::int64_t from = std::max(offset, part.offset);
    const std::int64_t to = std::min(end, part.offset + part.size);
    if (from >= to) continue;
    std::ifstream stream(part.file, std::ios::binary);
    const std::optional<Header> header = header_of(stream);
    std::vector<std::byte> there(static_cast<std::size_t>(to - from));
    if (!header || !stream.seekg(header->bytes + from - part.offset) ||
        !stream.read(reinterpret_cast<char*>(there.data()), std::ssize(there))) {
      const std::lock_guard lock(mutex_);
      note("cannot read " + part.file.string());
      continue;
    }
    std::ranges::copy(there, states.begin() + (from - offset));
  }
}

bool CheckpointFolder::save(int pass, std::int64_t offset, std::span<const std::byte> states) {
  const fs::path target = file_of(folder_, pass, offset, std::ssize(states));
  try {
    AtomicFile file(target);
    file.write(header_text(identity_, xxh64_digest(states)));
    file.write(states);
    file.commit();
  } catch (const OutputError& error) {
    const std::lock_guard lock(mutex_);
    note(error.what());
    return false;
  }
  const std::lock_guard lock(mutex_);
  files_.insert(target);
  last_ = Clock::now();
  return true;
}

void CheckpointFolder::set_final(int pass) {
  try {
    AtomicFile file(final_file(pass));
    file.write(header_text(identity_, ""));
    file.commit();
  } catch (const OutputError& error) {
    const std::lock_guard lock(mutex_);
    return note(error.what());
  }
  const std::lock_guard lock(mutex_);
  files_.insert(final_file(pass));
}

std::string CheckpointFolder::warning() const {
  const std::lock_guard lock(mutex_);
  return warning_;
}

std::int64_t CheckpointFolder::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

void CheckpointFolder::remove() {
  std::error_code ignored;
  for (const fs::path& file : files_in(folder_)) {
    std::ifstream stream(file, std::ios::binary);
    const std::optional<Header> header = header_of(stream);
    if (header && header->identity == identity_) fs::remove(file, ignored);
  }
  fs::remove(folder_, ignored);  // fails if it holds other files
}

fs::path CheckpointFolder::final_file(int pass) const {
  return folder_ / ("pass-" + std::to_string(pass) + std::string(kFinal));
}

void CheckpointFolder::note(const std::string& warning) const {
  if (warning_.empty()) warning_ = warning;
}

}  // namespace seedwave::io
