#!/bin/sh
# Makes sure that the browser tests find a Chromium: installs Debian's where that is
# possible without asking, and says what to install where it is not.
set -eu
if [ -n "${CHROMIUM:-}" ]; then exit 0; fi
for name in chromium chromium-browser google-chrome; do
	if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q
	apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core
	exit 0
fi
echo "The browser tests need Chromium. Install it and run the tests again:" >&2
echo "  Debian, Ubuntu: sudo apt-get install chromium" >&2
echo "  Fedora:         sudo dnf install chromium" >&2
echo "  macOS:          brew install --cask chromium" >&2
echo "or set CHROMIUM to the path of a Chromium that is installed already." >&2
exit 1
