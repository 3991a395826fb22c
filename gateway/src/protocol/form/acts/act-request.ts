/** A payer's act on their page, and its answer. */

import type { FormParts, Visit } from '../form-parts.ts';
import type { PageView } from '../pages/page-view.ts';
import type { PageChoice } from '../view/page-choice.ts';
import type { ViewFacts } from '../view/view-facts.ts';
import type { Requester } from './acting-payer.ts';
import type { PostedFields } from './read-payer.ts';
import type { UnfinishedTries } from './unfinished-tries.ts';

export interface ActRequest {
  readonly parts: FormParts;
  readonly visit: Visit;
  readonly facts: ViewFacts;
  /** The view on which the payer acted. */
  readonly view: PageView;
  readonly posted: PostedFields;
  readonly requester: Requester;
  readonly tries: UnfinishedTries;
}

/** `go` redirects to the current page. `show` answers directly, because a reloaded page would lose this view. */
export type ActAnswer =
  | { readonly kind: 'go'; readonly choice: PageChoice }
  | { readonly kind: 'show'; readonly view: PageView; readonly choice: PageChoice; readonly status?: number };

/** The choices that stay valid whatever the payment's outcome. */
export function onward({ language, bankId }: PageChoice): PageChoice {
  return { ...(language === undefined ? {} : { language }), ...(bankId === undefined ? {} : { bankId }) };
}
