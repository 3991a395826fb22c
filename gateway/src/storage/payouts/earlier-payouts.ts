/** Reads facts about earlier payouts: the user who made one, and the payouts with the same content. */
import type { ActorKind } from '../../domain/audit/actor.ts';
import type { AlikeQuery, KnownMaker } from '../../domain/payouts/payout-store.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface MakerRow {
  readonly kind: ActorKind;
  readonly id: string;
  readonly name: string;
  readonly people: readonly string[];
  readonly mailbox: string;
}

/** Resolves to undefined if the merchant's server signed the payout: then no maker could approve it. */
export async function findMaker(database: Database, key: PayoutKey): Promise<KnownMaker | undefined> {
  const [row] = await database.query<MakerRow>(
    'select kind, id, name, people, mailbox from payout_makers where merchant_id = $1 and payout_id = $2 and kind <> $3',
    [key.merchantId, key.payoutId, 'merchant'],
  );
  if (!row) return undefined;
  const { kind, id, name, people, mailbox } = row;
  return { actor: { kind, id, name }, people, mailbox, emails: await emailsOf(database, people) };
}

/** Uses a separate statement, because payouts are distributed by merchant and users are not. */
export async function emailsOf(database: Database, people: readonly string[]): Promise<readonly string[]> {
  const rows = await database.query<{ email: string }>('select email from people where person_id = any($1::text[])', [
    people,
  ]);
  return rows.map(({ email }) => email);
}

/** The window keeps the read within the merchant's recent payouts, so that no index on the content slows acceptance. */
export async function findSameContent(
  database: Database,
  { merchantId, currency, since, contentHashes }: AlikeQuery,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ content_hash: Buffer; payout_id: string }>(
    `select content_hash, payout_id from payouts
     where merchant_id = $1 and currency = $2 and accepted_at >= $3 and content_hash = any($4::bytea[])
     order by accepted_at`,
    [merchantId, currency, timestamp(since), contentHashes],
  );
  return new Map(rows.map((row) => [row.content_hash.toString('hex'), row.payout_id]));
}

export async function findIds(
  database: Database,
  merchantId: MerchantId,
  payoutIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ payout_id: string }>(
    'select payout_id from payouts where merchant_id = $1 and payout_id = any($2::text[])',
    [merchantId, payoutIds],
  );
  return new Set(rows.map((row) => row.payout_id));
}
