/** Repeats work on at most `limit` rows until fewer rows were left or the signal aborts. Returns the number of rows. */
export async function inBatches(
  limit: number,
  work: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (let last = limit; last === limit && !signal?.aborted; done += last) last = await work(limit);
  return done;
}
