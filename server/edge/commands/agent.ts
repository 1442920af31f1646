import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { findListenerPid } from '../../base/process/listeners.ts';
import { openOwnIdentity } from '../../targets/certificates/certificate-authority.ts';
import {
  findUnitCgroup,
  isCgroup,
  type WatchedProcesses,
  watchCgroup,
  watchTrees,
} from '../../targets/sampling/cgroup.ts';
import { samplingSupported } from '../../targets/sampling/process-sampler.ts';
import { serveAgent } from '../../targets/sampling/serve-agent.ts';
import { makeTokenFile, readTokenFile } from '../settings/token-file.ts';
import { idsIn, numberIn } from './option-values.ts';
import { untilSignal } from './serve.ts';
import { verb } from './verb.ts';

const options = verb('agent')
  .description(
    'Runs on the target’s host and tells the dashboard what the target uses: CPU, memory, disk, and what the host does besides. It serves readings of that target only, over TLS, to anyone who has the token. Runs until you stop it with Ctrl-C.',
  )
  .requiredOption(
    '--token-file <file>',
    'File with the token, which the dashboard needs too; made if it is missing',
  )
  .option('--pid <list>', 'Process of the target, or several with commas; their children count too', idsIn)
  .option('--port <list>', 'Port that the target listens on, or several with commas', idsIn)
  .option('--unit <name>', 'systemd unit of the target, such as nginx.service')
  .option('--cgroup <path>', 'Control group of the target, below /sys/fs/cgroup')
  .option(
    '--companions',
    'Also read up to 32 other programs on this host that work for the target’s requests. The dashboard learns their names and PIDs',
  )
  .option('--host <address>', 'Address to listen on (default: 127.0.0.1)')
  .option('--listen <port>', 'Port to listen on, 0 for any free port', numberIn, 7301);

export async function agent(args: string[]): Promise<number> {
  const {
    tokenFile,
    host = '127.0.0.1',
    listen,
    companions = false,
    ...what
  } = options.parse(args, { from: 'user' }).opts();
  if (!samplingSupported()) {
    throw problem('invalid_environment', 'The agent reads /proc, which only Linux has.');
  }
  if (!Number.isInteger(listen) || listen < 0 || listen > 65_535) {
    throw problem('invalid_arguments', `--listen takes a port from 0 to 65535, not "${listen}".`);
  }
  const watch = watcherOf(what);
  const found = demandFound(watch);
  makeTokenFile(tokenFile, '--token-file');
  const token = readTokenFile(tokenFile, '--token-file');
  const identity = await openOwnIdentity(`${tokenFile}.pem`, 'TLS Toll agent');
  const told = untilSignal();
  const running = await serveAgent({ host, port: listen, token, identity, watch, companions });
  const first = found[0]?.pid ?? 0;
  const count = found.length === 1 ? `process ${first}` : `${found.length} processes from ${first}`;
  process.stdout.write(
    `The agent listens on ${host}:${running.port} and reads ${count}.\nFingerprint: ${identity.fingerprint}\n`,
  );
  await told;
  await running.close();
  return 0;
}

/** Checks at the start that the processes exist. Throws invalid_arguments. */
function demandFound(watch: () => WatchedProcesses): readonly { pid: number }[] {
  try {
    return watch().list();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw problem('invalid_arguments', error.problem.detail);
  }
}

type Choice = {
  pid?: number[] | undefined;
  port?: number[] | undefined;
  unit?: string | undefined;
  cgroup?: string | undefined;
};

/** Finds the processes anew each time it is called. Throws invalid_arguments at once, target_died once there are none. */
function watcherOf({ pid, port, unit, cgroup }: Choice): () => WatchedProcesses {
  const given = [pid, port, unit, cgroup].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw problem('invalid_arguments', 'Say what to read with one of --pid, --port, --unit and --cgroup.');
  }
  if (pid !== undefined) return () => watchTrees(pid);
  if (port !== undefined) return () => watchTrees([...new Set(port.map(listenerOf))]);
  if (unit !== undefined) return () => watchCgroup(findUnitCgroup(unit) ?? noUnit(unit));
  return () => watchCgroup(cgroupOf(cgroup ?? ''));
}

function listenerOf(port: number): number {
  const pid = findListenerPid(null, port);
  if (pid !== null) return pid;
  throw problem(
    'target_died',
    `Nothing that this user may look into listens on port ${port}. Start the target, or run the agent as its user or as root.`,
  );
}

function noUnit(unit: string): never {
  throw problem('target_died', `There is no running unit ${unit}. systemctl status ${unit} says why.`);
}

function cgroupOf(path: string): string {
  const whole = path.startsWith('/sys/fs/cgroup') ? path : `/sys/fs/cgroup/${path.replace(/^\//, '')}`;
  if (isCgroup(whole)) return whole;
  throw problem('target_died', `There is no control group ${whole}.`);
}
