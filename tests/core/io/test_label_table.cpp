// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <cmath>

using namespace seedwave;
using seedwave::test::input_error_of;

class TestLabelTable : public QObject {
  Q_OBJECT
 private slots:
  void both_forms_survive_data();
  void both_forms_survive();
  void reads_what_itk_snap_wrote();
  void reads_a_colour_table();
  void an_nrrd_has_slicers_segments();
  void strange_segments_are_left_out();
  void hostile_tables_are_refused_with_the_line_data();
  void hostile_tables_are_refused_with_the_line();

 private:
  test::TemporaryFolder folder_;
};

void TestLabelTable::both_forms_survive_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("ITK-SNAP") << "labels.txt";
  QTest::newRow("Slicer") << "labels.ctbl";
}

void TestLabelTable::both_forms_survive() {
  QFETCH(QString, name);
  const std::vector<io::LabelName> labels{{1, "left ventricle", "#e69f00", 1.0},
                                          {7, "Größe 大", "#012345", 0.2},
                                          {65535, "x", "#ffffff", 0.0}};
  const auto path = folder_ / name.toStdString();
  io::save_label_table(path, labels);
  QVERIFY(io::load_label_table(path) == labels);
  // No colour: the label's default. No name: a distinguishable one. A name cannot break out of its
  // line.
  io::save_label_table(path, {{2, "", ""}, {3, "a\"b\nc", "#00ff00"}});
  const auto back = io::load_label_table(path);
  QCOMPARE(back[0].name, std::string("Label 2"));
  QCOMPARE(back[0].color, std::string("#56b4e9"));
  QCOMPARE(back[1].name, std::string("a'b?c"));
}

void TestLabelTable::reads_what_itk_snap_wrote() {
  const auto path = test::test_data("B1_itksnap_brain/MRIcrop-seg.label");
  SEEDWAVE_NEED_DATA(path);
  const auto labels = io::load_label_table(path);
  QCOMPARE(labels.at(0).id, std::uint16_t{1});
  QCOMPARE(labels.at(0).name, std::string("vent-lat"));
  QCOMPARE(labels.at(0).color, std::string("#001eff"));
  QCOMPARE(labels.at(6).name, std::string("caudates"));
}

void TestLabelTable::reads_a_colour_table() {
  const auto path = folder_.put("s.ctbl",
                                "# Color table file\r\n0 background 0 0 0 0\r\n"
                                "1 left_kidney 185 102 83 255\r\n");
  const auto labels = io::load_label_table(path);
  QCOMPARE(labels.size(), std::size_t{1});
  QVERIFY((labels[0] == io::LabelName{1, "left kidney", "#b96653", 1.0}));
}

void TestLabelTable::an_nrrd_has_slicers_segments() {
  std::vector<std::uint16_t> values(4 * 3 * 2);
  values[5] = values[6] = 2;  // (1, 1, 0), (2, 1, 0)
  values[23] = 7;             // (3, 2, 1)
  const LabelMap labels(Geometry{.size = {4, 3, 2}}, values);
  const auto path = folder_ / "labels.seg.nrrd";
  io::save_named_labels(path, labels,
                        {{1, "nowhere", "#ffffff"}, {2, "white\nmatter \\", "#ff0033"}});
  const std::string bytes = test::bytes_of_file(path);
  for (const char* line : {"\nSegment0_ID:=Segment_2\n", "\nSegment0_Name:=white?matter /\n",
                           "\nSegment0_Color:=1 0 0.2\n", "\nSegment0_LabelValue:=2\n",
                           "\nSegment0_Extent:=1 2 1 1 0 0\n", "\nSegment1_Name:=Label 7\n",
                           "\nSegment1_Extent:=3 3 2 2 1 1\n",
                           "\nSegmentation_MasterRepresentation:=Binary labelmap\n",
                           "\nSegmentation_SourceRepresentation:=Binary labelmap\n",
                           "\nSegmentation_ContainedRepresentationNames:=Binary labelmap|\n",
                           "\nSegmentation_ReferenceImageExtentOffset:=0 0 0\n"}) {
    QVERIFY2(bytes.find(line) != std::string::npos, line);
  }
  QVERIFY(bytes.find("nowhere") == std::string::npos);
  QVERIFY(bytes.find("Segment2") == std::string::npos);
  const std::vector<io::LabelName> names = io::stored_names(path).names;
  QVERIFY((names == std::vector<io::LabelName>{{2, "white?matter /", "#ff0033"},
                                               io::completed_name(7, {})}));
  Context context;
  const LabelMap back = io::load_labels(path, labels.geometry(), context);
  QVERIFY(std::ranges::equal(back.labels(), labels.labels()));
}

void TestLabelTable::strange_segments_are_left_out() {
  const std::string fields =
      "Segment0_Name:=first\nSegment0_LabelValue:=1\nSegment0_Layer:=0\nSegment0_Color:=0 2 nan\n"
      "Segment1_Name:=other layer\nSegment1_LabelValue:=1\nSegment1_Layer:=1\n"
      "Segment2_Name:=no label\nSegment3_LabelValue:=-4\nSegment4_LabelValue:=99999999999\n"
      "Segmentx_LabelValue:=5\nSegment:=6\nSegment_:=\n"
      "Segment5_LabelValue:=9\nSegment5_Color:=0 1 0.5\n";
  const auto path =
      folder_.put("s.seg.nrrd", "NRRD0004\ntype: uchar\n" + fields + "\nSegment6_LabelValue:=6\n");
  const std::vector<io::LabelName> names = io::stored_names(path).names;
  QCOMPARE(names.size(), std::size_t{2});
  QVERIFY((names[0] == io::LabelName{1, "first", io::completed_name(1, {}).color}));
  QVERIFY((names[1] == io::LabelName{9, "", "#00ff80"}));
  QVERIFY(io::stored_names(folder_.put("plain.nii", fields)).names.empty());
}

void TestLabelTable::hostile_tables_are_refused_with_the_line_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("words");
  QTest::newRow("empty") << ""
                         << "names no labels";
  QTest::newRow("prose") << "# one\nBring milk"
                         << "line 2";
  QTest::newRow("id too large") << "4294967296 a 0 0 0 0"
                                << "line 1";
  QTest::newRow("negative colour") << "1 a 0 -1 0 0"
                                   << "word 4";
  QTest::newRow("opacity NaN") << "1 0 0 0 nan 1 1 \"a\""
                               << "word 5";
  QTest::newRow("one quote") << "1 0 0 0 1 1 1 \"a"
                             << "quotes";
  QTest::newRow("too few words") << "1 \"a\""
                                 << "word 2";
}

void TestLabelTable::hostile_tables_are_refused_with_the_line() {
  QFETCH(QString, text);
  QFETCH(QString, words);
  const auto path = folder_.put("t.txt", text.toStdString());
  const std::string message = input_error_of([&] { (void)io::load_label_table(path); });
  QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
  QVERIFY(message.find("t.txt") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestLabelTable)
#include "test_label_table.moc"
