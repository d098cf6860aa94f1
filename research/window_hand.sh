# shellcheck shell=bash
# Sourced by the shows that drive the window: a private X server, a private home, and a hand on mouse and
# keyboard. There is no window manager, so the hand gives the focus itself.
#
# SHOWS_DISPLAY=:91 is the display; DESKTOP=1440x900 its size. Everything ends with the script.
home=$(mktemp -d)
desktop=${DESKTOP:-1440x900}
program=
shots=$PWD/out/shots
mkdir -p "$shots"
export QT_QPA_PLATFORM=xcb HOME=$home XDG_RUNTIME_DIR=$home DISPLAY=${SHOWS_DISPLAY:-:91}
unset XDG_STATE_HOME XDG_CONFIG_HOME
Xvfb "$DISPLAY" -screen 0 "${desktop}x24" >/dev/null 2>&1 &
server=$!
end_hand() { [ -z "$program" ] || kill "$program" 2>/dev/null || true; kill $server 2>/dev/null || true; rm -rf "$home"; }
trap end_hand EXIT

wait_until() { # SECONDS COMMAND...: polls; fails when it does not come true in time
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}
wait_until 20 xdotool getdisplaygeometry

picture() { import -window root rgb:- | sha256sum; }
still() { # is the picture the same as a second ago?
  local before
  before=$(picture)
  sleep 1
  [ "$before" = "$(picture)" ]
}
settle() { sleep 1; wait_until 120 still; } # what was asked for has been done and drawn

start() { # ARGUMENTS...: starts the program anew and gives it the keyboard
  [ -z "$program" ] || { kill "$program" 2>/dev/null; wait "$program" 2>/dev/null || true; }
  build/bin/seedwave --size "$desktop" "$@" >>"$home/program.log" 2>&1 &
  program=$!
  wait_until 60 xdotool search --onlyvisible --name Seedwave
  settle
  focus Seedwave
}
focus() { # NAME: gives the window of that name the keyboard
  xdotool windowfocus "$(xdotool search --onlyvisible --name "$1" | tail -n 1)"
  sleep 0.3
}
key() { xdotool key "$@"; sleep 0.5; }
shot() { import -window root "$shots/$1.png"; echo "   $shots/$1.png"; }
drag() { # X0 Y0 X1 Y1: a movement with the left button down, in ten steps
  local i
  xdotool mousemove "$1" "$2" mousedown 1
  for i in 1 2 3 4 5 6 7 8 9 10; do
    xdotool mousemove $(($1 + ($3 - $1) * i / 10)) $(($2 + ($4 - $2) * i / 10))
  done
  xdotool mouseup 1
  sleep 0.3
}
stroke() { # BUTTON X Y...: a movement through the points with that button down, as fast as a hand
  local button=$1 x=$2 y=$3 steps i
  local moves=(mousemove "$x" "$y" mousedown "$button")
  shift 3
  while [ $# -ge 2 ]; do
    steps=$(((($1 > x ? $1 - x : x - $1) + ($2 > y ? $2 - y : y - $2)) / 10 + 1))
    for ((i = 1; i <= steps; i++)); do
      moves+=(mousemove $((x + ($1 - x) * i / steps)) $((y + ($2 - y) * i / steps)) sleep 0.02)
    done
    moves+=(sleep 0.06)  # a corner is not lost if the program is busy
    x=$1 y=$2
    shift 2
  done
  xdotool "${moves[@]}" mouseup "$button"
}
type_path() { # NAME PATH: into the file dialog of that name, which has just been asked for
  wait_until 30 xdotool search --onlyvisible --name "$1"
  focus "$1"
  xdotool type --delay 5 "$2"
  xdotool key Return
  settle
  focus Seedwave
}
