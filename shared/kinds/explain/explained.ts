import { defaultTlsProfile } from '../../base/tls-profile.ts';
import { pathScenario } from '../../scenario/path-scenario.ts';
import { managedTargetSchema, type Target } from '../../target/target.ts';
import type { AtLoad } from '../comparison/at-load.ts';
import type { ExplainRequest } from './explain.ts';
import { storefront } from './options.ts';

type Run = NonNullable<ExplainRequest['run']>;

/** Target, sides, scenario, and load of an explanation. The load is null until it has been found. */
export type Explained = Omit<Run, 'id' | 'load' | 'requestsPerConnection'> &
  Partial<Pick<Run, 'requestsPerConnection'>> & { users: number | null; load: AtLoad | null };

/** What a request explains: the run that it names, or else what its target and its options say. */
export function explainedOf(request: ExplainRequest): Explained {
  const { run, baseline, comparison, users, connectionPolicy, bytes, path } = request;
  if (run !== undefined) return { ...run, users: run.load.users };
  const target = targetOf(request);
  return {
    target,
    sides: { baseline: { transport: baseline }, comparison: { transport: comparison } },
    tls: defaultTlsProfile,
    scenario: target.kind === 'managed' ? pathScenario([`/${bytes}.html`], null) : pathScenario([path]),
    ...{ users, connectionPolicy, generators: 1, thinkTimeScale: 1, load: null },
  };
}

function targetOf({ target, server, bytes, key }: ExplainRequest): Target {
  if (target !== undefined) return target;
  if (server === storefront) return { kind: storefront };
  return managedTargetSchema.parse({ kind: 'managed', server, documents: [bytes], key });
}
