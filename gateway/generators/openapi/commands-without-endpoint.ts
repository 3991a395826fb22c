/** The commands without an endpoint, each with the reason. */
export const WITHOUT_ENDPOINT: Readonly<Record<string, string>> = {
  serve: 'it is the gateway',
  migrate: 'it needs the owner of the database, before any process runs',
  'statement verify': 'it reads a file and does not need a gateway if it has the key',
  listen: 'it forwards the responses of callbacks.list and callbacks.show',
  trigger: 'it sends an example and does not need a gateway',
  ...Object.fromEntries(
    ['state', 'advance', 'reset', 'bank', 'addresses'].map((command) => [
      `sandbox ${command}`,
      'it controls the world of a merchant in test mode, which is a separate gateway',
    ]),
  ),
  top: 'it shows the responses of several endpoints',
  ...Object.fromEntries(
    ['backup take', 'backup follow', 'backup list', 'backup prove', 'backup proofs', 'restore'].map((command) => [
      command,
      'it works on files of this machine and on the database server',
    ]),
  ),
  doctor: 'it checks the machine on which it runs',
};
