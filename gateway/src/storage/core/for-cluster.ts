/**
 * Marks conditions that only a cluster needs: it asks just the servers of merchants that the parameter $1 names. On one server they
 * change no result, and each look-up by a key would sort the array again, so database.ts sends the statements without them.
 */

/** Follows the condition in the text of a prepared statement. The rows to join must be of the merchants $1 by themselves. */
export const FOR_CLUSTER = '/* for a cluster */';

/** Whether the database may be a cluster. */
export const IS_CLUSTER = "select to_regclass('pg_dist_partition') is not null as is";

const CONDITION = /[\w.]+ = any\(\$1::text\[\]\) \/\* for a cluster \*\//g;
/** Names the type of $1, which may occur nowhere else. */
const ALWAYS_TRUE = '$1::text[] is not null';

export function onOneServer(text: string): string {
  return text.replaceAll(CONDITION, ALWAYS_TRUE);
}
