/** `gateway ledger …`: balances at any time, and volumes. */
import type { Command } from 'commander';
import { balanceOf } from '../../domain/ledger/transfer.ts';
import { GRAINS, type Grain, type Volume, WAIT_BUCKETS_MS } from '../../domain/ledger/volume.ts';
import type { Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { balancesJson } from '../merchant-texts.ts';
import { readOneOf, readTime } from '../read-arguments.ts';

interface VolumeOptions {
  readonly merchant?: string;
  readonly from: Instant;
  readonly until: Instant;
  readonly by: Grain;
}

export function addLedgerCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'ledger', 'read balances and volumes of the past');
  addCommand(group, 'balance', 'show the balances of a merchant at any time')
    .argument('<merchant>')
    .requiredOption(
      '--at <time>',
      'UTC, such as 2026-11-20 or "2026-11-20 10:00:00"; postings before it count',
      readTime,
    )
    .action(
      actionOf(context, async (open, merchantId: string, { at }: { at: Instant }) => {
        const found = await (await open()).ledger.balancesAt(merchantId, at);
        if (!found) throw new CommandFailure(`There is no merchant "${merchantId}".`);
        const isFinal = at <= found.closedUntil;
        const rows = [...found.balances].map(([currency, held]) => {
          const total = balanceOf(held, 'available') + balanceOf(held, 'reserved') + balanceOf(held, 'owed');
          return { currency, ...balancesJson(currency, held), total: formatAmount({ currency, minor: total }) };
        });
        const table = formatTable(
          ['CURRENCY', 'AVAILABLE', 'RESERVED', 'OWED', 'TOTAL'],
          rows.map((row) => [row.currency, row.available, row.reserved, row.owed, row.total]),
          `${merchantId} had no money at ${humanTime(at)}.`,
        );
        return {
          json: { merchant: merchantId, at: jsonTime(at), is_final: isFinal, balances: rows },
          human: isFinal ? table : `${table}\nThis time is not closed yet: the balances may still change.`,
        };
      }),
    );
  addVolumes(group, context);
}

function addVolumes(group: Command, context: CommandContext): void {
  addCommand(group, 'volumes', 'count the payments of closed hours by method, rail, currency and state')
    .requiredOption('--from <time>', 'the beginning, UTC', readTime)
    .requiredOption('--until <time>', 'the end, exclusive, UTC', readTime)
    .option('--merchant <merchant>', 'only of this merchant; default: all together')
    .option('--by <grain>', 'hour, day or week', readOneOf(GRAINS), 'day')
    .action(
      actionOf(context, async (open, { merchant, from, until, by }: VolumeOptions) => {
        const query = { merchantId: merchant ?? null, from, until, grain: by };
        const { volumes } = await (await open()).ledger.volumes(query);
        return {
          json: { wait_buckets_ms: WAIT_BUCKETS_MS, volumes: volumes.map(volumeJson) },
          human: formatTable(
            ['START', 'FLOW', 'METHOD', 'RAIL', 'CURRENCY', 'STATE', 'PAYMENTS', 'AMOUNT', 'FEES'],
            volumes.map((volume) => Object.values(volumeJson(volume)).slice(0, 9).map(String)),
            'There were no payments.',
          ),
        };
      }),
    );
}

function volumeJson({ start, flow, method, rail, currency, state, payments, amount, fee, waits }: Volume) {
  return {
    ...{ start: jsonTime(start), flow, method, rail, currency, state, payments },
    amount: formatAmount({ currency, minor: amount }),
    fee: formatAmount({ currency, minor: fee }),
    waits,
  };
}
