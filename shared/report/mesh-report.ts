import { printNumber, printUsEstimate } from '../base/quantity.ts';
import { describePlacement, loadInWords } from '../kinds/comparison/at-load.ts';
import {
  armTitle,
  type MeshDocument,
  type MeshRole,
  type MeshShiftName,
  meshHeadline,
  meshRoles,
  meshSentences,
  meshShiftNames,
  printPercentInterval,
  printUsShift,
  roleTitles,
} from '../kinds/mesh/mesh.ts';
import { softwareInWords } from '../words/negotiated-words.ts';
import {
  type Finding,
  figures,
  leadOf,
  quantities,
  type ReportCell,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** The toll of a mesh: two shifts, and where CPU and time go on each path. */
export function meshFinding(document: MeshDocument): Finding {
  const { request, launches, load, application, proxy, cpu } = document;
  const headline = meshHeadline(document);
  return {
    title: headline?.title ?? 'The toll of a mesh',
    lead: [...leadOf(headline), text(...meshSentences(document))],
    measured: `${launches.length} of ${request.launches} starts${load === null ? '' : `, ${loadInWords(load)}`}.`,
    about: [
      'CPU is that of the processes of the target, by the process CPU clock; latency is that of one user.',
    ],
    sections:
      cpu.proxy === null
        ? []
        : [
            { id: 'cost', heading: 'What it costs', parts: [shiftTable(document)] },
            { heading: 'CPU and latency', parts: [pathTable(document)] },
          ],
    where: [
      `Application: ${[application.title, application.version].filter(Boolean).join(' ')}`,
      `Proxy: ${softwareInWords(proxy)}`,
      describePlacement(document.placement),
    ],
  };
}

/** Cost that the proxies add, that TLS in them adds, and that noise adds. */
function shiftTable({ cpu, latency, request }: MeshDocument): TablePart {
  const titles: Record<MeshShiftName, string> = {
    proxy: request.clientProxy ? 'Proxies, without TLS' : 'Proxy, without TLS',
    tls: request.mutual ? 'Mutual TLS in addition' : 'TLS in addition',
    twin: 'Control: direct again',
  };
  return table(
    [
      ...texts('Cost of'),
      ...quantities(['CPU at full load', 'cpu/difference'], ['CPU, of direct', 'cpu/change']),
      ...quantities(['Latency, one user', 'lone/difference'], ['Latency, of direct', 'lone/change']),
    ],
    meshShiftNames.map((name) => [
      titles[name],
      ...[cpu[name], latency[name]].flatMap((shift): ReportCell[] =>
        shift === null ? [null, null] : [printUsShift(shift.us), printPercentInterval(shift.percent)],
      ),
    ]),
    'Added cost per request, compared with direct (95 % CI)',
    meshShiftNames.map((name) => `mesh/${name}`),
  );
}

/** CPU of a request on each path, by process, and its latency. */
export function pathTable({ arms, request }: Pick<MeshDocument, 'arms' | 'request'>): TablePart {
  const roles = rolesOf(arms);
  return table(
    [
      ...texts('Path'),
      ...quantities(...roles.map((role) => [roleTitles[role], role] as const)),
      ...quantities(['All CPU', 'cpu'], ['Latency', 'latency']),
      ...figures('Requests'),
    ],
    arms.map(({ arm, cpuUs, parts, latencyUs, requests }) => [
      armTitle(arm, request),
      ...[...roles.map((role) => parts.find((part) => part.role === role)?.cpuUs), cpuUs, latencyUs].map(
        (us) => (us == null ? null : printUsEstimate(us)),
      ),
      printNumber(requests, 0),
    ]),
    'CPU and latency per request, µs with 95 % CI',
    arms.map(({ arm }) => `mesh/path-${arm}`),
  );
}

/** The processes that some path has. */
export function rolesOf(arms: MeshDocument['arms']): MeshRole[] {
  return meshRoles.filter((role) => arms.some(({ parts }) => parts.some((part) => part.role === role)));
}
