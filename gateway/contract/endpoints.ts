/** The one list of endpoints. */
import { AUDIT_ENDPOINTS } from './audit.ts';
import { MERCHANT_ENDPOINTS } from './merchants.ts';
import { TOKEN_ENDPOINTS } from './tokens.ts';

export const ENDPOINTS = { ...MERCHANT_ENDPOINTS, ...TOKEN_ENDPOINTS, ...AUDIT_ENDPOINTS } as const;

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];
