/** Exports that nobody imports, and product code that nobody but tests and benches use. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@swc/core';

const forTests = /\.test\.tsx?$|^(server\/(testing|bench)|shared\/testing|client\/testing|e2e)\//;

/** Covers all files below the working directory that Git would take. */
export async function findNeedlessExports() {
  const paths = globSync(['{shared,server,client,e2e}/**/*.{ts,tsx,mjs}', '*.ts']);
  const files = new Map(await Promise.all(paths.map(async (path) => [path, await readModule(path)])));
  const importers = new Map();
  for (const [path, { imports }] of files) {
    for (const { from, name } of imports) {
      const key = `${join(dirname(path), from)} ${name}`;
      importers.set(key, [...(importers.get(key) ?? []), path]);
    }
  }
  const needless = [...files].flatMap(([path, { exports, uses }]) =>
    [...exports].flatMap((name) => {
      const by = ['*', name].flatMap((each) => importers.get(`${path} ${each}`) ?? []);
      if (by.length === 0) return name === 'default' ? [] : [`${path}: nobody imports ${name}`];
      if (forTests.test(path) || by.some((each) => !forTests.test(each)) || uses(name)) return [];
      return [`${path}: only tests use ${name}`];
    }),
  );
  return { count: files.size, needless };
}

async function readModule(path) {
  const syntax = { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' };
  const { body } = await parse(readFileSync(path, 'utf8'), syntax);
  const exports = new Set(body.flatMap(exportedBy));
  const types = new Set(body.filter(isType).flatMap(exportedBy));
  const imports = body.flatMap(importedBy);
  const counts = new Map();
  walk(body, (node) => {
    if (node.type === 'Identifier') counts.set(node.value, (counts.get(node.value) ?? 0) + 1);
    const from = importedLater(node);
    if (from?.startsWith('.')) imports.push({ from, name: '*' });
  });
  // Its own name where it is declared is one; and a type that tests name is no code.
  return { exports, imports, uses: (name) => types.has(name) || (counts.get(name) ?? 0) > 1 };
}

function exportedBy(item) {
  if (item.type === 'ExportDefaultDeclaration' || item.type === 'ExportDefaultExpression') return ['default'];
  if (item.type === 'ExportNamedDeclaration') {
    return item.specifiers.map(({ exported, orig }) => (exported ?? orig)?.value ?? '*');
  }
  if (item.type !== 'ExportDeclaration') return [];
  const { declarations, identifier, id } = item.declaration;
  return declarations === undefined
    ? [(identifier ?? id).value]
    : declarations.flatMap((one) => namesIn(one.id));
}

function isType({ declaration }) {
  return /^Ts(TypeAlias|Interface)Declaration$/.test(declaration?.type);
}

/** Names in a pattern, such as `{ a, b: c }`. */
function namesIn({ type, value, key, properties, elements, left, argument }) {
  if (type === 'Identifier') return [value];
  if (type === 'AssignmentPatternProperty') return [key.value];
  const inside = properties ?? elements ?? [left ?? argument ?? value];
  return inside.flatMap((each) => (each === null ? [] : namesIn(each.pattern ?? each)));
}

function importedBy({ type, source, specifiers = [] }) {
  const from = source?.value;
  if (!from?.startsWith('.')) return [];
  if (type === 'ExportAllDeclaration') return [{ from, name: '*' }];
  return specifiers.map((one) => ({ from, name: nameOf(one) }));
}

function nameOf({ type, imported, orig, local }) {
  if (type === 'ImportDefaultSpecifier') return 'default';
  if (type === 'ImportNamespaceSpecifier') return '*';
  return (imported ?? orig ?? local).value;
}

/** `import('…')`, as a value or as a type: what is taken of it is not followed. */
function importedLater({ type, callee, arguments: given, argument }) {
  if (type === 'CallExpression' && callee.type === 'Import') return given[0].expression.value;
  return type === 'TsImportType' ? argument.value : undefined;
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit);
  } else if (typeof node === 'object' && node !== null) {
    visit(node);
    for (const each of Object.values(node)) walk(each, visit);
  }
}
