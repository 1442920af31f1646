import { labelsOf } from '../../../../shared/base/transport.ts';
import { serversOf, serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { MeasuredServer, ServerWitness } from '../../../../shared/target/target.ts';
import { Card } from '../../../components/card.tsx';
import { type Fact, Facts } from '../../../components/facts.tsx';
import { Fold } from '../../../components/fold.tsx';
import { served } from '../../../components/served.ts';
import { SourceFiles } from '../../../components/source-files.tsx';
import { printWitness } from '../../../format/server-witness.ts';

/** The servers that were started for the run, with the configuration that was measured; nothing without any. */
export function ServerSection({ document }: { document: ShownRun }) {
  const servers = serversOf(document);
  if (servers.length === 0) return null;
  const names = labelsOf(document.sides);
  const titles = { ...names, twin: 'Twin' };
  const lead = [...new Set(servers.map(({ title, version }) => `${title} ${version}`))].join(', ');
  return (
    <Fold id="server" title={servers.length === 1 ? 'Server' : 'Servers'} lead={lead}>
      <Card>
        <Facts
          facts={[
            ...factsOfServers(document),
            {
              name: 'Configuration',
              value: served ? (
                <a href={`/api/v1/measurements/${document.id}/configuration`}>Download all files</a>
              ) : null,
            },
          ]}
        />
        <SourceFiles
          files={servers.flatMap(({ files }) =>
            files.map(({ arm, name, text }) => ({ name: `${titles[arm]}: ${name}`, text })),
          )}
        />
      </Card>
    </Fold>
  );
}

/** Of one server, or of the baseline's and then the comparison's. */
function factsOfServers(document: ShownRun): Fact[] {
  const { baseline, comparison } = serversOfSides(document);
  const labels = labelsOf(document.sides);
  if (baseline === null || comparison === null) return [];
  if (baseline !== comparison) {
    return [
      ...factsOf(baseline, `, ${labels.baseline}`),
      witnessFact(baseline.witness, `, ${labels.baseline}`),
      ...factsOf(comparison, `, ${labels.comparison}`),
      witnessFact(comparison.witness, `, ${labels.comparison}`),
    ];
  }
  const { baselineWitness } = comparison;
  const of = (label: string) => (baselineWitness === undefined ? '' : `, ${label}`);
  return [
    ...factsOf(comparison, ''),
    witnessFact(baselineWitness ?? null, of(labels.baseline)),
    witnessFact(comparison.witness, of(labels.comparison)),
  ];
}

function factsOf({ title, version, tlsLibrary }: MeasuredServer, of: string): Fact[] {
  return [
    { name: `Server${of}`, value: `${title} ${version}` },
    { name: `TLS library${of}`, value: tlsLibrary ?? 'not readable' },
  ];
}

function witnessFact(witness: ServerWitness | null, of: string): Fact {
  return { name: `Check at both ends${of}`, value: witness && printWitness(witness) };
}
