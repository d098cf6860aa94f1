// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/cli/sweep_scene.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <memory>

using namespace seedwave;
using seedwave::test::CliOutcome;
using seedwave::test::run_cli;

namespace {

constexpr std::int64_t kSide = 96;
/// Discs that touch each other in pairs.
constexpr int kPairs = 6;
constexpr double kJoinedF1 = 2.0 * kPairs / (kPairs + 2 * kPairs);

struct Disc {
  double x = 0.0;
  double y = 0.0;
};

std::vector<Disc> discs() {
  std::vector<Disc> all;
  for (int i = 0; i < kPairs; ++i) {
    const double x = 14.0 + 30.0 * (i % 3);
    const double y = 22.0 + 48.0 * (i / 3.0 >= 1.0 ? 1 : 0);
    all.push_back({x, y - 7.0});
    all.push_back({x, y + 7.0});
  }
  return all;
}

/// Returns the number of the disc at a pixel; 0 for none.
std::uint16_t disc_at(const Index3& at) {
  const std::vector<Disc> all = discs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double dx = static_cast<double>(at[0]) - all[i].x;
    const double dy = static_cast<double>(at[1]) - all[i].y;
    if (dx * dx + dy * dy <= 7.5 * 7.5) return static_cast<std::uint16_t>(i + 1);
  }
  return 0;
}

Geometry grid() {
  Geometry geometry;
  geometry.size = {kSide, kSide, 1};
  geometry.unit = LengthUnit::Pixel;
  return geometry;
}

}  // namespace

