// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/action_table.h"

#include <QCoreApplication>

namespace seedwave::ui {

namespace {

using G = ActionGroup;
using K = ActionKind;

// Texts are marked for translation here and translated where they are shown.
#define SW_TEXT(text) QT_TRANSLATE_NOOP("Actions", text)

constexpr ActionSpec kActions[] = {
    {"open", SW_TEXT("Open…"), "Ctrl+O", SW_TEXT("Open a study, image, session or seeds file"),
     G::File, K::Command, "open"},
    {"open_folder", SW_TEXT("Open folder…"), "Ctrl+Shift+O",
     SW_TEXT("Open a folder of DICOM files"), G::File, K::Command, "folder"},
    {"open_sample", SW_TEXT("Open the sample study"), "",
     SW_TEXT("Open the study that comes with Seedwave"), G::File},
    {"open_cases", SW_TEXT("Open list of cases…"), "",
     SW_TEXT("Walk through the images of a list (CSV), or through several images, one after the "
             "other"),
     G::File, K::Command, "", true},
    {"open_case_folder", SW_TEXT("Open folder as cases…"), "",
     SW_TEXT("Walk through all images in a folder, one after the other"), G::File},
    {"case_next", SW_TEXT("Next case"), "Ctrl+N", SW_TEXT("Save this case and open the next one"),
     G::File},
    {"case_previous", SW_TEXT("Previous case"), "Ctrl+P",
     SW_TEXT("Save this case and open the one before"), G::File},
    {"case_next_not_done", SW_TEXT("Next case that is not done"), "Ctrl+Shift+D",
     SW_TEXT("Save this case and open the next one without a mark"), G::File},
    {"case_done", SW_TEXT("Case is done"), "M",
     SW_TEXT("Mark the case, and write its labels to a file"), G::File, K::Switch},
    {"case_done_and_next", SW_TEXT("Mark done and go on"), "Ctrl+D",
     SW_TEXT("Mark the case, write its labels, and open the next one that is not done"), G::File},
    {"close_cases", SW_TEXT("Close list of cases"), "",
     SW_TEXT("Save the case that is open, and release the list for other windows"), G::File},
    {"save_session", SW_TEXT("Save session"), "Ctrl+S",
     SW_TEXT("Save strokes, labels, values and runs"), G::File, K::Command, "save", true},
    {"save_session_as", SW_TEXT("Save session as…"), "Ctrl+Shift+S",
     SW_TEXT("Save the session under another name"), G::File},
    {"export_labels", SW_TEXT("Export labels…"), "Ctrl+E",
     SW_TEXT("Write the result as NIfTI, NRRD or MetaImage; 2-D images also as PNG or TIFF"),
     G::File, K::Command, "export"},
    {"export_surfaces", SW_TEXT("Export surfaces…"), "",
     SW_TEXT("Write the surfaces of labels as STL or PLY, for 3-D printing and other programs"),
     G::File},
    {"export_map", SW_TEXT("Export map…"), "",
     SW_TEXT("Write the values of the displayed map (strength: 0 to 4096)"), G::File},
    {"export_seeds", SW_TEXT("Export seeds…"), "", SW_TEXT("Write the strokes as seeds JSON"),
     G::File},
    {"save_picture", SW_TEXT("Save picture…"), "Ctrl+Shift+P",
     SW_TEXT("Save the views as PNG, as they are on screen or finer"), G::File},
    {"import_seeds", SW_TEXT("Import seeds…"), "", SW_TEXT("Read strokes, or a label map as seeds"),
     G::File, K::Command, "", true},
    {"import_reference", SW_TEXT("Import reference…"), "Ctrl+R",
     SW_TEXT("Read a label map to score results against"), G::File, K::Command, "reference"},
    {"import_regions", SW_TEXT("Import regions…"), "",
     SW_TEXT("Add the regions of a GeoJSON file, as QuPath writes them"), G::File},
    {"export_regions", SW_TEXT("Export regions…"), "",
     SW_TEXT("Write the regions as GeoJSON, which QuPath reads"), G::File},
    {"clear_reference", SW_TEXT("Remove reference"), "", SW_TEXT("Stop scoring results"), G::File},
    {"quit", SW_TEXT("Quit"), "Ctrl+Q", SW_TEXT("Close the window; asks about unsaved work"),
     G::File, K::Command, "", true},

    {"undo", SW_TEXT("Undo"), "Ctrl+Z", SW_TEXT("Undo the last change"), G::Edit, K::Command,
     "undo"},
    {"redo", SW_TEXT("Redo"), "Ctrl+Shift+Z; Ctrl+Y", SW_TEXT("Redo the change that was undone"),
     G::Edit, K::Command, "redo"},
    {"copy_picture", SW_TEXT("Copy picture"), "Ctrl+Alt+C",
     SW_TEXT("Copy a picture of the views, with the last choices of Save picture"), G::Edit,
     K::Command, "", true},
    {"withdraw_last", SW_TEXT("Remove last stroke"), "Ctrl+Backspace",
     SW_TEXT("Remove the newest stroke from the list"), G::Edit, K::Command, "", true},
    {"withdraw_chosen", SW_TEXT("Remove selected strokes"), "",
     SW_TEXT("Remove the strokes selected in the list and update the result"), G::Edit},
    {"withdraw_all", SW_TEXT("Remove all strokes"), "",
     SW_TEXT("Clear the list of strokes; can be undone"), G::Edit},
    {"edits_remove", SW_TEXT("Remove all edits"), "",
     SW_TEXT("Give all voxels edited by hand back to the results; can be undone"), G::Edit},
    {"regions_keep", SW_TEXT("Keep the result as regions"), "Ctrl+Shift+K",
     SW_TEXT("Add a region for each part of the displayed labels but the background; numbered "
             "objects get the class of the current label"),
     G::Edit, K::Command, "", true},
    {"regions_remove", SW_TEXT("Remove selected regions"), "",
     SW_TEXT("Remove the regions selected in the list; can be undone"), G::Edit},
    {"regions_classify", SW_TEXT("Give selected regions the current label"), "Shift+C",
     SW_TEXT("The current label becomes the class of the regions selected in the list"), G::Edit},
    {"regions_fill", SW_TEXT("Label the selected regions"), "",
     SW_TEXT("Edit by hand: the pixels inside the selected regions get the labels of their "
             "classes"),
     G::Edit},
    {"regions_outside", SW_TEXT("Clear outside the selected regions"), "",
     SW_TEXT("Edit by hand: no pixel outside the selected regions has a label, in any run"),
     G::Edit},
    {"edit_keys", SW_TEXT("Keys and mouse…"), "",
     SW_TEXT("Change the keys of actions and the mouse bindings"), G::Edit, K::Command, "", true},

    {"layout_four", SW_TEXT("Four views"), "F6", SW_TEXT("Three planes and 3-D"), G::View,
     K::Command, "four"},
    {"layout_axial", SW_TEXT("Axial only"), "F2", SW_TEXT("The axial plane fills the window"),
     G::View},
    {"layout_coronal", SW_TEXT("Coronal only"), "F3", SW_TEXT("The coronal plane fills the window"),
     G::View},
    {"layout_sagittal", SW_TEXT("Sagittal only"), "F4",
     SW_TEXT("The sagittal plane fills the window"), G::View},
    {"layout_surface", SW_TEXT("3-D only"), "F5", SW_TEXT("The 3-D view fills the window"),
     G::View},
    {"fit", SW_TEXT("Fit view"), "F", SW_TEXT("Show the whole image in every plane"), G::View,
     K::Command, "fit", true},
    {"turn", SW_TEXT("Turn to the right"), "Shift+T",
     SW_TEXT("Show the picture turned by 90 degrees"), G::View},
    {"mirror", SW_TEXT("Mirror"), "", SW_TEXT("Show the picture as seen from behind"), G::View,
     K::Switch},
    {"centre", SW_TEXT("Centre on crosshair"), "C", SW_TEXT("Centre every plane on the crosshair"),
     G::View},
    {"work_on_view", SW_TEXT("Work on what is in view"), "Shift+W",
     SW_TEXT("Run operations on the visible part of the slide, as fine as it is seen"), G::View,
     K::Command, "", true},
    {"work_on_region", SW_TEXT("Work on the selected region"), "Shift+X",
     SW_TEXT("Run operations on the box around the region selected in the list, as fine as the "
             "slide is"),
     G::View},
    {"work_on_slide", SW_TEXT("Work on the whole slide"), "Shift+F",
     SW_TEXT("Run operations on the whole slide again, at the level that it opened with"), G::View},
    {"slide_pictures", SW_TEXT("Pictures of the slide…"), "",
     SW_TEXT("The label on the glass, the whole glass, and other pictures in the file"), G::View},
    {"crosshair", SW_TEXT("Crosshair"), "X", SW_TEXT("Show or hide the crosshair"), G::View,
     K::Switch},
    {"neurological", SW_TEXT("Neurological convention"), "",
     SW_TEXT("Patient's right at screen right; off: radiological"), G::View, K::Switch, "", true},
    {"head_foot", SW_TEXT("Head and foot as H and F"), "",
     SW_TEXT("Label head and foot as DICOM does, instead of S and I"), G::View, K::Switch},
    {"corner_texts", SW_TEXT("Corner annotations"), "",
     SW_TEXT("Series, window and zoom in the corners"), G::View, K::Switch},
    {"show_patient", SW_TEXT("Patient name"), "",
     SW_TEXT("Show the patient's name; leave off for screenshots and teaching"), G::View,
     K::Switch},

    {"show_result", SW_TEXT("Result"), "S", SW_TEXT("Show or hide the result"), G::Display,
     K::Switch, "result"},
    {"show_seeds", SW_TEXT("Seeds"), "Shift+S", SW_TEXT("Show or hide the strokes"), G::Display,
     K::Switch, "seeds"},
    {"show_reference", SW_TEXT("Reference"), "G", SW_TEXT("Show or hide the reference's outline"),
     G::Display, K::Switch},
    {"show_regions", SW_TEXT("Regions"), "Shift+G", SW_TEXT("Show or hide the regions"), G::Display,
     K::Switch},
    {"color_profile", SW_TEXT("Colour profile of the scanner"), "",
     SW_TEXT("Show the colours as the slide's profile describes them; operations read them as they "
             "are stored"),
     G::Display, K::Switch},
    {"own_stains", SW_TEXT("Own stains…"), "",
     SW_TEXT("Set the colours of two stains from regions, strokes or the whole picture"),
     G::Display},
    {"outline", SW_TEXT("Outline only"), "O", SW_TEXT("Draw labels as outlines instead of filled"),
     G::Display, K::Switch, "outline"},
    {"show_map", SW_TEXT("Map instead of labels"), "T",
     SW_TEXT("Colour by a value (strength of connectedness) instead of by label"), G::Display,
     K::Switch, "strength"},
    {"opacity_less", SW_TEXT("Decrease overlay opacity"), "A",
     SW_TEXT("Overlay opacity down by 5 %"), G::Display, K::Command, "", true},
    {"opacity_more", SW_TEXT("Increase overlay opacity"), "D", SW_TEXT("Overlay opacity up by 5 %"),
     G::Display},
    {"window_auto", SW_TEXT("Window: automatic"), "Alt+0",
     SW_TEXT("Set the window from the intensities of the image"), G::Display, K::Command, "", true},
    {"volume_off", SW_TEXT("3-D: surface only"), "", SW_TEXT("Surfaces of the labels"), G::Display,
     K::VolumeChoice, "", true},
    {"volume_ct", SW_TEXT("3-D: volume rendering, CT"), "",
     SW_TEXT("Opacity and colour by Hounsfield units"), G::Display, K::VolumeChoice},
    {"volume_mr", SW_TEXT("3-D: volume rendering, MR"), "",
     SW_TEXT("Opacity by window and level, for MR and other images without units"), G::Display,
     K::VolumeChoice},
    {"surface_planes", SW_TEXT("3-D: show the planes"), "",
     SW_TEXT("The three planes inside the 3-D view"), G::Display, K::Switch},
    {"surface_reset", SW_TEXT("3-D: view from the front"), "", SW_TEXT("Reset the 3-D view"),
     G::Display},

    {"tool_navigate", SW_TEXT("Navigate"), "N", SW_TEXT("Move the crosshair in all views"), G::Tool,
     K::ToolChoice, "navigate"},
    {"tool_brush", SW_TEXT("Brush"), "B", SW_TEXT("Paint strokes of the current label"), G::Tool,
     K::ToolChoice, "brush"},
    {"tool_eraser", SW_TEXT("Eraser"), "E", SW_TEXT("Erase strokes where you paint"), G::Tool,
     K::ToolChoice, "eraser"},
    {"tool_window", SW_TEXT("Window and level"), "W",
     SW_TEXT("Drag right for a wider window, up for a brighter image; Ctrl+drag a box to set both "
             "from it"),
     G::Tool, K::ToolChoice, "window"},
    {"tool_line", SW_TEXT("Line"), "I",
     SW_TEXT(
         "Drag a line to set the angle and length of an operation on lines; Shift: steps of 15°"),
     G::Tool, K::ToolChoice, "line"},
    {"tool_place", SW_TEXT("Place"), "P",
     SW_TEXT("Click to set the place that an operation analyses"), G::Tool, K::ToolChoice, "place"},
    {"tool_edit", SW_TEXT("Edit brush"), "Q",
     SW_TEXT("Draw the current label by hand, above the results of all runs; right drag: no label; "
             "Alt+drag: the result again"),
     G::Tool, K::ToolChoice, "edit", true},
    {"tool_outline", SW_TEXT("Edit outline"), "Y",
     SW_TEXT("Drag around voxels, or click corners and double-click: the inside gets the current "
             "label; with Ctrl: no label"),
     G::Tool, K::ToolChoice, "lasso"},
    {"tool_part", SW_TEXT("Edit part"), "V",
     SW_TEXT("Click a connected part or a hole: it gets the current label; Ctrl+click removes it"),
     G::Tool, K::ToolChoice, "part"},
    {"tool_region", SW_TEXT("Draw region"), "U",
     SW_TEXT("Drag around an area, or click corners and double-click: a region of the current "
             "label, which runs do not change"),
     G::Tool, K::ToolChoice, "region"},
    {"tool_rectangle", SW_TEXT("Draw rectangular region"), "Shift+U",
     SW_TEXT("Drag from one corner to the other: a region of the current label"), G::Tool,
     K::ToolChoice, "rectangle"},
    {"tool_ellipse", SW_TEXT("Draw elliptical region"), "Ctrl+U",
     SW_TEXT("Drag over the box of the ellipse: a region of the current label"), G::Tool,
     K::ToolChoice, "ellipse"},
    {"edit_range", SW_TEXT("Edit in a range only"), "R",
     SW_TEXT("Edit only voxels whose intensity lies in the range"), G::Tool, K::Switch},
    {"edit_range_invert", SW_TEXT("Edit outside the range"), "Shift+R",
     SW_TEXT("Edit only voxels whose intensity lies outside the range"), G::Tool, K::Switch},
    {"brush_smaller", SW_TEXT("Brush smaller"), "[; -", SW_TEXT("Radius down by 20 %"), G::Tool,
     K::Command, "", true},
    {"brush_larger", SW_TEXT("Brush larger"), "]; +", SW_TEXT("Radius up by 20 %"), G::Tool},
    {"brush_sphere", SW_TEXT("Spherical brush"), "Shift+B",
     SW_TEXT("Paint a sphere through neighbouring slices instead of a disc"), G::Tool, K::Switch,
     "sphere"},

    {"label_previous", SW_TEXT("Previous label"), ",", SW_TEXT("Select the label above"), G::Label},
    {"label_next", SW_TEXT("Next label"), ".", SW_TEXT("Select the label below"), G::Label},
    {"label_add", SW_TEXT("Add label"), "Ctrl+Shift+N", SW_TEXT("Add a label with its own colour"),
     G::Label},
    {"label_lock", SW_TEXT("Lock label"), "Ctrl+Shift+L",
     SW_TEXT("Keep the voxels of the current label through every run and edit"), G::Label,
     K::Switch, "lock"},
    {"label_grow", SW_TEXT("Grow label"), "Ctrl+Alt+Up",
     SW_TEXT("The current label gains the voxels without a label within the margin"), G::Label},
    {"label_shrink", SW_TEXT("Shrink label"), "Ctrl+Alt+Down",
     SW_TEXT("The current label loses the voxels within the margin of its border"), G::Label},
    {"label_colour", SW_TEXT("Label colour…"), "",
     SW_TEXT("Choose the colour of the current label"), G::Label},
    {"label_remove", SW_TEXT("Remove label"), "",
     SW_TEXT("Remove the current label and its strokes; can be undone"), G::Label},
    {"read_label_table", SW_TEXT("Read label table…"), "",
     SW_TEXT("Read names and colours from ITK-SNAP label descriptions or a Slicer colour table"),
     G::Label, K::Command, "", true},
    {"write_label_table", SW_TEXT("Write label table…"), "",
     SW_TEXT("Write names and colours for ITK-SNAP (.txt) or Slicer (.ctbl)"), G::Label},

    {"run", SW_TEXT("Run"), "Ctrl+Return; Ctrl+Enter", SW_TEXT("Run the operation now"), G::Run,
     K::Command, "run"},
    {"live", SW_TEXT("Live"), "L", SW_TEXT("Run after every stroke and every change of a value"),
     G::Run, K::Switch, "live"},
    {"cancel", SW_TEXT("Cancel"), "Esc",
     SW_TEXT("Cancel the stroke or the job; the last result is kept"), G::Run, K::Command,
     "cancel"},
    {"re_estimate", SW_TEXT("Re-estimate automatic values"), "Ctrl+Shift+E",
     SW_TEXT("Estimate automatic values again; otherwise they stay as in the first run"), G::Run,
     K::Command, "", true},
    {"correct_result", SW_TEXT("Correct this result"), "Ctrl+Shift+F",
     SW_TEXT("Keep the displayed labels: further strokes decide anew only what they reach; can be "
             "undone"),
     G::Run},
    {"search_sigma", SW_TEXT("Find the best σo with the reference"), "",
     SW_TEXT("Try values of σo and keep the one with the best Dice of the current label"), G::Run},
    {"sweep", SW_TEXT("Parameter sweep…"), "",
     SW_TEXT("Run many values of one or two parameters and compare Dice or volumes"), G::Run},
    {"run_restore", SW_TEXT("Restore the selected run"), "",
     SW_TEXT("Restore strokes, values and result of the run selected in the list"), G::Run,
     K::Command, "", true},
    {"run_pin", SW_TEXT("Pin the selected run as A"), "",
     SW_TEXT("Later runs are compared with this one"), G::Run},
    {"run_pin_curve", SW_TEXT("Pin the curve of the selected run"), "",
     SW_TEXT("Keep the curve in the plot with those of later runs"), G::Run},
    {"copy_command", SW_TEXT("Copy command"), "Ctrl+Shift+C",
     SW_TEXT(
         "Copy the seedwave-cli command that reproduces the selected run, or the displayed one"),
     G::Run},
    {"save_recipe", SW_TEXT("Save recipe…"), "",
     SW_TEXT("Save the displayed run and the runs that it reads as a chain of steps, which "
             "seedwave-cli apply carries out on other images"),
     G::Run},
    {"apply_recipe", SW_TEXT("Apply recipe to…"), "",
     SW_TEXT("Carry out the displayed run and the runs that it reads, or a recipe file, on many "
             "images in the background"),
     G::Run},
    {"whole_slide", SW_TEXT("Compute the whole slide…"), "",
     SW_TEXT("Repeat the displayed run on all of the slide, at any level, in the background"),
     G::Run},
    {"follow_pointer", SW_TEXT("Curve under the pointer"), "Shift+P",
     SW_TEXT("Plot the curve of the pixel under the pointer, for an operation with a place"),
     G::Run, K::Switch, "", true},
    {"plot_pin", SW_TEXT("Pin the displayed curve"), "",
     SW_TEXT("Keep the curve in the plot with those of later runs"), G::Run, K::Command, "", true},
    {"plot_copy_csv", SW_TEXT("Copy the plot as CSV"), "",
     SW_TEXT("x and every curve as columns, for a spreadsheet"), G::Run},
    {"plot_copy_picture", SW_TEXT("Copy the plot as an image"), "", SW_TEXT("As it is on screen"),
     G::Run},
    {"plot_save", SW_TEXT("Save the plot…"), "",
     SW_TEXT("Write the curves as CSV, or the plot as PNG"), G::Run},
    {"objects_save", SW_TEXT("Save the table of objects…"), "",
     SW_TEXT("Write the listed objects as CSV with all that was measured of each"), G::Run},
    {"compare", SW_TEXT("Compare runs"), "Ctrl+K",
     SW_TEXT("Compare the two selected runs, the selected run with A, or the displayed run with A "
             "or the run before"),
     G::Run, K::Command, "", true},
    {"compare_reference", SW_TEXT("Compare with the reference"), "Ctrl+Shift+R",
     SW_TEXT("Show where the result is right, and what it misses and finds in excess; of numbered "
             "objects, each as a whole"),
     G::Run},
    {"compare_difference", SW_TEXT("Comparison: difference"), "Ctrl+1",
     SW_TEXT("Show where both runs agree, and where only one has a label"), G::Run, K::Switch},
    {"compare_wipe", SW_TEXT("Comparison: wipe"), "Ctrl+4",
     SW_TEXT(
         "A left of a divider and B right of it, in every plane; drag it, or use the arrow keys"),
     G::Run, K::Switch},
    {"compare_sides", SW_TEXT("Comparison: side by side"), "Ctrl+2",
     SW_TEXT("The same plane twice, A left and B right, linked"), G::Run, K::Switch},
    {"compare_blink", SW_TEXT("Comparison: blink"), "Ctrl+3",
     SW_TEXT("B in every plane, and A in its place while K is held"), G::Run, K::Switch},
    {"compare_swap", SW_TEXT("Comparison: swap A and B"), "", SW_TEXT("A becomes B, and B A"),
     G::Run},
    {"compare_keep_a", SW_TEXT("Comparison: keep A"), "",
     SW_TEXT("Restore strokes, values and result of A, and end the comparison"), G::Run},
    {"compare_end", SW_TEXT("End comparison"), "Ctrl+0", SW_TEXT("Show the result again"), G::Run},

    {"keys", SW_TEXT("Help on keys and mouse"), "F1",
     SW_TEXT("Keys and mouse actions of the current tool"), G::Help, K::Command, "help"},
    {"palette", SW_TEXT("Command palette…"), "Ctrl+L",
     SW_TEXT("Find any command or operation by its name"), G::Help},
    {"memory", SW_TEXT("Memory…"), "", SW_TEXT("Memory use of the program"), G::Help},
    {"about", SW_TEXT("About Seedwave"), "", SW_TEXT("Version, licences; for research use"),
     G::Help},
};

constexpr ViewKey kViewKeys[] = {
    {"Up, Down; PgUp, PgDn", SW_TEXT("Previous and next slice; with Shift: five slices")},
    {"Arrows", SW_TEXT("Pan a 2-D image; with Shift: half a view")},
    {"Home, End", SW_TEXT("First and last slice")},
    {"Ctrl+arrows", SW_TEXT("Move the crosshair by one voxel in the plane")},
    {"Return", SW_TEXT("Stamp the brush, or place the line, at the crosshair")},
    {"Space + drag", SW_TEXT("Pan the image, in every tool")},
    {"1 … 9, 0", SW_TEXT("Select a label; 0: the eraser; in the window tool: window presets")},
    {"Alt+1 … 9", SW_TEXT("Window presets in every tool; Alt+0: automatic")},
    {"Hold H", SW_TEXT("Hide all overlays while held")},
    {"Hold K", SW_TEXT("While comparing: show the other run while held")},
    {"Tab", SW_TEXT("Go to the next view or panel")},
};

#undef SW_TEXT

}  // namespace

std::span<const ActionSpec> action_table() {
  return kActions;
}

const ActionSpec* find_action(const QString& id) {
  for (const ActionSpec& spec : kActions) {
    if (id == QLatin1String(spec.id)) return &spec;
  }
  return nullptr;
}

std::span<const ViewKey> view_keys() {
  return kViewKeys;
}

QString translated(const char* text) {
  return QCoreApplication::translate("Actions", text);
}

QString title_of(ActionGroup group) {
  switch (group) {
    case ActionGroup::File:
      return QCoreApplication::translate("Actions", "File");
    case ActionGroup::Edit:
      return QCoreApplication::translate("Actions", "Edit");
    case ActionGroup::View:
      return QCoreApplication::translate("Actions", "View");
    case ActionGroup::Display:
      return QCoreApplication::translate("Actions", "Display");
    case ActionGroup::Tool:
      return QCoreApplication::translate("Actions", "Tool");
    case ActionGroup::Label:
      return QCoreApplication::translate("Actions", "Label");
    case ActionGroup::Run:
      return QCoreApplication::translate("Actions", "Run");
    case ActionGroup::Help:
      break;
  }
  return QCoreApplication::translate("Actions", "Help");
}

}  // namespace seedwave::ui
