#!/bin/sh
# For siteauth-cgi@.service, which says which site it is; nginx names this file by $siteauth_cgi.
exec /usr/bin/siteauth cgi check \
    --config "/etc/siteauth/$SITEAUTH_SITE/secrets.toml" \
    --site "/srv/$SITEAUTH_SITE/public" \
    --state "/var/lib/siteauth/$SITEAUTH_SITE"
