// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint_folder.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/formats/atomic_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kMagic = "Seedwave checkpoint 1";
constexpr const char* kStates = ".states";
constexpr const char* kFinal = ".final";

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
    std::array<char, 512> text{};
    if (!file.getline(text.data(), text.size()) || file.eof()) return {};
    line = text.data();
    bytes += std::ssize(line) + 1;
  }
  if (lines[0] != kMagic) return {};
  return Header{.identity = lines[1], .digest = lines[2], .bytes = bytes};
}

std::optional<Header> header_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return header_of(stream);
}

/// Returns the numbers in the end of a name, "4096-1024" of "states-0-8192-4096-1024.states", after
/// `begin`.
std::optional<std::array<std::int64_t, 2>> numbers_after(const std::string& begin,
                                                         const std::string& name) {
  const std::string end = kStates;
  if (!name.starts_with(begin) || !name.ends_with(end)) return {};
  if (name.size() <= begin.size() + end.size()) return {};
  const char* at = name.data() + begin.size();
  const char* const last = name.data() + name.size() - end.size();
  std::array<std::int64_t, 2> numbers{};
  const auto [middle, first_error] = std::from_chars(at, last, numbers[0]);
  if (first_error != std::errc() || middle == last || *middle != '-') return {};
  const auto [stop, second_error] = std::from_chars(middle + 1, last, numbers[1]);
  if (second_error != std::errc() || stop != last) return {};
  if (numbers[0] < 0 || numbers[1] < 0) return {};
  return numbers;
}

/// Returns the files of checkpoints in a folder; not links and the like.
std::vector<fs::path> files_in(const fs::path& folder, std::error_code& failure) {
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const fs::path& file = at->path();
    std::error_code ignored;
    if (file.extension() != kStates && file.extension() != kFinal) continue;
    if (fs::is_regular_file(at->symlink_status(ignored))) files.push_back(file);
  }
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
  for (const fs::path& file : files_in(folder_, failure)) {
    // A file that is cut off in its first lines says nothing.
    if (const auto header = header_in(file); header && header->identity != identity_) {
      throw InputError(folder_.string() +
                       " holds the checkpoint of another run (another image, value or version): "
                       "name another folder, or remove it");
    }
  }
  if (failure) throw InputError("cannot list " + folder_.string() + ": " + failure.message());
  AtomicFile probe(folder_ / ("probe" + std::string(kStates)));  // vanishes
  probe.write(std::string_view("."));
}

bool CheckpointFolder::is_due() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() - last_ >= every_;
}

int CheckpointFolder::begin_pass(const std::string& name, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const int before = begun_[name]++;
  Pass& pass = passes_.emplace_back(
      Pass{.name = name + '-' + std::to_string(before) + '-' + std::to_string(bytes),
           .bytes = bytes,
           .parts = {}});
  read_parts(pass);
  return static_cast<int>(passes_.size()) - 1;
}

void CheckpointFolder::begin_anew() {
  const std::lock_guard lock(mutex_);
  begun_.clear();
}

/// Finds the whole files of a pass. It is final if that was noted, and they are all of it, each
/// byte once.
void CheckpointFolder::read_parts(Pass& pass) {
  std::error_code failure;
  std::int64_t covered = 0;
  for (const fs::path& file : files_in(folder_, failure)) {
    const auto numbers = numbers_after(pass.name + '-', file.filename().string());
    if (!numbers) continue;
    const auto [offset, size] = *numbers;
    if (size > pass.bytes || offset > pass.bytes - size) continue;
    const Part part{.file = file, .offset = offset, .size = size};
    if (!is_whole(part)) {
      note(file.string() + " is damaged, and its part of the run is done again");
      continue;
    }
    pass.parts.push_back(part);
    covered += size;
  }
  if (failure) note("cannot list " + folder_.string() + ": " + failure.message());
  found_ += covered;
  std::ranges::sort(pass.parts, {}, &Part::offset);
  std::int64_t next = 0;
  for (const Part& part : pass.parts)
    if (part.offset == next) next += part.size;
  const auto header = header_in(path_of(pass, kFinal));
  pass.final =
      next == pass.bytes && covered == pass.bytes && header && header->identity == identity_;
}

