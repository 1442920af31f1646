/** Protects runs that read the CPU of another host: it is the target's there, over a near path, a long one, and one that is cut. */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkProfiles } from '../../../../shared/kinds/comparison/link-text.ts';
import { capsSchema, originsTargetSchema } from '../../../../shared/target/target.ts';
import { startLinks } from '../../../drive/link/start-links.ts';
import { openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { type AgentInTest, startAgentInTest } from '../../../testing/agent-in-test.ts';
import { measureBriefly } from '../../../testing/measure-briefly.ts';
import { makeNetworkHost, mayMakeHosts, type NetworkHost } from '../../../testing/network-host.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../../testing/nginx-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-agent-host-'));

describe.skipIf(!mayMakeHosts || !hasNginx)('a target with an agent on another host', () => {
  let host: NetworkHost;
  let nginx: NginxInTest;
  let agent: AgentInTest;
  let trust: string;
  beforeAll(async () => {
    const authority = await openAuthority(directory);
    trust = new X509Certificate(authority.certPem).fingerprint256;
    host = await makeNetworkHost();
    nginx = await startNginxInTest(authority, ['http', 'https'], { host });
    agent = await startAgentInTest(['--port', `${nginx.httpPort},${nginx.httpsPort}`], {
      host: host.address,
      start: host.start,
    });
  });
  afterAll(async () => {
    await agent?.stop();
    await nginx?.stop();
    await host?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const measure = ({ address = agent.at.name, epochs = 1, onBlock = () => {} } = {}) => {
    const target = originsTargetSchema.parse({
      kind: 'origins',
      http: `http://${host.address}:${nginx.httpPort}`,
      https: `https://${host.address}:${nginx.httpsPort}`,
      ...{ trust, agent: { address, fingerprint: agent.at.fingerprint } },
    });
    return measureBriefly(target, {
      ...{ directory, secrets: { agent_token: agent.token } },
      plan: { lockstepMs: 1000, epochs: { minimum: epochs, maximum: epochs } },
      // Without a pause, a fast machine sends over 1 GB.
      permits: async () => [
        { host: host.address, caps: capsSchema.parse({ requestsPerS: 100_000, bytes: 1e11 }) },
      ],
      onBlock,
    });
  };
  const ratioOf = ({ blocks }: Awaited<ReturnType<typeof measure>>) =>
    blocks.find(({ kind }) => kind === 'lockstep')?.ratios.cpu_lone;

  test('has its CPU in the table, read there', async () => {
    const measured = await measure();
    expect(measured.facts.launches[0]?.pids).toEqual({ baseline: null, comparison: null, twin: null });
    expect(ratioOf(measured)?.value).toBeGreaterThan(1);
    expect(ratioOf(measured)?.twinValue).toBeGreaterThan(0.5);
    expect(ratioOf(measured)?.twinValue).toBeLessThan(2);
    expect(measured.facts.readings).toMatchObject({ by: 'agent', at: agent.at.name });
    expect(measured.facts.readings?.roundTripUs).toBeGreaterThan(0);
    const process = measured.facts.preflight?.sides.baseline.checks.find(({ id }) => id === 'process');
    expect(process).toMatchObject({
      status: 'pass',
      message: `CPU, memory and disk are read by the agent at ${agent.at.name}.`,
    });
  });

  test('is asked in longer turns over a longer path, and the result says so', async () => {
    const links = await startLinks();
    const { address, port } = agent.at;
    const { ends } = await links.open(linkProfiles.metro, [{ address, port }]);
    const { facts } = await measure({ address: `127.0.0.1:${ends[0]?.port}` }).finally(links.stop);
    const { roundTripUs = 0, withinUs = 0, turnTransactions = 0 } = facts.readings ?? {};
    expect(roundTripUs).toBeGreaterThan(5000);
    expect(withinUs).toBeGreaterThan(2500);
    // A page takes far less than 4 ms here.
    expect(turnTransactions).toBeGreaterThan(5);
  });

  test('whose link is cut ends the run, and says what does not answer', async () => {
    const cut = () => void host.run('ip', 'link', 'set', 'eth0', 'down');
    await expect(measure({ epochs: 2, onBlock: cut })).rejects.toMatchObject({
      problem: { detail: expect.stringMatching(/did not answer|stopped responding|failed/) },
    });
  });
});
