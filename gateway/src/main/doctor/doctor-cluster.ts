/** The doctor's check of a Citus cluster (docs/operations/distributed.md). */
import type { Finding } from '../../cli/command-host.ts';
import type { ClusterState } from '../../storage/cluster/cluster-state.ts';
import { bad, good } from './doctor-finding.ts';

const NAME = 'Cluster';

export function examineCluster({ version, workers, unreachable, undistributed }: ClusterState): Finding {
  if (unreachable.length > 0)
    return bad(
      NAME,
      `no connection to ${unreachable.join(', ')}: payouts of its merchants are rejected, and no payout or callback is sent`,
      'Start the server. After a failover to its standby, run citus_update_node on the coordinator',
    );
  if (undistributed.length > 0)
    return bad(NAME, `not distributed: ${undistributed.join(', ')}`, 'Run "gateway migrate" on the coordinator');
  return good(NAME, `Citus ${version} with ${workers.length} workers, and all of them are reachable`);
}
