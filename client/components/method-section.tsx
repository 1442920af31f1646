import type { ReactNode } from 'react';
import type { Environment } from '../../shared/base/environment.ts';
import type { NegotiatedTls } from '../../shared/base/tls-profile.ts';
import type { Arm } from '../../shared/base/transport.ts';
import {
  type AtLoad,
  describePlacement,
  loadInWords,
  type Placement,
} from '../../shared/kinds/comparison/at-load.ts';
import { printLabels } from '../../shared/measurement/runner-labels.ts';
import type { MeasuredServer } from '../../shared/target/target.ts';
import { printUsers } from '../../shared/words/side-words.ts';
import { printBytes, printCount } from '../format/printed-figures.ts';
import { printWitness } from '../format/server-choice.ts';
import { Card, type Fact, Facts, Section } from './card.tsx';
import classes from './page.module.css';
import { SourceFiles } from './result-head.tsx';
import { Fold } from './term.tsx';

type Props = {
  plan: readonly Fact[];
  machine: Environment;
  /** Null where nothing was pinned; left out where there is no target. */
  placement?: Placement | null;
  children?: ReactNode;
};

/** How something was measured, and where: everything that can move its figures. */
export function MethodSection({ plan, machine, placement, children }: Props) {
  return (
    <Fold id="method" title="How it was measured" printed>
      <div className={classes.methodSectionColumns}>
        <Card>
          <h3>Settings</h3>
          <Facts facts={plan} />
        </Card>
        <Card>
          <h3>Machine</h3>
          <Facts facts={machineFacts(machine, placement)} />
        </Card>
      </div>
      {children}
    </Fold>
  );
}

function machineFacts(machine: Environment, placement: Placement | null | undefined): Fact[] {
  return [
    { name: 'Runner', value: runnerOf(machine) },
    { name: 'Processor', value: `${machine.cpuModel}, ${printCount(machine.cores, 'core')}` },
    { name: 'CPU features for TLS', value: machine.cpuFlags.join(' ') || 'unknown' },
    { name: 'Memory', value: printBytes(machine.memoryBytes) },
    { name: 'System', value: `${machine.platform}, ${machine.kernel}` },
    { name: 'Frequency governor', value: machine.governor ?? 'not readable' },
    { name: 'Node', value: machine.node },
    { name: 'OpenSSL', value: machine.openssl },
    { name: 'TLS Toll', value: machine.product },
    {
      name: 'Client and server',
      value: machine.sharedMachine
        ? 'on the same machine, sharing its caches and power budget'
        : 'on different machines',
    },
    { name: 'Cores', value: placement === undefined ? null : describePlacement(placement) },
  ];
}

/** Only where there are several. */
function runnerOf({ runner }: Environment): string | null {
  if (runner === undefined) return null;
  const labels = printLabels(runner.labels);
  return labels === '' ? runner.name : `${runner.name} (${labels})`;
}

type Loaded = {
  negotiated: NegotiatedTls | null;
  load: AtLoad | null;
  placement: Parameters<typeof describePlacement>[0];
  seed: number;
};

export function loadFacts({ negotiated, load, placement, seed }: Loaded) {
  const agreed = [negotiated?.protocol, negotiated?.cipher, negotiated?.group].filter((word) => word != null);
  return [
    { name: 'TLS', value: negotiated && agreed.join(', ') },
    { name: 'Load', value: load && `${printUsers(load.users)}, ${loadInWords(load)}` },
    { name: 'Cores', value: describePlacement(placement) },
    { name: 'Seed', value: <code>{seed}</code> },
  ];
}

const listeners: Record<Arm, string> = { baseline: 'HTTP', comparison: 'HTTPS', twin: 'control' };

export function MeasuredServers({ servers }: { servers: readonly MeasuredServer[] }) {
  if (servers.length === 0) return null;
  return (
    <Section id="servers" title={servers.length === 1 ? 'Server' : 'Servers'} card>
      <Facts
        facts={servers.map(({ title, version, tlsLibrary, witness }) => ({
          name: title,
          value: [
            `${version}, ${tlsLibrary ?? 'TLS library not readable'}`,
            ...(witness === null ? [] : [printWitness(witness)]),
          ].join('. '),
        }))}
      />
      <SourceFiles
        files={servers.flatMap(({ title, files }) =>
          files.map(({ arm, name, text }) => ({ name: `${title}, ${listeners[arm]}: ${name}`, text })),
        )}
      />
    </Section>
  );
}
