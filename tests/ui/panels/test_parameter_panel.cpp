// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation_table.h"
#include "ui/panels/parameter_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <optional>

namespace seedwave::ui {

namespace {

const Geometry kVolume{.size = {40, 40, 40}};
const Geometry kPicture{.size = {40, 40, 1}, .unit = LengthUnit::Pixel};

/// Returns the suffix of the name of a parameter's first field.
QString ending_of(const Parameter& parameter) {
  if (parameter.choices() != nullptr) return QStringLiteral("_choice");
  if (parameter.role_as<NamesLabel>() != nullptr) return QStringLiteral("_label");
  const bool has_axes = parameter.numbers() == nullptr && parameter.estimate() == nullptr;
  return has_axes ? QStringLiteral("_value_x") : QStringLiteral("_value");
}

}  // namespace

class TestParameterPanel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("seedwave-test"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path());
  }

  void says_in_words_what_was_estimated() {
    const Operation operation = make_operation_table().at("segment");
    ParameterPanel panel;
    panel.set_operation(operation, kVolume, {0.0, 1000.0});
    panel.show_values({}, {});
    const auto* words = panel.findChild<QLabel*>(QStringLiteral("windows_value"));
    QVERIFY(words != nullptr);
    QCOMPARE(words->text(), QStringLiteral("estimated by the next run"));
    panel.show_values({}, {{"windows", "1=72:10:20,2=100:5:5"}});
    QCOMPARE(words->text(), QStringLiteral("label 1: 60.23 to 95.55; label 2: 94.11 to 105.9"));
  }

  void a_threshold_has_the_histogram_of_the_image() {
    const Operation threshold = make_operation_table().at("threshold");
    ParameterPanel panel;
    panel.set_operation(threshold, kPicture, {0.0, 100.0});
    QVERIFY(panel.findChild<QWidget*>(QStringLiteral("low_histogram")) == nullptr);
    Histogram histogram{.low = 0.0, .bin_width = 1.0};
    histogram.counts.assign(101, 10);
    panel.set_operation(threshold, kPicture, {0.0, 100.0}, histogram);
    panel.resize(300, 200);
    auto* strip = panel.findChild<QWidget*>(QStringLiteral("low_histogram"));
    QVERIFY(strip != nullptr);
    QVERIFY(panel.findChild<QWidget*>(QStringLiteral("high_histogram")) == nullptr);
    const auto coloured = [strip](double place) {
      const QImage image = strip->grab().toImage();
      const int x = static_cast<int>(place * image.width());
      return image.pixelColor(x, image.height() - 2) == strip->palette().color(QPalette::Highlight);
    };
    panel.show_values({}, {});  // none: all of it
    QVERIFY(coloured(0.25) && coloured(0.75));
    panel.show_values({{"low", 50.0}}, {});
    QVERIFY(!coloured(0.25) && coloured(0.75));
  }

  void grows_a_field_for_every_parameter_of_the_table() {
    const OperationTable table = make_operation_table();
    for (const Geometry& grid : {kVolume, kPicture}) {
      for (const Operation& operation : table.operations()) {
        ParameterPanel panel;
        panel.set_operation(operation, grid, {0.0, 1000.0});
        panel.show_values({}, {});
        for (const Parameter& parameter : operation.parameters) {
          if (!applies_to(parameter.applies, grid.is_2d())) continue;
          const QString name = QString::fromStdString(parameter.id) + ending_of(parameter);
          const auto* field = panel.findChild<QWidget*>(name);
          QVERIFY2(field != nullptr, qPrintable(name));
          QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(name));
          QVERIFY2(!field->toolTip().isEmpty(), qPrintable(name));
        }
      }
    }
  }

  void another_operation_takes_the_rows_of_the_one_before_off_at_once() {
    // Before the event loop runs, because a question may cover the panel for long.
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.set_operation(table.at("irfc"), kVolume, {0.0, 1000.0});
    panel.set_operation(table.at("irfc"), kPicture, {0.0, 1000.0});
    panel.show();
    int seen = 0;
    for (const auto* field : panel.findChildren<QDoubleSpinBox*>(QStringLiteral("m_value")))
      seen += field->isVisible() ? 1 : 0;
    QCOMPARE(seen, 1);
  }

  void what_few_change_stands_under_advanced() {
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.show();
    const auto open = [&panel, &table](const char* operation) {
      panel.set_operation(table.at(operation), kVolume, {0.0, 1000.0});
      panel.show_values({}, {});
      QCoreApplication::processEvents();  // layouts show the added widgets
      return panel.findChild<QToolButton*>(QStringLiteral("advanced"));
    };
    const auto field = [&panel](const char* name) {
      return panel.findChild<QWidget*>(QString::fromLatin1(name));
    };
    QVERIFY(open("threshold") == nullptr);
    auto* advanced = open("irfc");
    QVERIFY(advanced->isVisible() && field("m_value")->isVisible());
    QVERIFY(!field("smooth_value")->isVisible() && !field("connectivity_choice")->isVisible());
    // Changes made there are kept.
    Values set;
    set.set("m", 100.0);
    set.set("smooth", 1.0);
    panel.show_values(set, {});
    QCOMPARE(advanced->text(), QStringLiteral("Advanced (1 changed)"));
    panel.show_values({}, {});
    QCOMPARE(advanced->text(), QStringLiteral("Advanced"));
    advanced->click();
    QVERIFY(field("smooth_value")->isVisible() && field("connectivity_choice")->isVisible());
    // A section that the user opened stays open for other operations.
    advanced = open("watershed");
    QVERIFY(field("connectivity_choice")->isVisible());
    advanced->click();
    QVERIFY(!field("connectivity_choice")->isVisible());
  }

  void a_typed_number_is_told_and_automatic_goes() {
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.set_operation(table.at("irfc"), kVolume, {0.0, 1000.0});
    panel.show_values({}, {});
    const auto* word = panel.findChild<QCheckBox*>(QStringLiteral("sigma_o_word"));
    auto* spin = panel.findChild<QDoubleSpinBox*>(QStringLiteral("sigma_o_value"));
    QVERIFY(word->isChecked() && !spin->isEnabled());
    Values fixed;
    fixed.set("sigma_o", 8.5);
    panel.show_values({}, fixed);
    QVERIFY(word->isChecked() && spin->isEnabled());
    QCOMPARE(spin->value(), 8.5);

    std::optional<Value> told;
    connect(&panel, &ParameterPanel::changed, this, [&](const std::string& id, const Value& value) {
      if (id == "sigma_o") told = value;
    });
    spin->setValue(12.5);
    QVERIFY(told.has_value());
    QCOMPARE(std::get<double>(*told), 12.5);
    Values set;
    set.set("sigma_o", 12.5);
    panel.show_values(set, fixed);
    QVERIFY(!word->isChecked());
  }

  void showing_values_tells_nothing() {
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.set_operation(table.at("irfc"), kVolume, {0.0, 1000.0});
    int told = 0;
    connect(&panel, &ParameterPanel::changed, this, [&told] { ++told; });
    Values set;
    set.set("sigma_o", 3.0);
    set.set("smooth", 0.7);
    set.set("connectivity", std::string("26"));
    panel.show_values(set, {});
    panel.show_values({}, {});
    QCOMPARE(told, 0);
  }

  void a_direction_is_typed_number_by_number_and_only_where_it_applies() {
    Operation operation;
    operation.parameters = {{.id = "direction",
                             .title = "Direction",
                             .help = "Where to",
                             .initial = "0,0,1",
                             .domain = DirectionDomain{},
                             .applies = Applies::Volumes}};
    ParameterPanel panel;
    panel.set_operation(operation, kPicture, {});
    QVERIFY(panel.findChildren<QDoubleSpinBox*>().isEmpty());
    panel.set_operation(operation, kVolume, {});
    panel.show_values({}, {});
    const auto field = [&](const char* name) {
      return panel.findChild<QDoubleSpinBox*>(QLatin1String(name));
    };
    QCOMPARE(field("direction_value_z")->value(), 1.0);
    std::vector<Value> told;
    connect(&panel, &ParameterPanel::changed, this,
            [&](const std::string&, const Value& value) { told.push_back(value); });
    field("direction_value_z")->setValue(0.0);  // no direction yet
    QVERIFY(told.empty());
    field("direction_value_x")->setValue(-0.5);
    QVERIFY(told == std::vector<Value>{Value("-0.5,0,0")});
    Values set;
    set.set("direction", "1,2,3");
    panel.show_values(set, {});
    QCOMPARE(field("direction_value_y")->value(), 2.0);
    QCOMPARE(told.size(), std::size_t{1});
  }

  void a_label_is_chosen_by_its_name() {
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.set_operation(table.at("irfc"), kVolume, {});
    std::vector<LabelEntry> labels = default_labels();
    labels.push_back(make_label(7, "caudates"));
    panel.set_labels(labels);
    panel.show_values({}, {});
    auto* list = panel.findChild<QComboBox*>(QStringLiteral("object_label"));
    QCOMPARE(list->currentText(), QStringLiteral("object"));
    Values stands_for;
    stands_for.set("object", 7.0);
    panel.show_values({}, stands_for);
    QCOMPARE(list->currentText(), QStringLiteral("caudates"));

    std::optional<Value> told;
    connect(&panel, &ParameterPanel::changed, this, [&](const std::string& id, const Value& value) {
      if (id == "object") told = value;
    });
    const auto choose = [list](const QString& text) {
      list->setCurrentIndex(list->findText(text, Qt::MatchStartsWith));
      emit list->activated(list->currentIndex());
    };
    choose(QStringLiteral("background"));
    QCOMPARE(std::get<double>(told.value()), 2.0);
    choose(QStringLiteral("all"));
    QCOMPARE(std::get<std::string>(told.value()), std::string("all"));

    Values set;
    set.set("object", 12.0);  // from a session, removed since
    panel.show_values(set, {});
    QVERIFY(list->currentText().contains(QStringLiteral("12")));
  }

  void offers_only_what_applies_to_the_dimension() {
    const OperationTable table = make_operation_table();
    for (const bool flat : {true, false}) {
      ParameterPanel panel;
      panel.set_operation(table.at("irfc"), flat ? kPicture : kVolume, {});
      panel.show_values({}, {});
      const auto* list = panel.findChild<QComboBox*>(QStringLiteral("connectivity_choice"));
      QCOMPARE(list->count(), flat ? 2 : 3);
      QCOMPARE(list->currentData().toString(), flat ? QStringLiteral("4") : QStringLiteral("6"));
    }
  }

  void the_slider_moves_the_number() {
    const OperationTable table = make_operation_table();
    ParameterPanel panel;
    panel.set_operation(table.at("irfc"), kVolume, {0.0, 1000.0});
    panel.show_values({}, {});
    std::optional<Value> told;
    connect(&panel, &ParameterPanel::changed, this,
            [&](const std::string&, const Value& value) { told = value; });
    panel.findChild<QSlider*>(QStringLiteral("smooth_slider"))->setValue(500);
    QVERIFY(told.has_value());
    QCOMPARE(std::get<double>(*told), 5.0);
  }

  void lengths_are_named_by_what_is_known_of_a_pixel_data() {
    QTest::addColumn<std::int64_t>("slices");
    QTest::addColumn<double>("spacing");
    QTest::addColumn<bool>("known");
    QTest::addColumn<QStringList>("offered");
    QTest::addColumn<QString>("h");
    const auto row = [](const char* name, std::int64_t slices, double spacing, bool known,
                        const QStringList& offered, const char* h) {
      QTest::newRow(name) << slices << spacing << known << offered << QString::fromLatin1(h);
    };
    row("volume", 40, 0.7, true, {"Millimetres", "Voxels"}, "Neck depth h (mm)");
    row("radiograph", 1, 0.14, true, {"Millimetres", "Pixels"}, "Neck depth h (mm)");
    row("slide", 1, 0.00025, true, {"Micrometres", "Pixels"}, "Neck depth h (mm)");
    row("picture", 1, 1.0, false, {"Pixels"}, "Neck depth h (px)");
    row("stack of pictures", 40, 1.0, false, {"Voxels"}, "Neck depth h (voxels)");
  }

  void lengths_are_named_by_what_is_known_of_a_pixel() {
    QFETCH(std::int64_t, slices);
    QFETCH(double, spacing);
    QFETCH(bool, known);
    QFETCH(QStringList, offered);
    const Geometry grid{.size = {40, 40, slices},
                        .spacing = {spacing, spacing, 1.0},
                        .unit = known ? LengthUnit::Millimetre : LengthUnit::Pixel};
    const OperationTable table = make_operation_table();
    for (const char* id : {"distance", "influence-zones"}) {
      ParameterPanel panel;
      panel.set_operation(table.at(id), grid, {});
      panel.show_values({}, {});
      const auto* units = panel.findChild<QComboBox*>(QStringLiteral("units_choice"));
      QStringList texts;
      for (int i = 0; i < units->count(); ++i)
        texts << units->itemText(i);
      QCOMPARE(texts, offered);
      QCOMPARE(units->currentText(), offered.front());
      QCOMPARE(units->isEnabled(), offered.size() > 1);
    }
    ParameterPanel panel;
    panel.set_operation(table.at("split-objects"), grid, {});
    QStringList labels;
    for (const auto* label : panel.findChildren<QLabel*>())
      labels << label->text();
    QFETCH(QString, h);
    QVERIFY2(labels.contains(h), qPrintable(labels.join('|')));
  }

 private:
  QTemporaryDir settings_;
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestParameterPanel)
#include "test_parameter_panel.moc"
