/** The finding about a complete request, which may have two signatures. */
import type { LoggedEndpoint } from '../requests/logged-request.ts';
import type { Diagnosis } from './diagnose.ts';
import type { DoctorKey } from './suspect.ts';

/** A request as it was sent. */
export interface ExaminedRequest {
  readonly endpoint: LoggedEndpoint;
  /** The body, or the query of a GET. */
  readonly request: Buffer;
  /** The headers by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The setting payout_x_sign of the merchant. */
  readonly requiresXSign: boolean;
}

export type SignatureFinding = { readonly part: 'sign' | 'x_sign' } & (
  | Diagnosis
  | { readonly kind: 'absent'; readonly text: string }
);

/** `showsPersonal` is true if the reader may see unmasked accounts, names and addresses. Card numbers are always masked. */
export type ExamineRequest = (
  request: ExaminedRequest,
  keys: readonly DoctorKey[],
  showsPersonal: boolean,
) => readonly SignatureFinding[];

/** The key in the documentation's examples, with which some developers sign. */
export const DOCUMENTED_KEY = 'SecRetKey0123';
