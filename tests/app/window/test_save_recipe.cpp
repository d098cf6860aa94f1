// SPDX-License-Identifier: Apache-2.0
//
// A chain of runs of the window saved as a recipe, which the command line carries out.
#include "tests/support/small_slide.h"
#include "tests/ui/window/modal_dialogs.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/fitting_input.h"

#include <QAction>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace seedwave::ui {

using test::kLimitMs;

class TestSaveRecipe : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { test::use_own_dialogs(); }
  void init() {
    QVERIFY(folder_.isValid());
    test::write_small_slide(path("slide.ome.tif").toStdString());
    fixture_.show_window();
    fixture_.runs().set_live(false);
  }
  void cleanup() { fixture_.close_window(); }

  void without_a_run_there_is_nothing_to_save() {
    QVERIFY(!action()->isEnabled());
    fixture_.open(path("slide.ome.tif"));
    QVERIFY(!action()->isEnabled());
  }

  void the_chain_gives_the_digest_of_the_window() {
    fixture_.open(path("slide.ome.tif"));
    fixture_.workbench().steps().set_operation("threshold", "threshold");
    fixture_.workbench().steps().set_value("low", 100.0, "low");
    run_in_window("threshold");
    run_in_window("fill-holes");
    const std::string digest = fixture_.runs().displayed().run()->facts.digest;
    QVERIFY(action()->isEnabled());
    test::save_as(this, path("chain.json"));
    action()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path("chain.json")), kLimitMs);
    const QJsonObject line = applied(path("chain.json"), path("slide.ome.tif"));
    QCOMPARE(line["digests"].toObject()["labels"].toString().toStdString(), digest);
  }

 private:
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
  [[nodiscard]] QAction* action() { return fixture_.window().actions().at("save_recipe"); }
  void run_in_window(const char* operation) {
    choose_operation(fixture_.workbench(), fixture_.runs(), operation, operation);
    const std::uint64_t before = fixture_.runs().displayed().result().run;
    fixture_.runs().run();
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture_.runs().displayed().result().run != before && !fixture_.runs().busy(), kLimitMs);
  }
  /// Returns the line that the command line prints of one case.
  [[nodiscard]] QJsonObject applied(const QString& recipe, const QString& image) const {
    QProcess process;
    process.start(SEEDWAVE_CLI, {"apply", recipe, image, "--out", path("out"), "--quiet"});
    if (!process.waitForFinished(kLimitMs)) return {};
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
  }

  QTemporaryDir folder_;
  test::WindowFixture fixture_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestSaveRecipe)
#include "test_save_recipe.moc"
