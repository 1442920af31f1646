import { problem } from '../../../../shared/base/problem.ts';
import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { CellGroup } from '../../../../shared/kinds/servers/plan/group-cells.ts';
import { type OpenTarget, openTarget } from '../../../targets/open-target.ts';
import type { ConfiguredHouse } from '../../house.ts';
import { readServerHeader } from './read-server-header.ts';

const serversAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Called with servers that have just started. */
type Prepare = (target: OpenTarget<Arm>) => Promise<void>;

/** The servers of a group: started when they are needed, and again after they were stopped. */
export class StartedServers {
  readonly #group: CellGroup;
  readonly #prepare: Prepare;
  readonly #house: ConfiguredHouse;
  readonly #signal: AbortSignal;
  #target: OpenTarget<Arm> | null = null;
  #death = new AbortController();
  /** What they call themselves in their answers. */
  serverSoftware = '';

  constructor(group: CellGroup, prepare: Prepare, house: ConfiguredHouse, signal: AbortSignal) {
    this.#group = group;
    this.#prepare = prepare;
    this.#house = house;
    this.#signal = signal;
  }

  /** Aborted when those that run end by themselves. */
  get died(): AbortSignal {
    return this.#death.signal;
  }

  async open(): Promise<OpenTarget<Arm>> {
    if (this.#target !== null) return this.#target;
    this.#death = new AbortController();
    const death = this.#death;
    const { target } = this.#group;
    this.#target = await openTarget({ target, ...serversAsked }, this.#house, this.#signal);
    void this.#target.died.then((sentence) => death.abort(problem('target_died', sentence)));
    await this.#prepare(this.#target);
    const [first] = this.#group.cells;
    const path = `/${first?.settings.document ?? 0}.html`;
    this.serverSoftware = await readServerHeader(this.#target.listeners.baseline, path, this.#signal);
    return this.#target;
  }

  async stop(): Promise<void> {
    const target = this.#target;
    this.#target = null;
    await target?.stop();
  }
}
