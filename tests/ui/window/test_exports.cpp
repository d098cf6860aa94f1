// SPDX-License-Identifier: Apache-2.0
//
// Surfaces and pictures that leave the window.
#include "core/io/label_table.h"
#include "tests/ui/window/modal_dialogs.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/picture_dialog.h"
#include "ui/panels/surface_dialog.h"
#include "ui/window/view_settings.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTimer>

#include <cmath>
#include <functional>

namespace seedwave::ui {

using test::kLimitMs;
using test::save_as;
using test::when_open;

class TestExports : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { test::use_own_dialogs(); }
  void init() {
    fixture_.segment();
    QSettings().clear();
  }
  void cleanup() { fixture_.close_window(); }

  void checked_labels_become_files() {
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    when_open<SurfaceDialog>(this, [this](SurfaceDialog& dialog) {
      auto* labels = dialog.findChild<QListWidget*>("labels");
      QCOMPARE(labels->count(), 2);
      QVERIFY(labels->item(0)->text().startsWith(QStringLiteral("1: ")));
      dialog.findChild<QPushButton*>("none")->click();
      QVERIFY(!dialog.findChild<QPushButton*>("export")->isEnabled());
      dialog.findChild<QPushButton*>("all")->click();
      QVERIFY(dialog.findChild<QCheckBox*>("file_per_label")->isChecked());
      save_as(this, fixture_.path("out.stl"));
      dialog.findChild<QPushButton*>("export")->click();
    });
    action("export_surfaces")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    const QDir folder(QFileInfo(fixture_.path("out.stl")).absolutePath());
    const QStringList files = folder.entryList({QStringLiteral("out*.stl")});
    QCOMPARE(files.size(), 2);
    QVERIFY(files.front().startsWith(QStringLiteral("out-1-")));
    QVERIFY(exported.front().front().toString().contains(QStringLiteral("1 more file")));
  }

