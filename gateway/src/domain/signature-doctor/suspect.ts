/** The input of the signature doctor: one signature of one request, and the keys that may have created it. */
import type { Secret } from '../../foundation/secret.ts';

/** `sign` is an MD5 over joined values, `x_sign` an HMAC over the entire body. */
export type Scheme = 'sign' | 'x_sign';

/** The origin of a key. The first key of a list is the correct key. */
const KEY_ORIGINS = ['api', 'form', 'old_api', 'old_form', 'documentation'] as const;
export type KeyOrigin = (typeof KEY_ORIGINS)[number];

export interface DoctorKey {
  readonly origin: KeyOrigin;
  readonly secret: Secret;
}

export interface Suspect {
  readonly scheme: Scheme;
  /** The signature as received. */
  readonly signature: string;
  /** The body, or the query of a GET. */
  readonly raw: Buffer;
  /** The values as received, in order, without `sign`. Empty if the scheme reads none. */
  readonly fields: ReadonlyMap<string, string>;
  /** The names that the signature covers in this request. */
  readonly covered: readonly string[];
  /** Names that it would cover if they had been sent. */
  readonly absent: readonly string[];
  /** The sets of names that other methods cover. */
  readonly otherSets: readonly (readonly string[])[];
  /** The origin of the correct keys for this endpoint. */
  readonly rightOrigin: 'api' | 'form';
  readonly keys: readonly DoctorKey[];
}

export type Entry = readonly [name: string, value: string];

/** How a signature is computed, step by step. The API defines one recipe per scheme, and each mistake replaces one step. */
export interface Recipe {
  /** The covered fields. */
  readonly pick: (suspect: Suspect) => readonly Entry[];
  readonly value: (text: string, name: string) => string;
  readonly order: (entries: readonly Entry[]) => readonly Entry[];
  readonly join: (entries: readonly Entry[]) => string;
  /** Returns the bytes to sign, from the body. Unused by `sign`. */
  readonly body: (raw: Buffer) => Buffer;
  readonly place: (joined: string, key: string) => string;
  readonly bytes: (text: string) => Buffer;
  readonly digest: (bytes: Buffer, key: string) => Buffer;
  readonly encode: (digest: Buffer) => string;
  readonly send: (signature: string) => string;
  readonly key: KeyOrigin | 'none';
  readonly keyText: (key: string) => string;
}

/** A way to make the mistake in this request. */
export interface Candidate {
  /** The field that it concerns. */
  readonly field?: string;
  readonly change: Partial<Recipe>;
}

export interface Mistake {
  readonly id: string;
  /** A sentence for the developer. `{field}` is the field’s name. */
  readonly text: string;
  readonly scheme: Scheme | 'both';
  /**
   * The candidates, which are the same for every request and in the same order. An entry is undefined if this request cannot
   * exhibit its candidate.
   */
  readonly candidates: (suspect: Suspect) => readonly (Candidate | undefined)[];
}
