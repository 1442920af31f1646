import { z } from 'zod';
import { type ProblemError, problem } from '../../../../shared/base/problem.ts';

/** The cluster's own message and what to do about it, one sentence each. */

/** `metav1.Status`, of which only the message is used. */
const statusSchema = z.looseObject({ message: z.string().min(1) });
/** `ApiException` of the client: the answer of the API server. */
const answerSchema = z.looseObject({ code: z.int(), body: z.unknown() });

/** @param doing such as “create a job” */
export function clusterProblem(error: unknown, doing: string, namespace: string): ProblemError {
  const answer = answerSchema.safeParse(error);
  if (!answer.success) {
    const advice = 'Check the server in the kubeconfig, and that it can be reached from here.';
    return problem('cluster_unreachable', `The cluster cannot be reached: ${innermost(error)}. ${advice}`, {
      cause: error,
    });
  }
  const { code, body } = answer.data;
  const said = messageIn(body);
  const words = said === '' ? `status ${code}` : said;
  return problem(
    'cluster_refused',
    `The cluster refused to ${doing} (${words}). ${adviceFor(code, words, namespace)}`,
    { cause: error },
  );
}

function adviceFor(code: number, words: string, namespace: string): string {
  if (/exceeded quota|must specify/.test(words))
    return `Ask for fewer pods or cores, or raise the quota of the namespace ${namespace}.`;
  if (code === 401) return 'Renew the credentials in the kubeconfig.';
  if (code === 403) return `Grant the role in public/deploy/kubernetes.yaml in the namespace ${namespace}.`;
  if (code === 404)
    return `Make the namespace ${namespace}, or name another one in the kubeconfig’s context.`;
  if (code === 422) return 'Check TLS_TOLL_PODS and the target’s name.';
  return 'Try again later.';
}

/** @param body a Status, as text or parsed */
function messageIn(body: unknown): string {
  const status = statusSchema.safeParse(typeof body === 'string' ? parsed(body) : body);
  return status.success ? shortened(status.data.message) : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The cause behind messages such as `fetch failed`. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  if (error.cause instanceof Error) return innermost(error.cause);
  return shortened(error.message);
}

/** As part of a sentence: one line, without a full stop. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}

const longest = 400;
