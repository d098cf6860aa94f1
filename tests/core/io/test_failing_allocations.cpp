// SPDX-License-Identifier: Apache-2.0
// Every reader with its n-th allocation failing. There must be no crash and no hang. The outcome is
// the right result, or an exception for which the command line exits with code 5. The next read
// must then be right.
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "core/io/label_table.h"
#include "tests/support/failing_memory.h"

#include <QDir>
#include <QTest>

#include <cstdint>
#include <string>

using namespace seedwave;

// Read by LeakSanitizer. Where an allocation fails within DCMTK it does not free all that it has
// taken; inflateInit2_ is called by its filter for deflated files.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libdcmdata\nleak:libdcmtkcharls\nleak:libdcmjpls\nleak:libdcmjpeg\nleak:"
         "inflateInit2_";
}

namespace {

/// Returns the outcome of a reader on a file in a few words that distinguish results.
std::string words_for(const std::string& kind, const std::string& path) {
  Context context(Context::Settings{.threads = 1});
  if (kind == "label_table") {
    return std::to_string(io::load_label_table(path).size()) + " labels";
  }
  const io::LoadedImage image = io::load_path(path, "", context);
  return xxh64_digest(image.volume.bytes()) + " " + describe(image.volume.geometry()) + " " +
         std::to_string(image.warnings.size()) + " warnings";
}

/// Returns the words, the refusal, or "out of memory" for exit code 5.
std::string outcome_of(const std::string& kind, const std::string& path, std::int64_t failing,
                       bool* failed) {
  const test::FailingAllocation allocation(failing);
  std::string outcome;
  try {
    outcome = words_for(kind, path);
    *failed = allocation.failed();
  } catch (const std::bad_alloc&) {
    *failed = allocation.failed();
    return "out of memory";
  } catch (const Error& error) {
    *failed = allocation.failed();
    test::allocations_left = 0;
    const std::string message = error.what();
    // DCMTK's decoders report a failed allocation of their own like this.
    const bool dcmtk = failing > 0 && message.find("decoded: Invalid stream") != std::string::npos;
    return dcmtk || error.exit_code() == kExitUnavailable ? "out of memory" : message;
  } catch (const std::exception& error) {
    *failed = allocation.failed();
    test::allocations_left = 0;
    return std::string("not an error of the user's: ") + error.what();
  }
  return outcome;
}

}  // namespace

class TestFailingAllocations : public QObject {
  Q_OBJECT
 private slots:
  void a_reader_ends_with_an_error_or_the_right_result_data();
  void a_reader_ends_with_an_error_or_the_right_result();
};

void TestFailingAllocations::a_reader_ends_with_an_error_or_the_right_result_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("path");
  const QDir corpus(SEEDWAVE_CORPUS);
  for (const char* kind :
       {"dicom", "jpeg", "label_table", "metaimage", "nifti", "npy", "nrrd", "png", "tiff"}) {
    const QDir folder(corpus.filePath(kind));
    const QStringList files = folder.entryList(QDir::Files, QDir::Name);
    QVERIFY2(!files.isEmpty(), kind);
    for (const QString& file : files)
      QTest::addRow("%s/%s", kind, qPrintable(file)) << kind << folder.filePath(file);
  }
}

void TestFailingAllocations::a_reader_ends_with_an_error_or_the_right_result() {
  QFETCH(QString, kind);
  QFETCH(QString, path);
  bool failed = false;
  const std::string expected = outcome_of(kind.toStdString(), path.toStdString(), 0, &failed);
  failed = true;
  for (std::int64_t n = 1; failed; n = test::next_to_fail(n, 1500)) {
    const std::string outcome = outcome_of(kind.toStdString(), path.toStdString(), n, &failed);
    QVERIFY2(outcome == expected || (failed && outcome == "out of memory"),
             qPrintable(QStringLiteral("allocation %1: %2").arg(n).arg(outcome.c_str())));
    if (outcome == expected) continue;
    bool none = false;
    QVERIFY2(outcome_of(kind.toStdString(), path.toStdString(), 0, &none) == expected,
             qPrintable(QStringLiteral("after allocation %1 failed").arg(n)));
  }
}

QTEST_GUILESS_MAIN(TestFailingAllocations)
#include "test_failing_allocations.moc"
