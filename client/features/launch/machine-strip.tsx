import { useQuery } from '@tanstack/react-query';
import type { Preset } from '../../../shared/kinds/comparison/load-choice.ts';
import { machineQuery } from '../../api/queries.ts';
import classes from './launch-card.module.css';
import { machineInWords } from './machine-in-words.ts';

/** How quiet the machine is now, and what that leaves to expect of the plan. */
export function MachineStrip({ preset }: { preset: Preset }) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <p className={classes.machine} data-testid="machine">
      {machine === undefined ? 'Checking this machine.' : machineInWords(machine, preset)}
    </p>
  );
}
