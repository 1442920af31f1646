import type { Scheme } from '../../../shared/base/transport.ts';
import { guessOther } from '../../../shared/target/address-problem.ts';
import type { LaunchForm } from './form-shape.ts';
import { sharedScheme } from './side-form.ts';

/** The other side as it usually is, where one address of two is given; null where both are, or nobody can tell. */
export function guessOf(form: LaunchForm): { side: Scheme; address: string } | null {
  if (sharedScheme(form) !== null) return null;
  const [http, https] = [form.http.trim(), form.https.trim()];
  const side = https === '' ? 'https' : http === '' ? 'http' : null;
  if (side === null) return null;
  const address = side === 'https' ? guessOther(http, 'http') : guessOther(https, 'https');
  return address === null ? null : { side, address };
}
