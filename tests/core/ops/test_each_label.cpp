// SPDX-License-Identifier: Apache-2.0
// Compares operations on label maps with their definitions, label by label on the whole image.
#include "core/base/error.h"
#include "core/image/connectivity.h"
#include "core/ops/run.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;
using Mask = std::vector<bool>;

struct Case {
  Geometry geometry;
  Labels labels;
  int connectivity = 4;
  double radius = 1.0;
  /// Empty: by the border.
  std::optional<Label> background{};
};

LabelMap map_of(const Case& c) {
  return {c.geometry, std::vector<std::uint8_t>(c.labels.begin(), c.labels.end())};
}

RunReport run(const std::string& operation, const Case& c, Values values = {},
              std::set<std::string> requested = {}) {
  static const OperationTable table = make_operation_table();
  RunRequest request;
  request.operation = operation;
  request.inputs.labels = map_of(c);
  request.inputs.image =
      Volume(c.geometry, std::vector<std::uint8_t>(c.labels.size(), std::uint8_t{7}));
  request.inputs.requested = std::move(requested);
  request.values = std::move(values);
  const Operation& op = table.at(operation);
  if (op.find_parameter("radius") != nullptr) request.values.set("radius", c.radius);
  if (op.find_parameter("connectivity") != nullptr)
    request.values.set("connectivity", std::to_string(c.connectivity));
  if (c.background) request.values.set("background", static_cast<double>(*c.background));
  Context context;
  return run_operation(table, request, context);
}

Labels labels_of(const RunReport& report) {
  const LabelSpan labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  return {labels.begin(), labels.end()};
}

/// Returns a label map from rows of digits.
Case picture(const std::vector<std::string>& rows) {
  Case c;
  c.geometry.size = {static_cast<std::int64_t>(rows[0].size()), std::ssize(rows), 1};
  c.geometry.unit = LengthUnit::Pixel;
  for (const std::string& row : rows) {
    for (const char digit : row)
      c.labels.push_back(static_cast<Label>(digit - '0'));
  }
  return c;
}

Case random_case(std::uint64_t number) {
  test::RandomNumbers random(number);
  const bool planar = random.below(2) == 0;
  Case c;
  c.geometry.size = {1 + random.below(planar ? 14 : 6), 1 + random.below(planar ? 14 : 6),
                     planar ? 1 : 2 + random.below(4)};
  c.geometry.spacing = {1.0, random.of(std::array{1.0, 1.5}), random.of(std::array{1.0, 2.5})};
  c.connectivity = planar ? random.of(std::array{4, 8}) : random.of(std::array{6, 18, 26});
  c.radius = random.of(std::array{0.0, 1.0, 1.5, 2.0, 4.0});
  const std::int64_t most = 1 + random.below(4);
  const std::int64_t unlabelled_in = 1 + random.below(9);
  const std::int64_t others_in = 1 + random.below(9);
  for (std::int64_t i = 0; i < c.geometry.voxel_count(); ++i) {
    const bool is_labelled = random.below(unlabelled_in + 1) != 0;
    const bool is_other = random.below(others_in) == 0;
    const Label label = is_other ? static_cast<Label>(random.below(most + 1)) : 1;
    c.labels.push_back(is_labelled ? label : 0);
  }
  if (random.below(2) == 0) c.background = static_cast<Label>(random.below(most + 1));
  return c;
}

bool is_at_border(const Geometry& geometry, std::int64_t i) {
  const Index3 at = geometry.index_of(i);
  for (int axis = 0; axis < (geometry.is_2d() ? 2 : 3); ++axis) {
    if (at[axis] == 0 || at[axis] == geometry.size[axis] - 1) return true;
  }
  return false;
}

Label background_by_definition(const Case& c) {
  if (c.background) return *c.background;
  const std::set<Label> all(c.labels.begin(), c.labels.end());
  if (all.size() - all.count(0) < 2) return 0;
  std::map<Label, int> counts;
  for (std::int64_t i = 0; i < c.geometry.voxel_count(); ++i) {
    if (is_at_border(c.geometry, i)) ++counts[c.labels[i]];
  }
  Label most = counts.begin()->first;
  for (const auto& [label, count] : counts) {
    if (count > counts[most]) most = label;
  }
  return most;
}

