/** The master key of the vault, and its rotation. */
import { Type } from 'typebox';
import { NO_PARAMS, NO_QUERY } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';

const MasterKey = Type.Object({
  masterKeyId: Type.String({ description: 'The current master key' }),
  remaining: Type.Object(
    { vault_records: Type.Integer(), merchant_keys: Type.Integer(), vault_keys: Type.Integer() },
    { description: 'The number of secrets per table that another master key still encrypts' },
  ),
});

export const VAULT_ENDPOINTS = defineEndpoints({
  'vault.progress': {
    method: 'GET',
    path: '/master-key',
    summary: 'Show the current master key, and the number of secrets under other keys',
    permission: 'vault:write',
    audience: 'operator',
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: MasterKey,
    command: 'vault status',
  },
  'vault.rotate': {
    method: 'POST',
    path: '/master-key/rotate',
    summary: 'Encrypt all secrets under the current master key; the gateway keeps running',
    permission: 'vault:write',
    audience: 'operator',
    bindable: true,
    stepUp: true,
    params: NO_PARAMS,
    query: NO_QUERY,
    answer: Type.Object({
      masterKeyId: Type.String(),
      rewrapped: Type.Integer(),
      unopened: Type.Array(Type.String(), { description: 'Secrets that no configured master key can decrypt' }),
    }),
    command: 'vault rotate',
  },
});
