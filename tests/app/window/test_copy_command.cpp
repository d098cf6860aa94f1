// SPDX-License-Identifier: Apache-2.0
//
// Makes ten runs in the window and copies their commands. A shell that runs them must get the ten
// digests.
//
// SEEDWAVE_COMMANDS: a folder that keeps the images, the strokes, the ten commands (commands.tsv:
// operation, its main output, digest, command; paths relative to the folder) and their results
// (report.txt). SEEDWAVE_VOLUME, SEEDWAVE_PICTURE: files to run on instead of small synthetic ones.
#include "tests/support/pretended_device.h"
#include "tests/support/small_slide.h"
#include "tests/ui/window/window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTreeView>

#include <cmath>
#include <cstdlib>
#include <optional>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

constexpr int kCommandMs = 120'000;
constexpr Index3 kPicture{150, 110, 1};

/// Returns fibres in two directions and colours, on paper.
Volume fibres() {
  Geometry grid;
  grid.size = kPicture;
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> rgb;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const Index3 at = grid.index_of(i);
    const auto x = static_cast<double>(at[0]);
    const auto y = static_cast<double>(at[1]);
    const double one = std::cos(0.35 * x + 0.2 * y) > 0.8 ? 90.0 : 0.0;
    const double two = std::cos(0.15 * x - 0.4 * y) > 0.9 ? 70.0 : 0.0;
    const auto grain = static_cast<double>(i * 7919 % 23);
    for (const double level : {220.0 - one - grain, 190.0 - two - grain, 210.0 - one - two})
      rgb.push_back(static_cast<std::uint8_t>(level));
  }
  return {grid, std::move(rgb), 3};
}

}  // namespace

