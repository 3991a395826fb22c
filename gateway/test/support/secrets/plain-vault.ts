/** The vault functions that the worker uses, for payouts without secret fields. */
import { createHmac } from 'node:crypto';
import type { Vault } from '../../../src/domain/vault/vault.ts';

export const PLAIN_VAULT: Pick<Vault, 'openFields' | 'fingerprint'> = {
  openFields: () => ({}),
  fingerprint: (secret) => createHmac('sha256', 'plain').update(secret.reveal()).digest(),
};
