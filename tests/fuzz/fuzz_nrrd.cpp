// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nrrd.h"
#include "tests/fuzz/fuzz_file.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const seedwave::io::Format format = seedwave::io::nrrd_format();
  seedwave::fuzz::read_with(format, bytes, size);
  const seedwave::fuzz::InputFile file(bytes, size);
  for (const auto& segment : seedwave::io::read_nrrd_segments(file.path())) {
    if (segment.label == 0 || segment.name.size() > 256) std::abort();
  }
  return 0;
}
