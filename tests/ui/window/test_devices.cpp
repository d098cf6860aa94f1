// SPDX-License-Identifier: Apache-2.0
//
// All devices and the CPU share runs of the window. The device is a pretended one.
#include "tests/support/pretended_device.h"
#include "tests/ui/window/window_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>

#include <string>

namespace seedwave::ui {

using test::kLimitMs;

class TestDevices : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void nothing_is_offered_without_a_device() {
    test::WindowFixture plain;
    plain.open_ball();
    QCOMPARE(row_of_all(plain), -1);
    QCOMPARE(list(plain)->findText(QStringLiteral("together"), Qt::MatchContains), -1);
    plain.close_window();
  }

  void operations_that_a_device_can_share_offer_it() {
    fixture_.open_ball();
    QVERIFY(row_of_all(fixture_) > 0);
    QCOMPARE(list(fixture_)->itemText(row_of_all(fixture_)),
             QStringLiteral("GPU and CPU together"));
    fixture_.workbench().steps().set_operation("segment", "Segment");
    QCOMPARE(row_of_all(fixture_), -1);
    fixture_.workbench().steps().set_operation("irfc", "irfc");
    QVERIFY(row_of_all(fixture_) > 0);
  }

  void the_choice_is_a_step_of_the_document() {
    fixture_.open_ball();
    choose_all();
    QCOMPARE(fixture_.workbench().document().backend, std::string("all"));
    QCOMPARE(fixture_.workbench().document().algorithm, std::string());
    QCOMPARE(fixture_.runs().next().recipe().devices, std::string("all"));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().document().backend, std::string("auto"));
    QCOMPARE(list(fixture_)->currentIndex(), 0);
    fixture_.window().actions().at("redo")->trigger();
    QCOMPARE(fixture_.workbench().document().backend, std::string("all"));
    QCOMPARE(list(fixture_)->currentIndex(), row_of_all(fixture_));
  }

  void a_shared_run_has_the_same_digest_and_says_who_did_what() {
    fixture_.segment();
    const std::string alone = digest();
    QVERIFY(fixture_.runs().displayed().run()->facts.shares.empty());
    choose_all();
    QTRY_VERIFY_WITH_TIMEOUT(is_shared_and_fresh(), kLimitMs);
    QCOMPARE(digest(), alone);
    const auto* backend = fixture_.window().findChild<QLabel*>(QStringLiteral("backend"));
    QVERIFY2(backend->text().contains("Pretended GPU") && backend->text().contains("CPU") &&
                 backend->text().contains(" %, tiles: "),
             qPrintable(backend->text()));
    QVERIFY2(backend->toolTip().contains("Pretended GPU (cuda:0): ") &&
                 backend->toolTip().contains(" visits to slabs, ") &&
                 backend->toolTip().contains("\nCPU, "),
             qPrintable(backend->toolTip()));
    const auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    const QString tip = list->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains("Pretended GPU (cuda:0): ") && tip.contains(": shared\n"),
             qPrintable(tip));
  }

  void further_strokes_are_followed_live() {
    fixture_.segment();
    choose_all();
    QTRY_VERIFY_WITH_TIMEOUT(is_shared_and_fresh(), kLimitMs);
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    test::WindowFixture::paint(fixture_.axial(), {-8, 8, 0}, {8, 8, 0});
    QTRY_VERIFY_WITH_TIMEOUT(
        is_shared_and_fresh() && fixture_.runs().displayed().result().run != before, kLimitMs);
    const std::string shared = digest();
    fixture_.workbench().steps().set_algorithm("", "auto");
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && !is_shared_and_fresh(), kLimitMs);
    QCOMPARE(digest(), shared);
  }

  void a_session_keeps_the_choice_and_the_shares() {
    save_shared_session();
    const std::string shared = digest();
    fixture_.show_window();
    open_session(fixture_);
    QCOMPARE(fixture_.workbench().document().backend, std::string("all"));
    QCOMPARE(list(fixture_)->currentIndex(), row_of_all(fixture_));
    QTRY_VERIFY_WITH_TIMEOUT(is_shared_and_fresh(), kLimitMs);
    QCOMPARE(digest(), shared);
    // The run of the session is still the document's: none was needed.
    QCOMPARE(fixture_.runs().history().runs().size(), std::size_t{2});
  }

  void without_a_device_its_runs_are_automatic_with_a_note() {
    save_shared_session();
    const std::string shared = digest();
    fixture_.close_window();
    test::WindowFixture plain;
    plain.show_window();
    open_session(plain);
    QTRY_VERIFY_WITH_TIMEOUT(plain.has_fresh_result(), kLimitMs);
    QCOMPARE(list(plain)->currentIndex(), 0);
    const std::uint64_t before = plain.runs().displayed().result().run;
    plain.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        plain.has_fresh_result() && plain.runs().displayed().result().run != before, kLimitMs);
    QCOMPARE(plain.runs().displayed().run()->facts.digest, shared);
    const auto* message = plain.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY2(message->text().startsWith("There is no GPU to share the run with (built without"),
             qPrintable(message->text()));
    // Whoever chooses automatic runs has no further notes.
    emit list(plain)->activated(0);
    QTRY_VERIFY_WITH_TIMEOUT(plain.has_fresh_result() && message->text().isEmpty(), kLimitMs);
    QCOMPARE(plain.workbench().document().backend, std::string("auto"));
    plain.close_window();
  }

  void an_operation_that_cannot_be_shared_runs_automatically() {
    fixture_.segment();
    choose_all();
    QTRY_VERIFY_WITH_TIMEOUT(is_shared_and_fresh(), kLimitMs);
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    QCOMPARE(row_of_all(fixture_), -1);
    QCOMPARE(list(fixture_)->currentIndex(), 0);
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.has_fresh_result() && fixture_.runs().displayed().result().run != before,
        kLimitMs);
    QVERIFY(fixture_.runs().displayed().run()->facts.shares.empty());
    const auto* message = fixture_.window().findChild<QLabel*>(QStringLiteral("missing"));
    QVERIFY2(message->text().isEmpty(), qPrintable(message->text()));
    // The choice is kept for those that can.
    fixture_.workbench().steps().set_operation("irfc", "irfc");
    QCOMPARE(list(fixture_)->currentIndex(), row_of_all(fixture_));
  }

 private:
  static QComboBox* list(test::WindowFixture& fixture) {
    return fixture.window().findChild<QComboBox*>(QStringLiteral("implementation"));
  }
  static int row_of_all(test::WindowFixture& fixture) {
    return list(fixture)->findData(QStringList{QString(), QStringLiteral("all")});
  }
  void choose_all() {
    const int row = row_of_all(fixture_);
    QVERIFY(row > 0);
    list(fixture_)->setCurrentIndex(row);
    emit list(fixture_)->activated(row);
  }
  std::string digest() { return fixture_.runs().displayed().run()->facts.digest; }
  bool is_shared_and_fresh() {
    return fixture_.has_fresh_result() &&
           fixture_.runs().displayed().run()->facts.shares.size() == 2;
  }

  void save_shared_session() {
    fixture_.segment();
    choose_all();
    QTRY_VERIFY_WITH_TIMEOUT(is_shared_and_fresh(), kLimitMs);
    QSignalSpy done(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kLimitMs);
  }
  void open_session(test::WindowFixture& in) {
    QSignalSpy opened(&in.window().opener(), &FileOpener::session_opened);
    in.window().opener().open({fixture_.path("work.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
  }

  test::WindowFixture fixture_{test::with_pretended_device(make_operation_table(), "irfc")};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestDevices)
#include "test_devices.moc"
