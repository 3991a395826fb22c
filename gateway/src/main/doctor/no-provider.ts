/** The notice for a gateway without any provider: only the sandbox works, and which variables to set. */
import { configuredRails, type RailsConfiguration } from '../../rails/registry.ts';

/** Returns null where at least one provider is configured. */
export function noticeOfNoProvider(rails: RailsConfiguration): string | null {
  return configuredRails(rails).some(({ definition }) => definition.isOnWith !== null) ? null : NOTICE;
}

const NOTICE =
  'only the sandbox (method 70) works, because no provider is configured. In development npm run simulators starts all simulators and ' +
  'prints their variables; all variables are in docs/operations/reference.md';
