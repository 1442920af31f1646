import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../method/statistics/quantile.ts';
import { connectToAgent } from '../../targets/sampling/agent/agent-connection.ts';
import { openSampler } from '../../targets/sampling/process-sampler.ts';
import { startAgentInTest } from '../../testing/agent-in-test.ts';
import type { Figure } from '../figure.ts';

const perS = 5;
const seconds = 20;
const warmUps = 500;

/** What an agent that watches one process costs its host while it is asked as often as windows of 200 ms ask it, and how long an answer takes. */
export async function measureAgentBurden(): Promise<Figure[]> {
  const target = spawn('sleep', ['600'], { stdio: 'ignore' });
  const agent = await startAgentInTest(['--pid', String(target.pid)]);
  const connection = await connectToAgent(agent.at, agent.token);
  try {
    const sampler = openSampler(agent.child.pid ?? 0);
    const tripsUs: number[] = [];
    // As after the turns of a warm-up, which come before any window.
    for (let asked = 0; asked < warmUps; asked++) await connection.read('turn');
    const before = sampler.read();
    for (let asked = 0; asked < seconds * perS; asked++) {
      const untilMs = performance.now() + 1000 / perS;
      const { roundTripUs } = await connection.read('window');
      tripsUs.push(roundTripUs);
      await pause(Math.max(0, untilMs - performance.now()));
    }
    const after = sampler.read();
    return [
      {
        ...{ bench: 'remote', figure: `agent, ${perS} readings a second`, unit: '% of a core' },
        value: ((after.cpuUs - before.cpuUs) / (after.atUs - before.atUs)) * 100,
        ...{ range: null, atMost: 0.5 },
      },
      {
        ...{ bench: 'remote', figure: 'agent, a reading over loopback', unit: 'ms' },
        value: quantile(tripsUs, 0.5) / 1000,
        range: [quantile(tripsUs, 0.05) / 1000, quantile(tripsUs, 0.95) / 1000],
        atMost: null,
      },
    ];
  } finally {
    connection.close();
    await agent.stop();
    target.kill();
  }
}
