import { useState } from 'react';
import { type SweepPreset, sweepPresets } from '../../../shared/sweep-presets.ts';
import { troubleOf } from '../../api/trouble.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import classes from './sweeps.module.css';

const choices: { value: SweepPreset; title: string; body: string }[] = [
  {
    value: 'servers',
    title: 'Servers of today',
    body: 'nginx, Apache and lighttpd with two ciphers, three keys, connections kept or not, 1 to 320 at a time: 108 cells, six rounds.',
  },
  {
    value: 'malmgren-2011',
    title: 'Malmgren 2011',
    body: 'The study’s factors with ciphers of today, 5,496 bytes, sequential and 320 at a time: 72 cells, six rounds.',
  },
];

/** Asks for a factor sweep by its name; own plans come from the command line. */
export function FactorsCard() {
  const [preset, setPreset] = useState<SweepPreset>('servers');
  const launch = useCreateMeasurement();
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          launch.mutate({ kind: 'sweep', plan: sweepPresets[preset] });
        }}
      >
        <ChoiceCards legend="Plan" name="preset" value={preset} choices={choices} onChange={setPreset} />
        <p>
          Plans of your own: <code>npx tls-toll sweep --help</code>.
        </p>
        {launch.error === null ? null : <TroubleNotice trouble={troubleOf(launch.error)} />}
        <div>
          <ActionButton type="submit" size="md" pending={launch.isPending}>
            Measure the cells
          </ActionButton>
        </div>
      </form>
    </Card>
  );
}
