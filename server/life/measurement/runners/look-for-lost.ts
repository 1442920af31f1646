import { listAssignments } from '../../database/assignments.ts';
import type { Database } from '../../database/open-database.ts';
import { forgetRunners, listRunnerRows, type RunnerRow } from '../../database/runners.ts';
import type { Given } from '../given.ts';
import type { OwnSession } from './demand-room.ts';
import type { Leases } from './leases.ts';
import { rescue } from './rescue.ts';

type Parts<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf' | 'onError'> & {
  leases: Leases;
  self: OwnSession;
};

/** Runners that have been silent for this long are forgotten. */
const knownMs = 24 * 3600_000;

/** Takes what runners have that do not beat any more, and forgets runners that are long gone. */
export async function lookForLost<House>(parts: Parts<House>): Promise<void> {
  const { database, leases, self, onError } = parts;
  const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
  const now = performance.now();
  const beats = rows.map((row) => [row.session, row.leftAt === null ? row.beat : 'left'] as const);
  leases.observe(
    new Map(beats),
    assignments.flatMap((each) => each.session ?? []),
    now,
  );
  for (const each of assignments) {
    const lost =
      each.session !== null && each.session !== self.session && leases.hasLapsed(each.session, now);
    if (!lost || !isKnown(parts, each.kind)) continue;
    const runner = rows.find((row) => row.session === each.session)?.name ?? null;
    await rescue({ ...parts, ...self }, each, runner).catch(onError);
  }
  await forgetLong(
    database,
    rows.filter((row) => leases.hasLapsed(row.session, now)),
  );
}

/** A process of a later version may be the only one that knows it. */
function isKnown<House>({ kindOf }: Parts<House>, kind: string): boolean {
  try {
    return kindOf(kind).name === kind;
  } catch {
    return false;
  }
}

/** Of those that do not beat: the date alone proves nothing, as clocks of machines need not agree. */
async function forgetLong(database: Database, silent: readonly RunnerRow[]): Promise<void> {
  const gone = silent.filter(({ seenAt }) => seenAt < Date.now() - knownMs);
  const sessions = gone.map(({ session }) => session);
  if (sessions.length > 0) await forgetRunners(database, sessions);
}
