/** Functions that do not fit on one screen. */
import { globSync, readFileSync } from 'node:fs';
import { parse } from '@babel/parser';

const mostLines = 80;

/** In what is no test: there a story may be long. */
export function findLongFunctions() {
  const all = globSync('{shared,server,client}/**/*.{ts,tsx,mjs}');
  const paths = all.filter((path) => !/\.test\.tsx?$/.test(path));
  const long = paths.flatMap((path) =>
    readFunctions(path)
      .filter(({ lines }) => lines > mostLines)
      .map(({ name, line, lines }) => `${path}:${line}: ${name} has ${lines} lines, of at most ${mostLines}`),
  );
  return { count: paths.length, long };
}

function readFunctions(path) {
  const plugins = path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
  const { program } = parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins });
  const functions = [];
  walk(program, null, (node, parent) => {
    if (
      !/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|(Object|Class\w*)Method)$/.test(
        node.type,
      )
    )
      return;
    const { start, end } = node.loc;
    functions.push({ name: nameOf(node, parent), line: start.line, lines: end.line - start.line + 1 });
  });
  return functions;
}

/** Its own, or that of what holds it. */
function nameOf({ id, key }, parent) {
  const named = id ?? key ?? parent?.id ?? parent?.key;
  return named?.name ?? named?.id?.name ?? 'a nameless function';
}

function walk(node, parent, visit) {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === 'string') walk(each, node, visit);
    }
  }
}
