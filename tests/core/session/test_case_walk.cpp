// SPDX-License-Identifier: Apache-2.0
//
// The state of a walk through a list of cases: what a later start finds, and hostile files.
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/session/case_walk.h"
#include "tests/support/random_numbers.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace seedwave;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string message_of(const WalkFolder& folder) {
  try {
    (void)CaseWalk(folder, {{.name = "a", .image = "/x/a.png"}});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

CaseWork random_work(test::RandomNumbers& random) {
  CaseWork work{.strokes = static_cast<std::size_t>(random.below(9))};
  if (random.below(3) == 0) return work;
  work.operation = "segment";
  work.labels = random.below(1000);
  if (random.below(2) == 0) work.dice = static_cast<double>(random.below(1001)) / 1000.0;
  if (random.below(2) == 0) work.f1 = static_cast<double>(random.below(1001)) / 1000.0;
  if (random.below(2) == 0) work.sizes["liver, \"left\" [ml]"] = 12.25;
  return work;
}

}  // namespace

class TestCaseWalk : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    walk_ = {fs::path(folder_->path().toStdString()) / "tiles-cases"};
    walk_.create();
  }

  void a_later_walk_finds_what_was_left() {
    test::RandomNumbers random(7);
    for (int round = 0; round < 200; ++round) {
      fs::remove(walk_.state());
      std::vector<WalkedCase> cases;
      const std::int64_t count = 1 + random.below(8);
      for (std::int64_t i = 0; i < count; ++i) {
        cases.push_back({.name = "case" + std::to_string(i),
                         .image = walk_.path / "../images" / (std::to_string(i) + ".png"),
                         .series = random.below(2) == 0 ? "" : "1.2.3"});
      }
      CaseWalk walk(walk_, cases);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        walk.set_done(i, random.below(2) == 0);
        walk.set_work(i, random_work(random));
        if (random.below(2) == 0) walk.set_labels_file(i, cases[i].name + ".nii.gz");
      }
      walk.set_current(static_cast<std::size_t>(random.below(count)));
      write(walk_.state(), walk.state());
      const CaseWalk again(walk_, cases);
      QVERIFY(again.cases() == walk.cases());
      QCOMPARE(again.current(), walk.current());
      QCOMPARE(again.state(), walk.state());
    }
  }

  void a_case_is_known_by_its_image_whatever_the_list_calls_it() {
    CaseWalk walk(walk_, {{.name = "1", .image = "/x/a.png"}, {.name = "2", .image = "/x/b.png"}});
    walk.set_done(1, true);
    write(walk_.state(), walk.state());
    // A line was put before the others, so the default names have moved.
    const CaseWalk later(walk_, {{.name = "1", .image = "/x/new.png"},
                                 {.name = "2", .image = "/x/a.png"},
                                 {.name = "3", .image = "/x/b.png"}});
    QCOMPARE(later.cases()[0].stem, std::string("1-2"));
    QCOMPARE(later.cases()[1].stem, std::string("1"));
    QCOMPARE(later.cases()[2].stem, std::string("2"));
    QVERIFY(!later.cases()[1].done && later.cases()[2].done);
  }

  void one_image_in_two_cases_has_two_records() {
    const std::vector<WalkedCase> cases{{.name = "liver", .image = "/x/a.nii"},
                                        {.name = "spleen", .image = "/x/a.nii"}};
    CaseWalk walk(walk_, cases);
    walk.set_done(1, true);
    write(walk_.state(), walk.state());
    const CaseWalk turned(walk_, {cases[1], cases[0]});
    QVERIFY(turned.cases()[0].done && !turned.cases()[1].done);
  }

  void a_case_that_left_the_list_comes_back_with_its_work() {
    const std::vector<WalkedCase> cases{{.name = "a", .image = "/x/a.png"},
                                        {.name = "b", .image = "/x/b.png"}};
    CaseWalk walk(walk_, cases);
    walk.set_done(0, true);
    write(walk_.state(), walk.state());
    const CaseWalk shorter(walk_, {cases[1]});
    QCOMPARE(shorter.cases().size(), std::size_t{1});
    write(walk_.state(), shorter.state());
    QVERIFY(CaseWalk(walk_, cases).cases()[0].done);
  }

  void list_images_and_folder_move_together() {
    const fs::path images = walk_.path.parent_path() / "images";
    CaseWalk walk(walk_, {{.name = "a", .image = images / "a.png"}});
    walk.set_done(0, true);
    write(walk_.state(), walk.state());
    const fs::path moved = walk_.path.parent_path() / "moved";
    write(moved / "tiles-cases" / "cases.json", walk.state());
    const CaseWalk there(WalkFolder{moved / "tiles-cases"},
                         {{.name = "a", .image = moved / "images" / "a.png"}});
    QVERIFY(there.cases()[0].done);
  }

  void images_that_have_moved_are_found_by_their_names() {
    const fs::path from = walk_.path.parent_path() / "old" / "images";
    const fs::path to = walk_.path.parent_path() / "new" / "images";
    write(from / "kept.png", "an image");
    CaseWalk walk(walk_, {{.name = "a", .image = from / "a.png"},
                          {.name = "b", .image = from / "b.png"},
                          {.name = "c", .image = from / "c.png"},
                          {.name = "kept", .image = from / "kept.png"}});
    for (std::size_t i = 0; i < 4; ++i)
      walk.set_done(i, true);
    write(walk_.state(), walk.state());
    const CaseWalk moved(walk_, {{.name = "a", .image = to / "a.png"},
                                 {.name = "other", .image = to / "b.png"},
                                 {.name = "c", .image = to / "batch-2" / "c.png"},
                                 {.name = "kept", .image = to / "kept.png"}});
    QVERIFY(moved.cases()[0].done);
    QVERIFY(!moved.cases()[1].done);  // by another name: it may be another image
    QVERIFY(!moved.cases()[2].done);  // another folder: the same
    QVERIFY(!moved.cases()[3].done);  // the known image is where it was
    QVERIFY(moved.cases()[3].stem != "kept");
  }

  void a_list_moved_alone_finds_its_work() {
    const fs::path image = walk_.path.parent_path() / "images" / "a.png";
    write(image, "an image");
    CaseWalk walk(walk_, {{.name = "a", .image = image}});
    walk.set_done(0, true);
    const WalkFolder elsewhere{walk_.path.parent_path() / "deep" / "down" / "tiles-cases"};
    write(elsewhere.state(), walk.state());
    QVERIFY(CaseWalk(elsewhere, {{.name = "a", .image = image}}).cases()[0].done);
  }

  void names_that_are_not_utf8_are_found_again() {
    const std::vector<WalkedCase> cases{{.name = "b\xff", .image = "/x/\xff/\xfe.png"},
                                        {.name = "b\xfe", .image = "/x/\xff/\xfd.png"}};
    CaseWalk walk(walk_, cases);
    walk.set_done(1, true);
    write(walk_.state(), walk.state());
    const CaseWalk again(walk_, cases);
    QCOMPARE(std::ranges::count_if(again.cases(), &WalkedCase::done), 1);
    QVERIFY(fs::path(again.cases()[1].image) == cases[1].image);
  }

  void a_case_is_called_as_in_the_list_and_its_files_by_its_stem() {
    const std::vector<WalkedCase> cases{{.name = "tile 1/2", .image = "/x/a", .stem = "tile-1-2"},
                                        {.name = "tile 1:2", .image = "/x/b", .stem = "tile-1-2"}};
    CaseWalk walk(walk_, cases);
    QCOMPARE(walk.cases()[0].name, std::string("tile 1/2"));
    QCOMPARE(walk.cases()[0].stem, std::string("tile-1-2"));
    QCOMPARE(walk.cases()[1].stem, std::string("tile-1-2-2"));
    write(walk_.state(), walk.state());
    QVERIFY(CaseWalk(walk_, cases).cases() == walk.cases());
  }

  void the_table_has_a_line_for_each_case() {
    CaseWalk walk(walk_, {{.name = "a", .image = "/x/a.png"}, {.name = "b", .image = "/x/b.png"}});
    walk.set_done(0, true);
    walk.set_work(0, {.strokes = 3,
                      .operation = "segment",
                      .labels = 2,
                      .dice = 0.875,
                      .sizes = {{"liver [ml]", 12.5}}});
    walk.set_labels_file(0, "a.seg.nrrd");
    QCOMPARE(walk.table(),
             std::string(
                 "name,image,done,strokes,operation,labels,dice,f1,pq,aji,labels_file,liver [ml]\n"
                 "a,/x/a.png,yes,3,segment,2,0.875,,,,labels/a.seg.nrrd,12.5\n"
                 "b,/x/b.png,no,0,,,,,,,,\n"));
  }

  void folders_are_named_after_what_was_opened() {
    const fs::path base = walk_.path.parent_path();
    QVERIFY(walk_folder_of({base / "tiles.csv"}).path == base / "tiles-cases");
    fs::create_directories(base / "tiles");
    QVERIFY(walk_folder_of({base / "tiles"}).path == base / "tiles-cases");
    QVERIFY(walk_folder_of({base / "tiles/"}).path == base / "tiles-cases");
    QVERIFY(walk_folder_of({base / "a.png", base / "b.png"}).path == base / "cases");
  }

  void a_session_of_a_walk_is_recognised() {
    write(walk_.state(), CaseWalk(walk_, {}).state());
    QVERIFY(is_session_of_walk(walk_.session("a")));
    QVERIFY(!is_session_of_walk(walk_.path / "a.json"));
    QVERIFY(!is_session_of_walk("/x/sessions/a.json"));
  }

  void hostile_files_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, const char* text, const char* complaint) {
      QTest::newRow(name) << QString(text) << QString(complaint);
    };
    row("no JSON", "{", "line 1");
    row("empty", "", "line 1");
    row("a list", "[]", "must be an object");
    row("no version", R"({"cases": []})", "seedwave_cases");
    row("newer", R"({"seedwave_cases": 2, "cases": []})", "newer version");
    row("no cases", R"({"seedwave_cases": 1})", "cases");
    row("outside the folder", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "a.png", "stem": "../../a"}]})",
        "cases[0].stem must be the name of a file");
    row("hidden", R"({"seedwave_cases": 1, "cases": [{"name": "a", "image": "b", "stem": ".."}]})",
        "cases[0].stem must be the name of a file");
    row("with a NUL", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "b", "stem": "a\u0000b"}]})",
        "cases[0].stem must be the name of a file");
    row("labels outside the folder", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "b", "stem": "a", "labels_file": "../a.png"}]})",
        "cases[0].labels_file must be the name of a file");
    row("the same twice", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "a", "stem": "a"}, {"name": "b", "image": "b", "stem": "a"}]})",
        "cases[1].stem must differ");
    row("a score above 1", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "a", "stem": "a", "dice": 1.5}]})",
        "cases[0].dice must be a number from 0 to 1");
    row("a negative count", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "a", "stem": "a", "strokes": -1}]})",
        "cases[0].strokes");
    row("done as text", R"({"seedwave_cases": 1, "cases": [
        {"name": "a", "image": "a", "stem": "a", "done": "yes"}]})",
        "cases[0].done must be true or false");
  }
  void hostile_files_are_refused() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    write(walk_.state(), text.toStdString());
    const QString message = QString::fromStdString(message_of(walk_));
    QVERIFY2(message.contains("cases.json"), qPrintable(message));
    QVERIFY2(message.contains(complaint), qPrintable(message));
    QCOMPARE(message.count('\n'), 0);
  }

  void a_folder_that_cannot_be_made_is_named() {
    const WalkFolder folder{walk_.path.parent_path() / "file" / "cases"};
    write(walk_.path.parent_path() / "file", "no folder");
    try {
      folder.create();
      QFAIL("created");
    } catch (const OutputError& error) {
      QVERIFY(QString(error.what()).startsWith("cannot create the folder "));
    }
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  WalkFolder walk_;
};

QTEST_GUILESS_MAIN(TestCaseWalk)
#include "test_case_walk.moc"
