import { capsSchema, type Listener } from '../../../shared/target/target.ts';
import {
  demandAllowable,
  type Host,
  isAddress,
  judgeAddress,
  type OwnListener,
  parseHost,
  printHost,
  reasonAgainstOwn,
} from '../../base/addresses/target-policy.ts';

/** A target that a generator may load, from the command line on its own host. `port` is null for any port. */
export type AllowedTarget = { host: Host; port: number | null };

type Judgement = { valid: true; allowed: AllowedTarget } | { valid: false; reason: string };

/** Resolves a name to its addresses, on this host. */
type LookUp = (hostname: string) => Promise<readonly string[]>;

/** Parses a name, an address, or a range, each with or without a port. */
export function parseAllowed(text: string): Judgement {
  const [, bracketed, single, port] = /^(?:(\[[^\]]*\])|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? single ?? text;
  if (Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    return refused(`“${text}” has no port from 1 to 65535.`);
  const judgement = parseHost(host);
  if (!judgement.valid) return judgement;
  const never = demandAllowable(judgement.host);
  if (never !== null)
    return refused(never.replace(', which is always allowed', ', which a generator never loads'));
  return { valid: true, allowed: { host: judgement.host, port: port === undefined ? null : Number(port) } };
}

export function printAllowed({ host, port }: AllowedTarget): string {
  const printed = printHost(host);
  if (port === null) return printed;
  return printed.includes(':') ? `[${printed}]:${port}` : `${printed}:${port}`;
}

/**
 * Why this host must not load a listener; null when it may. Looks names up itself, so the dashboard cannot choose the address.
 * @param own where the dashboard listens
 */
export async function reasonAgainstLoading(
  { hostname, address, port, permit }: Pick<Listener, 'hostname' | 'address' | 'port' | 'permit'>,
  allowed: readonly AllowedTarget[],
  { lookUp, own }: { lookUp: LookUp; own: readonly OwnListener[] },
): Promise<string | null> {
  const verdict = judgeAddress(address, address, [{ host: address, caps }]);
  if (!verdict.permitted) return verdict.reason;
  if (verdict.permit === null) return `${address} is this machine, which a generator never loads.`;
  if (permit === undefined) return `the dashboard names no limits for ${address}.`;
  const isOwn = reasonAgainstOwn(address, port, own);
  if (isOwn !== null) return isOwn;
  for (const { host, port: only } of allowed) {
    const isMeant = (only ?? port) === port;
    if (!isMeant || !judgeAddress(address, hostname, [{ host: printHost(host), caps }]).permitted) continue;
    if (host.kind === 'range') return null;
    const addresses = await lookUp(host.name).catch(() => []);
    if (addresses.some((each) => isAddress(each, address))) return null;
  }
  const named = hostname === address ? address : `${hostname} (${address})`;
  return `it may not load ${named} with port ${port}. Start it with --allow ${hostname}.`;
}

/** Not used: the question is only whether an address is covered. */
const caps = capsSchema.parse({});

function refused(reason: string): Judgement {
  return { valid: false, reason };
}
