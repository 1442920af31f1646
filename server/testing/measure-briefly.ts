import type { Block } from '../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunFacts } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { type SecretValues, scenarioSchema } from '../../shared/scenario/scenario.ts';
import type { OriginsTarget } from '../../shared/target/target.ts';
import type { GeneratorHosts } from '../drive/hosts/generator-hosts.ts';
import type { Apparatus } from '../kinds/apparatus.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import type { RunHouse } from '../targets/open/open-target.ts';
import { briefApparatus, makeBrief } from './brief-plan.ts';
import { idInTest } from './id-in-test.ts';

export type MeasuredBriefly = { blocks: Block[]; facts: RunFacts };

type Choice = {
  directory: string;
  /** Changes to a brief plan. */
  plan?: Partial<Plan>;
  secrets?: SecretValues;
  apparatus?: Apparatus;
  /** Further fields of the request. */
  asked?: Pick<RunRequestInput, 'generatorHosts' | 'users'>;
  generatorHosts?: GeneratorHosts;
  signal?: AbortSignal;
  permits?: NonNullable<RunHouse['permits']>;
  onBlock?: (block: Block) => void;
};

const scenario = scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] });

/** A comparison of one page on a target that stands already, without a server around it. Rejects as a run does. */
export async function measureBriefly(
  target: OriginsTarget,
  { directory, plan = {}, secrets = {}, asked = {}, signal, onBlock = () => {}, ...choice }: Choice,
): Promise<MeasuredBriefly> {
  const house = {
    ...{ dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: '/nowhere' },
    ...{ apparatus: briefApparatus, ...choice },
    chooseScenario: async () => ({ scenario, revisionId: null }),
  };
  const request = comparison.requestSchema.parse({ target, scenario, ...asked });
  const prepared = await comparison.prepare(request, secrets, house);
  const measured: MeasuredBriefly = {
    blocks: [],
    facts: { ...prepared.facts, plan: makeBrief(prepared.facts.plan, plan) },
  };
  await comparison.conduct(
    { id: idInTest, request, facts: measured.facts, secrets, blocks: [] },
    {
      signal: signal ?? new AbortController().signal,
      tell: () => {},
      async keep({ block, facts }) {
        if (facts !== undefined) measured.facts = facts;
        if (block === undefined) return;
        measured.blocks.push(block);
        onBlock(block);
      },
      async measured() {},
    },
    house,
  );
  return measured;
}
