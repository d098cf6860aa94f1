# seedwave_library(NAME [PUBLIC libs...] [PRIVATE libs...]): sets the properties that the targets of
# all folders share.
function(seedwave_library name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE" ${ARGN})
  set(target seedwave_${name})
  add_library(seedwave::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  seedwave_unity(${target})
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} seedwave::options)
  if("Qt6::Widgets" IN_LIST arg_PUBLIC OR "Qt6::Widgets" IN_LIST arg_PRIVATE)
    seedwave_precompile_widgets(${target})
  endif()
endfunction()
