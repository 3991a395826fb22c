/**
 * Reads a payout that a user, a program or a row of a file describes with strings, by the same table, formats and content as
 * payout_send. It rejects a field that the method does not have, since a user who fills it in expects an effect.
 */
import type { ReadRequestedPayout } from '../../domain/payouts/create-payout.ts';
import { isMerchantsId } from '../formats/field-formats.ts';
import type { JsonObject } from '../http/json-body.ts';
import { payoutMethod } from './method-table.ts';
import { faultyFields, normaliseContent, readDraft } from './read-draft.ts';

/** The fields that every payout has in addition to its method's. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['amount', 'currency']);

export const readRequestedPayout: ReadRequestedPayout = (merchant, { payoutId, method, fields }, now) => {
  const known = payoutMethod(method);
  const idFaults = isMerchantsId(payoutId) ? [] : ['payout_id'];
  if (!known) return { faults: [...idFaults, 'method'], unknown: [], submission: undefined };
  const body: JsonObject = new Map(Object.entries(fields).filter(([, value]) => value !== ''));
  const context = { now, checkInn: merchant.settings.check_inn === 'on' };
  const names = new Set(known.fields.map(({ name }) => name));
  const unknown = [...body.keys()].filter((name) => !names.has(name) && !OWN_FIELDS.has(name));
  const faults = [...idFaults, ...faultyFields(body, known, context)];
  if (faults.length > 0 || unknown.length > 0) return { faults, unknown, submission: undefined };
  const draft = readDraft(body, known, context);
  const content = normaliseContent(body, method, known);
  return { faults, unknown, submission: { merchant, payoutId, content, draft } };
};
