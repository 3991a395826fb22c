/** The English texts of a reason why something waits. */
export interface WaitTexts {
  readonly waitsFor: string;
  readonly next: string;
  readonly merchantCan: string;
}
