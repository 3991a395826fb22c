/**
 * The variables by which an operator accepts a risk that production refuses. Each rule of production-rules.ts has exactly
 * one, and no variable overrides two rules.
 */
import { oneOf } from '../../foundation/text/text-readers.ts';
import type { Variables } from '../../foundation/variables.ts';

const ACCEPTED = 'yes';

function accepts(risk: string) {
  return {
    ...oneOf([ACCEPTED]),
    default: null,
    meaning: `Lets production start ${risk}. "gateway doctor" and the log repeat the risk.`,
  };
}

export const OVERRIDES = {
  GATEWAY_ALLOW_WEAK_MASTER_KEY: accepts('with a master key that is not random'),
  GATEWAY_ALLOW_RETIRED_MASTER_KEY: accepts('with a current master key that was rotated away'),
  GATEWAY_ALLOW_PLAIN_HTTP: accepts('on a network address without a TLS proxy'),
  GATEWAY_ALLOW_OPEN_METRICS: accepts('with /metrics on an address that is not internal'),
  GATEWAY_ALLOW_NO_PUBLIC_URL: accepts('without PUBLIC_URL although providers or payers call it'),
  GATEWAY_ALLOW_BROAD_ALLOW_LISTS: accepts('with an allow-list that is broader than a bank'),
  GATEWAY_ALLOW_BROAD_PROXIES: accepts('with TRUSTED_PROXIES that lets third parties forge client addresses'),
  GATEWAY_ALLOW_SERVICE_PORTS: accepts('with callback ports on which other services listen'),
  GATEWAY_ALLOW_EMBEDDED_DATABASE: accepts('on the embedded PostgreSQL'),
  GATEWAY_ALLOW_PLAIN_DATABASE: accepts('with an unencrypted or unverified connection to the database'),
  GATEWAY_ALLOW_POWERFUL_LOGIN: accepts('with a database login that has more rights than the gateway needs'),
  GATEWAY_ALLOW_UNSAFE_COMMITS: accepts('on a database whose settings let a crash lose commits'),
} as const satisfies Variables;

export type Override = keyof typeof OVERRIDES;

export const OVERRIDE_NAMES = Object.keys(OVERRIDES) as Override[];
