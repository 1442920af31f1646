/** PostgreSQL stores no NUL and no half of a surrogate pair in a text. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
