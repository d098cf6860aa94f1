# Precompiled headers: Qt's for libraries of widgets with many files; those of Qt Test and the
# standard library for tests, which took most of the tests' compile time.
#
# Not for core, where several files share one compiler call (SeedwaveUnity.cmake).
# Not with a compiler launcher: ccache is faster still, and rejects precompiled headers by default.
option(SEEDWAVE_PCH "Precompile the headers of the window and of tests" ON)

# seedwave_precompile_widgets(TARGET): for a library of many widgets.
function(seedwave_precompile_widgets target)
  if(SEEDWAVE_PCH AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE
      <QApplication> <QMainWindow> <QVBoxLayout> <functional> <string> <vector>)
  endif()
endfunction()

# seedwave_precompile_test(TARGET [WIDGETS]): uses one set for all tests of widgets, and one for all
# other tests.
function(seedwave_precompile_test target)
  cmake_parse_arguments(arg "WIDGETS" "" "" ${ARGN})
  if(NOT SEEDWAVE_PCH OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(arg_WIDGETS)
    set(owner seedwave_widget_test_headers)
  else()
    set(owner seedwave_test_headers)
  endif()
  if(NOT TARGET ${owner})
    set(empty ${PROJECT_BINARY_DIR}/tests/${owner}.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "// Holds the precompiled headers of tests.\n")
    add_library(${owner} OBJECT ${empty})
    target_link_libraries(${owner} PRIVATE Qt6::Test seedwave::options)
    target_compile_features(${owner} PRIVATE cxx_std_20)
    target_compile_options(${owner} PRIVATE ${SEEDWAVE_TEST_OPTIONS})
    target_precompile_headers(${owner} PRIVATE <QTest> <algorithm> <array> <cmath> <functional>
      <limits> <map> <random> <set> <stop_token> <string> <utility> <vector>)
    if(arg_WIDGETS)
      target_link_libraries(${owner} PRIVATE Qt6::Widgets)
      target_precompile_headers(${owner} PRIVATE <QAction> <QApplication> <QMainWindow> <QSignalSpy>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
