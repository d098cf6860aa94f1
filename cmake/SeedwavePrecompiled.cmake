# Qt's headers, read once for the many files of a library of widgets.
#
# Not for core and tests. A file of core compiles in a second or two, and there a missing include
# shows at once; tests would compile in two thirds of the time, but g++ 12 then no longer knows the
# standard library's headers for a system's, and warns of what it believes to see in them.
# Not with a compiler launcher: ccache is faster still, and refuses precompiled headers by default.
option(SEEDWAVE_PCH "Precompile Qt's headers for the window" ON)

# seedwave_precompile_widgets(TARGET): for a library of many widgets.
function(seedwave_precompile_widgets target)
  if(SEEDWAVE_PCH AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE
      <QApplication> <QMainWindow> <QVBoxLayout> <functional> <string> <vector>)
  endif()
endfunction()
