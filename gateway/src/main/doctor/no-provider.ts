/** The notice for a gateway without any provider: only the sandbox works, and which variables to set. */
import { configuredRails, type RailsConfiguration } from '../../rails/registry.ts';

/** Returns null where at least one provider is configured. */
export function noticeOfNoProvider(rails: RailsConfiguration): string | null {
  return configuredRails(rails).some(({ definition }) => definition.isOnWith !== null) ? null : NOTICE;
}

const NOTICE =
  'No provider is configured, so only the sandbox (method 70) works. In development, run "npm run simulators", which starts all simulators ' +
  'and prints their variables. See docs/operations/reference.md.';
