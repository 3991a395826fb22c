/** A failure of a backup or of a restore that an operator can fix. The message names the cause and the remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(problem: string, remedy: string) {
    super(`${problem}. ${remedy}.`);
  }
}
