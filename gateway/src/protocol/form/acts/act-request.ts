/** An act of a payer on their page, and what it is answered with. */

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
  /** What the payer acted on. */
  readonly view: PageView;
  readonly posted: PostedFields;
  readonly requester: Requester;
  readonly tries: UnfinishedTries;
}

/** `go`: to the page as it then is. `show`: here and now, since a page that is asked for again would not know it. */
export type ActAnswer =
  | { readonly kind: 'go'; readonly choice: PageChoice }
  | { readonly kind: 'show'; readonly view: PageView; readonly choice: PageChoice; readonly status?: number };

/** What is still true of the payer whatever the payment does. */
export function onward({ language, bankId }: PageChoice): PageChoice {
  return { ...(language === undefined ? {} : { language }), ...(bankId === undefined ? {} : { bankId }) };
}
