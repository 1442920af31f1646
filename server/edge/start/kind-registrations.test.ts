/** Protects what a new kind costs: its own folders, and one entry in each list of kinds. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindNames } from '../../../shared/measurement/kind-names.ts';
import { kinds as shapes } from '../../../shared/results/kinds.ts';
import { allKinds } from './all-kinds.ts';

const root = new URL('../../..', import.meta.url);
const product = globSync('{server,client,shared}/**/*.{ts,tsx}', { cwd: root.pathname })
  .filter(
    (path) => !/\.test\.|^server\/(bench|testing)\/|^shared\/studies\/|\/distance(-report)?[/.]/.test(path),
  )
  .toSorted();

test('the lists of both ends name the same kinds', () => {
  expect(allKinds.map(({ name }) => name).toSorted()).toEqual(kindNames.toSorted());
  expect(Object.keys(shapes).toSorted()).toEqual(kindNames.toSorted());
});

/** One whose word nothing else uses, except a page of the documentation. */
test('a kind is named outside its folders in the lists alone', () => {
  const naming = product.filter((path) =>
    /(?<!page: )['"`]distance['"`]|\/distance\b|^ {2}distance[,:]/m.test(
      readFileSync(new URL(path, root), 'utf8'),
    ),
  );
  expect(naming).toEqual(
    [
      // Start and result pages of the kinds.
      'client/app/kinds.ts',
      'client/app/pages.ts',
      'server/edge/start/all-kinds.ts',
      // Words without schemas, and schemas.
      ...['shared/measurement/kind-names.ts', 'shared/results/kinds.ts'],
    ].toSorted(),
  );
});
