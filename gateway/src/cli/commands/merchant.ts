/** `gateway merchant …` and `gateway key …`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { KEY_PURPOSES, type KeyPurpose, type Merchant, type MerchantProfile } from '../../domain/merchants/merchant.ts';
import { formatUtc } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { formatTable, humanTime, jsonTime } from '../command-output.ts';
import { KEY_NAMES, merchantJson, merchantRecordJson, merchantRecordText } from '../merchant-texts.ts';
import { collectSettings, collectTexts, readWholeNumber } from '../read-arguments.ts';
import { merchantNotFound, valueOrRefuse } from '../refusals.ts';

interface ProfileOptions {
  readonly name?: string;
  readonly siteUrl?: string;
  readonly processUrl?: string;
  readonly successUrl?: string;
  readonly failUrl?: string;
  readonly payoutCallbackUrl?: string;
  readonly eventUrl?: string;
  readonly set?: Readonly<Record<string, string>>;
}

interface CreateOptions extends ProfileOptions {
  readonly id?: string;
  readonly key?: string;
  readonly formKey?: string;
}

interface EditOptions extends ProfileOptions {
  readonly unset?: readonly string[];
}

interface RotateOptions {
  readonly purpose: KeyPurpose;
  readonly key?: string;
  readonly overlapHours?: number;
}

const ADDRESSES = ['siteUrl', 'processUrl', 'successUrl', 'failUrl', 'payoutCallbackUrl', 'eventUrl'] as const;

function addProfileOptions(command: Command): Command {
  return command
    .option('--name <name>', 'what people call the merchant')
    .option('--site-url <url>', 'the merchant’s site')
    .option('--process-url <url>', 'where callbacks go')
    .option('--success-url <url>', 'where payers return to after success')
    .option('--fail-url <url>', 'where payers return to otherwise')
    .option('--payout-callback-url <url>', 'where payout callbacks go, instead of the process URL')
    .option('--event-url <url>', 'where later events go, such as a reversal')
    .option('--set <name=value>', 'a setting; may be given many times', collectSettings);
}

/** An empty address takes it away. */
function profileOf(options: ProfileOptions): Partial<MerchantProfile> {
  const addresses = ADDRESSES.flatMap((field) =>
    options[field] === undefined ? [] : [[field, options[field] || null]],
  );
  return { ...Object.fromEntries(addresses), ...(options.name === undefined ? {} : { name: options.name }) };
}

function secretOf(key: string | undefined): Secret | undefined {
  return key === undefined ? undefined : new Secret(key);
}

export function addMerchantCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'merchant', 'create and manage merchants');
  addCreate(group, context);
  addEdit(group, context);
  addCommand(group, 'show <merchant>', 'a merchant with settings, keys and balances').action(
    actionOf(context, async (open, merchantId: string) => {
      const found = await (await open()).merchants.find(merchantId);
      if (!found) throw merchantNotFound(merchantId);
      return { json: merchantRecordJson(found), human: merchantRecordText(found) };
    }),
  );
  addCommand(group, 'list', 'all merchants').action(
    actionOf(context, async (open) => {
      const merchants = await (await open()).merchants.list();
      return { json: merchants.map(merchantJson), human: merchantTable(merchants) };
    }),
  );
  addStateChange(group, context, 'activate', 'let a merchant send real payouts');
  addStateChange(group, context, 'suspend', 'refuse new payouts; what is under way goes on');
}

function merchantTable(merchants: readonly Merchant[]): string {
  const rows = merchants.map(({ merchantId, name, state, createdAt }) => [
    merchantId,
    name,
    state,
    formatUtc(createdAt),
  ]);
  return formatTable(['MERCHANT', 'NAME', 'STATE', 'CREATED'], rows, 'There are no merchants yet.');
}

function addCreate(group: Command, context: CommandContext): void {
  addProfileOptions(addCommand(group, 'create', 'create a merchant; show its API key and its form key once'))
    .option('--id <id>', 'the public identifier; made up when left out')
    .option('--key <key>', 'the API key; generated when left out')
    .option('--form-key <key>', 'the form key, which signs links to the hosted form; generated when left out')
    .action(
      actionOf(context, async (open, options: CreateOptions) => {
        const application = {
          merchantId: options.id,
          profile: profileOf(options),
          settings: options.set ?? {},
          key: secretOf(options.key),
          formKey: secretOf(options.formKey),
        };
        const result = await (await open()).merchants.create(application);
        const { merchant, key, formKey } = valueOrRefuse(result, options.id ?? '');
        return {
          json: { merchant: merchant.merchantId, key: key.reveal(), formKey: formKey.reveal() },
          human: `✓ Merchant ${merchant.merchantId} is created (${merchant.state}).\n  API key   ${key.reveal()}\n  form key  ${formKey.reveal()}\n  The keys are shown this once; they are stored encrypted.`,
        };
      }),
    );
}

function addEdit(group: Command, context: CommandContext): void {
  addProfileOptions(addCommand(group, 'edit <merchant>', 'change what is named; an empty address takes it away'))
    .option('--unset <name>', 'take a setting back to its default; may be given many times', collectTexts)
    .action(
      actionOf(context, async (open, merchantId: string, options: EditOptions) => {
        const unset = Object.fromEntries((options.unset ?? []).map((name) => [name, null]));
        const edit = { profile: profileOf(options), settings: { ...options.set, ...unset } };
        const merchant = valueOrRefuse(await (await open()).merchants.edit(merchantId, edit), merchantId);
        return { json: merchantJson(merchant), human: `✓ Merchant ${merchantId} is changed.` };
      }),
    );
}

function addStateChange(group: Command, context: CommandContext, name: 'activate' | 'suspend', summary: string): void {
  addCommand(group, `${name} <merchant>`, summary).action(
    actionOf(context, async (open, merchantId: string) => {
      const merchant = valueOrRefuse(await (await open()).merchants[name](merchantId), merchantId);
      return { json: merchantJson(merchant), human: `✓ Merchant ${merchantId} is ${merchant.state}.` };
    }),
  );
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'key', 'signing keys of merchants');
  addCommand(group, 'rotate <merchant>', 'create a new key and show it once; the old one stays valid for a while')
    .addOption(
      new Option('--purpose <purpose>', 'api: requests and callbacks; form: links to the hosted form')
        .choices(KEY_PURPOSES)
        .default('api'),
    )
    .option('--key <key>', 'the new key; generated when left out')
    .option('--overlap-hours <hours>', 'how long the old key stays valid; 0 ends it now', readWholeNumber(0, 168))
    .action(
      actionOf(context, async (open, merchantId: string, options: RotateOptions) => {
        const { purpose, overlapHours } = options;
        const rotation = { purpose, key: secretOf(options.key), overlapHours };
        const rotated = valueOrRefuse(await (await open()).merchants.rotateKey(merchantId, rotation), merchantId);
        const { key, oldKeyRetiresAt: until } = rotated;
        const old = until === null ? '' : ` The old one is valid until ${humanTime(until)} UTC.`;
        return {
          json: { merchant: merchantId, purpose, key: key.reveal(), old_key_valid_until: jsonTime(until) },
          human: `✓ Merchant ${merchantId} has a new ${KEY_NAMES[purpose]}.\n  key  ${key.reveal()}\n  The key is shown this once.${old}`,
        };
      }),
    );
}
