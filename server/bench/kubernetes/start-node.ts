import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Images, pauseName } from './make-images.ts';
import { startProgram, until } from './start-program.ts';

type Node = {
  directory: string;
  number: number;
  address: string;
  kubelet: string;
  kubeconfig: string;
  images: Images;
};

export const hierarchies = '/sys/fs/cgroup';

/** Below it are the pods of a node, in every hierarchy of control groups. */
export function cgroupOf(number: number, pid: number): string {
  return `tls-toll-bench-${pid}-${number}`;
}

/** containerd and a kubelet with directories, ports, a bridge, and a control group of their own. */
export async function startNode({
  directory,
  number,
  address,
  kubelet,
  kubeconfig,
  images,
}: Node): Promise<void> {
  const socket = join(directory, 'containerd.sock');
  const cgroup = cgroupOf(number, Number(process.env.TLS_TOLL_BENCH));
  for (const hierarchy of readdirSync(hierarchies))
    mkdirSync(join(hierarchies, hierarchy, cgroup), { recursive: true });
  mkdirSync(join(directory, 'cni'));
  writeFileSync(join(directory, 'cni', '10-bridge.conflist'), JSON.stringify(networkOf(directory, number)));
  writeFileSync(join(directory, 'containerd.toml'), containerdOf(directory, socket));
  startProgram(directory, 'containerd', 'containerd', ['--config', join(directory, 'containerd.toml')]);
  const ctr = (...args: string[]) =>
    execFileSync('ctr', ['-a', socket, '-n', 'k8s.io', ...args], { stdio: 'pipe' });
  await until('containerd', 60, async () => ctr('version'));
  for (const archive of Object.values(images)) ctr('images', 'import', archive);
  writeFileSync(
    join(directory, 'kubelet.json'),
    JSON.stringify(kubeletOf(directory, number, socket, cgroup)),
  );
  startProgram(directory, 'kubelet', kubelet, [
    ...[`--config=${join(directory, 'kubelet.json')}`, `--kubeconfig=${kubeconfig}`],
    ...[`--hostname-override=node-${number}`, `--node-ip=${address}`],
    ...[`--root-dir=${join(directory, 'kubelet')}`, `--cert-dir=${join(directory, 'pki')}`],
  ]);
}

/** A bridge whose address is the pods' way out. Nothing is translated: every pod is known by its own address. */
function networkOf(directory: string, number: number): object {
  const subnet = `10.213.${number + 100}.0/24`;
  return {
    ...{ cniVersion: '0.4.0', name: `pods-${number}` },
    plugins: [
      {
        ...{ type: 'bridge', bridge: `pods-${number}`, isGateway: true, ipMasq: false },
        ipam: {
          ...{ type: 'host-local', dataDir: join(directory, 'addresses') },
          ...{ ranges: [[{ subnet }]], routes: [{ dst: '0.0.0.0/0' }] },
        },
      },
    ],
  };
}

/** Lowering `oom_score_adj` is forbidden in some containers, and `runc` then dies without saying so. */
function containerdOf(directory: string, socket: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${directory}/containerd"
state = "${directory}/containerd-state"
[grpc]
  address = "${socket}"
[${cri}]
  restrict_oom_score_adj = true
  sandbox_image = "docker.io/${pauseName}"
  [${cri}.containerd]
    snapshotter = "overlayfs"
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${directory}/cni"
`;
}

function kubeletOf(directory: string, number: number, socket: string, cgroup: string): object {
  return {
    ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
    containerRuntimeEndpoint: `unix://${socket}`,
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    ...{ port: 10_250 + 100 * number, healthzPort: 10_248 + 100 * number, readOnlyPort: 0 },
    ...{ failCgroupV1: false, failSwapOn: false, cgroupDriver: 'cgroupfs', cgroupRoot: `/${cgroup}` },
    ...{ enforceNodeAllocatable: [], localStorageCapacityIsolation: false, makeIPTablesUtilChains: false },
    ...{ podLogsDir: join(directory, 'pod-logs'), volumePluginDir: join(directory, 'volume-plugins') },
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageMinimumGCAge: '24h',
  };
}
