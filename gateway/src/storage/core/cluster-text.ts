/** Writes statements for a single server and for a Citus cluster, and finds out which of the two the database is. */

/**
 * Marks a condition that only a cluster needs: it limits the query to the servers of the merchants in $1. On a single server
 * it would change no result, but every look-up by key would sort the array again, and it would mislead the planner while a
 * table is new. So it is left out there.
 */
export const FOR_CLUSTER = '/* for a cluster */';
const CONDITION = /[\w.]+ = any\(\$1::text\[\]\) \/\* for a cluster \*\//g;
const CONDITION_OF_STEP =
  /[\w.]+ = (?:any)?\(array\(select merchant_id from \w+\)\)(?:\[1\])? \/\* for a cluster \*\//g;
/** Begins a text that a cluster runs as several statements (cluster-steps.ts). */
export const STEP_BY_STEP = '/* step by step on a cluster */';
/** The merchants of an earlier step, for a condition that only a cluster needs. */
export const merchantsOf = (step: string) => `any(array(select merchant_id from ${step}))`;
/** The same for a step with one row. Citus then also finds the server of a view. */
export const merchantOf = (step: string) => `(array(select merchant_id from ${step}))[1]`;
/** It names the type of $1, which may occur nowhere else. */
export const onOneServer = (text: string) =>
  text.replace(STEP_BY_STEP, '').replaceAll(CONDITION, '$1::text[] is not null').replaceAll(CONDITION_OF_STEP, 'true');
const IS_CLUSTER = `select to_regclass('pg_dist_partition') is not null as is`;

/** A connection, or a pool. */
interface Connection {
  query<Row>(text: string): Promise<Row[]>;
}

export type ClusterQuestion = (connection: Connection) => Promise<boolean>;

/**
 * Returns a function that finds out whether the database may be a cluster. It queries once, on the caller's connection,
 * because a database becomes a cluster only while no gateway is running.
 */
export function createClusterQuestion(): ClusterQuestion {
  let answer: Promise<boolean> | undefined;
  return (connection) => {
    answer ??= connection.query<{ is: boolean }>(IS_CLUSTER).then(
      ([row]) => row?.is === true,
      (error: unknown) => {
        answer = undefined;
        throw error;
      },
    );
    return answer;
  };
}

const questions = new WeakMap<object, ClusterQuestion>();

/** Returns the question that all stores of a database share, so that it is queried once. */
export function clusterQuestionOf(database: object): ClusterQuestion {
  const question = questions.get(database) ?? createClusterQuestion();
  questions.set(database, question);
  return question;
}

export type TextChoice = (text: string, connection: Connection) => Promise<string>;

/** Chooses the text of a statement for this database. The texts are constants, so each is rewritten once. */
export function createTextChoice(): TextChoice {
  const isCluster = createClusterQuestion();
  const rewritten = new Map<string, string>();
  const rewrittenOf = (text: string): string => {
    const known = rewritten.get(text);
    if (known !== undefined) return known;
    const forOneServer = onOneServer(text);
    rewritten.set(text, forOneServer);
    return forOneServer;
  };
  return async (text, connection) =>
    !(text.includes(FOR_CLUSTER) || text.startsWith(STEP_BY_STEP)) || (await isCluster(connection))
      ? text
      : rewrittenOf(text);
}
