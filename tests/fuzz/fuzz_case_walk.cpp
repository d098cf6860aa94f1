// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/session/case_walk.h"
#include "tests/fuzz/input_folder.h"

#include <cstdlib>
#include <string>

/// The state of a walk. What can be read is written back to text that reads the same, and no case
/// has files outside the folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  static const fuzz::InputFolder folder;
  const WalkFolder walk{folder.path()};
  fuzz::write_file(walk.state(), {bytes, size});
  const std::vector<WalkedCase> cases{{.name = "a", .image = folder.path() / "a.png"},
                                      {.name = "b", .image = "/images/b.png", .series = "1.2"}};
  try {
    const CaseWalk read(walk, cases);
    for (const WalkedCase& one : read.cases()) {
      if (walk.session(one.stem).lexically_normal().parent_path() != walk.path / "sessions")
        std::abort();
    }
    const std::string text = read.state();
    fuzz::write_file(walk.state(),
                     {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    if (CaseWalk(walk, cases).state() != text) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
