#!/bin/sh
# Makes the secrets that compose.yaml and compose.tls.yaml mount, as files in docker/secrets/. What is there already
# stays, so it may be run again. The folder keeps other users of this machine out; the files in it must be readable
# by the users inside the containers, which differ.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
cd secrets

put() {
  [ -e "$1" ] && return
  printf '%s\n' "$2" > "$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
}

# 48 hexadecimal digits: nothing in them needs encoding in a URL.
password() {
  head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

put secret_key "$(head -c 32 /dev/urandom | base64)"
put mongodb_key "$(head -c 96 /dev/urandom | base64 | tr -d '\n')"
put mongodb_root_password "$(password)"
put mongodb_password "$(password)"
put mongodb_url "mongodb://ledger:$(cat mongodb_password)@mongodb:27017/household_ledger?replicaSet=ledger"
put redis_password "$(password)"
put redis_url "redis://:$(cat redis_password)@redis:6379"
put eventstore_admin_password "$(password)"
put eventstore_ops_password "$(password)"
nodes=eventstore:2113,eventstore2:2113,eventstore3:2113
put eventstore_url "esdb://admin:$(cat eventstore_admin_password)@$nodes?tls=true&tlsCAFile=/certificates/ca.crt"
# Empty: mails become files in the volume `mails`. For an SMTP server, write its URL here (smtps://USER:PASSWORD@HOST).
put smtp_url ''
