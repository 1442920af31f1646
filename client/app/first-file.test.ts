/** Protects how soon the first page answers: schemas take a while to set up, so none is reached before the page is shown. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../main.tsx', import.meta.url));

test('what loads with the first page sets up no schema', () => {
  const reached = [...reachedFrom(main)];
  expect(reached).toContain(fileURLToPath(new URL('../features/launch/launch-card.tsx', import.meta.url)));
  const withSchemas = reached.filter((path) => importsOf(path).includes('zod'));
  // Both set what schemas will do, and make none.
  const settings = ['read-without-eval.ts', '../../shared/base/schema-words.ts'];
  expect(withSchemas.toSorted()).toEqual(
    settings.map((path) => fileURLToPath(new URL(path, import.meta.url))).toSorted(),
  );
});

/** Modules that a module needs at once, itself among them. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const specifier of importsOf(path)) {
    if (/^\.\.?\/.*\.tsx?$/.test(specifier))
      reachedFrom(fileURLToPath(new URL(specifier, `file://${path}`)), reached);
  }
  return reached;
}

/** Without types, which are gone when it runs, and without `import()`. */
function importsOf(path: string): string[] {
  const statements = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s(?!type\s)[^;]*?'([^']+)';$/gm);
  return [...statements].map(([, specifier = '']) => specifier);
}