class TestSweepRecipe : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    folder_ = std::make_unique<QTemporaryDir>();
    std::vector<std::uint8_t> pixels;
    std::vector<std::uint16_t> truth;
    for (std::int64_t i = 0; i < grid().voxel_count(); ++i) {
      const Index3 at = grid().index_of(i);
      truth.push_back(disc_at(at));
      pixels.push_back(static_cast<std::uint8_t>(truth.back() != 0 ? 60 : 200));
    }
    io::save_volume(test::path_of(file("image.npy")), Volume(grid(), std::move(pixels)));
    io::save_labels(test::path_of(file("truth.npy")), LabelMap(grid(), std::move(truth)));
    QFile recipe(file("chain.json"));
    QVERIFY(recipe.open(QIODevice::WriteOnly));
    recipe.write(R"({"seedwave_recipe": 1, "name": "Dark discs", "steps": [
      {"id": "smooth", "operation": "gaussian", "inputs": {"image": "case"}, "values": {"sigma": 1}},
      {"id": "dark", "operation": "threshold", "inputs": {"image": "smooth.image"},
       "values": {"high": 130}},
      {"id": "split", "operation": "split-objects", "inputs": {"image": "dark.labels"}}]})");
  }

  void objects_rank_the_values_of_two_steps() {
    const CliOutcome outcome =
        run_cli(sweep({"--json", "--out-recipe", file("best.json"), "--overwrite"}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["recipe"].toString(), QString("Dark discs"));
    QCOMPARE(json["ranked_by"].toString(), QString("f1"));
    const QJsonArray rows = json["rows"].toArray();
    QCOMPARE(rows.size(), 6);
    for (const auto& each : rows) {
      const QJsonObject row = each.toObject();
      const bool is_split = row["varied"].toObject()["split.h"].toDouble() < 50.0;
      // Joined discs: half as many objects, each of which matches the larger of its two discs.
      QCOMPARE(row["label_count"].toInt(), is_split ? 2 * kPairs : kPairs);
      QCOMPARE(row["f1"].toDouble(), is_split ? 1.0 : kJoinedF1);
      QCOMPARE(row["merged"].toInt(), is_split ? 0 : kPairs);
      QVERIFY(row["dice"].toDouble() > 0.9);
    }
    QVERIFY(!json["flat"].toBool());
    // The chosen values as a recipe give the digest of the centre.
    const CliOutcome again =
        run_cli({"apply", file("best.json"), file("image.npy"), "--out", file("out"), "--quiet"});
    QVERIFY2(again.code == 0, again.err.constData());
    const int centre = json["plateau"].toObject()["centre"].toObject()["run"].toInt();
    QCOMPARE(again.json()["digests"].toObject()["labels"].toString(),
             rows[centre - 1].toObject()["digest"].toString());
  }

  void the_score_that_is_asked_for_ranks() {
    const CliOutcome outcome = run_cli(sweep({"--json", "--rank-by", "dice"}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["ranked_by"].toString(), QString("dice"));
    QVERIFY(json["best"].toObject().contains("dice"));
    // Dice cannot tell joined discs from split ones.
    QVERIFY(json["flat"].toBool());
    QVERIFY(run_cli(sweep({"--rank-by", "dice"})).out.contains("flat: all runs are within 0.01"));
  }

  void the_table_has_the_scores_of_objects() {
    const QString table = file("t.csv");
    const CliOutcome outcome = run_cli(sweep({"--out", table, "--quiet"}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto rows = test::rows_in(table);
    QCOMPARE(rows.size(), 6);
    for (const auto& row : rows) {
      const bool is_split = row["split.h"].toDouble() < 50.0;
      QCOMPARE(row["f1"].toDouble(), is_split ? 1.0 : kJoinedF1);
      QCOMPARE(row["missed"].toInt(), is_split ? 0 : kPairs);
      QCOMPARE(row["spurious"].toInt(), 0);
      QCOMPARE(row["plateau"].toInt(), is_split ? 1 : 0);
    }
  }

  void several_cases_have_a_mean_f1() {
    QFile list(file("cases.csv"));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write(
        "name,image,reference,use\na,image.npy,truth.npy,tune\nb,image.npy,truth.npy,tune\n"
        "c,image.npy,truth.npy,test\n");
    list.close();
    const CliOutcome outcome = run_cli({"sweep", file("chain.json"), "--cases", file("cases.csv"),
                                        "--vary", "split.h=1,100", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["ranked_by"].toString(), QString("f1"));
    const QJsonArray combinations = json["combinations"].toArray();
    QCOMPARE(combinations[0].toObject()["f1"].toObject()["mean"].toDouble(), 1.0);
    QCOMPARE(combinations[1].toObject()["f1"].toObject()["mean"].toDouble(), kJoinedF1);
    QCOMPARE(json["test"].toObject()["f1"].toObject()["mean"].toDouble(), 1.0);
  }

  void what_is_wrong_is_one_line() {
    const auto refused = [&](const QStringList& words, int code, const char* part) {
      const CliOutcome outcome = run_cli(words);
      QCOMPARE(outcome.code, code);
      QVERIFY2(outcome.err.contains(part), outcome.err.constData());
      QCOMPARE(outcome.err.count('\n'), 1);
    };
    const QStringList start{"sweep", file("chain.json"), "--image", file("image.npy"), "--vary"};
    refused(start + QStringList{"h=1,2"}, 2, "STEP.PARAM; the steps are smooth, dark, split");
    refused(start + QStringList{"split.hh=1,2"}, 2, "no parameter 'hh'");
    refused(start + QStringList{"split.h=1,2", "--out-recipe", file("r.txt")}, 4, "suffix .json");
    refused(start + QStringList{"split.h=1,2", "--rank-by", "f1"}, 2,
            "--reference PATH is missing");
    refused(start + QStringList{"split.h=1,2", "--sigma", "2"}, 2, "--sigma");
    refused(start + QStringList{"splt.h=1,2"}, 2, "no step 'splt'");
    refused(start + QStringList{"split.h=1,2", "--backend", "cpu"}, 2, "--backend");
    refused(start + QStringList{"split.h=1,2", "--out-recipe", file("r.json")}, 2,
            "--out-recipe needs a reference");
    refused(start + QStringList{"split.h=1,2", "--reference", file("truth.npy"), "--out-recipe",
                                file("chain.json")},
            2, "chain.json");
  }

 private:
  [[nodiscard]] QString file(const QString& name) const { return folder_->filePath(name); }
  [[nodiscard]] QStringList sweep(const QStringList& more) const {
    return QStringList{"sweep",       file("chain.json"), "--image", file("image.npy"),
                       "--reference", file("truth.npy"),  "--vary",  "dark.high=120,130",
                       "--vary",      "split.h=0.5,1,100"} +
           more;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestSweepRecipe)
#include "test_sweep_recipe.moc"
