// SPDX-License-Identifier: Apache-2.0
//
// Scores of numbered objects on the command line.
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

LabelMap row(std::vector<std::uint16_t> labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  geometry.unit = LengthUnit::Pixel;
  return {geometry, std::move(labels)};
}

/// An object of a row, the pixels begin .. end - 1, with the name of its class.
struct Nucleus {
  int begin = 0;
  int end = 0;
  std::string of_class;
};

std::string geojson_of(const std::vector<Nucleus>& nuclei) {
  std::string text;
  for (const auto& [begin, end, of_class] : nuclei) {
    const std::string left = std::to_string(begin);
    const std::string right = std::to_string(end);
    text += text.empty() ? "" : ",";
    text += R"({"type":"Feature","properties":{"objectType":"detection")";
    if (!of_class.empty()) text += R"(,"classification":{"name":")" + of_class + R"("})";
    text += R"(},"geometry":{"type":"Polygon","coordinates":[[[)" + left + ",0],[" + right +
            ",0],[" + right + ",1],[" + left + ",1],[" + left + ",0]]]}}";
  }
  return R"({"type":"FeatureCollection","features":[)" + text + "]}";
}

}  // namespace

class TestCompareObjects : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void json_has_the_scores_in_place_of_labels();
  void text_is_a_table();
  void the_limit_is_exact();
  void undefined_scores_are_null();
  void a_mask_is_pointed_out();
  void other_grids_are_refused();
  void parts_are_scored_by_label();
  void parts_have_a_table();
  void parts_have_the_names_of_their_labels();
  void connectivity_joins_corners();
  void numbered_objects_are_pointed_out();
  void classes_of_regions_are_scored_by_name();
  void regions_and_label_maps_are_compared();
  void objects_without_a_class_are_one();
  void regions_without_objects_are_one_line();
  void flags_that_do_not_fit_are_one_line_data();
  void flags_that_do_not_fit_are_one_line();

 private:
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(name); }
  void save(const char* name, std::vector<std::uint16_t> labels) const {
    io::save_labels(file(name).toStdString(), row(std::move(labels)));
  }
  void save_regions(const char* name, const std::vector<Nucleus>& nuclei) const {
    std::ofstream(file(name).toStdString()) << geojson_of(nuclei);
  }
  [[nodiscard]] CliOutcome scored(const char* result, const char* reference,
                                  const QStringList& more) const {
    return run_cli(QStringList{"compare", file(result), file(reference), "--objects"} + more);
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

/// Lesions of two kinds: label 1 has two in the reference, of which the result finds one, and one
/// that is spurious; label 2 has one; label 3 only the result has.
const std::vector<std::uint16_t> kLesions{1, 1, 0, 2, 2, 2, 0, 1, 1, 0, 0, 0};
const std::vector<std::uint16_t> kFoundLesions{1, 1, 0, 2, 2, 0, 0, 0, 0, 1, 0, 3};

/// Five objects of the reference: found, split, two merged, missed; and one that is spurious.
void TestCompareObjects::initTestCase() {
  folder_ = std::make_unique<QTemporaryDir>();
  save("reference.png", {1, 1, 1, 1, 0, 2, 2, 2, 2, 2, 0, 3, 3, 4, 4, 0, 5, 5, 0, 0});
  save("result.png", {9, 9, 9, 0, 0, 7, 7, 7, 8, 8, 0, 6, 6, 6, 6, 0, 0, 0, 0, 4});
  save("none.png", std::vector<std::uint16_t>(20));
  save("mask.png", std::vector<std::uint16_t>(20, 1));
  save("lesions.png", kLesions);
  save("found_lesions.png", kFoundLesions);
  save("longer.png", std::vector<std::uint16_t>(21, 1));
}

void TestCompareObjects::json_has_the_scores_in_place_of_labels() {
  const CliOutcome outcome = scored("result.png", "reference.png", {"--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject json = outcome.json();
  QCOMPARE(json.keys(),
           (QStringList{"objects", "reference", "result", "size", "spacing", "unit", "warnings"}));
  QVERIFY(json["warnings"].toArray().isEmpty());
  const QJsonObject objects = json["objects"].toObject();
  const std::map<QString, double> expected{{"reference", 5},
                                           {"found", 5},
                                           {"matched", 2},
                                           {"precision", 0.4},
                                           {"recall", 0.4},
                                           {"f1", 0.4},
                                           {"pq", (0.75 + 0.6) / 5},
                                           {"aji", (3 + 3 + 2 + 2) / (4 + 5 + 4 + 4 + 2 + 2 + 1.0)},
                                           {"split", 1},
                                           {"merged", 1},
                                           {"missed", 3},
                                           {"spurious", 3},
                                           {"iou", 0.5},
                                           {"f1_mean", (2 * 2 + 3 * 1) * 0.2 / 10},
                                           {"foreground_dice", 2.0 * 12 / (13 + 15)}};
  for (const auto& [id, score] : expected)
    QVERIFY2(std::abs(objects[id].toDouble(-1) - score) < 1e-12, qPrintable(id));
  QCOMPARE(objects["f1_by_iou"].toArray(),
           (QJsonArray{0.4, 0.4, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0}));
  QCOMPARE(static_cast<std::size_t>(objects.size()), expected.size() + 1);
}

void TestCompareObjects::text_is_a_table() {
  const CliOutcome outcome = scored("result.png", "reference.png", {});
  QCOMPARE(outcome.code, 0);
  QVERIFY(outcome.err.isEmpty());
  QVERIFY2(outcome.out.contains("PQ                                    0.2700\n"), outcome.out);
  QVERIFY2(outcome.out.contains("matched, IoU > 0.5                    2\n"), outcome.out);
  QVERIFY(!outcome.out.contains("ASSD"));
}

void TestCompareObjects::the_limit_is_exact() {
  const auto matched = [&](const char* limit) {
    const CliOutcome outcome = scored("result.png", "reference.png", {"--iou", limit, "--json"});
    return outcome.json()["objects"].toObject()["matched"].toInt(-1);
  };
  // IoU 3 / 4 and 3 / 5; 6 / 10 is not 0.6 in binary.
  QCOMPARE(matched("0.6"), 1);
  QCOMPARE(matched("0.599999999"), 2);
  QCOMPARE(matched(".75"), 0);
  QCOMPARE(matched("0.749"), 1);
  QCOMPARE(matched("0.49"), 3);
}

void TestCompareObjects::undefined_scores_are_null() {
  const QJsonObject neither =
      scored("none.png", "none.png", {"--json"}).json()["objects"].toObject();
  for (const char* id : {"precision", "recall", "f1", "pq", "aji", "f1_mean", "foreground_dice"})
    QVERIFY2(neither[id].isNull(), id);
  QVERIFY(neither["f1_by_iou"].toArray()[9].isNull());
  QCOMPARE(neither["found"].toInt(-1), 0);
  const QJsonObject missed =
      scored("none.png", "reference.png", {"--json"}).json()["objects"].toObject();
  QVERIFY(missed["precision"].isNull());
  QCOMPARE(missed["f1"].toDouble(-1), 0.0);
  QCOMPARE(missed["missed"].toInt(), 5);
  QVERIFY(
      scored("none.png", "none.png", {}).out.contains("AJI                                   -"));
}

void TestCompareObjects::a_mask_is_pointed_out() {
  const CliOutcome text = scored("mask.png", "reference.png", {});
  QCOMPARE(text.code, 0);
  QVERIFY2(text.err.contains("the result has a single label"), text.err);
  QCOMPARE(text.err.count('\n'), 1);
  const CliOutcome json = scored("reference.png", "mask.png", {"--json"});
  QVERIFY(json.json()["warnings"].toArray()[0].toString().startsWith("the reference has a single"));
}

void TestCompareObjects::other_grids_are_refused() {
  QCOMPARE(scored("result.png", "longer.png", {}).code, 3);
}

void TestCompareObjects::parts_are_scored_by_label() {
  const CliOutcome outcome = scored("found_lesions.png", "lesions.png", {"--parts", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject json = outcome.json();
  QCOMPARE(json.keys(), (QStringList{"connectivity", "labels", "macro", "objects", "reference",
                                     "result", "size", "spacing", "unit", "warnings"}));
  QCOMPARE(json["connectivity"].toInt(), 4);
  const QJsonObject labels = json["labels"].toObject();
  QCOMPARE(labels.keys(), (QStringList{"1", "2", "3"}));
  const QJsonObject first = labels["1"].toObject();
  QCOMPARE(first["reference"].toInt(), 2);
  QCOMPARE(first["found"].toInt(), 2);
  QCOMPARE(first["matched"].toInt(), 1);
  QCOMPARE(first["missed"].toInt(), 1);
  QCOMPARE(first["f1"].toDouble(), 0.5);
  QVERIFY(!first.contains("name"));
  QCOMPARE(labels["2"].toObject()["pq"].toDouble(), 2.0 / 3.0);
  QVERIFY(labels["3"].toObject()["recall"].isNull());
  // Label 3 is not in the mean, and in the sums.
  QCOMPARE(json["macro"].toObject()["f1"].toDouble(), 0.75);
  QCOMPARE(json["macro"].toObject().size(), 6);
  const QJsonObject all = json["objects"].toObject();
  QCOMPARE(all["found"].toInt(), 4);
  QCOMPARE(all["f1"].toDouble(), 2.0 * 2 / (4 + 3));
  QCOMPARE(
      all.keys(),
      scored("found_lesions.png", "lesions.png", {"--json"}).json()["objects"].toObject().keys());
}

void TestCompareObjects::parts_have_a_table() {
  const CliOutcome outcome = scored("found_lesions.png", "lesions.png", {"--parts"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QByteArrayList lines = outcome.out.split('\n');
  QCOMPARE(lines.size(), 7);  // the last one is empty
  QVERIFY2(lines[0].startsWith("label  reference  result  matched"), outcome.out);
  QVERIFY2(lines[1].startsWith("1              2       2        1"), outcome.out);
  QVERIFY2(lines[4].startsWith("mean") && lines[4].contains("0.7500"), outcome.out);
  QVERIFY2(lines[5].startsWith("all"), outcome.out);
  for (const QByteArray& line : lines)
    QVERIFY(line.isEmpty() || line.size() == lines[0].size());
  QCOMPARE(scored("none.png", "none.png", {"--parts"}).out,
           QByteArray("neither image has labels\n"));
}

void TestCompareObjects::parts_have_the_names_of_their_labels() {
  Geometry geometry;
  geometry.size = {12, 1, 1};
  const auto save_named = [&](const char* name, const std::vector<std::uint16_t>& labels,
                              const std::vector<io::LabelName>& names) {
    io::save_named_labels(file(name).toStdString(), LabelMap(geometry, std::vector(labels)), names);
  };
  save_named("lesions.seg.nrrd", kLesions, {{1, "tumour", ""}, {2, "Lymphknoten, gro\u00df", ""}});
  save_named("found.seg.nrrd", kFoundLesions, {{1, "tumor", ""}, {3, "third", ""}});
  const CliOutcome json = scored("found.seg.nrrd", "lesions.seg.nrrd", {"--parts", "--json"});
  QVERIFY2(json.code == 0, json.err.constData());
  QCOMPARE(json.json()["warnings"].toArray().size(), 1);
  QVERIFY(json.json()["warnings"].toArray()[0].toString().startsWith(
      "label 1 is 'tumor' in the result and 'tumour' in the reference"));
  const QJsonObject labels = json.json()["labels"].toObject();
  QCOMPARE(labels["1"].toObject()["name"].toString(), "tumour");
  QCOMPARE(labels["3"].toObject()["name"].toString(), "third");
  const QString text =
      QString::fromUtf8(scored("found.seg.nrrd", "lesions.seg.nrrd", {"--parts"}).out);
  QVERIFY2(text.contains("2 Lymphknoten, gro\u00df          1"), qPrintable(text));
}

void TestCompareObjects::connectivity_joins_corners() {
  Geometry geometry;
  geometry.size = {2, 2, 1};
  geometry.unit = LengthUnit::Pixel;
  io::save_labels(file("corner.png").toStdString(),
                  LabelMap(geometry, std::vector<std::uint16_t>{1, 0, 0, 1}));
  const auto parts = [&](const QStringList& flags) {
    const CliOutcome outcome =
        scored("corner.png", "corner.png", QStringList{"--parts", "--json"} + flags);
    return outcome.json()["objects"].toObject()["reference"].toInt(-1);
  };
  QCOMPARE(parts({}), 2);
  QCOMPARE(parts({"--connectivity", "8"}), 1);
}

void TestCompareObjects::numbered_objects_are_pointed_out() {
  const CliOutcome outcome = scored("result.png", "reference.png", {"--parts"});
  QCOMPARE(outcome.code, 0);
  QVERIFY2(outcome.err.contains("leave --parts out"), outcome.err);
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY(scored("lesions.png", "lesions.png", {"--parts"}).err.isEmpty());
}

/// Nuclei that touch: of the three tumour nuclei one is found, one has another class, one is
/// missed.
void TestCompareObjects::classes_of_regions_are_scored_by_name() {
  save_regions(
      "drawn.geojson",
      {{0, 4, "Tumor"}, {4, 8, "Tumor"}, {8, 12, "Tumor"}, {12, 16, "Immune"}, {16, 20, "Immune"}});
  // Other classes come first here: names count, not their order.
  save_regions("found.geojson",
               {{16, 20, "Immune"}, {4, 8, "Immune"}, {13, 16, "Immune"}, {0, 3, "Tumor"}});
  const CliOutcome outcome = scored("found.geojson", "drawn.geojson", {"--classes", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject json = outcome.json();
  QCOMPARE(json.keys(), (QStringList{"classes", "macro", "objects", "reference", "result", "size",
                                     "spacing", "unit", "warnings"}));
  QCOMPARE(json["size"].toArray(), (QJsonArray{20, 1, 1}));
  const QJsonObject tumor = json["classes"].toObject()["Tumor"].toObject();
  QCOMPARE(tumor["reference"].toInt(), 3);
  QCOMPARE(tumor["found"].toInt(), 1);
  QCOMPARE(tumor["pq"].toDouble(), 2 * 0.75 / (3 + 1));
  QCOMPARE(tumor["aji"].toDouble(), 3.0 / 12);
  const QJsonObject immune = json["classes"].toObject()["Immune"].toObject();
  QCOMPARE(immune["matched"].toInt(), 2);
  QCOMPARE(immune["spurious"].toInt(), 1);
  QCOMPARE(immune["f1"].toDouble(), 2.0 * 2 / (2 + 3));
  QCOMPARE(immune["pq"].toDouble(), 2 * (1.0 + 0.75) / (2 + 3));
  QCOMPARE(json["macro"].toObject()["pq"].toDouble(), (0.375 + 0.7) / 2);
  QCOMPARE(json["objects"].toObject()["matched"].toInt(), 3);
  // Without classes all four are found.
  QCOMPARE(scored("found.geojson", "drawn.geojson", {"--json"})
               .json()["objects"]
               .toObject()["matched"]
               .toInt(),
           4);
  const QByteArrayList lines =
      scored("found.geojson", "drawn.geojson", {"--classes"}).out.split('\n');
  QVERIFY2(lines[0].startsWith("class   reference  result  matched"), lines[0]);
  QVERIFY2(lines[1].startsWith("Tumor           3       1        1"), lines[1]);
  QVERIFY2(lines[2].startsWith("Immune          2       3        2"), lines[2]);
  QVERIFY(lines[3].startsWith("mean") && lines[4].startsWith("all"));
}

void TestCompareObjects::regions_and_label_maps_are_compared() {
  save("nuclei.png", {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0});
  save_regions("nuclei.geojson", {{8, 12, "Tumor"}, {4, 8, "Tumor"}, {0, 4, "Tumor"}});
  for (const auto& [result, reference] :
       {std::pair{"nuclei.png", "nuclei.geojson"}, std::pair{"nuclei.geojson", "nuclei.png"}}) {
    const CliOutcome outcome = scored(result, reference, {"--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.json()["objects"].toObject()["matched"].toInt(), 3);
    QCOMPARE(outcome.json()["objects"].toObject()["pq"].toDouble(), 1.0);
  }
  const CliOutcome classes = scored("nuclei.png", "nuclei.geojson", {"--classes"});
  QCOMPARE(classes.code, 2);
  QVERIFY2(classes.err.contains("--classes needs two GeoJSON files"), classes.err);
  QVERIFY(classes.err.contains("nuclei.png"));
}

void TestCompareObjects::objects_without_a_class_are_one() {
  save_regions("some.geojson", {{0, 4, "Tumor"}, {4, 8, ""}, {8, 12, ""}});
  save_regions("others.geojson", {{0, 4, "Tumor"}, {4, 8, ""}, {4, 8, "Stroma"}});
  const CliOutcome outcome = scored("others.geojson", "some.geojson", {"--classes", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  const QJsonObject classes = outcome.json()["classes"].toObject();
  QCOMPARE(classes.keys(), (QStringList{"Stroma", "Tumor", "Unclassified"}));
  QCOMPARE(classes["Unclassified"].toObject()["reference"].toInt(), 2);
  // The one of no class is covered.
  QCOMPARE(classes["Unclassified"].toObject()["found"].toInt(), 0);
  QVERIFY(outcome.json()["warnings"].toArray()[0].toString().contains("without a pixel: 1;"));
  QVERIFY(classes["Stroma"].toObject()["recall"].isNull());
  QCOMPARE(outcome.json()["macro"].toObject()["f1"].toDouble(), 0.5);
}

void TestCompareObjects::regions_without_objects_are_one_line() {
  save_regions("empty.geojson", {});
  save_regions("one.geojson", {{0, 4, "Tumor"}});
  QCOMPARE(scored("empty.geojson", "empty.geojson", {"--classes"}).out,
           QByteArray("neither file has objects\n"));
  for (const QStringList& flags : {QStringList{}, QStringList{"--objects", "--parts"}}) {
    const CliOutcome outcome =
        run_cli(QStringList{"compare", file("one.geojson"), file("one.geojson")} + flags);
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("compare them as objects") && outcome.err.count('\n') == 1,
             outcome.err);
  }
}

void TestCompareObjects::flags_that_do_not_fit_are_one_line_data() {
  QTest::addColumn<QStringList>("flags");
  QTest::addColumn<QString>("part");
  for (const char* limit :
       {"0", "1", "0.0", "1.0", "1.5", "-0.5", "half", "0.5x", "0.", "5e-1", "0.0000000001", "nan"})
    QTest::newRow(limit) << QStringList{"--objects", "--iou", limit} << "'" + QString(limit) + "'";
  QTest::newRow("without --objects") << QStringList{"--iou", "0.5"} << "--iou needs --objects";
  QTest::newRow("--parts alone") << QStringList{"--parts"} << "--parts needs --objects";
  QTest::newRow("--classes alone") << QStringList{"--classes"} << "--classes needs --objects";
  QTest::newRow("--classes and --parts")
      << QStringList{"--objects", "--classes", "--parts"} << "exclude each other";
  QTest::newRow("--connectivity alone")
      << QStringList{"--objects", "--connectivity", "8"} << "--connectivity needs --parts";
  for (const char* number : {"6", "26", "5"})
    QTest::newRow((std::string("connectivity ") + number).c_str())
        << QStringList{"--objects", "--parts", "--connectivity", number} << "4 or 8 for images";
  QTest::newRow("connectivity 27")
      << QStringList{"--objects", "--parts", "--connectivity", "27"} << "--connectivity";
  QTest::newRow("--match") << QStringList{"--objects", "--match"} << "--match";
  QTest::newRow("--where-labelled")
      << QStringList{"--objects", "--where-labelled"} << "--where-labelled";
}

void TestCompareObjects::flags_that_do_not_fit_are_one_line() {
  QFETCH(QStringList, flags);
  QFETCH(QString, part);
  const CliOutcome outcome =
      run_cli(QStringList{"compare", file("result.png"), file("reference.png")} + flags);
  QCOMPARE(outcome.code, 2);
  QCOMPARE(outcome.err.count('\n'), 1);
  QVERIFY2(outcome.err.contains(part.toUtf8()), outcome.err);
  QVERIFY(outcome.out.isEmpty());
}

QTEST_GUILESS_MAIN(TestCompareObjects)
#include "test_compare_objects.moc"
