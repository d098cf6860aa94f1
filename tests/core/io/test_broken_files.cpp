// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "tests/support/test_data.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

/// Splits one line of expected.csv; texts with a comma are quoted.
QStringList cells_of(const QByteArray& line) {
  QStringList cells;
  QString cell;
  bool quoted = false;
  for (const QChar c : QString::fromUtf8(line.trimmed())) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells << cell;
      cell.clear();
    } else {
      cell += c;
    }
  }
  return cells << cell;
}

}  // namespace

/// The hostile files of the test data end as their table states: refused with one line, or loaded.
class TestBrokenFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void ends_as_expected_data();
  void ends_as_expected();
  void a_folder_of_them_is_scanned();

 private:
  QTemporaryDir folder_;
  std::string why_not_;
  bool is_failure_ = false;
};

void TestBrokenFiles::initTestCase() {
  const fs::path maker = test::test_data("X1_broken/make.py");
  why_not_ = test::why_missing(maker);
  is_failure_ = !why_not_.empty() && test::data_required();
  if (!why_not_.empty()) return;
  const QString python = QStandardPaths::findExecutable("python3");
  if (python.isEmpty()) {
    why_not_ = "python3, which writes these files, is not here";
    return;
  }
  QProcess make;
  make.start(python, {QString::fromStdString(maker.string()), folder_.path()});
  QVERIFY(make.waitForFinished(120000));
  QCOMPARE(make.exitCode(), 0);
}

void TestBrokenFiles::ends_as_expected_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("expected");
  QFile table(folder_.filePath("expected.csv"));
  if (!why_not_.empty() || !table.open(QIODevice::ReadOnly)) {
    QTest::newRow("no files") << QString() << QString();
    return;
  }
  (void)table.readLine();
  while (!table.atEnd()) {
    const QStringList cells = cells_of(table.readLine());
    // Slides have a reader of their own.
    if (cells.size() != 3 || cells[0].endsWith(".svs")) continue;
    QTest::newRow((cells[0] + ": " + cells[1]).toUtf8().constData()) << cells[0] << cells[2];
  }
}

void TestBrokenFiles::ends_as_expected() {
  if (is_failure_) QFAIL(why_not_.c_str());
  if (!why_not_.empty()) QSKIP(why_not_.c_str());
  QFETCH(QString, name);
  QFETCH(QString, expected);
  const fs::path path(folder_.filePath(name).toStdString());
  Context context;
  QElapsedTimer clock;
  clock.start();
  bool loaded = false;
  bool warned = false;
  try {
    const io::LoadedImage image = io::load_path(path, "", context);
    loaded = true;
    warned = !image.warnings.empty();
    QVERIFY(!image.volume.empty());
    image.volume.geometry().validate("what was loaded");
  } catch (const Error& error) {
    // One line that names the file, and the exit code of unusable input.
    QCOMPARE(error.exit_code(), 3);
    const QString message = error.what();
    QVERIFY2(message.contains(name), error.what());
    QVERIFY2(!message.contains('\n'), error.what());
    QVERIFY2(message.size() < 500, error.what());
  }
  // None of them is large; a reader that takes this long has been deceived.
  QVERIFY(clock.elapsed() < 10000);
  if (expected == "refuse") QVERIFY(!loaded);
  if (expected == "load" || expected == "load with warning") QVERIFY(loaded);
  if (expected == "load") QVERIFY(!warned);
  if (expected == "load with warning" || (loaded && expected.startsWith("load with warning")))
    QVERIFY(warned);
}

void TestBrokenFiles::a_folder_of_them_is_scanned() {
  if (is_failure_) QFAIL(why_not_.c_str());
  if (!why_not_.empty()) QSKIP(why_not_.c_str());
  Context context;
  const io::Scan scan = io::scan(fs::path(folder_.path().toStdString()), context);
  // constant.nii and others that load; expected.csv, text.dcm and others that are listed.
  QVERIFY(scan.items.size() >= 8);
  QVERIFY(scan.skipped.size() >= 20);
  for (const io::Skipped& skipped : scan.skipped) {
    QVERIFY2(!skipped.reason.empty(), skipped.file.c_str());
  }
}

QTEST_GUILESS_MAIN(TestBrokenFiles)
#include "test_broken_files.moc"
