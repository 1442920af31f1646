/** Protects the report of visits: the finding first, then its times, and what each page took. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { visitsDocumentSchema } from '../../../../shared/kinds/visits/visits.ts';
import { reportVisits } from './report-visits.ts';

const golden = new URL('../../../life/database/golden/visits-v1.json', import.meta.url);
const document = visitsDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

test('the finding is the title, and each page of each side has a row', () => {
  const { title, lead, sections } = reportVisits(document);
  expect(title).toMatch(/^Over HTTPS, the first visit takes 10 % longer to load/);
  expect(lead).toMatchObject([{ type: 'text', sentences: [expect.stringMatching(/^Over HTTPS, a second/)] }]);
  const pages = sections.find(({ heading }) => heading === 'Page by page');
  expect(pages?.parts).toMatchObject([
    { rows: expect.arrayContaining([expect.arrayContaining(['/', 'cold', 'HTTPS'])]) },
  ]);
});
