import { cpuClock } from './cpu-clock.ts';
import { readProcessStat, tickUs } from './process-stat.ts';
import type { LiveProcess } from './process-tree.ts';

/** CPU of a process itself, its ended threads included, in ns; null once it has ended. */
type ReadOwn = (process: LiveProcess) => number | null;

type Sight = { startTicks: number; ownNs: number; childTicks: number; countedNs: number; ended: boolean };

const tickNs = tickUs * 1000;

/**
 * CPU time of processes that come and go, added up so that it never goes back. A process adds what it gained since it was last
 * seen; one that has ended stays with what it had then. What it used between that and its end is known in ticks only, from the
 * process that waited for it, and is counted apart.
 */
export class CpuLedger {
  readonly #readOwn: ReadOwn;
  #sights: ReadonlyMap<number, Sight> = new Map();
  #ownNs = 0;
  #childrenNs = 0;
  /** Counted of processes that have ended, and not yet seen again in the count of whoever waited for them. */
  #endedNs = 0;
  readonly #ended = { processes: 0, countedNs: 0 };

  constructor(readOwn: ReadOwn = readByClock) {
    this.#readOwn = readOwn;
  }

  /** Total in µs, from the start of each process, so that only differences mean anything. */
  get ownUs(): number {
    return this.#ownNs / 1000;
  }

  /** Of children that have ended, what nobody saw of them; as of the last listing, in steps of a tick. */
  get childrenUs(): number {
    return this.#childrenNs / 1000;
  }

  /** Processes that were seen and have ended, what was counted of them, and how much of that nobody has waited for yet. */
  get ended(): { processes: number; countedUs: number; unwaitedUs: number } {
    const { processes, countedNs } = this.#ended;
    return { processes, countedUs: countedNs / 1000, unwaitedUs: this.#endedNs / 1000 };
  }

  /** @param members some may have ended since they were listed */
  observe(members: readonly LiveProcess[]): void {
    const sights = new Map(members.map((member) => [member.pid, this.#look(member)]));
    for (const [pid, before] of this.#sights) {
      const now = sights.get(pid);
      const ended = now === undefined || now.ended || now.startTicks !== before.startTicks;
      if (!ended || before.ended) continue;
      this.#endedNs += before.countedNs;
      this.#ended.processes++;
      this.#ended.countedNs += before.countedNs;
    }
    let gainedNs = 0;
    for (const { pid, stat } of members) {
      const before = this.#known({ pid, stat });
      // One that is new has waited for nobody that this ledger knows.
      gainedNs += Math.max(0, stat.childTicks - (before?.childTicks ?? 0)) * tickNs;
    }
    const unseenNs = Math.max(0, gainedNs - this.#endedNs);
    this.#endedNs -= gainedNs - unseenNs;
    this.#childrenNs += unseenNs;
    this.#sights = sights;
  }

  #known({ pid, stat }: LiveProcess): Sight | null {
    const before = this.#sights.get(pid);
    return before?.startTicks === stat.startTicks ? before : null;
  }

  #look(member: LiveProcess): Sight {
    const { startTicks, childTicks } = member.stat;
    const before = this.#known(member);
    const lastNs = before?.ownNs ?? 0;
    const ownNs = before?.ended === true ? null : this.#readOwn(member);
    // What went back belongs to a stranger, who was given the number of one that has ended.
    const ended = ownNs === null || ownNs < lastNs;
    const gainNs = ended ? 0 : ownNs - lastNs;
    this.#ownNs += gainNs;
    const countedNs = (before?.countedNs ?? 0) + gainNs;
    return { startTicks, childTicks, countedNs, ended, ownNs: ended ? lastNs : ownNs };
  }
}

/** Where there is no clock, in the ticks of 10 ms that it is checked against elsewhere. */
function readByClock({ pid, stat }: LiveProcess): number | null {
  const { readNs } = cpuClock();
  return readNs === null ? readByTicks({ pid, stat: readProcessStat(pid) ?? stat }) : readNs(pid);
}

/** As they were listed. */
export function readByTicks({ stat }: LiveProcess): number {
  return stat.ownTicks * tickNs;
}
