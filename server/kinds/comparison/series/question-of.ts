import { placeOptions, valueIn } from '../../../../shared/base/option.ts';
import { isEncrypted, type SideName, schemeOf, sideNames } from '../../../../shared/base/transport.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { resolveSides, type Side } from '../../../../shared/kinds/comparison/side.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { serverOptions } from '../../../../shared/target/server-options.ts';
import { contentOf } from '../changes/scenario-differences.ts';

/** The parts of a request that make its question. Its length, precision, and time do not. */
export type AskedQuestion = Pick<
  RunRequest,
  | ('sides' | 'tls' | 'target')
  | ('users' | 'pairUsers' | 'thinkTimeScale')
  | ('connectionPolicy' | 'requestsPerConnection' | 'link' | 'generatorHosts' | 'generatorPods')
>;

/**
 * What runs of one question have in common: both sides, the users with what they send, how long their connections live, and where they come from. A
 * target that was started anew is the same, whatever its process and its certificate; so is a side by another name.
 */
export function questionOf(request: AskedQuestion, sent: Scenario): string {
  const sides = resolveSides(request);
  const {
    users,
    pairUsers,
    thinkTimeScale,
    connectionPolicy,
    requestsPerConnection,
    link,
    generatorHosts,
    generatorPods,
  } = request;
  return JSON.stringify([
    sideNames.map((name) => sideOf(name, sides[name])),
    [users, pairUsers, thinkTimeScale],
    [connectionPolicy, connectionPolicy === 'requests-per-connection' ? requestsPerConnection : null],
    link === undefined ? null : linkWord(link),
    contentOf(sent),
    ...(generatorHosts === undefined ? [] : [generatorHosts]),
    ...(generatorPods === undefined ? [] : [`${generatorPods} pods`]),
  ]);
}

function sideOf(name: SideName, { transport, tls, target }: Side): unknown[] {
  return [transport, isEncrypted(transport) ? tlsOf(tls) : null, targetOf(name, transport, target)];
}

function tlsOf({ version, cipher, group, resumption, resumedShare, verify }: Side['tls']): unknown[] {
  return [version, cipher, group, resumption, resumption === 'mix' ? resumedShare : null, verify];
}

function targetOf(name: SideName, transport: Side['transport'], target: Side['target']): unknown[] {
  if (target.kind === 'origins') {
    const { twin, agent, prometheus } = target;
    return [target.kind, target[schemeOf(transport)], name === 'baseline' ? twin : null, agent, prometheus];
  }
  if (target.kind !== 'managed') return [target.kind];
  const options = placeOptions(null, serverOptions)
    .filter(({ option }) => option.ofTls !== true || isEncrypted(transport))
    .map((placed) => valueIn(target, placed));
  return [target.kind, target.server, ...options];
}
