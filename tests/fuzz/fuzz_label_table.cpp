// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "tests/fuzz/fuzz_file.h"

#include <string>

/// Label tables: a table that loads can be saved in either form, and a saved one does not change
/// when saved again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  const fuzz::InputFile file(bytes, size);
  try {
    const auto labels = io::load_label_table(file.path());
    for (const char* suffix : {".txt", ".ctbl"}) {
      const std::filesystem::path saved = file.path().string() + suffix;
      io::save_label_table(saved, labels);
      const auto once = io::load_label_table(saved);
      io::save_label_table(saved, once);
      const bool same = io::load_label_table(saved) == once;
      std::filesystem::remove(saved);
      if (!same) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
