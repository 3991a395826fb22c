/** The rows of the actions that a policy can bind, so that they wait for a second person. */
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { BASE_PATH, canBeBound, type Endpoint } from '../../contract/parts/endpoint.ts';

const CHANGES = { money: 'money', rule: 'a rule' } as const;

export function twoPeopleRows(): string[][] {
  return Object.entries<Endpoint>(ENDPOINTS)
    .filter(([, endpoint]) => canBeBound(endpoint))
    .map(([name, { method, path, rehearsal, approval }]) => [
      `\`${name}\``,
      `\`${method} ${BASE_PATH}${path}\``,
      rehearsal ? CHANGES[rehearsal] : 'neither: it has no dry run',
      rehearsal === 'money' ? 'a merchant, and an amount' : 'a merchant',
      approval ? 'the payout' : 'a proposal',
    ]);
}
