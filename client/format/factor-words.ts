import { printNumber } from '../../shared/base/quantity.ts';
import type { CellSettings, FactorName } from '../../shared/kinds/servers/servers.ts';
import { serverTitles } from '../../shared/words/target-words.ts';

/** How screens call the factors, in the order of a table. */
export const factorTitles: Record<FactorName, string> = {
  server: 'Server',
  protocol: 'Protocol',
  cipher: 'Cipher',
  key: 'Key',
  keepAlive: 'Keep-alive',
  resumption: 'Resumption',
  clientCertificates: 'Client certificates',
  kTls: 'Kernel TLS',
  concurrency: 'Connections',
  document: 'Document',
};

export function printLevel<Name extends FactorName>(factor: Name, level: CellSettings[Name]): string {
  switch (factor) {
    case 'server':
      return serverTitles[level as CellSettings['server']];
    case 'protocol':
      return String(level).replace('v', ' ');
    case 'cipher':
      return level === null ? 'library’s choice' : String(level);
    case 'keepAlive':
      return level === true ? 'kept open' : 'new for each request';
    case 'resumption':
      return level === true ? 'resumed' : 'full handshakes';
    case 'clientCertificates':
      return level === true ? 'mutual TLS' : 'no client certificate';
    case 'kTls':
      return level === true ? 'kTLS' : 'TLS in the server';
    case 'concurrency':
      return level === 1 ? '1 connection' : `${printNumber(Number(level), 0)} connections`;
    case 'document':
      return `${printNumber(Number(level), 0)} bytes`;
    default:
      return String(level);
  }
}

/** Those that differ between cells. */
export function varying(cells: readonly { settings: CellSettings }[]): FactorName[] {
  const [first] = cells;
  return (Object.keys(factorTitles) as FactorName[]).filter((factor) =>
    cells.some(({ settings }) => settings[factor] !== first?.settings[factor]),
  );
}
