/** Protects the looks of Mantine components: one without its own style sheet is drawn, and looks like nothing. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every Mantine component that is used has its style sheet', () => {
  const sheets = readFileSync(`${root}client/app/mantine.css`, 'utf8');
  const used = globSync(`${root}client/**/*.tsx`).flatMap((path) => {
    const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(path, 'utf8')) ?? [];
    return names.split(',').map((name) => name.trim());
  });
  const styled = [...new Set(used)].filter(
    (name) =>
      statSync(`${root}node_modules/@mantine/core/styles/${name}.layer.css`, { throwIfNoEntry: false }) !==
      undefined,
  );
  expect(styled).toContain('Checkbox');
  expect(styled.filter((name) => !sheets.includes(`/${name}.layer.css"`))).toEqual([]);
});
