import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { MeasuredServer } from '../../../../shared/target/target.ts';
import { Card } from '../../../components/card.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Fold } from '../../../components/fold.tsx';
import { served } from '../../../components/served.ts';
import { SourceFiles } from '../../../components/source-files.tsx';
import { printWitness } from '../../../format/server-witness.ts';
import { sidesOf } from '../../../format/side.ts';

type Props = { document: ShownRun; server: MeasuredServer };

/** The server that was started for the run, with the configuration that was measured. */
export function ServerSection({ document: { id, sides }, server }: Props) {
  const { title, version, tlsLibrary, witness, files } = server;
  const names = sidesOf(sides);
  const titles = { baseline: names.baseline.label, comparison: names.comparison.label, twin: 'Twin' };
  return (
    <Fold id="server" title="Server" lead={`${title} ${version}`}>
      <Card>
        <Facts
          facts={[
            { name: 'Server', value: `${title} ${version}` },
            { name: 'TLS library', value: tlsLibrary ?? 'not readable' },
            ...(witness === null ? [] : [{ name: 'Check at both ends', value: printWitness(witness) }]),
            ...(served
              ? [
                  {
                    name: 'Configuration',
                    value: <a href={`/api/v1/measurements/${id}/configuration`}>Download all files</a>,
                  },
                ]
              : []),
          ]}
        />
        <SourceFiles
          files={files.map(({ arm, name, text }) => ({ name: `${titles[arm]}: ${name}`, text }))}
        />
      </Card>
    </Fold>
  );
}
