import { problem } from '../../../shared/base/problem.ts';
import {
  type BySide,
  bySide,
  type Scheme,
  type SideName,
  schemeOf,
  sideNames,
  type Transport,
  transports,
} from '../../../shared/base/transport.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import { readText } from './read-text.ts';

/** What `--baseline` and `--comparison` say, with the options that start like them. */

type TextOption = SideName | `${SideName}${'Name' | 'Server' | 'ClientCert' | 'Ca'}`;

type Given = { null?: boolean | undefined } & { [Option in TextOption]?: string | undefined } & {
  [Option in `${SideName}Pid`]?: number | undefined;
};

/** The two sides as a request has them, without what comes from the table. Throws invalid_arguments, file_unreadable. */
export function sidesIn(given: Given): BySide<OwnSide> {
  if (given.null && (given.baseline ?? given.comparison) !== undefined) {
    throw problem(
      'invalid_arguments',
      '--null compares HTTP with HTTP. Leave out --baseline and --comparison.',
    );
  }
  return bySide((side) => {
    const [name, server, ca, cert, pid] = (['Name', 'Server', 'Ca', 'ClientCert', 'Pid'] as const).map(
      (option) => given[`${side}${option}`],
    );
    const target = {
      ...originIn(side, given[side]),
      ...(server === undefined ? {} : { server }),
      ...(ca === undefined ? {} : { ca: readText(String(ca), `--${side}-ca`) }),
      ...(cert === undefined ? {} : { clientCertificate: readText(String(cert), `--${side}-client-cert`) }),
      ...(pid === undefined ? {} : { pid }),
    };
    return {
      ...(name === undefined ? {} : { name }),
      ...spokenIn(given[side], given.null === true),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
  });
}

/** Of what the sides speak where they have no address of their own. */
export function schemesOf(sides: BySide<OwnSide>): Set<Scheme> {
  const usual: BySide<Transport> = { baseline: 'http', comparison: 'https' };
  const open = sideNames.filter((side) => !hasAddress(sides[side]));
  return new Set(open.map((side) => schemeOf(sides[side].transport ?? usual[side])));
}

export function hasAddress({ target }: OwnSide): boolean {
  return target !== undefined && 'origin' in target;
}

export type OwnSide = {
  transport?: Transport | undefined;
  tls?: object | undefined;
  target?: object | undefined;
};

/** What is given later counts. */
export function mergeSides(...layers: Partial<BySide<OwnSide>>[]): BySide<OwnSide> {
  return bySide((side) => {
    const own = layers.map((layer) => layer[side] ?? {});
    const [tls, target] = (['tls', 'target'] as const).map((part) =>
      Object.assign({}, ...own.map((each) => each[part])),
    );
    return {
      ...Object.assign({}, ...own),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
  });
}

/** Given by its name, or by the start of an address. */
function spokenIn(text: string | undefined, isNull: boolean): { transport?: Transport } {
  if (isNull) return { transport: 'http' };
  const named = transports.find((each) => each === text?.toLowerCase());
  if (named !== undefined) return { transport: named };
  const scheme = /^(https?):/i.exec(text ?? '')?.[1]?.toLowerCase();
  return scheme === undefined ? {} : { transport: scheme as Transport };
}

function originIn(side: SideName, text: string | undefined): { origin?: string } {
  if (text === undefined || transports.some((each) => each === text.toLowerCase())) return {};
  const { transport } = spokenIn(text, false);
  if (transport === undefined) {
    throw problem(
      'invalid_arguments',
      `--${side} takes an address such as https://127.0.0.1:8443, or http, https, h2c or h2, not "${text}".`,
    );
  }
  const wrong = addressProblem(text, schemeOf(transport));
  if (wrong !== null) throw problem('invalid_arguments', `--${side}: ${wrong}`);
  return { origin: text };
}
