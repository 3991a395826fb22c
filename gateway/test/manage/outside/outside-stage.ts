/** The programs and users of one gateway, which together perform every action. */
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import type { OutsideProgram } from '../../support/people/outside-program.ts';
import { type OutsideWorld, openOutsideWorld, type Person, reason } from '../../support/people/outside-world.ts';

export const merchantId = 'OUT1';
export const cardFields = (amount: string) => ({ account: '4111111111111111', amount, currency: 'UAH' });

/** A payout above the amount from which payouts need approval. */
export const waiting = { merchantId, method: 1, fields: cardFields('60.00') };

export interface OutsideStage {
  readonly world: OutsideWorld;
  readonly operator: OutsideProgram;
  readonly ann: Person;
  readonly ben: Person;
  readonly shop: TestMerchant;
  /** The merchant's program. It exists once the owner has created its token. */
  merchant: OutsideProgram;
  readonly owners: Person[];
}

export async function openOutsideStage(): Promise<OutsideStage> {
  const world = await openOutsideWorld();
  const ann = await world.firstAdministrator('ann@example.com');
  const invited = await ann.do('invitations.create', { email: 'ben@example.com', role: 'administrator', reason });
  const ben = await world.accept(invited.link, 'ben@example.com');
  const { permissions } = await ann.do('session.show');
  const scopes = permissions.filter((name: string) => !/approve|signatures/.test(name));
  const operator = world.bearer((await ann.do('tokens.create', { name: 'operate', scopes, days: 1 })).secret);
  const shop = await world.newMerchant(operator, merchantId);
  return { world, operator, ann, ben, shop, merchant: operator, owners: [] };
}

export async function ownerOf({ world, ann, owners }: OutsideStage, email: string): Promise<Person> {
  const invited = await ann.do('invitations.create', { merchantId, email, role: 'owner', reason });
  const owner = await world.accept(invited.link, email);
  owners.push(owner);
  return owner;
}
