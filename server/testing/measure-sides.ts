import { byArm, namesOf } from '../../shared/base/arms.ts';
import type { NegotiatedTls } from '../../shared/base/tls-profile.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { Block } from '../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import type { RunHouse } from '../targets/open/open-target.ts';
import { describeEnvironment } from '../targets/sampling/machine.ts';
import { briefApparatus } from './brief-plan.ts';
import { conductAlone } from './conduct-alone.ts';

/** Long enough that every arm has been loaded in every way, and no longer. */
const short: Partial<Plan> = {
  launches: { minimum: 1, maximum: 1 },
  epochs: { minimum: 1, maximum: 1 },
  ...{ users: 2, lockstepMs: 100, windowMs: 50, maximumMs: 60, sampleMs: 6 },
  warmUp: { transactions: 4, longestMs: 100 },
};

type Choice = {
  directory: string;
  secrets?: SecretValues;
  /** Changes to the shortest plan. */
  plan?: Partial<Plan>;
  permits?: NonNullable<RunHouse['permits']>;
  onBlock?(block: Block): void;
};

/** A brief run with sides of any kind, and its document. Rejects as a run does. */
export function measureSides(
  request: RunRequestInput,
  { directory, secrets = {}, plan = {}, permits, onBlock = () => {} }: Choice,
): Promise<RunDocument> {
  const brief: typeof comparison = {
    ...comparison,
    async prepare(...asked) {
      const prepared = await comparison.prepare(...asked);
      return {
        ...prepared,
        facts: { ...prepared.facts, plan: { ...prepared.facts.plan, ...short, ...plan } as Plan },
      };
    },
    conduct: (task, watch, house) =>
      comparison.conduct(
        task,
        {
          ...watch,
          async keep(part) {
            await watch.keep(part);
            if (part.block !== undefined) onBlock(part.block);
          },
        },
        house,
      ),
  };
  return conductAlone(brief, request, {
    secrets,
    house: {
      ...{ dataDirectory: directory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
      apparatus: briefApparatus,
      ...(permits === undefined ? {} : { permits }),
      async chooseScenario(asked) {
        if (typeof asked === 'string') throw new Error('the target brings its own scenario');
        return { scenario: asked, revisionId: null };
      },
    },
    environment: describeEnvironment('tls-toll test', true),
  });
}

/** TLS that the generator negotiated on each arm, which must be the same in every part of the run; null without TLS. */
export function negotiatedIn({ blocks }: RunDocument): Record<Arm, NegotiatedTls | null> {
  return byArm(namesOf(twoSidesAndTwin), (arm) => {
    const slots = blocks.flatMap((block) => block.slots.filter((slot) => slot.arm === arm));
    const seen = new Map(slots.map(({ load }) => [JSON.stringify(load.negotiated), load.negotiated]));
    if (seen.size !== 1) throw new Error(`${arm} negotiated ${[...seen.keys()].join(' and ')}`);
    return [...seen.values()][0] ?? null;
  });
}