/// Returns the connected parts of a mask, by flooding.
std::vector<std::vector<std::int64_t>> parts_of(const Mask& mask, const Case& c) {
  std::vector<std::vector<std::int64_t>> parts;
  Mask seen(mask.size());
  for (std::int64_t start = 0; start < std::ssize(mask); ++start) {
    if (!mask[start] || seen[start]) continue;
    std::vector<std::int64_t> part{start};
    seen[start] = true;
    for (std::size_t next = 0; next < part.size(); ++next) {
      const Index3 at = c.geometry.index_of(part[next]);
      for (const NeighbourStep& step : neighbour_steps(static_cast<Connectivity>(c.connectivity))) {
        const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
        if (!c.geometry.contains(to)) continue;
        const std::int64_t i = c.geometry.offset(to);
        if (!mask[i] || seen[i]) continue;
        seen[i] = true;
        part.push_back(i);
      }
    }
    parts.push_back(part);
  }
  return parts;
}

double squared_distance(const Case& c, std::int64_t i, std::int64_t j, bool in_voxels = false) {
  const Index3 a = c.geometry.index_of(i);
  const Index3 b = c.geometry.index_of(j);
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double step =
        static_cast<double>(a[axis] - b[axis]) * (in_voxels ? 1.0 : c.geometry.spacing[axis]);
    sum += step * step;
  }
  return sum;
}

/// Returns whether all voxels of the image within the radius of some voxel of the part are in the
/// mask.
bool holds_ball(const std::vector<std::int64_t>& part, const Mask& mask, const Case& c) {
  return std::any_of(part.begin(), part.end(), [&](std::int64_t centre) {
    for (std::int64_t i = 0; i < std::ssize(mask); ++i) {
      if (!mask[i] && squared_distance(c, centre, i) <= c.radius * c.radius * (1 + 1e-9))
        return false;
    }
    return true;
  });
}

bool reaches_border(const std::vector<std::int64_t>& part, const Case& c) {
  return std::any_of(part.begin(), part.end(),
                     [&](std::int64_t i) { return is_at_border(c.geometry, i); });
}

int ties = 0;

/// Returns the definition of an operation: the parts of each label that it loses, and the parts of
/// the rest that it gains.
Labels by_definition(const std::string& operation, const Case& c) {
  const Label background = background_by_definition(c);
  const std::set<Label> all(c.labels.begin(), c.labels.end());
  Labels result = c.labels;
  std::vector<std::size_t> size_of(c.labels.size(), std::numeric_limits<std::size_t>::max());
  for (const Label label : all) {
    if (label == 0 || label == background) continue;
    Mask inside;
    for (const Label each : c.labels)
      inside.push_back(each == label);
    Mask outside = inside;
    outside.flip();
    for (const auto& part : parts_of(inside, c)) {
      const bool is_lost = (operation == "clear-border" && reaches_border(part, c)) ||
                           (operation == "open-by-reconstruction" && !holds_ball(part, inside, c));
      if (!is_lost) continue;
      for (const std::int64_t i : part)
        result[i] = background;
    }
    for (const auto& part : parts_of(outside, c)) {
      const bool is_gained =
          (operation == "fill-holes" && !reaches_border(part, c)) ||
          (operation == "close-by-reconstruction" && !holds_ball(part, outside, c));
      if (!is_gained) continue;
      for (const std::int64_t i : part) {
        if (c.labels[i] != 0 && c.labels[i] != background) continue;
        if (part.size() == size_of[i]) ++ties;
        if (part.size() >= size_of[i]) continue;
        size_of[i] = part.size();
        result[i] = label;
      }
    }
  }
  return result;
}

}  // namespace

class TestEachLabel : public QObject {
  Q_OBJECT

 private slots:
  void equals_the_definition_data() {
    QTest::addColumn<QString>("operation");
    for (const char* operation :
         {"fill-holes", "close-by-reconstruction", "open-by-reconstruction", "clear-border"}) {
      QTest::newRow(operation) << QString::fromLatin1(operation);
    }
  }

  void equals_the_definition() {
    QFETCH(QString, operation);
    ties = 0;
    int changed = 0;
    for (std::uint64_t number = 0; number < 1500; ++number) {
      const Case c = random_case(number);
      const RunReport report = run(operation.toStdString(), c);
      const Labels labels = labels_of(report);
      QVERIFY2(labels == by_definition(operation.toStdString(), c),
               qPrintable(QStringLiteral("map %1").arg(number)));
      QCOMPARE(report.facts.values.number("background"),
               static_cast<double>(background_by_definition(c)));
      changed += labels == c.labels ? 0 : 1;
    }
    QVERIFY(changed > 100);
    // Among the maps are some where only the numbers decide.
    if (operation == QStringLiteral("close-by-reconstruction")) QVERIFY(ties > 0);
  }