class TestCopyCommand : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const QByteArray wanted = qgetenv("SEEDWAVE_COMMANDS");
    folder_ = wanted.isEmpty() ? own_folder_.path() : QDir(wanted).absolutePath();
    QVERIFY(QDir().mkpath(folder_));
    volume_ = given("SEEDWAVE_VOLUME");
    if (volume_.isEmpty()) {
      volume_ = folder_ + "/ball.nii.gz";
      io::save_volume(volume_.toStdString(), test::ball_phantom(40));
    }
    picture_ = given("SEEDWAVE_PICTURE");
    if (picture_.isEmpty()) {
      picture_ = folder_ + "/two fibres.png";  // a typical file name
      io::save_volume(picture_.toStdString(), fibres());
    }
  }

  void cleanup() { fixture_.close_window(); }

  void runs_on_a_volume() {
    open(volume_);
    paint_two_labels();
    save_session("volume");
    run("irfc", {});
    run("afc", {{"object", std::string("all")}, {"sigma_o", 37.5}});
    run("rfc", {{"smooth", 0.75}});
    run("open-by-reconstruction", {{"radius", 2.5}});
    run("linear-opening", {{"length", 9.0}, {"direction", std::string("-1,0.5,0.25")}});
  }

  void runs_on_a_colour_picture() {
    open(picture_);
    save_session("picture");
    fixture_.workbench().steps().set_channel("red");
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().opened().scene.volume.empty(), kLimitMs);
    run("reconstruct", {{"marker_from", std::string("h-dome")}, {"h", 20.0}});
    run("linear-closing", {{"length", 15.0}, {"angle", 62.5}});
    fixture_.workbench().steps().set_channel("hematoxylin");
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().opened().scene.volume.empty(), kLimitMs);
    run("orientation", {{"lines", std::string("dark")}, {"length", 13.0}, {"angles", 24.0}});
    run("granulometry", {{"longest", 40.0}});
    // Floods from the result of an earlier run: a recipe of two steps.
    fixture_.workbench().steps().set_operation("regional-minima", "Regional minima");
    finish_run();
    const std::uint64_t minima = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_operation("watershed", "Watershed");
    fixture_.workbench().steps().set_input(
        "marker", output_of(*fixture_.runs().history().find(minima), "image"));
    run("watershed", {{"lines", std::string("yes")}});
    QVERIFY2(made_.back().command.startsWith("seedwave-cli apply "),
             qPrintable(made_.back().command));
  }

  void a_shell_gets_the_digests_of_the_window() {
    QCOMPARE(made_.size(), std::size_t{10});
    QFile commands(folder_ + "/commands.tsv");
    QFile report(folder_ + "/report.txt");
    QVERIFY(commands.open(QIODevice::WriteOnly) && report.open(QIODevice::WriteOnly));
    int same = 0;
    for (const Made& made : made_) {
      QString relative = made.command;
      relative.replace(folder_ + '/', QString());
      commands.write(QStringLiteral("%1\t%2\t%3\t%4\n")
                         .arg(made.operation, made.output, made.digest, relative)
                         .toUtf8());
      const QString again = digest_of(made);
      const bool equal = again == made.digest;
      same += equal ? 1 : 0;
      report.write(QStringLiteral("%1  window %2  command %3  %4\n")
                       .arg(made.operation, -22)
                       .arg(made.digest, again, equal ? "same" : "DIFFERENT")
                       .toUtf8());
    }
    report.close();
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY2(same == 10, report.readAll().constData());
  }

  void what_is_not_saved_goes_to_the_users_data() {
    open(volume_);
    paint_two_labels();
    run("irfc", {});
    const Made first = made_.back();
    QVERIFY(first.command.contains(
        QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)));
    // Other strokes are another file; the first command keeps its meaning.
    fixture_.workbench().steps().withdraw_strokes({1});
    fixture_.workbench().set_current_label(2);
    test::WindowFixture::paint(fixture_.axial(), place(0.1, 0.8), place(0.9, 0.8));
    finish_run();
    QVERIFY(digest_of_shown() != first.digest);
    QCOMPARE(digest_of(first), first.digest);
    // The command of the selected run, not of the displayed one.
    auto* list = fixture_.window().findChild<QTreeView*>(QStringLiteral("runs"));
    list->selectionModel()->select(list->model()->index(list->model()->rowCount() - 1, 0),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(copied(), first.command);
  }

  void a_part_of_a_slide_is_named() {
    const QString file = folder_ + "/slide.ome.tif";
    test::write_small_slide(file.toStdString());
    open(file);
    fixture_.axial().move_camera({.zoom = 2.0, .right_mm = 4.0, .down_mm = 3.0});
    QSignalSpy part(&fixture_.window().opener(), &FileOpener::part_opened);
    fixture_.window().actions().at("work_on_view")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(part.count(), 1, kLimitMs);
    run("gaussian", {});
    QVERIFY2(made_.back().command.contains(" --level 0 --region "),
             qPrintable(made_.back().command));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

  void labels_are_read_as_from_a_file() {
    open(volume_);
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    fixture_.workbench().steps().set_value("low", 100.0, "Low");
    finish_run();
    const std::uint64_t bright = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_operation("fill-holes", "Fill holes");
    fixture_.workbench().steps().set_input(
        "image", output_of(*fixture_.runs().history().find(bright), "labels"));
    run("fill-holes", {});
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

  void labels_in_place_of_the_image_are_repeated() {
    open(volume_);
    paint_two_labels();
    run("irfc", {});
    const auto read_shown = [this](const char* operation) {
      read_labels_of_the_displayed_run(operation);
      const QByteArray recipe = recipe_of(made_.back());
      QVERIFY2(
          recipe.contains("\"labels\": \"irfc.labels\"") && recipe.contains("\"background\": 2"),
          recipe.constData());
      QVERIFY(made_.back().command.contains(" --seeds "));
      QCOMPARE(digest_of(made_.back()), made_.back().digest);
    };
    read_shown("fill-holes");
    read_shown("split-objects");
    read_shown("distance");
  }

  void a_recipe_holds_the_values_that_were_used() {
    open(volume_);
    paint_two_labels();
    run("irfc", {});
    const Values used = fixture_.runs().displayed().run()->facts.values;
    read_labels_of_the_displayed_run("clear-border");
    const QJsonObject recipe = QJsonDocument::fromJson(recipe_of(made_.back())).object();
    const QJsonObject values = recipe["steps"].toArray()[0].toObject()["values"].toObject();
    QCOMPARE(values["sigma_o"].toDouble(), used.number("sigma_o"));
    QCOMPARE(values["m"].toDouble(), used.number("m"));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

  void what_no_recipe_holds_is_several_calls() {
    open(volume_);
    paint_two_labels();
    run("irfc", {});
    // Other strokes in the second step than in the first.
    const InputChoice first = output_of(*fixture_.runs().displayed().run(), "labels");
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    test::WindowFixture::paint(fixture_.axial(), place(0.5, 0.45), place(0.5, 0.55));
    fixture_.workbench().steps().set_operation("segment", "segment");
    fixture_.workbench().steps().set_input("start", first);
    run("segment", {});
    QVERIFY2(made_.back().command.contains(" && seedwave-cli run segment "),
             qPrintable(made_.back().command));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
    // Edits by hand above the result.
    run("irfc", {});
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    fixture_.window().actions().at("tool_edit")->trigger();
    test::WindowFixture::paint(fixture_.axial(), place(0.45, 0.3), place(0.55, 0.7));
    read_labels_of_the_displayed_run("fill-holes");
    QVERIFY2(made_.back().command.contains(" --edits "), qPrintable(made_.back().command));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

  void edits_locks_and_labels_to_correct_are_repeated() {
    open(volume_);
    paint_two_labels();
    run("segment", {});
    const QString plain = made_.back().digest;
    fixture_.window().actions().at("label_lock")->trigger();  // of label 2, the background
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    fixture_.window().actions().at("tool_edit")->trigger();
    // Through the ball and beyond, above what no label has.
    fixture_.workbench().set_current_label(3);
    fixture_.workbench().steps().add_label();
    test::WindowFixture::paint(fixture_.axial(), place(0.45, 0.3), place(0.55, 0.7));
    run("segment", {});
    const Made edited = made_.back();
    QVERIFY(edited.digest != plain);
    QVERIFY2(edited.command.contains(" --edits ") && edited.command.contains(" --locked 2"),
             qPrintable(edited.command));
    QCOMPARE(digest_of(edited), edited.digest);

    // That result as the start of another: two calls, the edits in both.
    fixture_.workbench().steps().set_input("start",
                                           output_of(*fixture_.runs().displayed().run(), "labels"));
    fixture_.window().actions().at("tool_brush")->trigger();
    QTest::keyClick(&fixture_.window(), Qt::Key_1);
    test::WindowFixture::paint(fixture_.axial(), place(0.3, 0.2), place(0.35, 0.2));
    run("segment", {});
    const Made corrected = made_.back();
    QVERIFY(corrected.digest != edited.digest);
    QVERIFY2(corrected.command.contains(" --start "), qPrintable(corrected.command));
    QCOMPARE(digest_of(corrected), corrected.digest);
  }

  void devices_that_share_a_run_are_named() {
    open(picture_);
    fixture_.workbench().steps().set_channel("red");
    QTRY_VERIFY_WITH_TIMEOUT(!fixture_.workbench().opened().scene.volume.empty(), kLimitMs);
    run("h-domes", {{"h", 20.0}});
    const Made alone = made_.back();
    fixture_.workbench().steps().set_algorithm("", "all");
    run("h-domes", {});
    const Made shared = made_.back();
    QCOMPARE(fixture_.runs().displayed().run()->facts.shares.size(), std::size_t{2});
    QCOMPARE(shared.digest, alone.digest);
    QCOMPARE(shared.command, alone.command + " --devices all");
    QCOMPARE(digest_of(shared), shared.digest);
    // No recipe names devices: a run that reads this one is repeated by two calls.
    const InputChoice domes = output_of(*fixture_.runs().displayed().run(), "image");
    fixture_.workbench().steps().set_algorithm("", "auto");
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    fixture_.workbench().steps().set_input("image", domes);
    run("threshold", {});
    QVERIFY2(made_.back().command.contains(" --devices all --out-image "),
             qPrintable(made_.back().command));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

  void an_approximate_algorithm_is_named() {
    open(volume_);
    fixture_.workbench().steps().set_operation("threshold", "Threshold");
    fixture_.workbench().steps().set_value("low", 600.0, "Low");
    finish_run();
    const std::uint64_t ball = fixture_.runs().displayed().result().run;
    fixture_.workbench().steps().set_operation("distance", "Distance");
    fixture_.workbench().steps().set_input(
        "image", output_of(*fixture_.runs().history().find(ball), "labels"));
    run("distance", {});
    QVERIFY(!made_.back().command.contains("--algorithm"));
    const Operation& distance = fixture_.runs().next().operation();
    const auto approximate = std::find_if(
        distance.implementations.begin(), distance.implementations.end(), [](const auto& each) {
          return each.exactness == Exactness::Approximate && each.backend == Backend::Cpu;
        });
    if (approximate == distance.implementations.end()) QSKIP("all algorithms are exact");
    fixture_.workbench().steps().set_algorithm(approximate->algorithm, "cpu");
    run("distance", {});
    QVERIFY(made_.back().command.contains(
        QString::fromStdString(" --algorithm " + approximate->algorithm)));
    QCOMPARE(digest_of(made_.back()), made_.back().digest);
  }

 private:
  struct Made {
    QString operation;
    QString output;  // the main one
    QString digest;
    QString command;
  };

  static QString given(const char* variable) { return QString::fromLocal8Bit(qgetenv(variable)); }

  void open(const QString& path) {
    fixture_.show_window();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    fixture_.window().opener().open({path});
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    fixture_.runs().set_live(false);
    QGuiApplication::clipboard()->clear();
  }

  /// Returns a place of the middle axial slice, as fractions of its sides.
  Vec3 place(double x, double y) {
    const Geometry& grid = fixture_.workbench().image().geometry();
    return grid.to_world(Vec3{x * static_cast<double>(grid.size[0] - 1),
                              y * static_cast<double>(grid.size[1] - 1),
                              std::floor(static_cast<double>(grid.size[2]) / 2.0)});
  }
  void paint_two_labels() {
    test::WindowFixture::paint(fixture_.axial(), place(0.42, 0.5), place(0.58, 0.5));
    QTest::keyClick(&fixture_.window(), Qt::Key_2);
    test::WindowFixture::paint(fixture_.axial(), place(0.08, 0.1), place(0.08, 0.9));
    QCOMPARE(fixture_.workbench().document().seeds.strokes.size(), std::size_t{2});
  }
  void save_session(const QString& name) {
    QSignalSpy saved(&fixture_.window().saver(), &FileSaver::session_saved);
    fixture_.window().saver().save_session(folder_ + '/' + name + ".json");
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kLimitMs);
  }

  void finish_run() {
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QTRY_VERIFY2_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run != before && !fixture_.runs().busy(),
        qPrintable(fixture_.runs().next().missing() + fixture_.runs().failure()), kCommandMs);
  }
  QString digest_of_shown() {
    return QString::fromStdString(fixture_.runs().displayed().run()->facts.digest);
  }
  QString copied() {
    QGuiApplication::clipboard()->clear();
    fixture_.window().actions().at("copy_command")->trigger();
    [] { QTRY_VERIFY_WITH_TIMEOUT(!QGuiApplication::clipboard()->text().isEmpty(), kLimitMs); }();
    return QGuiApplication::clipboard()->text();
  }
  void run(const QString& operation, const std::map<std::string, Value>& values) {
    Workbench& workbench = fixture_.workbench();
    workbench.steps().set_operation(operation.toStdString(), operation);
    for (const auto& [id, value] : values)
      workbench.steps().set_value(id, value, QString::fromStdString(id));
    finish_run();
    made_.push_back({operation, main_output(), digest_of_shown(), copied()});
    const QString& command = made_.back().command;
    QVERIFY2(command.contains("seedwave-cli run " + operation + " --image ") ||
                 recipe_of(made_.back()).contains("\"operation\": \"" + operation.toUtf8() + '"'),
             qPrintable(command));
  }
  void read_labels_of_the_displayed_run(const char* operation) {
    const InputChoice shown = output_of(*fixture_.runs().displayed().run(), "labels");
    fixture_.workbench().steps().set_operation(operation, QString::fromLatin1(operation));
    fixture_.workbench().steps().set_input("labels", shown);
    run(QString::fromLatin1(operation), {});
  }
  /// Returns the recipe that a call of apply reads; nothing of other commands.
  static QByteArray recipe_of(const Made& made) {
    const QStringList words = QProcess::splitCommand(QString(made.command).replace('\'', '"'));
    if (words.size() < 3 || words[1] != "apply") return {};
    QFile file(words[2]);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  /// Returns the digest that a shell gets from the command: that of the last call's main output.
  QString digest_of(const Made& made) const {
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString programs = QFileInfo(QStringLiteral(SEEDWAVE_CLI)).absolutePath();
    environment.insert("PATH", programs + ':' + environment.value("PATH"));
    environment.insert("LC_ALL", "de_DE.UTF-8");
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(own_folder_.path());
    shell.start("/bin/sh", {"-c", made.command + " --json"});
    if (!shell.waitForFinished(kCommandMs) || shell.exitCode() != 0)
      return QString::fromUtf8(shell.readAllStandardError());
    // Earlier calls print text for people.
    const QByteArray out = shell.readAllStandardOutput();
    const QJsonObject json = QJsonDocument::fromJson(out.mid(out.indexOf('{'))).object();
    if (json.contains("digests")) return json["digests"].toObject()[made.output].toString();
    return json["outputs"].toObject()[made.output].toObject()["digest"].toString();
  }
  [[nodiscard]] QString main_output() {
    const Recipe& shown = fixture_.runs().displayed().run()->recipe;
    return QString::fromStdString(table_.at(shown.operation).main_output(reads_of(shown)).id);
  }

  QTemporaryDir own_folder_;
  QString folder_;
  QString volume_;
  QString picture_;
  std::vector<Made> made_;
  OperationTable table_ = make_operation_table();
  // No other test runs h-domes.
  test::WindowFixture fixture_{test::with_pretended_device(table_, "h-domes")};
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestCopyCommand)
#include "test_copy_command.moc"
