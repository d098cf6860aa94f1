// SPDX-License-Identifier: Apache-2.0
#include "core/io/names_beside.h"

#include "core/base/error.h"
#include "core/base/file_name.h"
#include "core/io/label_table.h"

#include <system_error>

namespace seedwave::io {

namespace fs = std::filesystem;

NamesBeside names_beside(const fs::path& labels) {
  NamesBeside found;
  for (const char* suffix : {".label", ".ctbl"}) {
    const fs::path table = without_gz(labels).replace_extension(suffix);
    std::error_code none;
    if (!fs::is_regular_file(table, none)) continue;
    try {
      found.names = io::load_label_table(table);
      return found;
    } catch (const InputError& error) {
      found.warnings.push_back(std::string("label names were left out: ") + error.what());
    }
  }
  return found;
}

}  // namespace seedwave::io