  void one_label_is_changed_as_a_mask_is() {
    static const OperationTable table = make_operation_table();
    for (std::uint64_t number = 0; number < 200; ++number) {
      Case c = random_case(number);
      c.background.reset();
      for (Label& label : c.labels)
        label = std::min<Label>(label, 1);
      for (const char* id : {"fill-holes", "close-by-reconstruction", "open-by-reconstruction",
                             "clear-border", "split-objects"}) {
        RunRequest request;
        request.operation = id;
        request.inputs.image =
            Volume(c.geometry, std::vector<std::uint8_t>(c.labels.begin(), c.labels.end()));
        if (table.at(id).find_parameter("radius") != nullptr)
          request.values.set("radius", c.radius);
        request.values.set("connectivity", std::to_string(c.connectivity));
        Context context;
        const RunReport report = run_operation(table, request, context);
        Labels of_mask;
        if (const auto image = report.outputs.find("image"); image != report.outputs.end()) {
          const auto voxels = std::get<Volume>(image->second).voxels<std::uint8_t>();
          of_mask.assign(voxels.begin(), voxels.end());
        } else {
          of_mask = labels_of(report);
        }
        QVERIFY2(labels_of(run(id, c)) == of_mask,
                 qPrintable(QStringLiteral("%1, map %2").arg(QLatin1String(id)).arg(number)));
      }
    }
  }

  void nested_labels_fill_their_own_holes() {
    const Case rings = picture({"00000000000",  //
                                "01111111110",  //
                                "01000000010",  //
                                "01022222010",  //
                                "01020002010",  //
                                "01020302010",  //
                                "01020002010",  //
                                "01022222010",  //
                                "01000000010",  //
                                "01111111110",  //
                                "00000000000"});
    const Case filled = picture({"00000000000",  //
                                 "01111111110",  //
                                 "01111111110",  //
                                 "01122222110",  //
                                 "01122222110",  //
                                 "01122322110",  //
                                 "01122222110",  //
                                 "01122222110",  //
                                 "01111111110",  //
                                 "01111111110",  //
                                 "00000000000"});
    QVERIFY(labels_of(run("fill-holes", rings)) == filled.labels);
  }

  void a_painted_background_gives_way() {
    const Case painted = picture({"22222222",  //
                                  "21111222",  //
                                  "21221222",  //
                                  "21111222",  //
                                  "22222122"});
    const Case filled = picture({"22222222",  //
                                 "21111222",  //
                                 "21111222",  //
                                 "21111222",  //
                                 "22222122"});
    const RunReport report = run("fill-holes", painted);
    QCOMPARE(report.facts.values.number("background"), 2.0);
    QVERIFY(labels_of(report) == filled.labels);
    // Removed voxels become background.
    const Case cleared = picture({"22222222",  //
                                  "21111222",  //
                                  "21221222",  //
                                  "21111222",  //
                                  "22222222"});
    QVERIFY(labels_of(run("clear-border", painted)) == cleared.labels);
  }

