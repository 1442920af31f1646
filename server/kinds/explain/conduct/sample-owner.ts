import { type BySide, bySide, type SideName, sideNames } from '../../../../shared/base/transport.ts';
import { aliveOf, ProcessTree } from '../../../base/process/process-tree.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';

/** A side's turn, on the monotonic clock. */
type Turn = { side: SideName; fromNs: bigint; untilNs: bigint };

/** The turns of the sides, in their order in time. */
export class TurnLog {
  readonly #turns: Turn[] = [];

  /** The same generator, with its bursts noted. A turn lasts until the next burst begins. */
  watching<Load extends Pick<Generator, 'burst'>>(generator: Load): Load {
    const burst: Generator['burst'] = (arm, slot) => {
      const now = process.hrtime.bigint();
      const last = this.#turns.at(-1);
      if (last !== undefined && last.untilNs > now) last.untilNs = now;
      this.#turns.push({ side: arm as SideName, fromNs: now, untilNs: forever });
      return generator.burst(arm, slot);
    };
    return { ...generator, burst };
  }

  end(): void {
    const last = this.#turns.at(-1);
    if (last !== undefined) last.untilNs = process.hrtime.bigint();
  }

  /** Whose turn it was; null before the first and after the last. */
  at(timeNs: bigint): SideName | null {
    let [low, high] = [0, this.#turns.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const turn = this.#turns[middle] as Turn;
      if (timeNs < turn.fromNs) high = middle - 1;
      else if (timeNs >= turn.untilNs) low = middle + 1;
      else return turn.side;
    }
    return null;
  }
}

const forever = 2n ** 63n;

/** Of each side: its processes, and all that they have started. */
export function processesOf(roots: BySide<readonly number[]>): BySide<Set<number>> {
  return bySide((side) => new Set(new ProcessTree(...aliveOf(roots[side])).list().map(({ pid }) => pid)));
}

/** The side of a sample: by its process where each side has its own, otherwise by its time. Null for other processes, and outside of turns. */
export function ownerOf(
  { pid, timeNs }: { pid: number; timeNs: bigint },
  processes: BySide<ReadonlySet<number>>,
  turns: TurnLog,
): SideName | null {
  const owners = sideNames.filter((side) => processes[side].has(pid));
  const turn = turns.at(timeNs);
  return owners.length === 0 || turn === null ? null : owners.length === 1 ? (owners[0] ?? null) : turn;
}
