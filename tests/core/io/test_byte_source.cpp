// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/byte_source.h"
#include "core/io/formats/gzip_writer.h"
#include "core/io/formats/output_set.h"
#include "tests/core/io/io_fixture.h"

#include <QTest>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace seedwave;
using io::ByteSource;
using io::Packing;

/// The same bytes, uncompressed and compressed.
class TestByteSource : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void reads_from_any_place();
  void says_what_is_cut_short();
  void stops_when_asked();

 private:
  template <typename Test>
  void for_both(const Test& test) {
    test(plain_, Packing::None);
    test(packed_, Packing::Deflate);
  }

  test::TemporaryFolder folder_;
  std::vector<std::byte> bytes_;
  std::filesystem::path plain_;
  std::filesystem::path packed_;
};

void TestByteSource::init() {
  bytes_.clear();
  for (std::int64_t i = 0; i < 3'000'000; ++i)  // more than a chunk
    bytes_.push_back(static_cast<std::byte>(i * i / 7));
  plain_ = folder_ / "plain";
  packed_ = folder_ / "packed.gz";
  const std::span<const std::byte> all(bytes_);
  io::OutputSet files;
  io::write_file(files, plain_, {&all, 1});
  io::write_file(files, packed_, {&all, 1});
  files.commit();
}

void TestByteSource::reads_from_any_place() {
  for_both([&](const std::filesystem::path& file, Packing packing) {
    for (const std::int64_t skipped : {0, 1, 2, 7, 1 << 20, (1 << 20) + 1, 2'999'990}) {
      Context context;
      ByteSource source(file, packing);
      std::array<std::byte, 10> read{};
      source.skip(skipped, context);
      source.read(read, context);
      const auto from = bytes_.begin() + skipped;
      QVERIFY(std::equal(read.begin(), read.end(), from));
      QCOMPARE(source.has_more(), skipped + 10 < std::ssize(bytes_));
    }
  });
}

void TestByteSource::says_what_is_cut_short() {
  for_both([&](const std::filesystem::path& file, Packing packing) {
    Context context;
    ByteSource source(file, packing);
    std::vector<std::byte> more(bytes_.size() + 1);
    const std::string message = test::input_error_of([&] { source.read(more, context); });
    QVERIFY2(message.ends_with(" is truncated: it ends before the last of its 3000001 bytes of "
                               "voxels"),
             message.c_str());
    std::vector<std::byte> some(100);
    QCOMPARE(ByteSource(file, packing).read_some(some), std::size_t{100});
  });
  Context context;
  ByteSource source(packed_, Packing::Deflate);
  source.skip(3'000'000, context);
  const std::string message = test::input_error_of([&] { source.skip(1, context); });
  QVERIFY2(message.ends_with(" is truncated: it ends before its voxels begin"), message.c_str());
}

void TestByteSource::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context stopped(Context::Settings{.stop = stop.get_token()});
  std::vector<std::byte> some(100);
  QVERIFY_EXCEPTION_THROWN(ByteSource(plain_, Packing::None).read(some, stopped), Cancelled);
  QVERIFY_EXCEPTION_THROWN(ByteSource(packed_, Packing::Deflate).skip(10, stopped), Cancelled);
}

QTEST_GUILESS_MAIN(TestByteSource)
#include "test_byte_source.moc"
