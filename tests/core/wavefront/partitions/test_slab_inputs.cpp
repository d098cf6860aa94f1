// SPDX-License-Identifier: Apache-2.0
//
// The pages of inputs that are in the system's cache while a worker goes from slab to slab.
#include "core/base/mapped_input.h"
#include "core/base/scratch_memory.h"
#include "core/wavefront/partitions/slab_inputs.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <linux/magic.h>
#include <memory>
#include <set>
#include <span>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kRow = 4096;
constexpr std::int64_t kRowsOfSlab = 512;
constexpr std::int64_t kSlabs = 7;
constexpr std::int64_t kBytes = kSlabs * kRowsOfSlab * kRow;

}  // namespace

class TestSlabInputs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void the_next_slab_is_read_and_far_ones_leave();
  void what_was_read_in_advance_stays_when_a_worker_turns_back();
  void several_workers_keep_what_was_read();
  void the_cache_keeps_what_has_room();

 private:
  /// Returns the slabs with pages in the system's cache: most of their pages, or any. The system
  /// may leave out some that it is asked to read.
  [[nodiscard]] std::set<std::int64_t> cached(bool most) const;
  void forget() const;
  /// Takes a worker to a slab, and reads it as the worker does.
  void visit(SlabInputs& inputs, std::int64_t slab) const;

  QTemporaryDir folder_;
  std::unique_ptr<ScratchMemory> files_;
  std::shared_ptr<const std::byte> bytes_;
  SlabGrid slabs_{{kRow, kSlabs* kRowsOfSlab, 1}, kRowsOfSlab};
};

void TestSlabInputs::initTestCase() {
  struct statfs system {};
  statfs(folder_.path().toStdString().c_str(), &system);
  if (system.f_type == TMPFS_MAGIC) QSKIP("files in memory have no cache");
  QFile file(folder_.filePath("input"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray(kBytes, 'x'));
  file.flush();
  QCOMPARE(fsync(file.handle()), 0);
  files_ = std::make_unique<ScratchMemory>(ScratchSettings{.folder = folder_.path().toStdString(),
                                                           .memory = 1 << 30,
                                                           .smallest = 1 << 20,
                                                           .maps_inputs = true});
  bytes_ = mapped::map_input(file.fileName().toStdString(), 0, kBytes);
  QVERIFY(bytes_ != nullptr);
  mapped::set_most_cached(kBytes - 1);
}

std::set<std::int64_t> TestSlabInputs::cached(bool most) const {
  std::vector<unsigned char> pages(kBytes / 4096);
  std::set<std::int64_t> found;
  if (mincore(const_cast<std::byte*>(bytes_.get()), kBytes, pages.data()) != 0) return found;
  const std::int64_t pages_of_slab = std::ssize(pages) / kSlabs;
  for (std::int64_t slab = 0; slab < kSlabs; ++slab) {
    const auto begin = pages.begin() + slab * pages_of_slab;
    const auto there =
        std::count_if(begin, begin + pages_of_slab, [](int p) { return p % 2 == 1; });
    if (there > pages_of_slab * 3 / 4 || (there > 0 && !most)) found.insert(slab);
  }
  return found;
}

void TestSlabInputs::forget() const {
  // Pages that are just being read do not leave.
  const auto is_empty = [&] {
    mapped::leave({bytes_.get(), kBytes});
    return cached(false).empty();
  };
  QTRY_VERIFY(is_empty());
}

void TestSlabInputs::visit(SlabInputs& inputs, std::int64_t slab) const {
  inputs.enter(slab);
  const volatile std::byte* const own = bytes_.get() + slab * kRowsOfSlab * kRow;
  for (std::int64_t page = 0; page < kRowsOfSlab * kRow; page += 4096)
    static_cast<void>(own[page]);
  QVERIFY(cached(true).contains(slab));
}

void TestSlabInputs::the_next_slab_is_read_and_far_ones_leave() {
  forget();
  SlabInputs inputs(slabs_, {{bytes_.get(), kBytes}}, false);
  for (std::int64_t slab = 0; slab < kSlabs; ++slab) {
    visit(inputs, slab);
    if (slab + 1 < kSlabs) QTRY_VERIFY(cached(true).contains(slab + 1));
    QVERIFY(!cached(true).contains(slab - 2));
  }
}

void TestSlabInputs::what_was_read_in_advance_stays_when_a_worker_turns_back() {
  forget();
  SlabInputs inputs(slabs_, {{bytes_.get(), kBytes}}, false);
  for (const std::int64_t slab : {0, 1, 2})
    visit(inputs, slab);
  QTRY_VERIFY(cached(true).contains(3));
  inputs.enter(1);
  inputs.enter(0);
  QVERIFY(cached(true).contains(3));
  QVERIFY(!cached(true).contains(2));
}

void TestSlabInputs::several_workers_keep_what_was_read() {
  forget();
  SlabInputs inputs(slabs_, {{bytes_.get(), kBytes}}, true);
  for (const std::int64_t slab : {0, 6, 3})
    visit(inputs, slab);
  QTRY_COMPARE(cached(true), (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6}));
}

void TestSlabInputs::the_cache_keeps_what_has_room() {
  forget();
  mapped::set_most_cached(kBytes);
  SlabInputs inputs(slabs_, {{bytes_.get(), kBytes}}, false);
  for (const std::int64_t slab : {0, 1, 2, 3, 4, 5, 6})
    visit(inputs, slab);
  QCOMPARE(cached(true).size(), std::size_t{kSlabs});
}

QTEST_GUILESS_MAIN(TestSlabInputs)
#include "test_slab_inputs.moc"
