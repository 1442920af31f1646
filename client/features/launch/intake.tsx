import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { problem } from '../../../shared/base/problem.ts';
import type { Site } from '../../../shared/scenario/import.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { Waiting } from '../../components/action-button.tsx';
import { formOfRun } from './form-of-run.ts';
import { agentFields, exporterFields, type LaunchForm } from './form-shape.ts';
import { type Brought, keepDraft, readDraft } from './launch-draft.ts';
import { splitAddress } from './pasted-address.ts';

/** Fills the form from the address and then clears the address, so that later edits survive a reload. */
export default function Intake({ scenario, again, length }: Brought) {
  const navigate = useNavigate();
  const run = useQuery({
    ...measurementQuery(again ?? ''),
    enabled: again !== null,
    throwOnError: true,
  }).data;
  if (run !== undefined && run.kind !== 'comparison') {
    throw problem('run_not_found', 'That measurement is not a run.');
  }
  const chosen = useQuery({
    ...scenarioQuery(scenario ?? ''),
    enabled: scenario !== null,
    throwOnError: true,
  }).data;
  const earlier = run === undefined ? null : formOfRun(run);
  const form: LaunchForm | null = again === null ? readDraft() : earlier;
  const isKnown = scenario === null || chosen !== undefined;
  const filled = isKnown && form !== null ? { ...form, ...targetOfSite(chosen?.site ?? null, form) } : null;
  useEffect(() => {
    if (filled === null) return;
    keepDraft({
      ...filled,
      ...(scenario === null ? {} : { scenario }),
      ...(length === null ? {} : { length }),
    });
    void navigate('/', { replace: true });
  });
  return <Waiting>Filling the form</Waiting>;
}

/** Target fields for the site of a recorded scenario; empty if the form already has that site. */
export function targetOfSite(site: Site | null, form: LaunchForm): Partial<LaunchForm> {
  if (site === null) return {};
  if (site === 'storefront') return { targetKind: 'storefront' };
  if (form.targetKind === 'origins' && [form.http, form.https].includes(site)) return {};
  const ofHost = [
    'ca',
    'trust',
    'twin',
    'pid',
    ...agentFields,
    ...exporterFields,
  ] as const satisfies readonly (keyof LaunchForm)[];
  return {
    targetKind: 'origins',
    ...Object.fromEntries(ofHost.map((name) => [name, ''])),
    ...splitAddress(site, form),
  };
}
