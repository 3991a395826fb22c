/**
 * Says in one sentence that the Node at hand is too old. Whatever comes first imports this file and nothing else, and the rest
 * only once it has answered: an older Node stops with a stack at the first word that it does not know.
 */
const OLDEST = [20, 19];

/** True where it is too old; then it has been said, and the exit code is set. */
export function refuseOldNode() {
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > OLDEST[0] || (have[0] === OLDEST[0] && have[1] >= OLDEST[1])) return false;
  const oldest = OLDEST.join('.');
  process.stderr.write(
    `Node ${oldest} or newer is needed, and this is ${process.versions.node}: https://nodejs.org has it.\n`,
  );
  process.exitCode = 1;
  return true;
}
