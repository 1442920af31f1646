import { printNumber, printUsEstimate } from '../../../../shared/base/quantity.ts';
import { loadInWords } from '../../../../shared/kinds/comparison/at-load.ts';
import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import {
  type MeshDocument,
  type MeshShiftName,
  meshRoles,
  meshShiftNames,
} from '../../../../shared/kinds/mesh/mesh.ts';
import {
  armTitle,
  meshSentences,
  printPercentInterval,
  printUsInterval,
  roleTitles,
} from '../../../../shared/kinds/mesh/mesh-sentence.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import { figures, type Report, table, text, texts } from '../../../base/text/report/report.ts';

/** The toll of a mesh: two shifts, and where CPU and time go on each arm. */
export function reportMesh(document: MeshDocument): Report {
  const { arms, request, launches, load, application, proxy } = document;
  const [title = 'The toll of a mesh', ...others] = meshSentences(document);
  const roles = meshRoles.filter((role) =>
    arms.some(({ parts }) => parts.some((part) => part.role === role)),
  );
  const cells = arms.map(({ arm, cpuUs, parts, latencyUs, requests }) => [
    armTitle(arm, request),
    cpuUs === null ? null : printUsEstimate(cpuUs),
    ...roles.map((role) => {
      const part = parts.find((each) => each.role === role);
      return part === undefined ? null : printUsEstimate(part.cpuUs);
    }),
    latencyUs === null ? null : printUsEstimate(latencyUs),
    printNumber(requests, 0),
  ]);
  const measured = launches.length >= 3;
  return reportOf(document, {
    title,
    lead: [text(...others)],
    measured: `${launches.length} of ${request.launches} launches${load === null ? '' : `, ${loadInWords(load)}`}.`,
    about: [
      'CPU is that of the processes of the target, by the process CPU clock; latency is that of one user.',
    ],
    sections: [
      { heading: 'What it costs', parts: [table(shiftColumns, measured ? shiftRows(document) : [])] },
      {
        heading: 'CPU and latency of a request, µs with 95 % CI',
        parts: [
          table(
            [
              ...texts('Path'),
              ...figures('CPU', ...roles.map((role) => roleTitles[role]), 'Latency', 'Requests'),
            ],
            measured ? cells : [],
          ),
        ],
      },
    ],
    where: [
      `Application: ${[application.title, application.version].filter(Boolean).join(' ')}`,
      `Proxy: ${softwareInWords(proxy)}`,
      describePlacement(document.placement),
    ],
  });
}

const shiftColumns = [...texts(''), ...figures('CPU', 'of direct', 'Latency', 'of direct')];

function shiftRows({ cpu, latency, request }: MeshDocument) {
  const titles: Record<MeshShiftName, string> = {
    proxy: request.clientProxy ? 'Proxies' : 'Proxy',
    tls: request.mutual ? 'Mutual TLS' : 'TLS',
    twin: 'Null check',
  };
  return meshShiftNames.map((name) => [
    titles[name],
    ...[cpu[name], latency[name]].flatMap((shift) =>
      shift === null ? [null, null] : [printUsInterval(shift.us), printPercentInterval(shift.percent)],
    ),
  ]);
}
