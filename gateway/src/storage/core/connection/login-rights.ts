/**
 * Reads the rights of a connection's login beyond the role `gateway_app`. A session gives up that role by `reset role`, so an
 * injected statement has the login's rights.
 */
import type { Queryable } from '../database.ts';

export interface LoginRights {
  readonly login: string;
  /** Rights that the gateway does not need, as short phrases. Empty for the documented login. */
  readonly excess: readonly string[];
}

interface Row {
  readonly login: string;
  readonly attributes: readonly string[];
  readonly roles: readonly string[];
  readonly administers: readonly string[];
  readonly owns: readonly string[];
  readonly creates: readonly string[];
  readonly changes: readonly string[];
}

/** Reads all rights that `reset role` gives: attributes, other roles, ownership, and rights beyond those of gateway_app. */
const RIGHTS = `
with me as (select * from pg_roles where rolname = session_user)
select me.rolname as login,
  array_remove(array[
    case when me.rolsuper then 'superuser' end, case when me.rolcreaterole then 'createrole' end,
    case when me.rolcreatedb then 'createdb' end, case when me.rolreplication then 'replication' end,
    case when me.rolbypassrls then 'bypassrls' end], null) as attributes,
  array(select r.rolname::text from pg_roles as r
    where r.oid <> me.oid and r.rolname <> 'gateway_app' and pg_has_role(me.oid, r.oid, 'member') order by 1) as roles,
  array(select m.roleid::regrole::text from pg_auth_members as m
    where m.member = me.oid and m.admin_option order by 1) as administers,
  array(select 'database ' || datname from pg_database where datname = current_database() and datdba = me.oid
    union all select 'schema ' || nspname from pg_namespace where nspname = 'public' and nspowner = me.oid
    union all select 'table ' || relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner = me.oid order by 1) as owns,
  array_remove(array[
    case when has_schema_privilege(me.oid, 'public', 'create') then 'in schema public' end,
    case when has_database_privilege(me.oid, current_database(), 'create') then 'schemas' end], null) as creates,
  array(select c.relname::text from pg_class as c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner <> me.oid and exists (
      select from unnest(array['insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as p(privilege)
      where has_table_privilege(me.oid, c.oid, privilege) and not has_table_privilege('gateway_app', c.oid, privilege))
    order by 1) as changes
from me`;

/** Call this on a connection that does not act as gateway_app, and only for a migrated database. */
export async function readLoginRights(asLogin: Queryable): Promise<LoginRights> {
  const [row] = await asLogin.query<Row>(RIGHTS);
  if (!row) return { login: '?', excess: ['unknown: it is in no catalogue'] };
  return { login: row.login, excess: excessOf(row) };
}

/** Returns the rights that the login does not need. For a superuser it lists no others, because a superuser has all of them. */
function excessOf({ attributes, roles, administers, owns, creates, changes }: Row): string[] {
  if (attributes.includes('superuser')) return ['is a superuser'];
  return [
    ...attributes.map((attribute) => `has ${attribute}`),
    ...summary('may act as', roles),
    ...summary('may grant', administers),
    ...summary('owns', owns),
    ...summary('may create', creates),
    ...summary('may change', changes),
  ];
}

const NAMED = 3;

function summary(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return [`${what} ${names.slice(0, NAMED).join(', ')}${rest}`];
}
