# Installs the browser and the Redis server that some tests drive, where that is allowed; else says what to install.
missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    missing="chromium"
command -v redis-server >/dev/null || missing="$missing redis-server"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $missing …"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 - two words are two packages
    if apt-get update -qq >"$log" 2>&1 && apt-get install -y -qq --no-install-recommends $missing >>"$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    echo "They could not be installed. The last lines of the output:"
    tail -n 15 "$log" | sed 's/^/    /'
    rm -f "$log"
fi
echo "Some tests need: $missing. On Debian and Ubuntu: sudo apt-get install $missing"
[ -z "$CI" ]
