// SPDX-License-Identifier: Apache-2.0
//
// The displayed chain of runs applied to many cases by the command line, from the window.
#include "core/image/volume.h"
#include "core/io/save.h"
#include "tests/support/random_numbers.h"
#include "tests/ui/window/modal_dialogs.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"
#include "ui/models/path_text.h"
#include "ui/panels/apply_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QItemSelectionModel>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <memory>

namespace seedwave::ui {

using test::kLimitMs;

namespace {

constexpr int kImages = 4;
constexpr std::int64_t kMostMs = 100;

}  // namespace

class TestApplyRecipe : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid() && QDir(folder_->path()).mkdir("images"));
    for (int i = 0; i < kImages; ++i)
      save_image(QString("images/%1.png").arg(i), static_cast<std::uint64_t>(i));
    fixture_.show_window();
    fixture_.runs().set_live(false);
  }
  void cleanup() { fixture_.close_window(); }

  void every_case_has_the_result_that_the_window_gives() {
    make_chain();
    const QString digest = digest_in_window();
    show_dialog();
    add({path("images")});
    QCOMPARE(text("folder"), path("images-results"));
    QCOMPARE(states(), QStringList(kImages, "Waiting"));
    QVERIFY2(label("about").contains("2 step(s): Threshold, Fill holes. Reads of each case: image"),
             qPrintable(label("about")));
    run_to_end();
    QCOMPARE(states(), QStringList(kImages, "Done"));
    QCOMPARE(label("state"), QString("4 case(s), 4 done"));
    QCOMPARE(digest_of("0"), digest);
    QVERIFY(digest_of("1") != digest);
    for (const char* file :
         {"seedwave-recipe.json", "seedwave-cases.csv", "seedwave-results.csv", "index.html"})
      QVERIFY2(QFile::exists(path("images-results/") + file), file);
    // Nothing is recomputed.
    run_to_end();
    QCOMPARE(states(), QStringList(kImages, "Done (was there already)"));
  }

  void cases_are_scored_by_the_references_beside_them() {
    make_chain();
    show_dialog();
    add({path("images")});
    run_to_end();
    QVERIFY(QFile::copy(path("images-results/2/labels.nrrd"), path("images/2-truth.nrrd")));
    widget<QLineEdit>("reference")->setText("*-truth.nrrd");
    QTRY_COMPARE_WITH_TIMEOUT(states().filter("0-truth.nrrd is missing").size(), 1, kLimitMs);
    QCOMPARE(rows(), kImages);  // the reference is no case
    run_to_end();
    const QModelIndex two = row_of("2");
    QCOMPARE(two.siblingAtColumn(CohortModel::StateColumn).data().toString(), QString("Done"));
    QCOMPARE(two.siblingAtColumn(CohortModel::ScoreColumn).data().toString(),
             QString("Dice 1.0000"));
    QVERIFY(state_of("0").contains("0-truth.nrrd"));
  }

  void a_case_that_fails_says_why_and_the_others_go_on() {
    write("images/broken.png", "no picture");
    make_chain();
    show_dialog();
    add({path("images/0.png"), path("images/broken.png"), path("images/lost.png"),
         path("images/1.png")});
    QVERIFY(state_of("lost").contains("lost.png is missing"));
    run_to_end();
    QCOMPARE(state_of("0"), QString("Done"));
    QCOMPARE(state_of("1"), QString("Done"));
    for (const char* name : {"broken", "lost"}) {
      QVERIFY2(state_of(name).startsWith("Failed: "), qPrintable(state_of(name)));
      QVERIFY2(state_of(name).contains(QString(name) + ".png"), qPrintable(state_of(name)));
      QCOMPARE(state_of(name).count('\n'), 0);
    }
    QCOMPARE(label("state"), QString("4 case(s), 2 done, 2 failed"));
  }

  void an_image_without_the_channel_fails() {
    write("stain.json", R"({"seedwave_recipe": 1, "name": "Stain", "steps": [
      {"id": "a", "operation": "gaussian", "inputs": {"image": "case"}, "channel": "hematoxylin"}]})");
    show_dialog();
    emit dialog().recipe_file_added(path("stain.json"));
    QCOMPARE(widget<QComboBox>("recipe")->currentText(), QString("Stain (stain.json)"));
    add({path("images/0.png")});
    run_to_end();
    QVERIFY2(state_of("0").contains("channel 'hematoxylin'"), qPrintable(state_of("0")));
  }

  void a_removed_case_stays_removed() {
    make_chain();
    show_dialog();
    add({path("images")});
    select("1");
    button("remove")->click();
    QCOMPARE(rows(), kImages - 1);
    emit dialog().sources_changed();
    QTest::qWait(300);
    QCOMPARE(rows(), kImages - 1);
    run_to_end();
    QVERIFY(!QFile::exists(path("images-results/1")));
    add({path("images")});
    QTRY_COMPARE_WITH_TIMEOUT(rows(), kImages, kLimitMs);
  }

  void a_run_is_paused_and_cancelled_at_once_and_goes_on() {
    write("slow.json", R"({"seedwave_recipe": 1, "steps": [{"id": "a", "operation": "median",
        "inputs": {"image": "case"}, "values": {"radius": 12}}]})");
    for (int i = 0; i < kImages; ++i)
      save_image(QString("images/%1.png").arg(i), static_cast<std::uint64_t>(i), {1200, 900, 1});
    show_dialog();
    emit dialog().recipe_file_added(path("slow.json"));
    add({path("images")});
    button("start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(states().filter("Running").size(), 1, kLimitMs);
    QElapsedTimer clock;
    clock.start();
    button("pause")->click();
    QVERIFY(clock.elapsed() < kMostMs);
    QVERIFY(label("state").contains("paused"));
    QTest::qWait(200);
    const QStringList before = states();
    QTest::qWait(1500);
    QCOMPARE(states(), before);
    button("pause")->click();
    QTRY_VERIFY_WITH_TIMEOUT(states().contains("Done"), kLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(states().filter("Running").size(), 1, kLimitMs);
    clock.start();
    button("cancel_run")->click();
    QVERIFY(clock.elapsed() < kMostMs);
    QTRY_VERIFY_WITH_TIMEOUT(button("start")->isEnabled(), kLimitMs);
    QCOMPARE(states().filter("Running").size(), 0);
    QVERIFY(states().contains("Waiting") && states().contains("Done"));
    QVERIFY(label("state").contains("Cancelled"));
    run_to_end();
    QCOMPARE(states().filter("Done").size(), kImages);
  }

  void a_case_opens_with_its_result_to_be_corrected() {
    make_chain();
    show_dialog();
    add({path("images")});
    run_to_end();
    for (int i = 0; i < kImages; ++i) {
      QVERIFY(QFile::copy(path(QString("images-results/%1/labels.nrrd").arg(i)),
                          path(QString("images/%1-truth.nrrd").arg(i))));
    }
    widget<QLineEdit>("reference")->setText("*-truth.nrrd");
    QTRY_COMPARE_WITH_TIMEOUT(states(), QStringList(kImages, "Waiting"), kLimitMs);
    run_to_end();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    // The runs of the chain are in no file.
    test::when_open<QMessageBox>(
        this, [](QMessageBox& box) { box.button(QMessageBox::Discard)->click(); });
    emit list()->activated(row_of("3"));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QCOMPARE(to_text(fixture_.workbench().document().image.path), path("images/3.png"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(digest_in_window(), digest_of("3"));
    QTRY_COMPARE_WITH_TIMEOUT(to_text(fixture_.workbench().document().reference.path),
                              path("images/3-truth.nrrd"), kLimitMs);
    // The result is in its folder: the next case opens without a question.
    emit list()->activated(row_of("2"));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    QCOMPARE(digest_in_window(), digest_of("2"));
    // The recipe of the cases stays chosen.
    fixture_.window().actions().at("apply_recipe")->trigger();
    QVERIFY(widget<QComboBox>("recipe")->currentText().endsWith("Fill holes"));
    // Corrected by hand, above the result.
    fixture_.window().actions().at("tool_edit")->trigger();
    fixture_.workbench().set_current_label(2);
    const Geometry& grid = fixture_.workbench().image().geometry();
    test::WindowFixture::paint(fixture_.axial(), grid.to_world(Vec3{20, 20, 0}),
                               grid.to_world(Vec3{60, 40, 0}));
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result() && digest_in_window() != digest_of("3"),
                             kLimitMs);
  }

  // The last step of `cells.json` is a table: what it measures is the result.
  void a_case_of_a_table_opens_with_the_labels_that_it_measures() {
    show_dialog();
    auto* recipes = widget<QComboBox>("recipe");
    QCOMPARE(recipes->currentIndex(), -1);
    recipes->setCurrentIndex(recipes->findText("Cells around nuclei (cells.json)"));
    add({path("images")});
    run_to_end();
    QSignalSpy opened(&fixture_.window().opener(), &FileOpener::image_opened);
    emit list()->activated(row_of("1"));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_.has_fresh_result(), kLimitMs);
    Context context;
    const LabelMap saved =
        io::read_labels(path("images-results/1/labels.nrrd").toStdString(), context);
    QVERIFY(fixture_.runs().displayed().result().labels.labels() == saved.labels());
  }

  void the_copied_command_finds_all_done() {
    make_chain();
    show_dialog();
    add({path("images")});
    run_to_end();
    QGuiApplication::clipboard()->clear();
    button("copy")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!QGuiApplication::clipboard()->text().isEmpty(), kLimitMs);
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", QFileInfo(QStringLiteral(SEEDWAVE_CLI)).absolutePath() + ':' +
                                   environment.value("PATH"));
    shell.setProcessEnvironment(environment);
    shell.start("/bin/sh", {"-c", QGuiApplication::clipboard()->text()});
    QVERIFY(shell.waitForFinished(kLimitMs));
    QCOMPARE(shell.exitCode(), 0);
    QCOMPARE(shell.readAllStandardOutput().count("\"skipped\":true"), kImages);
  }

  void what_cannot_be_used_is_said() {
    write("newer.json", R"({"seedwave_recipe": 99, "steps": []})");
    write("list.csv", "image,seeds\na.png,s.json\n");
    make_chain();
    show_dialog();
    emit dialog().recipe_file_added(path("newer.json"));
    QVERIFY2(label("state").contains("newer version"), qPrintable(label("state")));
    emit dialog().paths_added({path("list.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(label("state").contains("list.csv: line 1"), kLimitMs);
    QCOMPARE(rows(), 0);
  }

  void a_folder_that_cannot_be_made_is_said() {
    write("taken", "a file");
    make_chain();
    show_dialog();
    add({path("images/0.png")});
    widget<QLineEdit>("folder")->setText(path("taken"));
    button("start")->click();
    QTRY_VERIFY_WITH_TIMEOUT(button("start")->isEnabled(), kLimitMs);
    QVERIFY2(label("state").contains("cannot make the folder " + path("taken")),
             qPrintable(label("state")));
    QCOMPARE(states(), QStringList("Waiting"));
  }

  void a_program_that_is_missing_or_crashes_is_said() {
    const CohortRun::Order order{.recipe = {}, .cases = {}, .folder = path("out"), .jobs = 1};
    QCOMPARE(message_of("/nowhere/seedwave-cli", order),
             QString("The program /nowhere/seedwave-cli is missing"));
    write("seedwave-cli", "#!/bin/sh\necho 'progress 0 first' >&2\nkill -SEGV $$\n");
    QVERIFY(QFile(path("seedwave-cli")).setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    QString begun;
    QVERIFY(message_of(path("seedwave-cli"), order, &begun).contains("crashed (signal 11)"));
    QCOMPARE(begun, QString("first"));
  }

  void a_crash_is_that_of_its_case() {
    CohortModel model;
    model.set_entries(
        {{.of = {.name = "a", .path = "a.png"}}, {.of = {.name = "b", .path = "b.png"}}});
    model.begin("a");
    model.interrupt("seedwave-cli crashed");
    QCOMPARE(model.counts().failed, std::size_t{1});
    QCOMPARE(model.entry(0).note, QString("seedwave-cli crashed"));
    QCOMPARE(model.counts().waiting, std::size_t{1});
  }

 private:
  [[nodiscard]] QString path(const QString& name) const { return folder_->filePath(name); }
  void write(const char* name, const QByteArray& content) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  void save_image(const QString& name, std::uint64_t seed,
                  const Index3& size = {120, 90, 1}) const {
    Geometry grid;
    grid.size = size;
    grid.unit = LengthUnit::Pixel;
    test::RandomNumbers random(seed + 1);
    std::vector<std::uint8_t> values(static_cast<std::size_t>(grid.voxel_count()));
    for (std::uint8_t& value : values)
      value = static_cast<std::uint8_t>(random.below(256));
    io::save_volume(path(name).toStdString(), Volume(grid, std::move(values)));
  }

  /// Two runs on the first image.
  void make_chain() {
    fixture_.open(path("images/0.png"));
    run_in_window("threshold");
    run_in_window("fill-holes");
  }
  void run_in_window(const char* operation) {
    choose_operation(fixture_.workbench(), fixture_.runs(), operation, operation);
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run != before && !fixture_.runs().busy(), kLimitMs);
  }
  [[nodiscard]] QString digest_in_window() {
    return QString::fromStdString(fixture_.runs().displayed().run()->facts.digest);
  }
  [[nodiscard]] QString digest_of(const QString& name) const {
    QFile file(path("images-results/" + name + "/result.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject result = QJsonDocument::fromJson(file.readAll()).object();
    return result["digests"].toObject()["labels"].toString();
  }

  void show_dialog() {
    fixture_.window().actions().at("apply_recipe")->trigger();
    QVERIFY(fixture_.window().findChild<ApplyDialog*>() != nullptr);
  }
  [[nodiscard]] ApplyDialog& dialog() { return *fixture_.window().findChild<ApplyDialog*>(); }
  template <typename Widget>
  [[nodiscard]] Widget* widget(const char* name) {
    return dialog().findChild<Widget*>(QString::fromLatin1(name));
  }
  [[nodiscard]] QPushButton* button(const char* name) { return widget<QPushButton>(name); }
  [[nodiscard]] QString label(const char* name) { return widget<QLabel>(name)->text(); }
  [[nodiscard]] QString text(const char* name) { return widget<QLineEdit>(name)->text(); }
  [[nodiscard]] QTreeView* list() { return widget<QTreeView>("cases"); }
  [[nodiscard]] int rows() { return list()->model()->rowCount(); }
  [[nodiscard]] QStringList states() {
    QStringList states;
    for (int row = 0; row < rows(); ++row)
      states << list()->model()->index(row, CohortModel::StateColumn).data().toString();
    return states;
  }
  [[nodiscard]] QModelIndex row_of(const QString& name) {
    for (int row = 0; row < rows(); ++row) {
      const QModelIndex index = list()->model()->index(row, CohortModel::NameColumn);
      if (index.data().toString() == name) return index;
    }
    return {};
  }
  [[nodiscard]] QString state_of(const QString& name) {
    return row_of(name).siblingAtColumn(CohortModel::StateColumn).data().toString();
  }
  void select(const QString& name) {
    list()->selectionModel()->select(
        row_of(name), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  }
  void add(const QStringList& paths) {
    const int before = rows();
    emit dialog().paths_added(paths);
    QTRY_VERIFY_WITH_TIMEOUT(rows() > before, kLimitMs);
  }
  void run_to_end() {
    QTRY_VERIFY_WITH_TIMEOUT(button("start")->isEnabled(), kLimitMs);
    button("start")->click();
    QVERIFY(!button("start")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(button("start")->isEnabled(), kLimitMs);
  }
  /// Returns the message with which a run ends, and the first case that began.
  static QString message_of(const QString& program, const CohortRun::Order& order,
                            QString* begun = nullptr) {
    CohortRun run(program);
    QSignalSpy ended(&run, &CohortRun::ended);
    QSignalSpy began(&run, &CohortRun::case_began);
    run.start(order);
    [&ended] { QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kLimitMs); }();
    if (begun != nullptr && !began.isEmpty()) *begun = began[0][0].toString();
    return ended.isEmpty() ? QString() : ended[0][0].toString();
  }

  std::unique_ptr<QTemporaryDir> folder_;
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

SEEDWAVE_WINDOW_TEST_MAIN(seedwave::ui::TestApplyRecipe)
#include "test_apply_recipe.moc"
