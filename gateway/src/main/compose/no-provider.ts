/** What whoever starts a gateway is told that has the sandbox and no other rail: that it is so, and what to set. */
import type { RailsConfiguration } from '../../rails/registry.ts';

/** Null where some provider is configured. */
export function noticeOfNoProvider({ sandbox: _, ...providers }: RailsConfiguration): string | null {
  return Object.values(providers).some((provider) => provider !== null) ? null : NOTICE;
}

const NOTICE =
  'only the sandbox (method 70), since no provider has an address. In development npm run simulators starts one of each and ' +
  'prints what to set; all variables are in docs/operations/reference.md';
