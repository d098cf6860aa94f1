// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program.h"
#include "core/io/labels.h"
#include "tests/fuzz/input_folder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace seedwave;

/// Writes the files that a command line may name: image.npy, volume.nii, labels.npy, seeds.json,
/// cases.csv.
void write_inputs(const std::filesystem::path& folder) {
  Geometry geometry;
  geometry.size = {9, 7, 1};
  std::vector<std::uint8_t> image(63);
  std::vector<std::uint8_t> labels(63);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = static_cast<std::uint8_t>(i * 37 % 251);
    labels[i] = static_cast<std::uint8_t>(i % 17 == 0 ? 1 + i % 2 : 0);
  }
  io::save_volume(folder / "image.npy", Volume(geometry, image));
  io::save_volume(folder / "labels.npy", Volume(geometry, labels));
  geometry.size = {5, 4, 3};
  io::save_volume(folder / "volume.nii",
                  Volume(geometry, std::vector<std::int16_t>(image.begin(), image.begin() + 60)));
  const std::string seeds =
      R"({"seedwave":1,"kind":"seeds","space":"index","labels":[],"strokes":[)"
      R"({"label":1,"radius":0.5,"points":[[1,1,0]]},{"label":2,"radius":0.5,"points":[[3,2,0]]}]})";
  const std::string cases = "image,seeds\nimage.npy,labels.npy\n";
  for (const auto& [name, text] : {std::pair{"seeds.json", seeds}, {"cases.csv", cases}}) {
    fuzz::write_file(folder / name,
                     {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
}

/// Returns whether a word would only make it slow, or leave the folder.
bool is_left_out(const std::string& word) {
  constexpr std::array<std::string_view, 5> kSlow{"bench", "repeat", "threads", "size", "/"};
  return std::any_of(kSlow.begin(), kSlow.end(),
                     [&](std::string_view part) { return word.find(part) != std::string::npos; });
}

}  // namespace

/// A command line, one word per line, in a folder with small inputs. It must end with a documented
/// exit code, whatever the words.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] == '\n') {
      words.emplace_back();
    } else if (bytes[i] != 0) {
      words.back().push_back(static_cast<char>(bytes[i]));
    }
  }
  if (words.size() > 40 || std::any_of(words.begin(), words.end(), is_left_out)) return 0;
  const fuzz::InputFolder folder;
  write_inputs(folder.path());
  const auto before = std::filesystem::current_path();  // where the fuzzer finds its inputs
  std::filesystem::current_path(folder.path());
  const int code = cli::run_program(words, {});
  std::filesystem::current_path(before);
  constexpr std::array kDocumented{0, 1, 2, 3, 4, 5};
  const bool may_differ = words[0] == "compare" || words[0] == "verify";
  if (std::find(kDocumented.begin(), kDocumented.end(), code) == kDocumented.end()) std::abort();
  if (code == 1 && !may_differ) std::abort();  // a bug of ours
  return 0;
}
