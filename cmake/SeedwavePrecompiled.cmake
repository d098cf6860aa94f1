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

# seedwave_precompile_test(TARGET): all tests without a window share one.
function(seedwave_precompile_test target)
  if(NOT SEEDWAVE_PCH OR CMAKE_CXX_COMPILER_LAUNCHER)
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
  target_compile_options(${target} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  target_precompile_headers(${target} REUSE_FROM seedwave_test_headers)
endfunction()
