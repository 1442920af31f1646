import type { BySide } from '../../base/transport.ts';

/** What was started for a run: one server for both sides, or another one for the baseline. */
type Started<Server> = { server: Server | null; baselineServer?: Server | undefined };

export function serversOfSides<Server>({ server, baselineServer }: Started<Server>): BySide<Server | null> {
  return { baseline: baselineServer ?? server, comparison: server };
}

/** Each once, the baseline's first. */
export function serversOf<Server>({ server, baselineServer }: Started<Server>): Server[] {
  return [baselineServer ?? null, server].filter((each) => each !== null);
}