  void parts_are_those_of_each_label_alone() {
    for (std::uint64_t number = 0; number < 300; ++number) {
      const Case c = random_case(number);
      const double h = std::array{0.0, 0.5, 1.0}[number % 3];
      const RunReport report = run("split-objects", c, {{"h", h}});
      const auto step = static_cast<Label>(report.facts.values.number("label_step"));
      const Label background = background_by_definition(c);
      Labels expected(c.labels.size());
      const std::set<Label> all(c.labels.begin(), c.labels.end());
      Label before = 0;
      for (const Label label : all) {
        if (label == 0 || label == background) continue;
        Case alone = c;
        for (Label& each : alone.labels)
          each = each == label ? 1 : 0;
        alone.background = 0;
        const Labels parts = labels_of(run("split-objects", alone, {{"h", h}}));
        const Label count = *std::max_element(parts.begin(), parts.end());
        QVERIFY(step == 0 || count < step);
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (parts[i] != 0) expected[i] = (step == 0 ? before : label * step) + parts[i];
        }
        before += count;
      }
      QVERIFY2(labels_of(report) == expected, qPrintable(QStringLiteral("map %1").arg(number)));
    }
  }

  void parts_are_numbered_by_their_label() {
    const Case two = picture({"00000000",  //
                              "01102200",  //
                              "01102200",  //
                              "00000000",  //
                              "01103000"});
    const Case parts = picture({"00000000",  //
                                "01103300",  //
                                "01103300",  //
                                "00000000",  //
                                "02204000"});
    QVERIFY(labels_of(run("split-objects", two, {{"label_step", 0.0}})) == parts.labels);
    const RunReport report = run("split-objects", two);
    QCOMPARE(report.facts.values.number("label_step"), 10.0);
    const Labels named = labels_of(report);
    QVERIFY((std::set<Label>(named.begin(), named.end()) == std::set<Label>{0, 11, 12, 21, 31}));
    QVERIFY_EXCEPTION_THROWN((void)run("split-objects", two, {{"label_step", 2.0}}), UsageError);
    QCOMPARE(labels_of(run("split-objects", two, {{"label_step", 1e9}})).at(9), Label{1000000001});
  }

  void distances_end_at_the_border_of_the_label() {
    for (std::uint64_t number = 0; number < 300; ++number) {
      const Case c = random_case(number);
      const RunReport report =
          run("distance", c, {{"units", "voxel"}, {"squared", "yes"}}, {"nearest"});
      const auto squares = std::get<Volume>(report.outputs.at("image")).voxels<std::int32_t>();
      const auto nearest = std::get<Volume>(report.outputs.at("nearest")).voxels<std::int32_t>();
      const Label background = background_by_definition(c);
      for (std::int64_t i = 0; i < std::ssize(c.labels); ++i) {
        std::int64_t best = -1;
        double least = std::numeric_limits<double>::infinity();
        const bool is_object = c.labels[i] != 0 && c.labels[i] != background;
        if (!is_object) best = i;
        for (std::int64_t j = 0; is_object && j < std::ssize(c.labels); ++j) {
          if (c.labels[j] == c.labels[i] || squared_distance(c, i, j, true) >= least) continue;
          least = squared_distance(c, i, j, true);
          best = j;
        }
        const auto square = static_cast<std::int32_t>(!is_object ? 0.0 : best < 0 ? -1.0 : least);
        QVERIFY2(squares[i] == square && nearest[i] == best,
                 qPrintable(QStringLiteral("map %1, voxel %2").arg(number).arg(i)));
      }
    }
  }

  void distances_of_objects_alone_are_those_of_the_image() {
    static const OperationTable table = make_operation_table();
    for (std::uint64_t number = 0; number < 100; ++number) {
      Case c = random_case(number);
      c.background = 0;
      for (Label& label : c.labels)
        label = std::min<Label>(label, 1);
      RunRequest request;
      request.operation = "distance";
      request.inputs.image =
          Volume(c.geometry, std::vector<std::uint8_t>(c.labels.begin(), c.labels.end()));
      Context context;
      QCOMPARE(run("distance", c).facts.digest,
               run_operation(table, request, context).facts.digest);
    }
  }

  void labels_and_images_give_outputs_of_their_kind() {
    const OperationTable table = make_operation_table();
    const Operation& fill = table.at("fill-holes");
    QCOMPARE(fill.main_output(Reads::Labels).id, std::string("labels"));
    QCOMPARE(fill.main_output(Reads::Image).id, std::string("image"));
    QVERIFY(fill.gives(OutputKind::Labels, Reads::Labels));
    QVERIFY(!fill.gives(OutputKind::Labels, Reads::Image));
    const RunReport report = run("fill-holes", picture({"111", "101", "111"}));
    QCOMPARE(report.outputs.size(), std::size_t{1});
    QCOMPARE(report.facts.voxels.of(1), std::int64_t{9});
    QVERIFY(!report.facts.digest.empty());
  }

  void refuses_a_memory_limit() {
    RunRequest request;
    request.operation = "fill-holes";
    request.inputs.labels = map_of(picture({"111", "101", "111"}));
    request.inputs.image = Volume(request.inputs.labels.geometry(), std::vector<std::uint8_t>(9));
    Context context(Context::Settings{.memory = 1 << 30});
    QVERIFY_EXCEPTION_THROWN((void)run_operation(make_operation_table(), request, context),
                             UsageError);
  }
};

QTEST_GUILESS_MAIN(TestEachLabel)
#include "test_each_label.moc"
