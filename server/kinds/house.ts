import type { Environment } from '../../shared/base/environment.ts';
import type { AtLoad } from '../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../shared/kinds/comparison/block.ts';
import type { Past } from '../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../shared/kinds/comparison/run-request.ts';
import type { Scenario, SecretValues } from '../../shared/scenario/scenario.ts';
import type { GeneratorHosts } from '../drive/load/hosts/generator-hosts.ts';
import type { PodsOffer } from '../drive/load/pods/offer-pods.ts';
import type { RunHouse } from '../targets/open-target.ts';
import type { Apparatus } from './apparatus.ts';

export type ConfiguredHouse = RunHouse & {
  /** Without one of its own it measures for real. No environment variable and no request brings one. */
  apparatus?: Apparatus;
  /** Hosts that have joined with their generator, and pods if it may create them. Null where none can join; left out where only a runner knows. */
  generatorHosts?: (GeneratorHosts & { pods?: PodsOffer | null }) | null;
  /** What earlier runs say of one that has been measured; left out where none are stored. */
  past?(asked: Asked): Promise<Past>;
  /** Facts and blocks of a finished run; absent like the past. Throws run_not_found if it is gone. */
  earlier?(id: string): Promise<EarlierRun>;
  /** Loads of this machine, by question and software; absent like the past. */
  loads?: LoadStore;
};

/** A finished run, to be continued. */
export type EarlierRun = {
  id: string;
  startedAt: number;
  endedAt: number;
  facts: RunFacts;
  blocks: Block[];
  /** Environments of the machine that measured it, and of this one. */
  environments: { before: Environment; here: Environment };
};

/** A run after its preflight. */
type Asked = { request: RunRequest; facts: RunFacts };

type FoundLoad = Pick<AtLoad, 'users' | 'sides'>;

export type StoredLoad = FoundLoad & {
  /** The run that found it, which may be deleted. */
  runId: string;
  at: number;
};

/** Each question has one load per machine. The run that finds it stores it for later runs. */
type LoadStore = {
  /** Null if none was found yet. */
  find(asked: Asked): Promise<StoredLoad | null>;
  /**
   * Keeps an entry that another run has stored meanwhile.
   * @param replacing the result of `find` that no longer fits; else null
   */
  insert(asked: Asked, found: FoundLoad & { runId: string }, replacing: StoredLoad | null): Promise<void>;
  /** Makes the next run search again. */
  delete(asked: Asked): Promise<void>;
};

/** Where measurements take place. */
export type House = ConfiguredHouse & {
  /** The scenario that a request names or holds, ready to be sent. Throws scenario_not_found, secret_missing, invalid_request. */
  chooseScenario(
    asked: string | Scenario,
    secrets: SecretValues,
  ): Promise<{ scenario: Scenario; revisionId: string | null }>;
};
