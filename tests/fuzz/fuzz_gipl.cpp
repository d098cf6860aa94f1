// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/gipl.h"
#include "tests/fuzz/fuzz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const seedwave::io::Format format = seedwave::io::gipl_format();
  seedwave::fuzz::read_with(format, bytes, size);
  return 0;
}
