import type { Request, Response } from 'playwright-core';
import { recordingLimits } from '../../../../shared/scenario/recording.ts';
import { withinTime } from '../../../base/process/within-time.ts';

/** As a HAR has it; times are the recording's own. A browser too busy to answer loses details of an exchange, not the exchange. */
export async function harEntryOf(request: Request, durationMs: number): Promise<unknown> {
  const response = request.existingResponse();
  const sent = request.postDataBuffer();
  const [sentHeaders, receivedHeaders, text] = await Promise.all([
    headersOf(request),
    response === null ? [] : headersOf(response),
    response === null ? null : textOf(response),
  ]);
  return {
    startedDateTime: new Date(0).toISOString(),
    time: durationMs,
    request: {
      method: request.method(),
      url: request.url(),
      headers: withoutProxyHeader(sentHeaders),
      ...(sent === null ? {} : { postData: postDataOf(sent, request) }),
    },
    response:
      response === null
        ? { status: 0 }
        : {
            status: response.status(),
            headers: receivedHeaders,
            content: { mimeType: mimeTypeOf(response), text },
          },
    _resourceType: request.resourceType(),
  };
}

/** As they went over the wire, or else as the page knows them. */
async function headersOf(message: Request | Response): Promise<{ name: string; value: string }[]> {
  const known = await withinTime(message.headersArray(), answerMs, null);
  return known ?? Object.entries(message.headers()).map(([name, value]) => ({ name, value }));
}

/** What it says to the egress is not said to a server. */
function withoutProxyHeader(headers: { name: string; value: string }[]) {
  return headers.filter(({ name }) => name.toLowerCase() !== 'proxy-connection');
}

function postDataOf(sent: Buffer, request: Request) {
  const mimeType = request.headers()['content-type'] ?? '';
  const text = sent.toString('utf8');
  return Buffer.from(text, 'utf8').equals(sent)
    ? { mimeType, text }
    : { mimeType, text: sent.toString('base64'), encoding: 'base64' };
}

function mimeTypeOf(response: Response): string {
  return response.headers()['content-type'] ?? '';
}

/** Shorter than anybody who ends a recording waits for what is still being read. */
const answerMs = 1_000;
const textTypes = /^text\/html|[/+](json|xml|x-www-form-urlencoded)\b|^text\/plain/i;

/** Of what may carry a value that a later request sends; null for a redirect, and for what the browser has dropped. */
async function textOf(response: Response): Promise<string | null> {
  const isShort = Number(response.headers()['content-length'] ?? 0) <= recordingLimits.responseBodyLength * 4;
  if (!isShort || !textTypes.test(mimeTypeOf(response))) return null;
  return withinTime(response.text(), answerMs, null);
}
