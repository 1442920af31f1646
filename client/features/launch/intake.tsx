import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { type Preset, presetSchema } from '../../../shared/load-profile.ts';
import { problem } from '../../../shared/problem.ts';
import { measurementQuery } from '../../api/queries.ts';
import { Waiting } from '../../components/waiting.tsx';
import { formOfRun } from './form-of-run.ts';
import type { LaunchForm } from './form-shape.ts';
import { keepDraft, readDraft } from './launch-draft.ts';

/** What an address brings to the form: a scenario, or a run to be asked for again. */
type Brought = { scenario: string | null; again: string | null; preset: Preset | null };

/** Null where the form stays as it was. */
export function readIntake(address: URLSearchParams): Brought | null {
  const [scenario, again] = [address.get('scenario'), address.get('again')];
  if (scenario === null && again === null) return null;
  return { scenario, again, preset: presetSchema.safeParse(address.get('preset')).data ?? null };
}

/** Fills the form from the address and then clears the address, so that later edits survive a reload. */
export function Intake({ scenario, again, preset }: Brought) {
  const navigate = useNavigate();
  const run = useQuery({
    ...measurementQuery(again ?? ''),
    enabled: again !== null,
    throwOnError: true,
  }).data;
  if (run !== undefined && run.kind !== 'comparison') {
    throw problem('run_not_found', 'That measurement is not a run.');
  }
  const earlier = run === undefined ? null : formOfRun(run);
  const filled: LaunchForm | null = again === null ? readDraft() : earlier;
  useEffect(() => {
    if (filled === null) return;
    keepDraft({
      ...filled,
      ...(scenario === null ? {} : { scenario }),
      ...(preset === null ? {} : { preset }),
    });
    void navigate('/', { replace: true });
  });
  return <Waiting>Filling the form</Waiting>;
}
