# Qt's headers, read once for many files: that is a third of a test's compile time.
#
# Not for core: there each file compiles in a second or two, and a missing include shows at once.
# Not with a compiler launcher: ccache is faster still, and refuses precompiled headers by default.
option(SEEDWAVE_PCH "Precompile Qt's headers for the tests and the window" ON)

# seedwave_precompile_widgets(TARGET): for a library of many widgets.
function(seedwave_precompile_widgets target)
  if(SEEDWAVE_PCH AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE
      <QApplication> <QMainWindow> <QVBoxLayout> <functional> <string> <vector>)
  endif()
endfunction()

# seedwave_precompile_test(TARGET FOLDER LIBS): the tests of core and gpu share one. Those with other
# parts of Qt than QtCore have other definitions, with which it could not be read.
function(seedwave_precompile_test target folder libs)
  if(NOT SEEDWAVE_PCH OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(NOT folder MATCHES "^(core|gpu)" OR libs MATCHES "Qt6::")
    return()
  endif()
  if(NOT TARGET seedwave_test_headers)
    file(WRITE ${PROJECT_BINARY_DIR}/tests/headers.cpp "int main() {}\n")
    add_executable(seedwave_test_headers EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/tests/headers.cpp)
    target_compile_features(seedwave_test_headers PRIVATE cxx_std_20)
    target_link_libraries(seedwave_test_headers PRIVATE Qt6::Test seedwave::options)
    target_precompile_headers(seedwave_test_headers PRIVATE <QTest> <functional> <string> <vector>)
    target_compile_options(seedwave_test_headers PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  endif()
  # Qt defines these for each folder apart (only QFINDTESTDATA reads them): the headers would not match.
  # A mismatch costs time, not the build.
  target_compile_options(${target} PRIVATE
    -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR -Wno-error=invalid-pch)
  target_precompile_headers(${target} REUSE_FROM seedwave_test_headers)
endfunction()
