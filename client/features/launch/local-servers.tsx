import { useQuery } from '@tanstack/react-query';
import type { LocalServer } from '../../../shared/target/local-server.ts';
import { localServersQuery } from '../../api/queries.ts';
import classes from './launch.module.css';

type Props = {
  /** Once somebody is at the field: each of them is asked whether it speaks HTTP or TLS. */
  wanted: boolean;
  onChoose: (addresses: string) => void;
};

/** What answers on this machine, to choose instead of typing. */
export function LocalServers({ wanted, onChoose }: Props) {
  const { data: servers = [] } = useQuery({ ...localServersQuery, enabled: wanted });
  if (servers.length === 0) return null;
  return (
    <ul className={classes.found} aria-label="Servers on this machine">
      {servers.map((server) => (
        <li key={addressesOf(server)}>
          <button type="button" onClick={() => onChoose(addressesOf(server))}>
            {titleOf(server)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The first of each: which of several belong together is anybody's guess. */
function addressesOf({ http: [plain], https: [secure] }: LocalServer): string {
  return [
    ...(plain === undefined ? [] : [`http://127.0.0.1:${plain}`]),
    ...(secure === undefined ? [] : [`https://127.0.0.1:${secure}`]),
  ].join(' ');
}

/** `nginx on :8080 and :8443`. */
function titleOf({ program, http: [plain], https: [secure] }: LocalServer): string {
  const ports = [plain, secure].flatMap((port) => (port === undefined ? [] : [`:${port}`]));
  return `${program ?? 'A server'} on ${ports.join(' and ')}`;
}
