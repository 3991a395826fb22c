/**
 * The state that the rail keeps with an attempt between two responses: the payer's position in 3-D Secure, and the values that
 * Adyen needs back. It must contain no card data. Adyen's values are some thousand characters long.
 */
import type { PayerStep } from '../../domain/payments/payment-rail.ts';
import { asFields, textOf } from '../kit/provider-json.ts';
import { type ChallengeIds, challengeFields, methodFields } from './three-d-secure.ts';

interface Numbered {
  /** 1 for the payer's first step. It is part of the idempotency key of the request that sends the step's result to Adyen. */
  readonly number: number;
  readonly paymentData: string;
}

export type KeptStep =
  | (Numbered & { readonly stage: 'fingerprint'; readonly url: string; readonly serverTransId: string })
  | (Numbered &
      ChallengeIds & {
        readonly stage: 'challenge';
        readonly url: string;
        /** Adyen finds the payment by this token if it issued one, otherwise by `paymentData`. */
        readonly authorisationToken: string;
      })
  | (Numbered & {
      readonly stage: 'redirect';
      readonly url: string;
      readonly data: Readonly<Record<string, string>> | null;
    });

const STAGES: ReadonlySet<string> = new Set(['fingerprint', 'challenge', 'redirect']);

/** The value kept while Adyen decides. */
export const WAITING = 'waiting';

export function writeKept(step: KeptStep): string {
  return JSON.stringify(step);
}

/** Returns undefined if nothing is kept, or if the kept string is not a step. */
export function readKept(kept: string): KeptStep | undefined {
  try {
    const fields = asFields(JSON.parse(kept));
    return fields && STAGES.has(textOf(fields, 'stage')) ? (fields as unknown as KeptStep) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the next action of the payer's browser. Each of them leads back to `returnUrl` with the bank's response. */
export function payerStepOf(step: KeptStep, returnUrl: string): PayerStep {
  switch (step.stage) {
    case 'fingerprint':
      return {
        kind: 'post',
        purpose: 'fingerprint',
        url: step.url,
        fields: methodFields(step.serverTransId, returnUrl),
      };
    case 'challenge':
      return { kind: 'post', purpose: 'challenge', url: step.url, fields: challengeFields(step) };
    case 'redirect':
      return step.data
        ? { kind: 'post', purpose: 'challenge', url: step.url, fields: step.data }
        : { kind: 'redirect', url: step.url };
  }
}
