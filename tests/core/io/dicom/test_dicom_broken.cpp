// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/test_data.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/resource.h>

namespace {

using seedwave::Context;
using seedwave::InputError;
using seedwave::test::input_error_of;

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Returns the preamble, the prefix and the meta information for explicit or implicit little
/// endian.
std::string head(const std::string& transfer_syntax) {
  std::string uid = transfer_syntax;
  if (uid.size() % 2 != 0) uid.push_back('\0');
  const std::string element = std::string("\x02\x00\x10\x00UI", 6) + static_cast<char>(uid.size()) +
                              std::string(1, '\0') + uid;
  return std::string(128, '\0') + "DICM" + element;
}

}  // namespace

class TestDicomBroken : public QObject {
  Q_OBJECT

 private slots:
  void hostile_files_end_as_they_should_data();
  void hostile_files_end_as_they_should();
  void nesting_without_end_is_refused();
  void nesting_in_private_implicit_sequences_is_refused();
  void a_deflated_bomb_is_refused();
  void cuts_at_any_byte_are_refused_data();
  void cuts_at_any_byte_are_refused();
  void one_bad_file_does_not_stop_the_rest();

 private:
  QTemporaryDir folder_;
};

void TestDicomBroken::hostile_files_end_as_they_should_data() {
  const fs::path script = seedwave::test::test_data("X1_broken/make.py");
  SEEDWAVE_NEED_DATA(script);
  if (QProcess::execute("python3", {script.c_str(), folder_.path()}) != 0) {
    QSKIP("python3, which makes the files, does not run here");
  }
  QTest::addColumn<QString>("expected");
  std::ifstream table(fs::path(folder_.path().toStdString()) / "expected.csv");
  for (std::string line; std::getline(table, line);) {
    const std::size_t name_end = line.find(',');
    if (name_end == std::string::npos || !line.substr(0, name_end).ends_with(".dcm")) continue;
    const bool refuse = line.ends_with(",refuse");
    QTest::newRow(line.substr(0, name_end).c_str()) << (refuse ? "refuse" : "warn or refuse");
  }
}

void TestDicomBroken::hostile_files_end_as_they_should() {
  QFETCH(QString, expected);
  const fs::path file = fs::path(folder_.path().toStdString()) / QTest::currentDataTag();
  // An allocation of a claimed size (2 GiB in one of them) fails under this limit.
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  std::ifstream pages("/proc/self/statm");
  rlim_t used = 0;
  pages >> used;
  const rlimit tight{used * 4096 + (rlim_t{256} << 20), before.rlim_max};
  setrlimit(RLIMIT_AS, &tight);
  std::string refusal;
  std::size_t warnings = 0;
  try {
    Context context;
    warnings = seedwave::io::load_path(file, "", context).warnings.size();
  } catch (const InputError& error) {
    refusal = error.what();
  }
  setrlimit(RLIMIT_AS, &before);
  if (expected == "refuse") {
    QVERIFY(!refusal.empty());
  } else {
    QVERIFY(!refusal.empty() || warnings > 0);
  }
  QVERIFY(refusal.find('\n') == std::string::npos);
  if (!refusal.empty()) QVERIFY(refusal.find(file.filename().string()) != std::string::npos);
  qInfo("%s", refusal.empty() ? "loads with a warning" : refusal.c_str());
}

void TestDicomBroken::nesting_without_end_is_refused() {
  // A million nested sequences: a recursive parser would overflow the stack.
  std::string bytes = head("1.2.840.10008.1.2.1");
  const std::string level(
      "\x08\x00\x15\x11SQ\x00\x00\xff\xff\xff\xff\xfe\xff\x00\xe0\xff\xff\xff\xff", 20);
  for (int i = 0; i < 1'000'000; ++i)
    bytes += level;
  const fs::path file = fs::path(folder_.path().toStdString()) / "nested";
  write(file, bytes);
  Context context;
  const std::string refusal =
      input_error_of([&] { (void)seedwave::io::load_path(file, "", context); });
  QVERIFY2(refusal.find("nested sequences") != std::string::npos, refusal.c_str());
}

void TestDicomBroken::nesting_in_private_implicit_sequences_is_refused() {
  std::string bytes = head("1.2.840.10008.1.2");
  const std::string level("\x09\x00\x15\x11\xff\xff\xff\xff\xfe\xff\x00\xe0\xff\xff\xff\xff", 16);
  for (int i = 0; i < 1'000'000; ++i)
    bytes += level;
  const fs::path file = fs::path(folder_.path().toStdString()) / "nested_private";
  write(file, bytes);
  Context context;
  const std::string refusal =
      input_error_of([&] { (void)seedwave::io::load_path(file, "", context); });
  QVERIFY2(refusal.find("nested sequences") != std::string::npos, refusal.c_str());
}

void TestDicomBroken::a_deflated_bomb_is_refused() {
  // Raw deflate: a stored block that claims more bytes than there are.
  const fs::path file = fs::path(folder_.path().toStdString()) / "deflated";
  write(file, head("1.2.840.10008.1.2.1.99") + std::string("\x01\xff\xff\x00\x00 cut", 9));
  Context context;
  QVERIFY_EXCEPTION_THROWN((void)seedwave::io::load_path(file, "", context), InputError);
}

void TestDicomBroken::cuts_at_any_byte_are_refused_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"ct_explicit_le", "ct_implicit_le", "ct_explicit_be", "ct_deflated",
                           "ct_rle", "ct_jpegls", "mr_jpeg2000_lossless"}) {
    QTest::newRow(name) << QString(name);
  }
}

void TestDicomBroken::cuts_at_any_byte_are_refused() {
  QFETCH(QString, name);
  const fs::path source =
      seedwave::test::test_data("A3_transfer_syntaxes/" + name.toStdString() + ".dcm");
  SEEDWAVE_NEED_DATA(source);
  std::ifstream stream(source, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  const fs::path file = fs::path(folder_.path().toStdString()) / "cut.dcm";
  // Every cut in about the first 4000 bytes, then some in the pixels; the last byte may be padding.
  for (std::size_t size = 0; size + 2 < whole.size();
       size += size < 4000 ? 13 : (whole.size() - 4000) / 40 + 1) {
    write(file, whole.substr(0, size));
    Context context;
    bool refused = false;
    try {
      (void)seedwave::io::load_path(file, "", context);
    } catch (const InputError&) {
      refused = true;
    }
    QVERIFY2(refused, std::to_string(size).c_str());
  }
}

void TestDicomBroken::one_bad_file_does_not_stop_the_rest() {
  const fs::path source = seedwave::test::test_data("A3_transfer_syntaxes/ct_explicit_le.dcm");
  SEEDWAVE_NEED_DATA(source);
  const fs::path folder = fs::path(folder_.path().toStdString()) / "Größe 大";
  fs::create_directory(folder);
  fs::copy_file(source, folder / "good", fs::copy_options::overwrite_existing);
  fs::copy_file(source, folder / "cut", fs::copy_options::overwrite_existing);
  fs::resize_file(folder / "cut", 700);
  Context context;
  const auto scan = seedwave::io::scan(folder, context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  QCOMPARE(scan.skipped.size(), std::size_t{1});
  QVERIFY(scan.skipped.front().file == folder / "cut");
}

QTEST_GUILESS_MAIN(TestDicomBroken)
#include "test_dicom_broken.moc"
