import type { Site } from '../../shared/scenario/recording.ts';
import { guessOther } from '../../shared/target/address-problem.ts';
import type { TargetInput, TargetKind } from '../../shared/target/target.ts';
import { targetChoices } from '../../shared/words/target-words.ts';

/** Targets for trying a scenario of your own. Servers that we start only serve documents. */
type TriedKind = Exclude<TargetKind, 'managed'>;

export const triedChoices = targetChoices.filter(({ value }) => value !== 'managed');

/** A target as it is filled in; what its kind does not need is kept while another one is chosen. */
export type TargetForm = { kind: TriedKind; http: string; https: string; ca: string };

export const noTarget: TargetForm = { kind: 'storefront', http: '', https: '', ca: '' };

/** Where a scenario was recorded, with the other side where it usually is; the storefront where nobody knows. */
export function targetOfSite(site: Site | null): TargetForm {
  if (site === null || site === 'storefront') return noTarget;
  const scheme = new URL(site).protocol === 'https:' ? 'https' : 'http';
  const other = scheme === 'https' ? 'http' : 'https';
  return { ...noTarget, kind: 'origins', [scheme]: site, [other]: guessOther(site, scheme) ?? '' };
}

/** What is wrong with an origin is the server's to say. Null while a field is still empty. */
export function targetOfForm({ kind, ...typed }: TargetForm): TargetInput | null {
  if (kind === 'storefront') return { kind };
  const [http, https, ca] = [typed.http.trim(), typed.https.trim(), typed.ca.trim()];
  if (http === '' || https === '') return null;
  return { kind, http, https, ...(ca === '' ? {} : { ca }) };
}
