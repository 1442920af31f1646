import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startGeneratorInTest } from '../../testing/generator-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { runCommand } from '../run-command.ts';
import { type FaultStage, untilGone } from './fault-stage.ts';

const words = /Generators join (\S+) with (\S+)\.\nFingerprint: (\S+)/;

/** A dashboard of its own, whose generators are on the same hosts, is killed while they load. */
export async function seeDashboardDie({ hosts, directory }: FaultStage): Promise<string> {
  const { target, nginx, agent, origins } = hosts;
  const shared = {
    ...{ PATH: process.env.PATH, HOME: directory },
    TLS_TOLL_DATA: mkdtempSync(join(directory, 'dashboard-')),
  };
  const dashboard = runCommand(['serve'], {
    ...{ ...shared, PORT: '0', TLS_TOLL_TARGETS: target.address },
    TLS_TOLL_GENERATORS: `${target.gateway}:0`,
  });
  const said = await untilAsync(async () => words.exec(dashboard.said()), Boolean);
  const [, place = '', tokenFile = '', key = ''] = said ?? [];
  const generators = hosts.generators.map(({ host }, index) =>
    startGeneratorInTest(host, {
      join: place,
      key,
      tokenFile,
      allow: target.address,
      name: `other-${index + 1}`,
    }),
  );
  try {
    await Promise.all(generators.map((each) => each.until('Joined')));
    const before = hosts.generators.map(({ host }) => nginx.requestsFrom(host.address).length);
    const run = runCommand(
      [
        ...['compare', '--generator-hosts', '2', '--http', origins.http, '--https', origins.https],
        ...['--trust', origins.trust, '--agent', agent.at.name, '--agent-key', agent.at.fingerprint],
        ...['--agent-token-file', agent.tokenFile],
      ],
      shared,
    );
    const sent = () =>
      hosts.generators.flatMap(({ host }, place) => nginx.requestsFrom(host.address).slice(before[place]));
    await untilAsync(
      async () => {
        if (run.child.exitCode !== null) throw new Error(run.said());
        return sent().length;
      },
      (count) => count > 600,
    );
    dashboard.child.kill('SIGKILL');
    const killedAt = Date.now() / 1000;
    await pause(4000);
    const last = Math.max(...sent()) - killedAt;
    const late = sent().filter((at) => at > killedAt + 2).length;
    const code = await run.ended;
    return `the last request came ${last.toFixed(2)} s later, ${late} after 2 s; ${await untilGone(hosts)}; the command ended with exit code ${code}`;
  } finally {
    dashboard.child.kill('SIGKILL');
    for (const { child } of generators) child.kill('SIGTERM');
  }
}
