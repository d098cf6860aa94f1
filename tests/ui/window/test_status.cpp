// SPDX-License-Identifier: Apache-2.0
//
// The contents of the status bar while the user does something else.
#include "tests/ui/window/window_fixture.h"
#include "ui/models/label_size.h"
#include "ui/views/slice_hand.h"
#include "ui/window/file_commands.h"

#include <QDockWidget>
#include <QLabel>
#include <QPointer>
#include <QSignalSpy>

#include <algorithm>

namespace seedwave::ui {

using test::kLimitMs;

class TestStatus : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void a_result_that_comes_under_a_still_pointer_is_told() {
    fixture_.open_ball();
    const QLabel* label = field("readout_label");
    const QLabel* strength = field("readout_map");
    fixture_.paint_ball_and_background();
    hover({0, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(label->text(), QStringLiteral("object"), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(strength->text(), QStringLiteral("strength 1.00"), kLimitMs);

    // So is a reference, and the end of the result.
    QSignalSpy referenced(&fixture_.workbench(), &Workbench::reference_changed);
    fixture_.window().opener().import_reference(fixture_.reference());
    QTRY_COMPARE_WITH_TIMEOUT(referenced.count(), 1, kLimitMs);
    QCOMPARE(label->text(), QStringLiteral("object; reference: object"));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.runs().displayed().result().run, std::uint64_t{0});
    QCOMPARE(label->text(), QStringLiteral("reference: object"));
    QVERIFY(strength->text().isEmpty());
  }

  void why_a_run_gave_nothing_stands_until_another_one_ended() {
    fixture_.open_ball();
    fixture_.workbench().steps().set_operation("threshold", {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    const QLabel* message = field("message");
    fixture_.workbench().steps().set_value("low", 10.0, {});
    fixture_.workbench().steps().set_value("high", 5.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(message->isVisible() && message->text().contains("low must not"),
                             kLimitMs);
    fixture_.workbench().steps().set_value("high", 500.0, {});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(!message->isVisible() && message->text().isEmpty());
  }

  void the_slice_is_that_of_the_plane_under_the_pointer_or_with_the_focus() {
    fixture_.open_ball();
    ViewGrid& views = fixture_.window().views();
    views.slice_view(PlaneKind::Axial).go_to_slice(4);
    views.slice_view(PlaneKind::Coronal).go_to_slice(9);
    const QLabel* slice = field("slice");
    views.slice_view(PlaneKind::Coronal).setFocus();
    QCOMPARE(slice->text(), QStringLiteral("Coronal 10/32"));
    views.slice_view(PlaneKind::Axial).setFocus();
    QCOMPARE(slice->text(), QStringLiteral("Axial 5/32"));

    SliceView& sagittal = views.slice_view(PlaneKind::Sagittal);
    QTest::mouseMove(&sagittal, sagittal.rect().center());
    QTRY_VERIFY_WITH_TIMEOUT(slice->text().startsWith(QStringLiteral("Sagittal ")), kLimitMs);
    QTest::mouseMove(&views.surface_view(), views.surface_view().rect().center());
    QTRY_COMPARE_WITH_TIMEOUT(slice->text(), QStringLiteral("Axial 5/32"), kLimitMs);
    // A panel that takes the focus does not change the active plane.
    fixture_.window().findChild<QWidget*>(QStringLiteral("operation"))->setFocus();
    views.slice_view(PlaneKind::Axial).go_to_slice(6);
    QCOMPARE(slice->text(), QStringLiteral("Axial 7/32"));
  }

  void a_message_leaves_what_is_under_the_pointer_in_sight() {
    fixture_.open_ball();
    hover({0, 0, 0});
    const QLabel* position = field("readout_position");
    const QString where = position->text();
    QVERIFY(where.contains(QStringLiteral("mm")));
    fixture_.runs().search_sigma();  // there is no reference yet
    const QLabel* message = field("message");
    QVERIFY(message->isVisible());
    QVERIFY(message->text().contains(QStringLiteral("reference")));
    QVERIFY(position->isVisible());
    QCOMPARE(position->text(), where);
    QVERIFY(field("readout_value")->isVisible() && !field("readout_value")->text().isEmpty());
  }

  void the_hint_goes_with_the_sample() {
    fixture_.show_window();
    fixture_.window().show_hint();
    QPointer<QWidget> hint = fixture_.window().findChild<QWidget*>(QStringLiteral("hint"));
    QVERIFY(hint != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(hint->isVisible(), kLimitMs);
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().files().open_sample();
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(texts_of(hint).contains(QStringLiteral("(<i>brain</i>)")), kLimitMs);
    QVERIFY(texts_of(hint).contains(QStringLiteral("(<i>other</i>)")));
    fixture_.window().workbench().steps().undo_stack().setClean();
    fixture_.window().opener().open({fixture_.image()});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(hint == nullptr, kLimitMs);
  }

  void the_size_told_is_that_of_the_current_label() {
    fixture_.segment();
    const QLabel* detail = field("score_detail");
    fixture_.workbench().set_current_label(1);
    const Run* run = fixture_.runs().displayed().run();
    const Geometry& geometry = fixture_.workbench().image().geometry();
    QVERIFY(run->facts.voxels.of(1) != run->facts.voxels.of(2));
    const auto told = [&](std::uint16_t label, const QString& name) {
      return detail->text().startsWith(
          QStringLiteral("%1: %2").arg(name, size_text(geometry, run->facts.voxels.of(label))));
    };
    QVERIFY2(told(1, QStringLiteral("object")), qPrintable(detail->text()));
    fixture_.workbench().set_current_label(2);
    QVERIFY2(told(2, QStringLiteral("background")), qPrintable(detail->text()));
  }

  void the_window_fits_a_small_screen() {
    fixture_.segment();
    ui::MainWindow& window = fixture_.window();
    window.resize(1024, 700);
    // The message needs room too.
    fixture_.runs().search_sigma();
    QVERIFY2(window.minimumSizeHint().width() <= 1024,
             qPrintable(QString::number(window.minimumSizeHint().width())));
    QTRY_COMPARE_WITH_TIMEOUT(window.size(), QSize(1024, 700), kLimitMs);
    for (auto* dock : window.findChildren<QDockWidget*>()) {
      const auto beside = window.tabifiedDockWidgets(dock);
      const bool is_behind =
          std::any_of(beside.begin(), beside.end(),
                      [](const QDockWidget* other) { return !other->visibleRegion().isEmpty(); });
      if (!dock->isVisible() || is_behind) continue;
      QTRY_VERIFY2_WITH_TIMEOUT(window.rect().contains(dock->geometry()),
                                qPrintable(dock->objectName()), kLimitMs);
    }
  }

 private:
  static QString texts_of(const QWidget* card) {
    QString texts;
    for (const auto* label : card->findChildren<QLabel*>())
      texts += label->text();
    return texts;
  }
  const QLabel* field(const char* name) {
    const auto* label = fixture_.window().findChild<QLabel*>(QString::fromLatin1(name));
    if (label == nullptr) qFatal("no field %s", name);
    return label;
  }
  /// The pointer stops on a point of the axial plane.
  void hover(const Vec3& world) {
    SliceView& view = fixture_.axial();
    const QPoint at = view.position_of(world).toPoint();
    // The server moves the pointer, and reports it at any later time.
    QPointF told;
    const auto connection =
        connect(&view.hand(), &SliceHand::hovered, &view,
                [&](const Hover& hover) { told = view.position_of(hover.world); });
    QTest::mouseMove(&view, at);
    QTRY_VERIFY_WITH_TIMEOUT((told - at).manhattanLength() < 1.0, kLimitMs);
    disconnect(connection);
  }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestStatus)
#include "test_status.moc"
