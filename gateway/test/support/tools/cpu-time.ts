/** The CPU time of a pure calculation, which other processes on a busy machine do not increase. */
const MICROSECONDS = 1_000;

/** Returns the CPU time in milliseconds that this process spent on `work`. Nothing else may run in it. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS;
}
