/**
 * Regular expressions that a text can slow down. `recheck` judges each literal of the product; harmless ones are kept in
 * judged-patterns.json, because judging all takes about a minute. A pattern that the list lacks is judged
 * now, so the list cannot be wrong about one. Polynomial time above the square and exponential time are never allowed. A square is allowed
 * where the list says why its text has at most 4,000 characters, and in one place only: the reason is about that place.
 *
 * `node server/bin/slow-patterns.mjs` writes the list anew.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { parse } from '@babel/parser';

const list = new URL('judged-patterns.json', import.meta.url);

/** Slow patterns in all product files below the working directory. */
export async function findSlowPatterns() {
  const { count, places } = readPatterns();
  const { harmless, quadratic } = JSON.parse(readFileSync(list, 'utf8'));
  const known = new Set(harmless);
  const unknown = [...places.keys()].filter((pattern) => !known.has(pattern));
  const verdicts = await judge(unknown.filter((pattern) => quadratic[pattern] === undefined));
  const slow = [...verdicts].flatMap(([pattern, verdict]) =>
    verdict === 'harmless'
      ? []
      : [`${places.get(pattern)[0]}: ${pattern} takes ${verdict} time. ${adviceOn(verdict)}`],
  );
  const shared = unknown.filter((pattern) => quadratic[pattern] && places.get(pattern).length > 1);
  const twice = shared.map((pattern) => `${places.get(pattern).join(' and ')} have ${pattern}. Share it.`);
  const gone = Object.keys(quadratic).filter((pattern) => !places.has(pattern));
  const stale = gone.map(
    (pattern) => `judged-patterns.json allows ${pattern}, which no file has. Delete it.`,
  );
  return { count, slow: [...slow, ...twice, ...stale] };
}

function adviceOn(verdict) {
  return verdict === 'quadratic'
    ? 'Make its parts exclude each other. If its text is cut to 4,000 characters, say where in judged-patterns.json.'
    : 'Make its parts exclude each other, or read the text without a pattern.';
}

/** Each literal that repeats something, with its places. Without a repetition, none is slow. */
function readPatterns() {
  const all = globSync('{shared,server,client}/**/*.{ts,tsx,mjs}').sort();
  const paths = all.filter(
    (path) => !/\.test\.tsx?$|^(server|shared|client)\/(testing|bench|bin)\//.test(path),
  );
  const places = new Map();
  for (const path of paths) {
    const plugins = path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
    const { tokens } = parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins, tokens: true });
    for (const { type, value, loc } of tokens) {
      if (type.label !== 'regexp' || !/[*+]|\{\d+,/.test(value.pattern)) continue;
      const pattern = `/${value.pattern}/${value.flags}`;
      places.set(pattern, [...(places.get(pattern) ?? []), `${path}:${loc.start.line}`]);
    }
  }
  return { count: paths.length, places };
}

/** Judges one pattern after the other, because recheck gives up after a time, not after a number of steps. */
async function judge(patterns) {
  const verdicts = new Map();
  for (const pattern of patterns) verdicts.set(pattern, await judgeOne(pattern));
  return verdicts;
}

async function judgeOne(pattern) {
  // The other backends need Java or are far slower.
  process.env.RECHECK_BACKEND = 'native';
  const { check } = await import('recheck');
  const end = pattern.lastIndexOf('/');
  const [source, flags] = [pattern.slice(1, end), pattern.slice(end + 1)];
  const { status, complexity, attack, checker, error } = await check(source, flags, { timeout: 20_000 });
  if (status === 'safe') return 'harmless';
  if (status === 'unknown') return `unknown (${error.kind})`;
  // The automaton is exact. The fuzzer only counts steps, and is wrong about many patterns with lookaround.
  if (checker === 'automaton') return complexity.degree === 2 ? 'quadratic' : complexity.type;
  const ends = (length, mostMs) =>
    endsOn(new RegExp(source, flags.replace(/[gy]/g, '')), attack, length, mostMs);
  if (ends(40_000, 250)) return 'harmless';
  return ends(4_000, 1000) ? 'quadratic' : complexity.type;
}

/** Whether the pattern ends in time on recheck's attack text of that length. Quadratic time takes a second on 40,000 characters. */
function endsOn(pattern, { pumps, suffix }, length, mostMs) {
  const each = length / Math.max(1, pumps.length);
  const pumped = pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(each / pump.length)));
  const text = pumped.join('') + suffix;
  try {
    runInNewContext('pattern.test(text)', { pattern, text }, { timeout: mostMs });
    return true;
  } catch (error) {
    if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

if (import.meta.main) {
  const { quadratic } = JSON.parse(readFileSync(list, 'utf8'));
  const verdicts = await judge([...readPatterns().places.keys()]);
  const harmless = [...verdicts].flatMap(([pattern, verdict]) => (verdict === 'harmless' ? [pattern] : []));
  writeFileSync(list, `${JSON.stringify({ quadratic, harmless: harmless.sort() }, null, 2)}\n`);
  process.exit();
}
