// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/bindings.h"

#include <QTest>

using namespace seedwave::ui;

Q_DECLARE_METATYPE(seedwave::ui::Tool)
Q_DECLARE_METATYPE(seedwave::ui::DragAction)

class TestBindings : public QObject {
  Q_OBJECT
 private slots:
  void seedwave_drags_data();
  void seedwave_drags();
  void space_pans_in_every_tool_and_preset();
  void a_pens_eraser_end_erases();
  void wheel_modifiers();
  void every_preset_can_paint_erase_pan_and_zoom();
  void the_help_names_each_gesture_once();
};

void TestBindings::seedwave_drags_data() {
  QTest::addColumn<Tool>("tool");
  QTest::addColumn<Qt::MouseButton>("button");
  QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
  QTest::addColumn<DragAction>("action");
  const Qt::KeyboardModifiers none = Qt::NoModifier;
  const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
  const Qt::KeyboardModifiers control = Qt::ControlModifier;
  const auto row = [](const char* name, Tool tool, Qt::MouseButton button,
                      Qt::KeyboardModifiers modifiers, DragAction action) {
    QTest::newRow(name) << tool << button << modifiers << action;
  };
  row("navigate left", Tool::Navigate, Qt::LeftButton, none, DragAction::MoveCursor);
  row("navigate right", Tool::Navigate, Qt::RightButton, none, DragAction::Zoom);
  row("navigate middle", Tool::Navigate, Qt::MiddleButton, none, DragAction::Pan);
  row("navigate Shift+left", Tool::Navigate, Qt::LeftButton, shift, DragAction::Pan);
  row("brush left", Tool::Brush, Qt::LeftButton, none, DragAction::Paint);
  row("brush right", Tool::Brush, Qt::RightButton, none, DragAction::Erase);
  row("brush Ctrl+left", Tool::Brush, Qt::LeftButton, control, DragAction::Erase);
  row("brush Shift+left", Tool::Brush, Qt::LeftButton, shift, DragAction::Pan);
  row("eraser left", Tool::Eraser, Qt::LeftButton, none, DragAction::Erase);
  row("window left", Tool::WindowLevel, Qt::LeftButton, none, DragAction::Window);
  row("window Shift+left is fine", Tool::WindowLevel, Qt::LeftButton, shift, DragAction::Window);
  row("window Ctrl+left", Tool::WindowLevel, Qt::LeftButton, control, DragAction::WindowFromBox);
  row("line left", Tool::Line, Qt::LeftButton, none, DragAction::Line);
  row("line Shift+left", Tool::Line, Qt::LeftButton, shift, DragAction::Line);
  row("line middle", Tool::Line, Qt::MiddleButton, none, DragAction::Pan);
  row("place left", Tool::Place, Qt::LeftButton, none, DragAction::PickPlace);
  row("place Shift+left", Tool::Place, Qt::LeftButton, shift, DragAction::Pan);
  row("window right", Tool::WindowLevel, Qt::RightButton, none, DragAction::Zoom);
  row("keypad flag is no modifier", Tool::Navigate, Qt::LeftButton, Qt::KeypadModifier,
      DragAction::MoveCursor);
}

void TestBindings::seedwave_drags() {
  QFETCH(Tool, tool);
  QFETCH(Qt::MouseButton, button);
  QFETCH(Qt::KeyboardModifiers, modifiers);
  const Bindings bindings = bindings_of(BindingPreset::Seedwave);
  QTEST(drag_action(bindings, {.tool = tool, .button = button, .modifiers = modifiers}), "action");
}

void TestBindings::space_pans_in_every_tool_and_preset() {
  for (const BindingPreset preset : kBindingPresets) {
    for (const Tool tool :
         {Tool::Navigate, Tool::Brush, Tool::Eraser, Tool::WindowLevel, Tool::Line, Tool::Place}) {
      QCOMPARE(drag_action(bindings_of(preset), {.tool = tool, .space_held = true}),
               DragAction::Pan);
    }
  }
}

void TestBindings::a_pens_eraser_end_erases() {
  const Bindings bindings = bindings_of(BindingPreset::Seedwave);
  QCOMPARE(drag_action(bindings, {.tool = Tool::Brush, .eraser_end = true}), DragAction::Erase);
  QCOMPARE(drag_action(bindings, {.tool = Tool::Navigate, .eraser_end = true}),
           DragAction::MoveCursor);
}

void TestBindings::wheel_modifiers() {
  const Bindings bindings = bindings_of(BindingPreset::Seedwave);
  QCOMPARE(wheel_action(bindings, Qt::NoModifier), WheelAction::Slice);
  QCOMPARE(wheel_action(bindings, Qt::ControlModifier), WheelAction::Zoom);
  QCOMPARE(wheel_action(bindings, Qt::ShiftModifier), WheelAction::BrushSize);
  QCOMPARE(wheel_action(bindings, Qt::ControlModifier | Qt::ShiftModifier), WheelAction::None);
}

void TestBindings::every_preset_can_paint_erase_pan_and_zoom() {
  for (const BindingPreset preset : kBindingPresets) {
    const Bindings bindings = bindings_of(preset);
    QVERIFY(!bindings.name.isEmpty());
    const auto can = [&](Tool tool, DragAction action) {
      for (const auto button : {Qt::LeftButton, Qt::RightButton, Qt::MiddleButton}) {
        for (const Qt::KeyboardModifiers modifiers :
             {Qt::KeyboardModifiers(Qt::NoModifier), Qt::KeyboardModifiers(Qt::ControlModifier),
              Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
          if (drag_action(bindings, {.tool = tool, .button = button, .modifiers = modifiers}) ==
              action) {
            return true;
          }
        }
      }
      return false;
    };
    QVERIFY(can(Tool::Brush, DragAction::Paint));
    QVERIFY(can(Tool::Brush, DragAction::Erase));
    QVERIFY(can(Tool::Brush, DragAction::Pan));
    QVERIFY(can(Tool::Navigate, DragAction::MoveCursor));
    QVERIFY(can(Tool::Navigate, DragAction::Zoom));
    QVERIFY(can(Tool::WindowLevel, DragAction::Window));
    QVERIFY(can(Tool::Line, DragAction::Line));
    QVERIFY(can(Tool::Place, DragAction::PickPlace));
  }
}

void TestBindings::the_help_names_each_gesture_once() {
  for (const BindingPreset preset : kBindingPresets) {
    for (const Tool tool :
         {Tool::Navigate, Tool::Brush, Tool::Eraser, Tool::WindowLevel, Tool::Line, Tool::Place}) {
      QStringList gestures;
      for (const GestureHelp& line : describe_gestures(bindings_of(preset), tool)) {
        QVERIFY2(!line.meaning.isEmpty(), qPrintable(line.gesture));
        QVERIFY2(!gestures.contains(line.gesture), qPrintable(line.gesture));
        gestures << line.gesture;
      }
      QVERIFY(gestures.size() >= 8);
    }
  }
}

QTEST_GUILESS_MAIN(TestBindings)
#include "test_bindings.moc"
