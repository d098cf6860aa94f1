// SPDX-License-Identifier: Apache-2.0
//
// Files that are larger than memory, to files: inputs are used where they lie, and the file of the
// result becomes the output.
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

constexpr int kWidth = 5000;
constexpr int kHeight = 5100;
constexpr qint64 kVoxels = qint64{kWidth} * kHeight;

/// Plateaus and slopes with paths that wind through them.
QByteArray formula() {
  QByteArray voxels(kVoxels, '\0');
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int wave = (x * 7 / 64 + y * 5 / 32) % 113 + (x / 300 + y / 500) % 4 * 20;
      const int wall = x % 97 < 3 && (y / 40) % 5 != x / 97 % 5 ? -60 : 0;
      voxels[qint64{y} * kWidth + x] = static_cast<char>(std::clamp(60 + wave + wall, 0, 255));
    }
  }
  return voxels;
}

void write_raw(const QString& path, const QByteArray& voxels) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray("NRRD0005\ntype: unsigned char\ndimension: 2\nsizes: ") +
             QByteArray::number(kWidth) + ' ' + QByteArray::number(kHeight) +
             "\nkinds: domain domain\nencoding: raw\n\n");
  file.write(voxels);
}

}  // namespace

class TestLargerThanMemory : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void only_the_result_takes_room_in_scratch_data();
  void only_the_result_takes_room_in_scratch();
  void a_run_that_is_saved_reads_its_inputs();
  void an_input_that_is_cut_is_one_line_data();
  void an_input_that_is_cut_is_one_line();

 private:
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
  [[nodiscard]] QStringList words(const QString& operation) const {
    QStringList words{"run"};
    words += operation.split(' ');
    words += {"--image", path("mask.nrrd"), "--json", "--threads", "2"};
    if (operation.startsWith("reconstruct")) words += {"--marker", path("marker.nrrd")};
    return words;
  }
  [[nodiscard]] QStringList within() const {
    return {"--memory", "30M", "--scratch", path("scratch")};
  }
  [[nodiscard]] bool is_clean() const {
    return QDir(path("scratch")).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  QTemporaryDir folder_;
};

void TestLargerThanMemory::init() {
  QDir(folder_.path()).mkdir("scratch");
  QFile::remove(path("result.nrrd"));
  QByteArray voxels = formula();
  write_raw(path("mask.nrrd"), voxels);
  std::ranges::transform(voxels, voxels.begin(), [](char value) {
    return static_cast<char>(std::max(0, static_cast<unsigned char>(value) - 40));
  });
  write_raw(path("marker.nrrd"), voxels);
}

void TestLargerThanMemory::only_the_result_takes_room_in_scratch_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<QString>("tile");
  QTest::newRow("reconstruction") << "reconstruct --connectivity 8"
                                  << "";
  QTest::newRow("in thin parts") << "reconstruct --connectivity 8"
                                 << "97";
  QTest::newRow("by erosion") << "reconstruct --direction erosion"
                              << "1000";
  QTest::newRow("along lines") << "linear-opening --length 9 --angle 30"
                               << "";
}

void TestLargerThanMemory::only_the_result_takes_room_in_scratch() {
  QFETCH(QString, operation);
  QFETCH(QString, tile);
  const QJsonObject whole = run_cli(words(operation)).json();
  QStringList parts = words(operation) + within() + QStringList{"--out", path("result.nrrd")};
  if (!tile.isEmpty()) parts += {"--tile", tile};
  const CliOutcome outcome = run_cli(parts);
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject report = outcome.json();
  QVERIFY(!whole["outputs"].toObject().isEmpty());
  QCOMPARE(report["outputs"], whole["outputs"]);
  QCOMPARE(report["scratch_bytes"].toInteger(), kVoxels);
  QVERIFY(is_clean());
  // Raw, behind a header that takes the room before an array.
  QCOMPARE(QFileInfo(path("result.nrrd")).size(), 4096 + kVoxels);
  const QJsonObject info = run_cli({"info", path("result.nrrd"), "--digest", "--json"})
                               .json()["items"]
                               .toArray()[0]
                               .toObject();
  const QJsonObject outputs = whole["outputs"].toObject();
  QCOMPARE(info["digest"], outputs.begin().value().toObject()["digest"]);
}

void TestLargerThanMemory::a_run_that_is_saved_reads_its_inputs() {
  const CliOutcome outcome =
      run_cli(words("reconstruct") + within() + QStringList{"--checkpoint", path("saved")});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  QCOMPARE(outcome.json()["scratch_bytes"].toInteger(), 3 * kVoxels);
}

void TestLargerThanMemory::an_input_that_is_cut_is_one_line_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("threads");
  QTest::addColumn<qint64>("left");
  QTest::newRow("1 thread") << "mask.nrrd"
                            << "1" << qint64{1000};
  QTest::newRow("4 threads") << "mask.nrrd"
                             << "4" << kVoxels / 2;
  QTest::newRow("the marker") << "marker.nrrd"
                              << "4" << qint64{0};
  QTest::newRow("the last byte") << "marker.nrrd"
                                 << "2" << kVoxels;
}

void TestLargerThanMemory::an_input_that_is_cut_is_one_line() {
  QFETCH(QString, name);
  QFETCH(QString, threads);
  QFETCH(qint64, left);
  QProcess process;
  process.setReadChannel(QProcess::StandardError);
  process.start(SEEDWAVE_CLI,
                QStringList{"run", "reconstruct", "--image", path("mask.nrrd"), "--marker",
                            path("marker.nrrd"), "--threads", threads, "--tile", "64", "--progress",
                            "--out", path("result.nrrd")} +
                    within());
  QByteArray err;
  while (!err.contains("propagate") && process.waitForReadyRead(test::kCliTimeoutMs))
    err += process.readAllStandardError();
  QVERIFY(QFile::resize(path(name), left));
  QVERIFY(process.waitForFinished(test::kCliTimeoutMs));
  err += process.readAllStandardError();
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QVERIFY2(process.exitCode() == 3, err.constData());
  const QByteArrayList lines = err.trimmed().split('\n');
  QVERIFY2(lines.last().startsWith("seedwave-cli: " + path(name).toUtf8() + " was c"),
           lines.last().constData());
  QCOMPARE(err.count("seedwave-cli:"), 1);
  QVERIFY(!QFile::exists(path("result.nrrd")));
  QVERIFY(is_clean());
}

QTEST_GUILESS_MAIN(TestLargerThanMemory)
#include "test_larger_than_memory.moc"
