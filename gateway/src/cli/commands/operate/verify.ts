/** `gateway verify`. */
import type { Command } from 'commander';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { invariantText } from '../../texts/invariant-texts.ts';

export function addVerifyCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'verify', 'check all invariants of the books; exit with code 1 if one is broken').action(
    actionOf(context, async (call) => {
      const json = await call('books.verify');
      return { json, human: json.invariants.map(invariantText).join('\n'), exitCode: json.ok ? 0 : 1 };
    }),
  );
}
