"""A program `az` that writes down what it is told, and answers as the Azure CLI does."""

AZ = """#!/bin/sh
printf '%s\\n' "$*" >>az.log
case "$*" in
    *microsoftGraphResourceId*) echo https://graph.microsoft.com/ ;;
    *activeDirectory*) echo "${LOGIN_ENDPOINT:-https://login.microsoftonline.com}" ;;
    *tenantId*) echo 11111111-aaaa-4000-8000-000000000001 ;;
    *applications*)
        for word; do case $word in @*) cp "${word#@}" application.json ;; esac; done
        echo "${NEW_CLIENT:-22222222-bbbb-4000-8000-00000000000a}" ;;
    *servicePrincipals*)
        # As at Entra, the first time is too early.
        [ -e early ] || { touch early; exit 1; }
        for word; do case $word in @*) cp "${word#@}" principal.json ;; esac; done ;;
    *--query\\ password*) echo 'se~cret' ;;
esac
"""
