/** The processor time of pure work, which other processes of a busy machine do not lengthen. */
const MICROSECONDS = 1_000;

/** The milliseconds that this process spent on `work`. Nothing else may run in it meanwhile. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS;
}
