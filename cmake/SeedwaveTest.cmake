# How a test's own code is optimised: it waits for what it tests, and compiling it faster saves more
# than running it faster. What is tested, and tests/reference, are as in the programs.
# g++ 12 no longer knows precompiled headers of the standard library for a system's, and warns of
# bounds that are kept (its bug 105329).
set(SEEDWAVE_TEST_OPTIONS $<$<CONFIG:Release>:-O1> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)

# Tests are linked often and against much: gold takes a fifth of the time that GNU ld takes.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold SEEDWAVE_HAS_GOLD)

# seedwave_test(PATH [GUI] [LIBS libs...]): one Qt Test program from PATH.cpp, named after its path.
#
# GUI: the test opens windows and runs on an X server (xcb under xvfb-run; see docs/architecture.md).
function(seedwave_test path)
  cmake_parse_arguments(arg "GUI" "" "LIBS;LABELS" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name "${folder}_${path}")
  # One call of moc: AUTOMOC would scan every test and compile an empty file beside it, a fifth of
  # the time that all tests take to build.
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
  elseif(NOT "Qt6::Gui" IN_LIST arg_LIBS)  # with it no set would be valid
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
