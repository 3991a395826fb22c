/**
 * SPEI's operation date (`YYYYMMDD`): from 18:00 in Mexico City on, and on weekends, a transfer belongs to the next
 * banking day. Mexico City is at UTC-6, so the evening that begins the next date is midnight in UTC. No holidays.
 */
const dayMs = 86_400_000;
const waitByWeekday: Readonly<Record<number, number>> = { 0: 1, 6: 2 };

export function operationDate(now: number): string {
  const day = new Date(now);
  const bankingDay = new Date(now + (waitByWeekday[day.getUTCDay()] ?? 0) * dayMs);
  return bankingDay.toISOString().slice(0, 10).replaceAll('-', '');
}
