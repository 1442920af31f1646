import { printMoment } from '../../shared/base/moment.ts';
import type { ShownMeasurement } from '../../shared/measurement/shown-measurement.ts';
import { CommandLine } from '../components/command-line.tsx';
import { Facts } from '../components/facts.tsx';
import { Section } from '../components/section.tsx';
import classes from './file.module.css';

/** When and where it was measured, for a reader who has nothing but the file. */
export function AboutFile({ document }: { document: ShownMeasurement }) {
  const { id, createdAt, environment, command } = document;
  const cores = `${environment.cores} ${environment.cores === 1 ? 'core' : 'cores'}`;
  return (
    <div className={classes.about}>
      <Section
        id="about"
        title="About this file"
        lead="It holds what the page of the result shows, needs no server, and sends nothing. Raw figures are in the JSON of the result."
        card
      >
        <Facts
          facts={[
            { name: 'Measured', value: printMoment(createdAt) },
            {
              name: 'On',
              value: `${environment.cpuModel}, ${cores}, ${environment.platform}, ${environment.kernel}`,
            },
            { name: 'TLS Toll', value: environment.product },
            { name: 'Result', value: <code>{id}</code> },
            { name: 'Repeat it', value: <CommandLine command={command} /> },
          ]}
        />
      </Section>
    </div>
  );
}
