import type { Upgrade } from '../measurement/kind.ts';
import { upgradeSides } from './upgrade-sides.ts';
import { nameTwins } from './upgrade-twins.ts';

/** What changed in every document at `/l/{id}`: handshakes, primitives and journeys share their schema version. */
export const labUpgraders: Record<number, Upgrade> = { 2: renameKinds, 3: nameTwinsOfRows };

const names: Record<string, string> = { speed: 'primitives', browser: 'journey' };

/** Schema 3 names kinds and problems as runs do, and tells what the sides of a journey are; they were HTTP and HTTPS. */
function renameKinds(earlier: Record<string, unknown>): Record<string, unknown> {
  const kind = names[String(earlier.kind)] ?? earlier.kind;
  const request = { ...(earlier.request as object), kind };
  const problem = JSON.stringify(earlier.problem).replaceAll(/\blab_(?=cancelled|interrupted)/g, 'run_');
  return {
    ...earlier,
    ...(kind === 'journey' ? withSides(earlier) : {}),
    kind,
    request,
    seed: earlier.seed ?? 0,
    problem: JSON.parse(problem),
  };
}

/** Schema 4 calls the twin of a journey a twin. */
function nameTwinsOfRows(earlier: Record<string, unknown>): Record<string, unknown> {
  if (earlier.kind !== 'journey' || !Array.isArray(earlier.rows)) return earlier;
  return { ...earlier, rows: earlier.rows.map(nameTwins) };
}

function withSides({ rows }: Record<string, unknown>): object {
  return {
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
    rows: Array.isArray(rows) ? rows.map(upgradeSides) : rows,
  };
}
