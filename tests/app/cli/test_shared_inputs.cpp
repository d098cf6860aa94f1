// SPDX-License-Identifier: Apache-2.0
//
// The first process's inputs as the others get them.
#include "app/cli/shared_run.h"
#include "core/base/mapped_input.h"
#include "core/base/scratch_memory.h"
#include "tests/support/ranks_in_process.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kSide = 1024;
const Geometry kGrid{.size = {kSide, kSide, 1}};
constexpr int kCount = 3;

/// Gives an image from the first of three processes to the others. Returns how many of these have
/// it mapped; -1 if one has other voxels.
int mapped_by_others(const Volume& image) {
  std::vector<Inputs> inputs(kCount);
  inputs[0].image = image;
  test::RanksInProcess all(kCount, std::chrono::microseconds(0), 1);
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    cli::share_inputs(*ranks, inputs[static_cast<std::size_t>(ranks->rank())]);
  });
  int mapped = 0;
  for (int rank = 1; rank < kCount; ++rank) {
    const Volume& theirs = inputs[static_cast<std::size_t>(rank)].image;
    if (!std::ranges::equal(theirs.bytes(), image.bytes())) return -1;
    if (theirs.bytes().data() == image.bytes().data()) return -1;
    mapped += mapped::place_of(theirs.bytes()).has_value() ? 1 : 0;
  }
  return mapped;
}

}  // namespace

class TestSharedInputs : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void are_mapped_by_all_that_see_the_file();
  void are_given_where_somebody_sees_another_file();
  void are_given_where_the_first_has_them_in_memory();

 private:
  [[nodiscard]] Volume mapped_image() const {
    const auto bytes = mapped::map_input(file_, 0, kSide * kSide);
    return {kGrid, std::shared_ptr<const std::uint8_t[]>(
                       bytes, reinterpret_cast<const std::uint8_t*>(bytes.get()))};
  }

  QTemporaryDir folder_;
  fs::path file_;
  std::unique_ptr<ScratchMemory> files_;
};

void TestSharedInputs::init() {
  file_ = folder_.filePath("image.raw").toStdString();
  std::string bytes(kSide * kSide, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  std::ofstream(file_, std::ios::binary) << bytes;
  files_.reset();
  files_ = std::make_unique<ScratchMemory>(ScratchSettings{.folder = folder_.path().toStdString(),
                                                           .memory = std::int64_t{1} << 30,
                                                           .smallest = 1 << 16,
                                                           .maps_inputs = true});
}

void TestSharedInputs::are_mapped_by_all_that_see_the_file() {
  QCOMPARE(mapped_by_others(mapped_image()), kCount - 1);
}

void TestSharedInputs::are_given_where_somebody_sees_another_file() {
  const Volume image = mapped_image();
  fs::last_write_time(file_, fs::last_write_time(file_) + std::chrono::seconds(1));
  QCOMPARE(mapped_by_others(image), 0);
}

void TestSharedInputs::are_given_where_the_first_has_them_in_memory() {
  std::vector<std::uint8_t> voxels(kSide * kSide);
  std::iota(voxels.begin(), voxels.end(), std::uint8_t{0});
  QCOMPARE(mapped_by_others(Volume(kGrid, std::move(voxels))), 0);
}

QTEST_GUILESS_MAIN(TestSharedInputs)
#include "test_shared_inputs.moc"
