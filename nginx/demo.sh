#!/usr/bin/env bash
# Builds the demo site and serves it behind nginx, siteauth and entra-emulator, until Ctrl-C or
# until a program ends. 'make demo' builds the programs and calls this script; the end-to-end tests
# call it with their own ports and run folder.
#
#   SITE_PORT    of the site                      8080
#   ENTRA_PORT   of entra-emulator                8081
#   ADMIN_PORT   of its administration            8082
#   RUN_FOLDER   sockets, logs, secrets, releases .run
#   BIN_FOLDER   of the programs                  .build/release
#   CONFIG       the site's configuration         sitegen.toml
set -euo pipefail
cd "$(dirname "$0")/.."

site_port=${SITE_PORT:-8080}
entra_port=${ENTRA_PORT:-8081}
admin_port=${ADMIN_PORT:-8082}
bin=${BIN_FOLDER:-.build/release}
mkdir -p "${RUN_FOLDER:-.run}"
run=$(realpath "${RUN_FOLDER:-.run}")
config=${CONFIG:-sitegen.toml}
tenant=11111111-aaaa-4000-8000-000000000001

fail() { printf 'demo: error: %s\n' "$*" >&2; exit 1; }

check_port() { # port, variable
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
        fail "port $1 is in use; run '$2=<another port> make demo'"
    fi
}
[ "$(printf '%s\n' "$site_port" "$entra_port" "$admin_port" | sort -u | wc -l)" = 3 ] \
    || fail "SITE_PORT, ENTRA_PORT and ADMIN_PORT must differ, but are $site_port, $entra_port, $admin_port"
check_port "$site_port" SITE_PORT
check_port "$entra_port" ENTRA_PORT
check_port "$admin_port" ADMIN_PORT
for program in sitegen siteauth entra-emulator; do
    [ -x "$bin/$program" ] || fail "'$bin/$program' does not exist; 'make demo' builds it"
done

# nginx looks for included files in the folder of its configuration.
mkdir -p "$run/temporary" "$run/public" "$run/snippets"
ln -sfn "$PWD/nginx" "$run/snippets/siteauth"
rm -f "$run"/*.sock
chmod 700 "$run"

# The file is kept between starts, so that readers stay signed in.
if [ ! -s "$run/secrets.toml" ] || ! grep -q ":$site_port/" "$run/secrets.toml" \
    || ! grep -q ":$entra_port/" "$run/secrets.toml"; then
    (umask 077
    cat >"$run/secrets.toml" <<TOML
[auth]
redirect_uri = "http://localhost:$site_port/auth/callback"
cookie_secret = "$(head -c 32 /dev/urandom | base64 -w0)"
client_id = "22222222-bbbb-4000-8000-000000000002"
client_secret = "emulated~secret.is-no-secret_at-all"
authority = "http://localhost:$entra_port/$tenant"
TOML
    )
fi

sed -e "s|@RUN@|$run|g" -e "s|@OUTPUT@|$run/public|g" \
    -e "s|@SITE_PORT@|$site_port|g" -e "s|@ENTRA_PORT@|$entra_port|g" \
    nginx/demo.conf >"$run/nginx.conf"

"$bin/sitegen" build --config "$config" --output "$run/public"

declare -A names=()
start() { # name, command…
    local name=$1
    shift
    "$@" >"$run/$name.log" 2>&1 &
    names[$!]=$name
}
stop() {
    trap - INT TERM EXIT
    kill "${!names[@]}" 2>/dev/null || true
    wait "${!names[@]}" 2>/dev/null || true
}
trap 'stop; printf "\ndemo: stopped\n"; exit 0' INT TERM
trap stop EXIT

report_death() { # pid
    local name=${names[$1]}
    unset "names[$1]"
    printf 'demo: error: %s has ended; the last lines of its log:\n' "$name" >&2
    tail -n 15 "$run/$name.log" >&2
    exit 1
}
await() { # condition, as a command; ends the demo if a program ends meanwhile
    local pid
    for _ in $(seq 1500); do
        for pid in "${!names[@]}"; do kill -0 "$pid" 2>/dev/null || report_death "$pid"; done
        if "$@"; then return; fi
        sleep 0.02
    done
    fail "timeout while waiting for: $*"
}
sockets() { local socket; for socket in "$@"; do [ -S "$run/$socket.sock" ] || return 1; done; }
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The order matters: siteauth asks the emulator at once, and if the emulator is not ready, everybody
# who signs in during the next seconds is told to try again.
start entra-emulator "$bin/entra-emulator" --port "$entra_port" --admin-port "$admin_port"
await answers "$entra_port"
start nginx "$(command -v nginx || echo /usr/sbin/nginx)" -e stderr -p "$run" -c "$run/nginx.conf"
await answers "$site_port"
start siteauth "$bin/siteauth" --config "$run/secrets.toml" --site "$run/public" \
    --state "$run/state" --check-socket "$run/check.sock" --pages-socket "$run/pages.sock"
await sockets check pages

# Another site has other pages.
may_read() { [ -n "${CONFIG:-}" ] || printf ': may read %s' "$1"; }
cat <<TEXT

  The demo site:   http://localhost:$site_port
  Sign in as       Alice Adams      human resources$(may_read /company/hr/)
                   Bob Brown        an employee$(may_read neither)
                   Carol Castillo   the board$(may_read /company/board/)
  Faults:          http://localhost:$admin_port   makes Entra fail on purpose
  Logs are in      $run/*.log
  Ctrl-C stops everything.

TEXT
# 'wait -n' would miss a program that has just ended.
while true; do
    for pid in "${!names[@]}"; do kill -0 "$pid" 2>/dev/null || report_death "$pid"; done
    sleep 0.2
done