  void a_folder_that_is_missing_is_reported() {
    QSignalSpy failed(&fixture_.window().saver(), &FileSaver::failed);
    fixture_.window().saver().export_surfaces(fixture_.path("no/x.stl"), {});
    fixture_.window().saver().export_surfaces(fixture_.path("x.stl"), {.labels = {77}});
    fixture_.window().saver().export_picture(fixture_.path("no/x.png"),
                                             QImage(4, 4, QImage::Format_RGB32));
    fixture_.window().saver().export_picture(QStringLiteral("/dev/full"),
                                             QImage(4, 4, QImage::Format_RGB32));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 4, kLimitMs);
    QVERIFY(failed[0][1].toString().contains(QStringLiteral("no/x.stl")));
    QVERIFY(failed[1][1].toString().contains(QStringLiteral("label 77 has no voxels")));
    QVERIFY(failed[2][1].toString().contains(QStringLiteral("no/x.png")));
    QVERIFY(failed[3][1].toString().contains(QStringLiteral("/dev/full")));
    QVERIFY(!QFile::exists(fixture_.path("x.stl")));
  }

  void labels_are_offered_as_a_segmentation() {
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    QString offered;
    QString filter;
    const auto save = [&](const QString& path) {
      when_open<QFileDialog>(this, [&, path](QFileDialog& dialog) {
        offered = dialog.findChild<QLineEdit*>()->text();
        filter = dialog.selectedNameFilter();
        dialog.findChild<QLineEdit*>()->setText(path);
        dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
      });
      action("export_labels")->trigger();
    };
    save(fixture_.path("out.seg.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    QVERIFY2(offered.endsWith(QStringLiteral("-labels.seg.nrrd")), qPrintable(offered));
    const auto names = io::stored_names(fixture_.path("out.seg.nrrd").toStdString()).names;
    QCOMPARE(names.size(), std::size_t{2});
    const auto& entry = fixture_.workbench().document().labels.front();
    QCOMPARE(names.front().name, entry.name);
    QCOMPARE(names.front().color, entry.color);
    // The last format comes first; a suffix that the dialog mixed up is repaired.
    save(fixture_.path("out.seg.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 2, kLimitMs);
    QVERIFY(QFile::exists(fixture_.path("out.nii.gz")));
    save(fixture_.path("again.nii.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 3, kLimitMs);
    QVERIFY2(offered.endsWith(QStringLiteral("-labels.nii.gz")), qPrintable(offered));
    QVERIFY2(filter.contains(QStringLiteral("NIfTI")), qPrintable(filter));
  }

  void names_come_back_with_a_segmentation() {
    fixture_.workbench().steps().set_labels(
        [&] {
          auto labels = fixture_.workbench().document().labels;
          labels.front().name = "left kidney";
          labels.front().color = "#123456";
          return labels;
        }(),
        QStringLiteral("a name"));
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_labels(fixture_.path("named.seg.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    fixture_.open_ball();
    QVERIFY(fixture_.workbench().document().labels.front().name != "left kidney");
    fixture_.window().opener().import_seeds(fixture_.path("named.seg.nrrd"));
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.workbench().document().labels.front().name,
                              std::string("left kidney"), kLimitMs);
    QCOMPARE(fixture_.workbench().document().labels.front().color, std::string("#123456"));
  }

  void a_picture_is_what_is_on_screen() {
    ViewGrid& views = fixture_.window().views();
    SliceView& axial = fixture_.axial();
    fixture_.window().setFocus();  // without the frame of the focus
    QTRY_VERIFY(!axial.hasFocus());
    const QImage seen = axial.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QImage one = axial.picture({});
    QCOMPARE(one.size(), seen.size());
    QVERIFY(one == seen);
    const QImage all = views.picture({});
    QCOMPARE(all.size(), views.size());
    QVERIFY(all.copy(QRect(axial.pos(), axial.size())) == seen);
    // The 3-D view shows more than its background.
    const QRect solid(views.surface_view().pos(), views.surface_view().size());
    const QImage surface = all.copy(solid);
    QVERIFY(surface.pixel(surface.rect().center()) != surface.pixel(5, 5));
    QVERIFY(axial.grab().toImage().convertToFormat(QImage::Format_RGB32) == seen);
  }

  void a_larger_picture_has_finer_detail() {
    SliceView& axial = fixture_.axial();
    const QImage one = axial.picture({});
    const QImage two = axial.picture({.scale = 2});
    QCOMPARE(two.size(), one.size() * 2);
    QVERIFY(two != one.scaled(two.size()));
    // The same content: reduced, it is nearly the small picture.
    const QImage back = two.scaled(one.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    double difference = 0;
    for (int y = 0; y < one.height(); ++y) {
      for (int x = 0; x < one.width(); ++x)
        difference += std::abs(qGray(one.pixel(x, y)) - qGray(back.pixel(x, y)));
    }
    QVERIFY2(difference / (one.width() * one.height()) < 6,
             qPrintable(QString::number(difference)));
    const QImage surface = fixture_.window().views().surface_view().picture({.scale = 2});
    QCOMPARE(surface.size(), fixture_.window().views().surface_view().size() * 2);
    QVERIFY(surface.pixel(surface.rect().center()) != surface.pixel(5, 5));
    // Pointer and brush still meet the image.
    const QPoint centre = axial.rect().center();
    const Vec3 world = axial.hover_at(centre).world;
    QVERIFY((axial.position_of(world) - QPointF(centre)).manhattanLength() < 1e-6);
  }

  void annotations_and_crosshair_can_be_left_out() {
    SliceView& axial = fixture_.axial();
    const QImage all = axial.picture({});
    const QImage no_texts = axial.picture({.annotations = false});
    const QImage plain = axial.picture({.annotations = false, .crosshair = false});
    QVERIFY(no_texts != all);
    QVERIFY(plain != no_texts);
    // Texts are in the corner; a quarter of the way in there is only the image.
    const QRect corner(2, 2, 120, 30);
    QVERIFY(plain.copy(corner) != all.copy(corner));
    QVERIFY(no_texts.copy(corner) == plain.copy(corner));
    const QRect inside(axial.width() / 4, axial.height() / 4, 20, 20);
    QVERIFY(plain.copy(inside) == all.copy(inside));
    const QRect middle(axial.position_of(axial.display().cursor).toPoint() - QPoint(10, 10),
                       QSize(20, 20));
    QVERIFY(no_texts.copy(middle) != plain.copy(middle));
    ViewGrid& views = fixture_.window().views();
    QVERIFY(views.surface_view().picture({.annotations = false}) !=
            views.surface_view().picture({}));
    QVERIFY(views.surface_view().display().show_cube);
  }

  void the_active_view_is_the_one_that_had_the_focus() {
    ViewGrid& views = fixture_.window().views();
    views.slice_view(PlaneKind::Coronal).setFocus();
    QVERIFY(views.picture({.views = PictureViews::Active}) ==
            views.slice_view(PlaneKind::Coronal).picture({}));
    views.surface_view().setFocus();
    QVERIFY(views.picture({.views = PictureViews::Active}) == views.surface_view().picture({}));
    views.set_layout_kind(ViewLayout::Surface);
    QCoreApplication::processEvents();
    QCOMPARE(views.picture({}).size(), views.surface_view().size());
  }

  void the_dialog_saves_and_copies() {
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    when_open<PictureDialog>(this, [this](PictureDialog& dialog) {
      QVERIFY(!dialog.findChild<QLabel*>("preview")->pixmap().isNull());
      dialog.findChild<QComboBox*>("views")->setCurrentIndex(1);
      dialog.findChild<QComboBox*>("scale")->setCurrentIndex(1);
      save_as(this, fixture_.path("view"));
      dialog.findChild<QPushButton*>("save")->click();
    });
    action("save_picture")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);
    const QImage saved(fixture_.path("view.png"));
    QCOMPARE(saved.size(), fixture_.axial().size() * 2);
    // Copy picture takes the same choices.
    QGuiApplication::clipboard()->clear();
    action("copy_picture")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->image().size(), saved.size());
  }

 private:
  QAction* action(const char* id) { return fixture_.window().actions().at(id); }

  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestExports)
#include "test_exports.moc"
