// SPDX-License-Identifier: Apache-2.0
#include "core/base/available_memory.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace seedwave {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// Returns the path below `root`. `path` is absolute, as the kernel writes it.
fs::path under(const fs::path& root, const fs::path& path) {
  return root / path.relative_path();
}

/// Returns the number after a key in a file of keys and numbers.
std::optional<std::int64_t> number_behind(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  std::string word;
  std::int64_t number = 0;
  while (stream >> word >> number) {
    if (word == key) return number;
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return {};
}

/// Returns the one number in a file, or nothing if it says "max" or cannot be read.
std::optional<std::int64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::int64_t number = 0;
  if (stream >> number && number >= 0) return number;
  return {};
}

/// Returns the memory that the whole machine can give.
std::int64_t free_on_machine(const fs::path& root) {
  if (const auto kilobytes = number_behind(root / "proc/meminfo", "MemAvailable:")) {
    return *kilobytes * 1024;
  }
  const auto pages = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  return pages > 0 && page > 0 ? pages * page : kUnlimited;
}

/// File names of one version of control groups.
struct Names {
  std::vector<std::string> limits;
  std::string usage;
  std::string reclaimable;  // in memory.stat
};

const Names& names_of_v1() {
  static const Names names{
      {"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"};
  return names;
}

const Names& names_of_v2() {
  static const Names names{{"memory.max", "memory.high"}, "memory.current", "inactive_file"};
  return names;
}

/// Returns the bytes that the limits of one group leave.
std::int64_t left_in(const fs::path& group, const Names& names) {
  std::int64_t limit = kUnlimited;
  for (const std::string& name : names.limits)
    limit = std::min(limit, number_in(group / name).value_or(kUnlimited));
  if (limit == kUnlimited) return kUnlimited;
  const std::int64_t used = number_in(group / names.usage).value_or(0);
  const std::int64_t given_back =
      number_behind(group / "memory.stat", names.reclaimable).value_or(0);
  return std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - given_back));
}

/// Returns the minimum that a group and its ancestors leave, up to the mount point of the
/// hierarchy.
std::int64_t left_up_to(const fs::path& mount, const fs::path& group, const Names& names) {
  std::int64_t left = left_in(mount, names);
  fs::path place = mount;
  for (const fs::path& part : group.relative_path()) {
    place /= part;
    left = std::min(left, left_in(place, names));
  }
  return left;
}

/// A mounted hierarchy of control groups that counts memory.
struct Hierarchy {
  fs::path mount;
  /// The group that is mounted there: a container often sees its own group only.
  fs::path root;
  bool is_v2 = false;
};

bool has_word(const std::string& list, std::string_view wanted) {
  std::istringstream words(list);
  std::string word;
  while (std::getline(words, word, ','))
    if (word == wanted) return true;
  return false;
}

/// Reads /proc/self/mountinfo: "36 35 0:31 ROOT MOUNT options ... - TYPE source options".
std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream mounts(root / "proc/self/mountinfo");
  std::string line;
  while (std::getline(mounts, line)) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream front(line.substr(0, dash));
    std::istringstream back(line.substr(dash + 3));
    std::string ignored;
    std::string mounted;
    std::string place;
    std::string type;
    std::string options;
    front >> ignored >> ignored >> ignored >> mounted >> place;
    back >> type >> ignored >> options;
    const bool is_v2 = type == "cgroup2";
    if (is_v2 || (type == "cgroup" && has_word(options, "memory"))) {
      found.push_back({under(root, place), mounted, is_v2});
    }
  }
  return found;
}

/// Returns the process's group in a hierarchy, from /proc/self/cgroup: "0::/a/b" (v2),
/// "4:memory:/a" (v1).
std::optional<std::string> own_group(const fs::path& root, bool is_v2) {
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (is_v2 ? controllers.empty() : has_word(controllers, "memory"))
      return line.substr(second + 1);
  }
  return {};
}

/// Returns the group as seen from the mount, without the part of its path above it.
fs::path below(const std::string& group, const fs::path& mounted) {
  const fs::path relative = fs::path(group).lexically_relative(mounted);
  // The group is outside the mount: the mount itself is the nearest visible group.
  if (relative.empty() || *relative.begin() == "..") return {};
  return relative == "." ? fs::path() : relative;
}

std::int64_t left_in_groups(const fs::path& root) {
  std::int64_t left = kUnlimited;
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    const auto group = own_group(root, hierarchy.is_v2);
    if (!group) continue;
    left = std::min(left, left_up_to(hierarchy.mount, below(*group, hierarchy.root),
                                     hierarchy.is_v2 ? names_of_v2() : names_of_v1()));
  }
  return left;
}

}  // namespace

std::int64_t available_memory(const fs::path& root) {
  return std::min(free_on_machine(root), left_in_groups(root));
}

}  // namespace seedwave
