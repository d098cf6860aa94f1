// SPDX-License-Identifier: Apache-2.0
// The window program as a process: what ends it, and what must not.
#include <QFile>
#include <QImage>
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

  void without_a_display_there_is_one_line_data() {
    QTest::addColumn<QString>("display");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("none") << QString() << QByteArray("DISPLAY is not set");
    QTest::newRow("not there") << QString(":987") << QByteArray("':987' cannot be used");
  }

  void without_a_display_there_is_one_line() {
    QFETCH(QString, display);
    QFETCH(QByteArray, part);
    QProcess program;
    QProcessEnvironment environment = own_environment();
    environment.remove("DISPLAY");
    environment.remove("WAYLAND_DISPLAY");
    environment.insert("QT_QPA_PLATFORM", "xcb");
    if (!display.isEmpty()) environment.insert("DISPLAY", display);
    program.setProcessEnvironment(environment);
    program.start(SEEDWAVE, {folder_->filePath("bad.nii")});
    QVERIFY(program.waitForFinished(kLimitMs));
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(program.exitStatus() == QProcess::NormalExit, said.constData());
    QCOMPARE(program.exitCode(), 5);
    QVERIFY2(said.contains(part), said.constData());
    QCOMPARE(said.count('\n'), 1);
  }

  void a_picture_of_a_damaged_file_is_a_failure() {
    QFile picture(folder_->filePath("cut.pgm.png"));
    QImage image(64, 64, QImage::Format_Grayscale8);
    image.fill(7);
    QVERIFY(image.save(picture.fileName(), "PNG"));
    QVERIFY(picture.resize(picture.size() - 16));
    QProcess program;
    start(program, {"--screenshot", folder_->filePath("shot.png"), picture.fileName()});
    QVERIFY(program.waitForFinished(kLimitMs));
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(program.exitCode() == 3, said.constData());
    QVERIFY2(said.contains("is damaged or truncated"), said.constData());
    QVERIFY(!QFile::exists(folder_->filePath("shot.png")));
  }

  void a_picture_of_a_session_with_an_unknown_operation_is_a_failure() {
    QImage image(64, 64, QImage::Format_Grayscale8);
    image.fill(7);
    QVERIFY(image.save(folder_->filePath("image.png"), "PNG"));
    QFile session(folder_->filePath("session.json"));
    QVERIFY(session.open(QIODevice::WriteOnly));
    session.write(R"({"seedwave": 2, "kind": "session", "image": {"path": "image.png"},)"
                  R"( "operation": "grow-cut", "strokes": [], "labels": []})");
    session.close();
    QProcess program;
    start(program, {"--screenshot", folder_->filePath("shot.png"), session.fileName()});
    QVERIFY(program.waitForFinished(kLimitMs));
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(program.exitCode() == 3, said.constData());
    QVERIFY2(said.contains("no operation 'grow-cut'"), said.constData());
    QCOMPARE(said.count("seedwave: "), 1);  // Qt may print messages about the environment
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
  /// A separate home: no session of the user's is offered, and none is left.
  [[nodiscard]] QProcessEnvironment own_environment() const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* place : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
      environment.insert(place, folder_->path());
    return environment;
  }

  void start(QProcess& program, const QStringList& arguments) const {
    program.setProcessEnvironment(own_environment());
    program.start(SEEDWAVE, arguments);
    QVERIFY(program.waitForStarted(kLimitMs));
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
