import type { Environment } from '../../shared/environment.ts';
import { printBytes } from '../format/bytes.ts';
import { type Fact, Facts } from './facts.tsx';

/** Where something was measured: everything that can move its figures. */
export function MachineFacts({ machine }: { machine: Environment }) {
  return <Facts facts={machineFacts(machine)} />;
}

function machineFacts(machine: Environment): Fact[] {
  return [
    {
      name: 'Processor',
      value: `${machine.cpuModel}, ${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}`,
    },
    { name: 'Useful to TLS', value: machine.cpuFlags.join(' ') || 'no flags known' },
    { name: 'Memory', value: printBytes(machine.memoryBytes) },
    { name: 'System', value: `${machine.platform}, ${machine.kernel}` },
    { name: 'Frequency governor', value: machine.governor ?? 'not readable' },
    { name: 'Node', value: machine.node },
    { name: 'OpenSSL', value: machine.openssl },
    { name: 'TLS Toll', value: machine.product },
    {
      name: 'Client and server',
      value: machine.sharedMachine
        ? 'on this one machine, sharing its caches and power budget'
        : 'on different machines',
    },
  ];
}
