/** `gateway request …`: the request log. */
import type { Command } from 'commander';
import { LOGGED_ENDPOINTS, REQUEST_OUTCOMES } from '../../../domain/requests/logged-request.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { readOneOf } from '../../read-arguments.ts';
import { requestRecordText, requestTable } from '../../texts/request-texts.ts';
import { addListCommand, type ListCommand } from '../list-command.ts';

const REQUEST_LIST: ListCommand<'requests'> = {
  list: 'requests',
  summary: 'list the last rejected requests of merchants and a sample of the accepted requests, newest first',
  options: [
    {
      filter: 'endpoint',
      flags: '--endpoint <endpoint>',
      help: LOGGED_ENDPOINTS.join(', '),
      read: readOneOf(LOGGED_ENDPOINTS),
    },
    {
      filter: 'outcome',
      flags: '--outcome <outcome>',
      help: REQUEST_OUTCOMES.join(', '),
      read: readOneOf(REQUEST_OUTCOMES),
    },
    { filter: 'reason', flags: '--reason <reason>', help: 'such as sign_error' },
    { filter: 'subjectId', flags: '--about <id>', help: 'only requests about this payout or order' },
    { filter: 'requestId', flags: '--request <id>', help: 'only the request with this id' },
  ],
  table: requestTable,
};

export function addRequestCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'request', 'list and show requests of merchants');
  addListCommand(group, context, 'list', REQUEST_LIST);
  addCommand(group, 'show <merchant> <request_id>', 'show a logged request with its bytes and its response').action(
    actionOf(context, async (call, merchantId: string, requestId: string) => {
      const json = await call('requests.show', { params: { merchantId, requestId } });
      return { json, human: requestRecordText(json) };
    }),
  );
}
