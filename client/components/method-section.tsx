import type { ReactNode } from 'react';
import type { Environment } from '../../shared/environment.ts';
import { printBytes } from '../format/bytes.ts';
import { Card } from './card.tsx';
import { type Fact, Facts } from './facts.tsx';
import { Fold } from './fold.tsx';
import classes from './method-section.module.css';

type Props = { plan: readonly Fact[]; machine: Environment; children?: ReactNode };

/** How something was measured, and where: everything that can move its figures. */
export function MethodSection({ plan, machine, children }: Props) {
  return (
    <Fold id="method" title="How it was measured">
      <div className={classes.columns}>
        <Card>
          <h3>Plan</h3>
          <Facts facts={plan} />
        </Card>
        <Card>
          <h3>Machine</h3>
          <Facts facts={machineFacts(machine)} />
        </Card>
      </div>
      {children}
    </Fold>
  );
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
