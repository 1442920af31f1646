/** Protects the search of the storefront: which words count, and none that the query languages read. */
import { expect, test } from 'vitest';
import { parseSearchTerms, printPostgresExpression, printSqliteExpression } from './catalogue.ts';

test('Words are lower case and hold letters and digits only', () => {
  expect(parseSearchTerms(' Travel, LAMP\t"X-100"').words).toEqual(['travel', 'lamp', 'x', '100']);
});

test('Letters of any script count, and compatible forms are made one', () => {
  expect(parseSearchTerms('Käse ﬁlm 東京').words).toEqual(['käse', 'film', '東京']);
});

test('At most eight words count', () => {
  expect(parseSearchTerms('a b c d e f g h i j').words).toHaveLength(8);
});

test('Signs of the query languages cannot get into an expression', () => {
  const terms = parseSearchTerms(`a" OR b* NEAR(c) 'd':* & !e | f`);
  expect(printSqliteExpression(terms)).toBe(
    '"a"* AND "or"* AND "b"* AND "near"* AND "c"* AND "d"* AND "e"* AND "f"*',
  );
  expect(printPostgresExpression(terms)).toBe(
    "'a':* & 'or':* & 'b':* & 'near':* & 'c':* & 'd':* & 'e':* & 'f':*",
  );
});
