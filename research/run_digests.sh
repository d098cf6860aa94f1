# shellcheck shell=bash
# Sourced by research/shows. digests FLAGS of seedwave-cli run: one line, of all outputs in the order of their names.
digests() {
  build/bin/seedwave-cli run "$@" --json --quiet |
    python3 -c 'import json, sys; o = json.load(sys.stdin)["outputs"]; print(*(o[n]["digest"] for n in sorted(o)))'
}
