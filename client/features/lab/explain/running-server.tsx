import type { Scheme } from '../../../../shared/base/transport.ts';
import { addressProblem, guessOther } from '../../../../shared/target/address-problem.ts';
import type { OriginsTarget } from '../../../../shared/target/target.ts';
import { FieldRow } from '../../../components/field-row.tsx';
import { AreaField, TextField } from '../../../components/form-fields.tsx';

/** Addresses of a server that is already running, as they are typed. */
type RunningServer = { http: string; https: string; ca: string; pid: string };

export const noAddresses: RunningServer = { http: '', https: '', ca: '', pid: '' };

/**
 * The target, and what is wrong with its fields. Of two addresses, one that is left out is guessed where ports usually go together.
 * @param needed schemes that the sides speak
 */
export function readRunning(
  typed: RunningServer,
  needed: ReadonlySet<Scheme>,
): { target: OriginsTarget; messages: Partial<RunningServer> } {
  const [ca, pid] = [typed.ca.trim(), typed.pid.trim()];
  const target: OriginsTarget = {
    kind: 'origins',
    ...(ca === '' ? {} : { ca }),
    ...(pid === '' ? {} : { pid: Number(pid) }),
  };
  const messages: Partial<RunningServer> = {};
  for (const scheme of needed) {
    const other = scheme === 'http' ? 'https' : 'http';
    const address = typed[scheme].trim() || guessOther(typed[other].trim(), other) || '';
    const problem = addressProblem(address, scheme);
    if (problem !== null) messages[scheme] = problem;
    target[scheme] = address;
  }
  if (!/^([1-9]\d{0,6})?$/.test(pid)) messages.pid = 'Give a process ID, a whole number above 0.';
  return { target, messages };
}

type Props = {
  form: RunningServer;
  set: (change: Partial<RunningServer>) => void;
  messages: Partial<RunningServer>;
};

export function RunningServerFields(props: Props) {
  return (
    <>
      <FieldRow>
        <TextField
          {...props}
          name="http"
          label="HTTP address"
          placeholder="http://127.0.0.1:8080"
          inputMode="url"
        />
        <TextField
          {...props}
          name="https"
          label="HTTPS address"
          placeholder="https://127.0.0.1:8443"
          inputMode="url"
        />
        <TextField
          {...props}
          name="pid"
          label="Process ID"
          placeholder="found by the listening port"
          inputMode="numeric"
        />
      </FieldRow>
      <AreaField
        {...props}
        name="ca"
        label="Certificate authority (PEM)"
        description="If the certificate is not signed by a public authority."
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={2}
      />
    </>
  );
}
