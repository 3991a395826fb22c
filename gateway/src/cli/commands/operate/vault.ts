/** `gateway vault`. */
import type { Command } from 'commander';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable } from '../../command-output.ts';

export function addVaultCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'vault', 'manage the master key');
  addCommand(group, 'rotate', 'encrypt all secrets under the current master key; the gateway keeps running').action(
    actionOf(context, async (call) => {
      const json = await call('vault.rotate');
      const lost = json.unopened.map((place) => `\n✗ No configured key decrypts ${place}`).join('');
      return {
        json,
        human: `✓ Encrypted ${json.rewrapped} secrets again. The master key is now ${json.masterKeyId}.${lost}`,
        exitCode: json.unopened.length === 0 ? 0 : 1,
      };
    }),
  );
  addCommand(group, 'status', 'show the current master key, and how many secrets other keys encrypt').action(
    actionOf(context, async (call) => {
      const json = await call('vault.progress');
      const rows = Object.entries(json.remaining).map(([table, count]) => [table, String(count)]);
      const human = [`The master key is ${json.masterKeyId}.`, formatTable(['TABLE', 'UNDER ANOTHER KEY'], rows, '')];
      return { json, human: human.join('\n') };
    }),
  );
}
