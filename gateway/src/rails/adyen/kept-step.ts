/**
 * What the rail has kept with an attempt from one answer to the next: where the payer is on the way through 3-D Secure, and
 * what Adyen wants to have back. Holds no card data. Adyen's own part of it is some thousand characters.
 */
import type { PayerStep } from '../../domain/payments/payment-rail.ts';
import { asFields, textOf } from '../kit/provider-json.ts';
import { type ChallengeIds, challengeFields } from './three-d-secure-challenge.ts';
import { methodFields } from './three-d-secure-method.ts';

interface Numbered {
  /** 1 for the first thing that the payer had to do. Makes the idempotency key of what is told to Adyen about it. */
  readonly number: number;
  readonly paymentData: string;
}

export type KeptStep =
  | (Numbered & { readonly stage: 'fingerprint'; readonly url: string; readonly serverTransId: string })
  | (Numbered &
      ChallengeIds & {
        readonly stage: 'challenge';
        readonly url: string;
        /** Where it is given, Adyen finds the payment by it; where not, by `paymentData`. */
        readonly authorisationToken: string;
      })
  | (Numbered & {
      readonly stage: 'redirect';
      readonly url: string;
      readonly data: Readonly<Record<string, string>> | null;
    });

const STAGES: ReadonlySet<string> = new Set(['fingerprint', 'challenge', 'redirect']);

/** What is kept while the decision is Adyen's. */
export const WAITING = 'waiting';

export function writeKept(step: KeptStep): string {
  return JSON.stringify(step);
}

/** Undefined when nothing is kept, or what is kept is no step. */
export function readKept(kept: string): KeptStep | undefined {
  try {
    const fields = asFields(JSON.parse(kept));
    return fields && STAGES.has(textOf(fields, 'stage')) ? (fields as unknown as KeptStep) : undefined;
  } catch {
    return undefined;
  }
}

/** What the payer's browser has to do. The bank's answer comes back to `returnUrl`, from each of them. */
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
