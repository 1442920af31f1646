/**
 * The grain of the house: how many files, how deep, which doors. `npm run check` compares it with `house.json`, whose numbers only get
 * better; `node server/bin/house.mjs --tighten` writes today's numbers into it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const limitsPath = 'server/bin/house.json';
const isProduct = (path) => !/\.test\.tsx?$|(^|\/)(testing|bench|bin)\/|\.d\.ts$/.test(path);

/** Advice for each number that may only fall; those with `rises` may only rise. */
const advice = {
  files: 'put a thing that one file uses below its user, and siblings into one file',
  importPercent: 'merge files that import each other’s parts',
  linesPerExport: {
    rises: true,
    text: 'close exports of part types, and keep a name in the file that uses it',
  },
  smallFilesOfOneImporter: 'put each into its importer, below it',
  roomsInCircles: 'move what both need to the lower room',
  folders: 'nothing stands below a room',
  longestFile: 'look for the two nouns in it',
  benchLines: 'let one bench ask what two ask',
  oddComments:
    'begin a comment with the thing that it is about, not with What, Of, Where, Whoever, Those, So, or As',
};

/** Files below `root` as `[path, text]`, without dependencies. */
function readProduct(root) {
  const paths = globSync('{shared,server,client}/**/*.{ts,tsx}', { cwd: root }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const oddComment = /(\/\/|\/\*\*|^\s*\*) (What|Of|Where|Whoever|Those|So|As)\b/gm;

const linesOf = (text) => text.split('\n').length - 1;

export function measureHouse(root = '.') {
  const all = readProduct(root);
  const product = new Map([...all].filter(([path]) => isProduct(path)));
  const importers = new Map();
  let importLines = 0;
  let exports = 0;
  for (const [path, text] of product) {
    exports += (
      text.match(/^export\s+(default\s+)?(async\s+)?(const|let|function\*?|class|interface|type)\s/gm) ?? []
    ).length;
    for (const [statement, from] of text.matchAll(/^import\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"];?/gm)) {
      importLines += statement.split('\n').length;
      const to = from.startsWith('.') ? join(dirname(path), from) : null;
      if (product.has(to)) importers.set(to, (importers.get(to) ?? new Set()).add(path));
    }
  }
  const sizes = [...product.values()].map(linesOf);
  const lines = sizes.reduce((sum, each) => sum + each, 0);
  const bench = [...all].filter(([path]) => path.includes('/bench/'));
  return {
    count: product.size,
    numbers: {
      files: product.size,
      importPercent: Math.round((1000 * importLines) / lines) / 10,
      linesPerExport: Math.floor(lines / exports),
      smallFilesOfOneImporter: [...product].filter(
        ([path, text]) => linesOf(text) < 60 && importers.get(path)?.size === 1,
      ).length,
      roomsInCircles: findCircles(importers).flat().length,
      folders: new Set([...product.keys()].map(dirname)).size,
      longestFile: Math.max(...sizes),
      benchLines: bench.reduce((sum, [, text]) => sum + linesOf(text), 0),
      oddComments: [...all.values()].flatMap((text) => text.match(oddComment) ?? []).length,
    },
    circles: findCircles(importers),
    doors: doorsOf(importers),
    hollow: [...product]
      .filter(([, text]) => /^export\s*(\*|\{[^}]*\})\s*from\s/m.test(text))
      .map(([path]) => path),
  };
}

/** Files that other rooms import, by room. */
function doorsOf(importers) {
  const doors = {};
  for (const [path, by] of [...importers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const outside = [...by].filter((each) => dirname(each) !== dirname(path));
    if (outside.length === 0) continue;
    doors[dirname(path)] ??= {};
    doors[dirname(path)][path.slice(dirname(path).length + 1)] = outside;
  }
  return doors;
}

/** Rooms that import each other, however far around; a room is at most two levels below `client`, `server` or `shared` (Tarjan 1972). */
function findCircles(importers) {
  const roomOf = (path) => dirname(path).split('/').slice(0, 3).join('/');
  const below = new Map();
  for (const [to, by] of importers) {
    for (const from of by) {
      if (roomOf(from) !== roomOf(to))
        below.set(roomOf(from), (below.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
    }
  }
  const [index, low, stack, circles] = [new Map(), new Map(), [], []];
  const visit = (room) => {
    index.set(room, index.size);
    low.set(room, index.get(room));
    stack.push(room);
    for (const next of below.get(room) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(room, Math.min(low.get(room), low.get(next)));
    }
    if (low.get(room) !== index.get(room)) return;
    const circle = stack.splice(stack.indexOf(room));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const room of below.keys()) if (!index.has(room)) visit(room);
  return circles;
}

/** One sentence for each number, door and file that is worse than `limits`. */
export function judgeHouse({ numbers, doors, circles, hollow }, limits) {
  const worse = Object.entries(numbers).flatMap(([name, value]) => {
    const { rises = false, text = advice[name] } = advice[name];
    const most = limits.numbers[name];
    if (rises ? value >= most : value <= most) return [];
    const where = name === 'roomsInCircles' ? ` (${circles.map((each) => each.join(', ')).join('; ')})` : '';
    return [`${name} is ${value}, and was ${most}${where}: ${text}.`];
  });
  const broken = Object.entries(doors).flatMap(([room, files]) =>
    Object.entries(files)
      .filter(([file]) => !limits.doors[room]?.includes(file))
      .map(
        ([file, by]) =>
          `${by[0]} imports ${room}/${file}, which is no door of its room: use ${(limits.doors[room] ?? ['a file that is one']).join(', ')}, or name it in ${limitsPath} and say why.`,
      ),
  );
  return [
    ...worse,
    ...broken,
    ...hollow.map((path) => `${path} re-exports: a door contains code. Import from where the code is.`),
  ];
}

/** For `npm run check`. */
export function findHouseProblems() {
  const house = measureHouse();
  return { count: house.count, problems: judgeHouse(house, JSON.parse(readFileSync(limitsPath, 'utf8'))) };
}

if (process.argv[1]?.endsWith('server/bin/house.mjs')) {
  const { numbers, doors } = measureHouse();
  console.table(numbers);
  if (process.argv.includes('--tighten')) {
    const named = Object.fromEntries(
      Object.entries(doors).map(([room, files]) => [room, Object.keys(files)]),
    );
    writeFileSync(limitsPath, `${JSON.stringify({ numbers, doors: named }, null, 2)}\n`);
  }
}
