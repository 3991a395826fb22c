/** Times as Trustly writes them: a blank between date and time, six decimals, the zone's hours. */

export function timestampOf(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 23)}000+00`;
}