bool CheckpointFolder::is_whole(const Part& part) const {
  std::ifstream stream(part.file, std::ios::binary);
  const std::optional<Header> header = header_of(stream);
  if (!header || header->identity != identity_) return false;
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 22;
  Digest digest;
  std::vector<std::byte> some(static_cast<std::size_t>(std::min(kAtOnce, part.size)));
  for (std::int64_t left = part.size; left > 0;) {
    const std::int64_t size = std::min(left, kAtOnce);
    if (!stream.read(reinterpret_cast<char*>(some.data()), size)) return false;
    digest.add(std::span(some).first(static_cast<std::size_t>(size)));
    left -= size;
  }
  return stream.peek() == std::char_traits<char>::eof() && digest.text() == header->digest;
}

bool CheckpointFolder::is_final(int pass) const {
  const std::lock_guard lock(mutex_);
  return passes_[static_cast<std::size_t>(pass)].final;
}

void CheckpointFolder::set_final(int pass, bool is_final) {
  const std::lock_guard lock(mutex_);
  Pass& changed = passes_[static_cast<std::size_t>(pass)];
  const fs::path target = path_of(changed, kFinal);
  try {
    if (is_final) {
      AtomicFile file(target);
      file.write(header_text(identity_, ""));
      file.commit();
    } else {
      fs::remove(target);
    }
    changed.final = is_final;
  } catch (const std::exception& error) {
    note(error.what());
  }
}

bool CheckpointFolder::restore(int pass, std::int64_t offset, std::span<std::byte> states) const {
  const std::lock_guard lock(mutex_);
  const std::int64_t end = offset + std::ssize(states);
  for (const Part& part : passes_[static_cast<std::size_t>(pass)].parts) {
    const std::int64_t from = std::max(offset, part.offset);
    const std::int64_t to = std::min(end, part.offset + part.size);
    if (from >= to) continue;
    std::ifstream stream(part.file, std::ios::binary);
    const std::optional<Header> header = header_of(stream);
    std::vector<std::byte> there(static_cast<std::size_t>(to - from));
    if (!header || !stream.seekg(header->bytes + from - part.offset) ||
        !stream.read(reinterpret_cast<char*>(there.data()), std::ssize(there))) {
      // Another process may have replaced it by parts of another thickness.
      std::error_code ignored;
      if (fs::exists(part.file, ignored)) note("cannot read " + part.file.string());
      return false;
    }
    std::ranges::copy(there, states.begin() + (from - offset));
  }
  return true;
}

bool CheckpointFolder::save(int pass, std::int64_t offset, std::span<const std::byte> states) {
  Part part{.file = {}, .offset = offset, .size = std::ssize(states)};
  {
    const std::lock_guard lock(mutex_);
    part.file = path_of(passes_[static_cast<std::size_t>(pass)],
                        '-' + std::to_string(offset) + '-' + std::to_string(part.size) + kStates);
  }
  try {
    AtomicFile file(part.file);
    file.write(header_text(identity_, xxh64_digest(states)));
    file.write(states);
    file.commit();
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    note(error.what());
    return false;
  }
  const std::lock_guard lock(mutex_);
  last_ = Clock::now();
  // Files of parts of another thickness are older.
  std::vector<Part>& parts = passes_[static_cast<std::size_t>(pass)].parts;
  std::erase_if(parts, [&](const Part& old) {
    const bool overlaps =
        old.offset < part.offset + part.size && part.offset < old.offset + old.size;
    std::error_code ignored;
    if (overlaps && old.file != part.file) fs::remove(old.file, ignored);
    return overlaps;
  });
  parts.push_back(std::move(part));
  return true;
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
  for (const fs::path& file : files_in(folder_, ignored))
    if (const auto header = header_in(file); header && header->identity == identity_)
      fs::remove(file, ignored);
  fs::remove(folder_, ignored);  // fails if it holds other files
}

fs::path CheckpointFolder::path_of(const Pass& pass, const std::string& rest) const {
  return folder_ / (pass.name + rest);
}

void CheckpointFolder::note(const std::string& warning) const {
  if (warning_.empty()) warning_ = warning;
}

}  // namespace seedwave::io
