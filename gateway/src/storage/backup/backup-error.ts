/** An error of a backup or restore that an operator can fix. Its message names the cause and the remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(problem: string, remedy: string) {
    super(`${problem}. ${remedy}.`);
  }
}
