// SPDX-License-Identifier: Apache-2.0
#include "core/io/labels.h"
#include "tests/fuzz/fuzz_file.h"

/// Seed files: seeds that load can be drawn, and are the same after being saved and loaded again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  const fuzz::InputFile file(bytes, size);
  for (const LengthUnit unit : {LengthUnit::Millimetre, LengthUnit::Pixel}) {
    const Geometry grid{.size = {16, 12, unit == LengthUnit::Pixel ? 1 : 8},
                        .spacing = {1, 1, unit == LengthUnit::Pixel ? 1.0 : 2.5},
                        .unit = unit};
    try {
      const io::SeedFile seeds = io::load_seeds(file.path(), grid);
      (void)seeds.seeds.rasterise(grid);
      io::save_seeds(file.path(), seeds);
      if (!(io::load_seeds(file.path(), grid).seeds == seeds.seeds)) std::abort();
    } catch (const InputError&) {
    }
  }
  return 0;
}
