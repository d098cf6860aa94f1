// SPDX-License-Identifier: Apache-2.0
// The window program as a process: what ends it, and what must not.
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int kLimitMs = 60'000;
/// Longer than the program needs to open, read and refuse a small file.
constexpr int kAliveMs = 4'000;

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QFile bad(folder_->filePath("bad.nii"));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("text, not a volume");
  }

  void a_picture_of_a_bad_file_is_a_failure() {
    QProcess program;
    start(program, {"--screenshot", folder_->filePath("shot.png"), folder_->filePath("bad.nii")});
    QVERIFY(program.waitForFinished(kLimitMs));
    QCOMPARE(program.exitCode(), 3);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("bad.nii"), said.constData());
    QVERIFY(!QFile::exists(folder_->filePath("shot.png")));
  }

  void a_bad_file_does_not_end_the_window() {
    QProcess program;
    start(program, {folder_->filePath("bad.nii")});
    QVERIFY2(!program.waitForFinished(kAliveMs), program.readAllStandardError().constData());
    QCOMPARE(program.state(), QProcess::Running);
    program.kill();
    QVERIFY(program.waitForFinished(kLimitMs));
  }

 private:
  /// In a home of its own: no session of the user's is offered, none is left.
  void start(QProcess& program, const QStringList& arguments) const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* place : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
      environment.insert(place, folder_->path());
    program.setProcessEnvironment(environment);
    program.start(SEEDWAVE, arguments);
    QVERIFY(program.waitForStarted(kLimitMs));
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
