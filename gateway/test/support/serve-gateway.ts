/**
 * A gateway as a process for tests that kill it: configured by the environment like any other, with the pace of
 * TEST_PACE (JSON). It prints its address once it serves, and ends at SIGTERM.
 */
import { openGateway } from '../../src/main/compose.ts';
import { readConfig } from '../../src/main/config.ts';

const { TEST_PACE = '{}', ...variables } = process.env;
const config = readConfig(variables);
if (!config.ok) throw new Error(config.error.join('; '));

const gateway = await openGateway(config.value, { pace: JSON.parse(TEST_PACE) });
const serving = await gateway.serve('all');
process.once('SIGTERM', async () => {
  await serving.stop();
  await gateway.close();
});
console.log(serving.url);
