/** A provider gave no whole list, and a part of one proves nothing: what a lister rejects with, whatever it lists. */
export class ListIncomplete extends Error {
  override readonly name = 'ListIncomplete';
}
