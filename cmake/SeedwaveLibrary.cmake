# seedwave_library(NAME [PUBLIC libs...] [PRIVATE libs...]): what every folder's target has in common.
function(seedwave_library name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE" ${ARGN})
  set(target seedwave_${name})
  add_library(seedwave::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} seedwave::options)
endfunction()
