import type { Unsupported } from '../../../../shared/scenario/recording.ts';
import { escapeTemplate } from '../../scenario/template.ts';
import type { DraftRequest } from '../draft-request.ts';
import { mostRequests, readCommands } from './read-commands.ts';

type CurlCommands = {
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Whether a command keeps cookies for itself or for later ones. */
  keepsCookies: boolean;
};

/** Nobody reads a longer list. */
const mostReasons = 1000;

/**
 * The requests of one or more curl command lines, each as curl would send it. If that is not certain, the command is left out
 * and listed with the reason. Throws import_unreadable when there is no curl command.
 */
export function parseCurl(text: string): CurlCommands {
  const requests: DraftRequest[] = [];
  const unsupported: Unsupported[] = [];
  let keepsCookies = false;
  for (const { line, requests: read, reasons, keepsCookies: keeps = false } of readCommands(text)) {
    if (requests.length + read.length > mostRequests || unsupported.length >= mostReasons) {
      unsupported.push({ line, reason: tooLong });
      break;
    }
    keepsCookies ||= keeps;
    for (const request of read) requests.push(asTemplate(request));
    for (const reason of reasons) unsupported.push({ line, reason });
  }
  return { requests, unsupported, keepsCookies };
}

const tooLong = `From this line on, nothing is imported. A text may have ${mostRequests} requests and ${mostReasons} lines that are left out.`;

/** curl has no variables of a scenario: what looks like one is text. */
function asTemplate(request: DraftRequest): DraftRequest {
  const { path, headers, body } = request;
  return {
    ...request,
    ...(path === undefined ? {} : { path: escapeTemplate(path) }),
    headers: headers.map(([name, value]) => [name, escapeTemplate(value)]),
    body: body === null ? null : escapeTemplate(body),
  };
}
