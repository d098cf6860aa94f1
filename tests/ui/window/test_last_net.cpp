// SPDX-License-Identifier: Apache-2.0
//
// Failures on the window's thread: exceptions are caught, and a kill loses at most half a second of
// work.
#include "core/base/error.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/application.h"

#include <QLabel>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

/// After this time a stroke is on disk, whatever happens to the program.
constexpr int kBoundMs = 500;

Application& application() {
  return *static_cast<Application*>(QCoreApplication::instance());
}

/// Throws in the event loop, like a slot.
void throw_in_the_loop(const char* what) {
  QTimer::singleShot(0, [what] { throw std::runtime_error(what); });
  QTest::qWait(1);
}

/// The other process of a_kill_right_after_a_stroke_loses_nothing: paints, reports it, and waits.
int paint_and_wait(const char* folder) {
  test::WindowFixture fixture;
  fixture.show_window(std::make_shared<Autosave>(folder));
  fixture.open(fixture.image());
  fixture.paint(fixture.axial(), {-3, 0, 0}, {3, 0, 0});
  QTest::keyClick(&fixture.window(), Qt::Key_2);
  fixture.paint(fixture.axial(), {-13, -13, 0}, {-13, 13, 0});
  std::puts("painted");
  std::fflush(stdout);
  QTest::qWait(kLimitMs);
  return 1;
}

}  // namespace

class TestLastNet : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() {
    application().set_rescue({});
    fixture_.close_window();
  }

  void an_exception_saves_the_work_and_the_window_goes_on() {
    const QTemporaryDir dir;
    auto autosave = std::make_shared<Autosave>(dir.path().toStdString());
    fixture_.show_window(autosave);
    fixture_.open(fixture_.image());
    application().set_rescue([this](const QString& what) { fixture_.window().rescue(what); });
    // A stroke that has not been saved yet.
    fixture_.workbench().steps().add_stroke(Stroke{1, 1.0, {{1, 2, 3}}, {}});
    throw_in_the_loop("a slot failed");
    QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeModalWidget() != nullptr, kLimitMs);
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(box != nullptr);
    QCOMPARE(box->objectName(), QStringLiteral("rescued"));
    QVERIFY2(box->text().contains(QStringLiteral("a slot failed")), qPrintable(box->text()));
    QVERIFY2(box->informativeText().contains(QStringLiteral("saved automatically")),
             qPrintable(box->informativeText()));
    QCOMPARE(load_session(autosave->file()).document.seeds.strokes.size(), std::size_t{1});
    // One message, however often it happens; and the window continues to work.
    throw_in_the_loop("again");
    box->button(QMessageBox::Ok)->click();
    QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeModalWidget() == nullptr, kLimitMs);
    fixture_.paint(fixture_.axial(), {-3, 0, 0}, {3, 0, 0});
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
  }

  void failures_that_keep_coming_end_the_program() {
    int rescued = 0;
    application().set_rescue([&rescued](const QString&) { ++rescued; });
    QTimer failing;
    connect(&failing, &QTimer::timeout, this, [] { throw std::runtime_error("always"); });
    failing.start(1);
    QTimer::singleShot(kLimitMs, &application(), [] { QCoreApplication::exit(0); });
    QCOMPARE(QApplication::exec(), kExitFault);
    QVERIFY(rescued >= 1 && rescued < 5);
  }

  void a_kill_right_after_a_stroke_loses_nothing() {
    const QTemporaryDir dir;
    QProcess program;
    program.start(QCoreApplication::applicationFilePath(), {"--paint-and-wait", dir.path()});
    QVERIFY(program.waitForStarted(kLimitMs));
    QByteArray said;
    while (!said.contains("painted")) {
      QVERIFY2(program.waitForReadyRead(kLimitMs), program.readAllStandardError().constData());
      said += program.readAllStandardOutput();
    }
    QTest::qSleep(kBoundMs);
    program.kill();
    QVERIFY(program.waitForFinished(kLimitMs));
    const Autosave next(dir.path().toStdString());
    const auto left = next.recoverable();
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left[0].strokes, std::size_t{2});
  }

 private:
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

int main(int argc, char** argv) {
  seedwave::ui::set_default_surface_format();
  seedwave::ui::Application application(argc, argv);
  if (argc == 3 && std::strcmp(argv[1], "--paint-and-wait") == 0)
    return seedwave::ui::paint_and_wait(argv[2]);
  seedwave::ui::TestLastNet test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_last_net.moc"
