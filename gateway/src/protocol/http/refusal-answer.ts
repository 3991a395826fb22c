/** How a refusal becomes text, status and headers, the same on every wire; each wire has a table of its own texts. */

export interface RefusalAnswer {
  /** Stable, and free of `:`. `{field}` stands for the field's name. */
  readonly text: string;
  /** For merchants with `strict_http_codes`; everyone else is answered 200. */
  readonly strictStatus: number;
}

/** What each member of a wire's union of refusals looks like. */
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

/** 429 is told to everybody (decisions, Answers: HTTP codes). */
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
