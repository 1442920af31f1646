import type { Arm } from '../../shared/base/transport.ts';
import type { MeasuredServer } from '../../shared/target/target.ts';
import { printWitness } from '../format/server-witness.ts';
import { Facts } from './facts.tsx';
import { Section } from './section.tsx';
import { SourceFiles } from './source-files.tsx';

const listeners: Record<Arm, string> = { baseline: 'HTTP', comparison: 'HTTPS', twin: 'twin' };

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
