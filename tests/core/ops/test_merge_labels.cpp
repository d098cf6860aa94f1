// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/run.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

template <typename Voxel>
Volume row_of(std::vector<Voxel> values) {
  Geometry geometry;
  geometry.size = {std::ssize(values), 1, 1};
  return {geometry, std::move(values)};
}

std::vector<Label> merged(const Volume& image, const Value& into, int threads = 1) {
  RunRequest request;
  request.operation = "merge-labels";
  request.values.set("into", into);
  request.inputs.image = image;
  Context context(Context::Settings{.threads = threads});
  const RunReport report = run_operation(make_operation_table(), request, context);
  const auto labels = std::get<LabelMap>(report.outputs.at("labels")).labels();
  return {labels.begin(), labels.end()};
}

template <typename Exception>
QString refusal(const Volume& image, const Value& into) {
  try {
    static_cast<void>(merged(image, into));
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

class TestMergeLabels : public QObject {
  Q_OBJECT
 private slots:
  void gives_labels_the_numbers_that_are_named();
  void equals_the_definition();
  void refuses_what_is_no_label();
};

void TestMergeLabels::gives_labels_the_numbers_that_are_named() {
  using Labels = std::vector<Label>;
  const Volume image = row_of<std::uint8_t>({0, 1, 2, 3, 4, 255});
  QCOMPARE(merged(image, "same"), (Labels{0, 1, 2, 3, 4, 255}));
  QCOMPARE(merged(image, "3=1,4=1"), (Labels{0, 1, 2, 1, 1, 255}));
  // Each by its original value: labels can be swapped and removed.
  QCOMPARE(merged(image, "1=2,2=1,255=0"), (Labels{0, 2, 1, 3, 4, 0}));
  QCOMPARE(merged(image, 7.0), (Labels{0, 7, 7, 7, 7, 7}));
  QCOMPARE(merged(row_of<float>({0, 65535, 2}), "65535=9"), (Labels{0, 9, 2}));
  const Volume last = row_of<std::uint16_t>({65533, 65534, 65535});
  QCOMPARE(merged(last, "1=2"), (Labels{65533, 65534, 65535}));
  QCOMPARE(merged(last, 7.0), (Labels{7, 7, 7}));
  const Volume wide = row_of<std::int32_t>({0, 65536, 70000, 2147483647});
  QCOMPARE(merged(wide, "same"), (Labels{0, 65536, 70000, 2147483647}));
  QCOMPARE(merged(wide, "70000=4294967295,65536=1"), (Labels{0, 1, 4294967295, 2147483647}));
  QCOMPARE(merged(wide, 7.0), (Labels{0, 7, 7, 7}));
}

void TestMergeLabels::equals_the_definition() {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    test::RandomNumbers random(number);
    std::vector<std::uint16_t> labels(1 + random.below(200));
    for (std::uint16_t& label : labels)
      label = static_cast<std::uint16_t>(random.below(8));
    std::map<Label, Label> becomes;
    std::string into;
    for (std::uint16_t label = 1; label < 8; ++label) {
      if (random.below(2) == 0) continue;
      becomes[label] = static_cast<Label>(random.below(8));
      into +=
          (into.empty() ? "" : ",") + std::to_string(label) + "=" + std::to_string(becomes[label]);
    }
    std::vector<Label> expected(labels.begin(), labels.end());
    for (Label& label : expected) {
      if (const auto found = becomes.find(label); found != becomes.end()) label = found->second;
    }
    const Value text = into.empty() ? Value("same") : Value(into);
    QCOMPARE(merged(row_of(labels), text, 1 + static_cast<int>(number % 3)), expected);
  }
}

void TestMergeLabels::refuses_what_is_no_label() {
  const QString of_labels = ", which is not a label: labels are whole numbers from 0 to 4294967295";
  QCOMPARE(refusal<InputError>(row_of<float>({1.0F, 1.5F}), "same"),
           "the image holds 1.5 at index 1, 0, 0" + of_labels);
  QCOMPARE(refusal<InputError>(row_of<std::int16_t>({1, -1}), "same"),
           "the image holds -1 at index 1, 0, 0" + of_labels);
  QVERIFY(refusal<InputError>(row_of<float>({4294967296.0F}), "same").endsWith(of_labels));
  QCOMPARE(refusal<UsageError>(row_of<std::uint8_t>({1}), "1=2.5"),
           QString("into: labels are whole numbers, not 2.5"));
  QVERIFY(refusal<UsageError>(row_of<std::uint8_t>({1}), "1=4294967296").startsWith("into"));
}

QTEST_GUILESS_MAIN(TestMergeLabels)
#include "test_merge_labels.moc"
