import type { Site } from '../../../shared/scenario/recording.ts';
import { agentFields, exporterFields, type LaunchForm } from './form-shape.ts';
import { splitAddress } from './pasted-address.ts';

/** What the form says of a target where a scenario was recorded; nothing new where it is filled in for that place already. */
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
