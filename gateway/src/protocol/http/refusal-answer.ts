/** Maps a rejection to text, status and headers, the same way on every wire. Each wire has its own table of texts. */

export interface RefusalAnswer {
  /** Stable, and without `:`. `{field}` is replaced by the field's name. */
  readonly text: string;
  /** The status for merchants with `strict_http_codes`. All others receive 200. */
  readonly strictStatus: number;
}

/** The fields that each wire's union of rejections may have. */
interface Refusal {
  readonly kind: string;
  readonly field?: string;
  readonly retryAfterMs?: number;
}

export type RefusalAnswers<Kind extends string> = Readonly<Record<Kind, RefusalAnswer>>;

export function refusalText<Known extends Refusal>(answers: RefusalAnswers<Known['kind']>, refusal: Known): string {
  const { text } = answers[refusal.kind as Known['kind']];
  return text.replace('{field}', () => refusal.field ?? '');
}

/** All merchants receive 429 (decision 18). */
export function refusalStatus<Known extends Refusal>(
  answers: RefusalAnswers<Known['kind']>,
  refusal: Known,
  strict: boolean,
): number {
  return strict || refusal.kind === 'too_many_requests' ? answers[refusal.kind as Known['kind']].strictStatus : 200;
}

/** Whole seconds, at least one. */
export function retryAfterHeader({ retryAfterMs }: Refusal): Readonly<Record<string, string>> {
  if (retryAfterMs === undefined) return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
}
