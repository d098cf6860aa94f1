// SPDX-License-Identifier: Apache-2.0
//
// Files opened together, label tables, and the questions asked on opening.
#include "core/io/label_table.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/label_palette.h"
#include "ui/panels/series_dialog.h"
#include "ui/window/file_commands.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include <algorithm>

namespace seedwave::ui {

using test::kLimitMs;
using test::kSide;

namespace {

/// Presses a button of the question that is open when the event loop runs next. The signal from
/// which this is called is emitted just before the question.
void answer_next(QObject* context, const QString& question, const QString& button, QString* text) {
  QTimer::singleShot(0, context, [=] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || box->objectName() != question) return;
    *text = box->text() + QLatin1Char('\n') + box->informativeText();
    auto* found = box->findChild<QPushButton*>(button);
    if (found != nullptr) {
      found->click();
    } else {
      box->reject();
    }
  });
}

}  // namespace

class TestFiles : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { fixture_.close_window(); }

  void files_dropped_together_become_study_strokes_and_reference() {
    fixture_.open_ball();
    fixture_.paint_ball_and_background();
    const SeedSet seeds = fixture_.workbench().document().seeds;
    QSignalSpy exported(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_seeds(fixture_.path("seeds.json"));
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kLimitMs);

    fixture_.show_window();
    FileOpener& opener = fixture_.window().opener();
    QStringList told;
    QString asked;
    connect(&opener, &FileOpener::told, this, [&](const QStringList& lines) {
      told = lines;
      answer_next(&opener, QStringLiteral("labels_offered"), QStringLiteral("as_reference"),
                  &asked);
    });
    // The label image comes first in a file manager's order by name; it is not the study.
    fixture_.window().files().open_dropped(
        {fixture_.reference(), fixture_.image(), fixture_.path("seeds.json")});
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().reference().labels.empty(), kLimitMs);
    QCOMPARE(QFileInfo(fixture_.workbench().document().image.path).fileName(),
             QStringLiteral("ball.nii.gz"));
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), seeds.strokes.size());
    QVERIFY2(asked.contains(QStringLiteral("reference.nii.gz")), qPrintable(asked));
    QCOMPARE(told, (QStringList{QStringLiteral("Opened ball.nii.gz"),
                                QStringLiteral("strokes from seeds.json")}));
  }

  // More numbers than a label map has: 200 squares. The image has as many values, all over it.
  void numbered_objects_are_a_reference() {
    Geometry grid;
    grid.size = {200, 100, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint16_t> objects(200 * 100);
    std::vector<std::uint8_t> image(objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::size_t x = i % 200;
      const std::size_t y = i / 200;
      const bool is_inside = x % 10 < 8 && y % 10 < 8;
      objects[i] = static_cast<std::uint16_t>(is_inside ? 1 + x / 10 + y / 10 * 20 : 0);
      image[i] = static_cast<std::uint8_t>((x * 7 + y * 13) % 200);
    }
    fixture_.show_window();
    io::save_volume(fixture_.path("image.png").toStdString(), Volume(grid, std::move(image)));
    io::save_volume(fixture_.path("numbers.png").toStdString(), Volume(grid, std::move(objects)));
    FileOpener& opener = fixture_.window().opener();
    QString asked;
    connect(&opener, &FileOpener::told, this, [&] {
      answer_next(&opener, QStringLiteral("labels_offered"), QStringLiteral("as_reference"),
                  &asked);
    });
    fixture_.window().files().open_dropped(
        {fixture_.path("numbers.png"), fixture_.path("image.png")});
    QTRY_COMPARE_WITH_TIMEOUT(fixture_.workbench().reference().ids.size(), std::size_t{200},
                              kLimitMs);
    QCOMPARE(QFileInfo(fixture_.workbench().document().image.path).fileName(),
             QStringLiteral("image.png"));
  }

  void what_came_with_a_study_follows_the_choice_and_goes_with_its_refusal() {
    QVERIFY(QDir().mkpath(fixture_.path("two")));
    for (const char* name : {"two/a.nii.gz", "two/b.nii.gz"})
      io::save_volume(fixture_.path(name).toStdString(), test::ball_phantom(kSide));
    const Stroke stroke{.label = 3, .radius_mm = 1.0, .points = {{0, 0, 0}}, .plane = {}};
    io::save_seeds(fixture_.path("seeds.json").toStdString(), {.seeds = {{stroke}}});
    fixture_.open_ball();
    FileOpener& opener = fixture_.window().opener();
    auto answer = QDialog::Rejected;
    connect(&opener.task(), &NamedTask::ended, this, [&] {
      QTimer::singleShot(0, &opener, [&] {
        if (auto* dialog = qobject_cast<SeriesDialog*>(QApplication::activeModalWidget()))
          dialog->done(answer);
      });
    });
    QSignalSpy asked(&opener, &FileOpener::choice_needed);
    QSignalSpy told(&opener, &FileOpener::told);
    opener.open({fixture_.path("two"), fixture_.path("seeds.json")});
    QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 1, kLimitMs);
    QCOMPARE(told.count(), 0);
    // Another item of the open files: the strokes of the other study do not belong to it.
    Context context;
    const io::Scan scan = io::scan(fixture_.image().toStdString(), context);
    QSignalSpy opened(&opener, &FileOpener::image_opened);
    opener.open_item(scan, 0, fixture_.image());
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QVERIFY(fixture_.workbench().document().seeds.strokes.empty());

    answer = QDialog::Accepted;
    opener.open({fixture_.path("two"), fixture_.path("seeds.json")});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes, std::vector<Stroke>{stroke});
    QCOMPARE(told.count(), 1);
  }

  void another_image_and_second_files_of_a_kind_are_named_as_left_out() {
    const Volume other = test::ball_phantom(kSide / 2);
    io::save_volume(fixture_.path("other.nii.gz").toStdString(), other);
    io::save_seeds(fixture_.path("one.json").toStdString(), {});
    io::save_seeds(fixture_.path("two.json").toStdString(), {});
    for (const char* table : {"one.ctbl", "two.ctbl"}) {
      QFile file(fixture_.path(table));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("1 kidney 185 102 83 255\n");
    }
    fixture_.show_window();
    QSignalSpy told(&fixture_.window().opener(), &FileOpener::told);
    fixture_.window().opener().open({fixture_.image(), fixture_.path("other.nii.gz"),
                                     fixture_.path("one.json"), fixture_.path("two.json"),
                                     fixture_.path("one.ctbl"), fixture_.path("two.ctbl")});
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kLimitMs);
    const QString text = told.front().front().toStringList().join('\n');
    QVERIFY2(text.contains(QStringLiteral("two.json: only one file with strokes can be opened")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("other.nii.gz: another image")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("labels from one.ctbl")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("two.ctbl: only one label table")), qPrintable(text));
    QVERIFY(fixture_.workbench().has_image());
  }

  void a_label_table_names_labels_as_one_step_and_is_written_again() {
    fixture_.open_ball();
    const auto before = fixture_.workbench().document().labels;
    QFile table(fixture_.path("organs.ctbl"));
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write(
        "# colours\n0 background 0 0 0 0\n1 left_kidney 185 102 83 255\n"
        "9 spleen 157 108 162 255\n65535 beyond 1 2 3 255\n");
    table.close();
    QSignalSpy told(&fixture_.window().opener(), &FileOpener::told);
    fixture_.window().files().open_dropped({table.fileName()});
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kLimitMs);
    const Document& document = fixture_.workbench().document();
    QCOMPARE(document.labels.size(), std::size_t{3});
    QCOMPARE(document.find_label(1)->name, std::string("left kidney"));
    QCOMPARE(document.find_label(1)->color, std::string("#b96653"));
    QCOMPARE(document.find_label(9)->name, std::string("spleen"));
    QVERIFY(told.front().front().toStringList().last().contains(QStringLiteral("65534")));

    QSignalSpy written(&fixture_.window().saver(), &FileSaver::exported);
    fixture_.window().saver().export_label_table(fixture_.path("out.txt"));
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, kLimitMs);
    const auto back = io::load_label_table(fixture_.path("out.txt").toStdString());
    QCOMPARE(back.size(), std::size_t{3});
    QCOMPARE(back.back().name, std::string("spleen"));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(document.labels, before);
  }

  void a_broken_label_table_says_where_and_changes_nothing() {
    fixture_.open_ball();
    const auto before = fixture_.workbench().document().labels;
    QFile table(fixture_.path("broken.txt"));
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("1 255 0 0 1 1 1 \"one\"\n2 900 0 0 1 1 1 \"two\"\n");
    table.close();
    QSignalSpy failed(&fixture_.window().opener().task(), &NamedTask::failed);
    fixture_.window().opener().import_label_table(table.fileName());
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QVERIFY(failed.front().at(1).toString().contains(QStringLiteral("broken.txt, line 2")));
    QCOMPARE(fixture_.workbench().document().labels, before);
  }

  void the_label_menu_recolours_all_labels_as_one_step() {
    fixture_.open_ball();
    const auto before = fixture_.workbench().document().labels;
    const QMenu* labels = fixture_.window().actions().menu(ActionGroup::Label);
    QAction* tol = nullptr;
    for (const QAction* entry : labels->actions()) {
      if (entry->menu() == nullptr) continue;
      for (QAction* choice : entry->menu()->actions()) {
        if (choice->text().startsWith(QStringLiteral("Tol"))) tol = choice;
      }
    }
    QVERIFY(tol != nullptr);
    tol->trigger();
    QVERIFY(has_palette(fixture_.workbench().document().labels, LabelPalette::TolBright));
    fixture_.window().actions().at("undo")->trigger();
    QCOMPARE(fixture_.workbench().document().labels, before);
  }

  void a_damaged_image_is_opened_only_when_asked_for() {
    const QString path = fixture_.path("cut.png");
    QImage image(200, 300, QImage::Format_Grayscale8);
    unsigned state = 7;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        state = state * 1664525U + 1013904223U;
        image.scanLine(y)[x] = static_cast<uchar>(state >> 24U);
      }
    }
    QVERIFY(image.save(path, "PNG"));
    QVERIFY(QFile::resize(path, QFileInfo(path).size() / 2));
    fixture_.show_window();
    FileOpener& opener = fixture_.window().opener();
    QSignalSpy found(&opener, &FileOpener::damage_found);
    QSignalSpy warned(&opener, &FileOpener::warned);
    const auto question = [&] {
      return fixture_.window().findChild<QMessageBox*>(QStringLiteral("damaged"));
    };
    opener.open({path});
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, kLimitMs);
    QTRY_VERIFY(question() != nullptr);
    QVERIFY2(question()->text().contains(QStringLiteral("cut.png")),
             qPrintable(question()->text()));
    QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel));
    question()->reject();
    QTRY_VERIFY(question() == nullptr);
    QVERIFY(!fixture_.workbench().has_image());
    opener.open({path});
    QTRY_VERIFY_WITH_TIMEOUT(question() != nullptr, kLimitMs);
    question()->findChild<QPushButton*>(QStringLiteral("open_anyway"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().has_image(), kLimitMs);
    QCOMPARE(warned.count(), 1);
    QVERIFY(warned.front().front().toStringList().front().startsWith(
        QStringLiteral("is damaged or truncated")));
  }

  void a_reference_on_another_grid_is_asked_about_and_resampled() {
    const Geometry grid = test::phantom_grid(kSide / 2);
    io::save_labels(fixture_.path("coarse.nii.gz").toStdString(),
                    LabelMap(grid, std::vector<std::uint16_t>(
                                       static_cast<std::size_t>(grid.voxel_count()), 1)));
    fixture_.open_ball();
    FileOpener& opener = fixture_.window().opener();
    QString asked;
    // "ended" is emitted before the question about the files.
    connect(&opener.task(), &NamedTask::ended, this, [&] {
      answer_next(&opener, QStringLiteral("grids_differ"), QStringLiteral("resample"), &asked);
    });
    opener.import_reference(fixture_.path("coarse.nii.gz"));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().reference().labels.empty(), kLimitMs);
    QVERIFY2(asked.contains(QStringLiteral("coarse.nii.gz")) &&
                 asked.contains(QStringLiteral("16 x 16 x 16")) &&
                 asked.contains(QStringLiteral("32 x 32 x 32")),
             qPrintable(asked));
    const LabelMap& labels = fixture_.workbench().reference().labels;
    QCOMPARE(labels.at({kSide / 2, kSide / 2, kSide / 2}), std::uint16_t{1});
    QCOMPARE(labels.at({0, 0, 0}), std::uint16_t{0});
  }

  void a_session_whose_image_is_gone_asks_where_it_is() {
    fixture_.segment();
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(fixture_.path("work.json"));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
    const QString moved = fixture_.path("moved.nii.gz");
    QVERIFY(QFile::rename(fixture_.image(), moved));

    fixture_.show_window();
    FileOpener& opener = fixture_.window().opener();
    QString asked;
    connect(&opener.task(), &NamedTask::ended, this,
            [&] { answer_next(&opener, QStringLiteral("image_missing"), {}, &asked); });
    QSignalSpy missing(&opener, &FileOpener::image_missing);
    opener.open({fixture_.path("work.json")});
    QTRY_COMPARE_WITH_TIMEOUT(missing.count(), 1, kLimitMs);
    QVERIFY2(asked.contains(QStringLiteral("ball.nii.gz")), qPrintable(asked));
    QVERIFY(!fixture_.workbench().has_image());
    QSignalSpy opened(&opener, &FileOpener::session_opened);
    opener.open_session(fixture_.path("work.json").toStdString(), moved);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
    QVERIFY(QFile::rename(moved, fixture_.image()));
  }

  void labels_that_cannot_be_painted_are_left_out_and_named() {
    fixture_.open_ball();
    const LabelMap ball = test::ball_labels(test::kSide);
    std::vector<std::uint16_t> labels(ball.labels().begin(), ball.labels().end());
    labels[0] = 65535;
    io::save_labels(fixture_.path("marked.nii.gz").toStdString(),
                    LabelMap(ball.geometry(), std::move(labels)));
    QSignalSpy warned(&fixture_.window().opener(), &FileOpener::warned);
    fixture_.window().opener().import_reference(fixture_.path("marked.nii.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(warned.count(), 1, kLimitMs);
    QVERIFY(warned.front().front().toStringList().front().contains(QStringLiteral("65535")));
    QCOMPARE(fixture_.workbench().document().find_label(65535), nullptr);
    fixture_.window().opener().import_seeds(fixture_.path("marked.nii.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(warned.count(), 2, kLimitMs);
    for (const Stroke& stroke : fixture_.workbench().document().seeds.strokes)
      QCOMPARE(stroke.label, std::uint16_t{1});
  }

  void label_0_of_a_seeds_file_is_no_label_of_the_document() {
    io::save_seeds(fixture_.path("zero.json").toStdString(),
                   {.seeds = {}, .labels = {{.id = 0, .name = "nothing"}, {.id = 7, .name = "x"}}});
    fixture_.open_ball();
    fixture_.window().opener().import_seeds(fixture_.path("zero.json"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.workbench().document().find_label(7) != nullptr, kLimitMs);
    QCOMPARE(fixture_.workbench().document().find_label(0), nullptr);
  }

  void a_mask_of_0_and_255_is_a_foreground_and_is_scored_as_label_1() {
    fixture_.open_ball();
    const LabelMap ball = test::ball_labels(test::kSide);
    std::vector<std::uint16_t> inside;
    for (const Label label : ball.labels())
      inside.push_back(label == 0 ? 0 : 255);
    io::save_labels(fixture_.path("mask.nii.gz").toStdString(),
                    LabelMap(ball.geometry(), std::move(inside)));
    QSignalSpy referenced(&fixture_.workbench(), &Workbench::reference_changed);
    fixture_.window().opener().import_reference(fixture_.path("mask.nii.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(referenced.count(), 1, kLimitMs);
    const auto& labels = fixture_.workbench().document().labels;
    QCOMPARE(labels.size(), std::size_t{2});
    QCOMPARE(labels[0].id, std::uint16_t{1});
    QCOMPARE(labels[0].name, std::string("foreground"));
    QCOMPARE(labels[1].id, std::uint16_t{2});
    QCOMPARE(labels[1].name, std::string("background"));
    fixture_.paint_ball_and_background();
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QVERIFY(fixture_.runs().displayed().run()->score.labels.contains(1));
    QVERIFY(fixture_.runs().displayed().run()->score.labels.at(1) > 0.9);

    // As seeds it is label 1 too.
    QSignalSpy imported(&fixture_.workbench(), &Workbench::part_changed);
    fixture_.window().opener().import_seeds(fixture_.path("mask.nii.gz"));
    QTRY_VERIFY_WITH_TIMEOUT(!imported.isEmpty(), kLimitMs);
    const auto& strokes = fixture_.workbench().document().seeds.strokes;
    QVERIFY(std::all_of(strokes.begin(), strokes.end(),
                        [](const Stroke& stroke) { return stroke.label == 1; }));
    QCOMPARE(labels.size(), std::size_t{2});
  }

 private:
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestFiles)
#include "test_files.moc"
