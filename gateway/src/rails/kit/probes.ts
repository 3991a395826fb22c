/** Probes of a rail's credentials: reads that a provider serves to its clients only. They move no money. */

import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailProbe } from '../../domain/payouts/rail-probe.ts';
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { invariant } from '../../foundation/invariant.ts';

export function probeByBalance(reader: FloatReader): RailProbe {
  return {
    rail: reader.rail,
    async read(_unsent, deadline) {
      const answer = await reader.read(deadline);
      return answer.ok ? null : answer.error;
    },
  };
}

/** Queries a payout that was never sent. */
export function probeByQuery(rail: PayoutRail): RailProbe {
  const [method] = rail.methods;
  invariant(method !== undefined, `rail ${rail.name} does not carry payouts of merchants`);
  return {
    rail: rail.name,
    async read(unsent, deadline) {
      const answer = await rail.ask(unsent(method), deadline);
      return answer.kind === 'unknown' ? answer.reason : null;
    },
  };
}
