/** The error of a lister whose provider returned an incomplete list, because a partial list proves nothing. */
export class ListIncomplete extends Error {
  override readonly name = 'ListIncomplete';
}
