/** Maps a rejection to text, status and headers. Each endpoint family has its own table of messages. */

export interface RejectionAnswer {
  /** Stable, and without `:`. `{field}` is replaced by the field's name. */
  readonly text: string;
  /** The status for merchants with `strict_http_codes`. All others receive 200. */
  readonly strictStatus: number;
}

/** The fields that each family's union of rejections may have. */
interface Rejection {
  readonly kind: string;
  readonly field?: string;
  readonly retryAfterMs?: number;
}

export type RejectionAnswers<Kind extends string> = Readonly<Record<Kind, RejectionAnswer>>;

export function rejectionText<Known extends Rejection>(
  answers: RejectionAnswers<Known['kind']>,
  rejection: Known,
): string {
  const { text } = answers[rejection.kind as Known['kind']];
  return text.replace('{field}', () => rejection.field ?? '');
}

/** All merchants receive 429 (decision 18). */
export function rejectionStatus<Known extends Rejection>(
  answers: RejectionAnswers<Known['kind']>,
  rejection: Known,
  strict: boolean,
): number {
  return strict || rejection.kind === 'too_many_requests' ? answers[rejection.kind as Known['kind']].strictStatus : 200;
}

/** Returns the number of whole seconds, at least one. */
export function retryAfterHeader({ retryAfterMs }: Rejection): Readonly<Record<string, string>> {
  if (retryAfterMs === undefined) return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
}
