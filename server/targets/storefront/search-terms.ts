/** The words that were searched for: lower case, letters and digits only. */
export type SearchTerms = { words: string[] };

const mostWords = 8;

/** Words of a query; everything that is no letter and no digit parts them. At most eight count. */
export function parseSearchTerms(query: string): SearchTerms {
  const words =
    query
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return { words: words.slice(0, mostWords) };
}

/** Every word, or a longer one that begins with it. */
export function printSqliteExpression({ words }: SearchTerms): string {
  return words.map((word) => `"${word}"*`).join(' AND ');
}

export function printPostgresExpression({ words }: SearchTerms): string {
  return words.map((word) => `'${word}':*`).join(' & ');
}
