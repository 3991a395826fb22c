#!/bin/sh
# Makes the database and its two logins (docs/operations/database.md) when the server's data directory is new.
set -eu

psql --set=ON_ERROR_STOP=1 --username postgres \
  --set=owner="$(cat /run/secrets/owner_password)" --set=serve="$(cat /run/secrets/serve_password)" <<'SQL'
create role gateway_app nologin;
create role gateway_owner login password :'owner';
create role gateway_serve login password :'serve';
grant gateway_app to gateway_owner, gateway_serve;
create database gateway owner gateway_owner;
\connect gateway
revoke all on database gateway from public;
revoke create on schema public from public;
grant connect on database gateway to gateway_serve;
SQL
