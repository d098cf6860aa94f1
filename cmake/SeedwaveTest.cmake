# Options for a test's own code. Most of its run time is spent in the tested code, so compiling it
# faster saves more than running it faster. The tested code and tests/reference are optimised as in
# the programs.
# g++ 12 does not treat precompiled headers of the standard library as system headers, and falsely
# warns of array bounds (GCC bug 105329).
set(SEEDWAVE_TEST_OPTIONS $<$<CONFIG:Release>:-O1> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)

# Tests are linked often, with many libraries: gold takes a fifth of the time of GNU ld.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold SEEDWAVE_HAS_GOLD)

# seedwave_test(PATH [GUI] [LIBS libs...]): adds a Qt Test program built from PATH.cpp and named
# after its path.
#
# GUI: the test opens windows and runs on an X server (xcb under xvfb-run; see docs/architecture.md).
function(seedwave_test path)
  cmake_parse_arguments(arg "GUI" "" "LIBS;LABELS" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name "${folder}_${path}")
  # A single call of moc: AUTOMOC would scan every test and compile an extra empty file, a fifth of
  # the build time of all tests.
  set(moc ${CMAKE_CURRENT_BINARY_DIR}/moc/${path}.moc)
  qt6_generate_moc(${path}.cpp ${moc})
  add_executable(${name} ${path}.cpp ${moc})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/moc)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test seedwave::options)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${SEEDWAVE_TEST_OPTIONS})
  if(SEEDWAVE_HAS_GOLD)
    target_link_options(${name} PRIVATE -fuse-ld=gold)
  endif()
  if(arg_GUI OR folder MATCHES "^ui/")
    target_link_libraries(${name} PRIVATE Qt6::Widgets)
    seedwave_precompile_test(${name} WIDGETS)
  elseif(NOT "Qt6::Gui" IN_LIST arg_LIBS)  # with Qt6::Gui neither set would be valid
    seedwave_precompile_test(${name})
  endif()
  if(arg_GUI)
    add_test(NAME ${folder}/${path}
             COMMAND xvfb-run -a -s "-screen 0 1600x1000x24" $<TARGET_FILE:${name}>)
    set_tests_properties(${folder}/${path} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=xcb" LABELS "gui")
  else()
    add_test(NAME ${folder}/${path} COMMAND ${name})
    set_tests_properties(${folder}/${path} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endif()
  if(arg_LABELS)
    set_property(TEST ${folder}/${path} APPEND PROPERTY LABELS ${arg_LABELS})
  endif()
endfunction()
