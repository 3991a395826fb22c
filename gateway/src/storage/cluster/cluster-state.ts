/** Reads the state of a Citus cluster, for the doctor. */
import type { Queryable } from '../core/database.ts';
import { TABLE_LAYOUTS } from './distribution.ts';

export interface ClusterState {
  readonly version: string;
  /** Each worker in the form host:port. */
  readonly workers: readonly string[];
  /** The workers that the coordinator or another worker does not reach. */
  readonly unreachable: readonly string[];
  /** Tables of the gateway that should be distributed, or in the metadata, and are not. */
  readonly undistributed: readonly string[];
}

const WORKERS = `
select nodename || ':' || nodeport as worker from pg_dist_node where groupid > 0 and isactive order by nodename, nodeport`;

/** Each node tries to connect to each other node. */
const UNREACHABLE = `
select distinct to_nodename || ':' || to_nodeport as worker from citus_check_cluster_node_health() where result is not true
order by 1`;

const DISTRIBUTED = `
select c.relname as name from pg_dist_partition as p join pg_class as c on c.oid = p.logicalrelid where p.partmethod in ('h', 'n')`;

/** `owner` logs in as the database's owner, on the coordinator. Returns undefined if the gateway's tables are on one server. */
export async function readClusterState(owner: Queryable): Promise<ClusterState | undefined> {
  const [extension] = await owner.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  if (!extension) return undefined;
  const distributed = new Set((await owner.query<{ name: string }>(DISTRIBUTED)).map(({ name }) => name));
  if (distributed.size === 0) return undefined;
  const [workers, unreachable] = [await owner.query(WORKERS), await owner.query(UNREACHABLE)] as readonly [
    readonly { readonly worker: string }[],
    readonly { readonly worker: string }[],
  ];
  return {
    version: extension.version,
    workers: workers.map(({ worker }) => worker),
    unreachable: unreachable.map(({ worker }) => worker),
    undistributed: Object.entries(TABLE_LAYOUTS)
      .filter(([table, { kind }]) => kind !== 'local' && !distributed.has(table))
      .map(([table]) => table),
  };
}
