// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/io/image_source.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::test {

/// A folder that is removed after the test.
class TemporaryFolder {
 public:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path().toStdString(); }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path() / name;
  }
  /// Writes a file and returns its path.
  [[nodiscard]] std::filesystem::path put(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  /// Returns the names of all files in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path()))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  QTemporaryDir folder_;
};

inline std::string bytes_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Returns the message of the InputError that `action` throws; "" if it throws none.
template <typename Action>
std::string input_error_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Returns the values of a volume as numbers.
inline std::vector<double> values_of(const Volume& volume) {
  return visit_voxels(
      volume, [](auto voxels) { return std::vector<double>(voxels.begin(), voxels.end()); });
}

}  // namespace seedwave::test
