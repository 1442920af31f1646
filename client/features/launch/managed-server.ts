import { mostIntermediates } from '../../../shared/target/server-names.ts';
import { type ManagedTarget, managedTargetSchema } from '../../../shared/target/target.ts';
import type { FieldMessages, LaunchForm } from './form-shape.ts';

/** A server of this machine, as it is typed. */

export const chainLengths = Array.from({ length: mostIntermediates + 1 }, (_, count) => `${count}`);

export function managedOf(form: LaunchForm): ManagedTarget {
  const { server, key, chain, clientCertificates, kTls } = form;
  return {
    ...{ kind: 'managed', server, key, chain: Number(chain), clientCertificates, kTls },
    workers: wholeNumber(form.workers.trim()),
    keepAlive: form.serverKeepAlive,
    resumption: form.serverResumption,
    documents: form.documents
      .split(/[\s,]+/)
      .filter((each) => each !== '')
      .map(wholeNumber),
  };
}

/** The form as it asks for that server. */
export function serverFieldsOf(target: ManagedTarget): Partial<LaunchForm> {
  const { server, key, chain, workers, keepAlive, resumption, clientCertificates, kTls, documents } = target;
  return {
    ...{ server, key, chain: `${chain}`, clientCertificates, kTls },
    workers: String(workers),
    serverKeepAlive: keepAlive,
    serverResumption: resumption,
    documents: documents.join(' '),
  };
}

export function managedMessages(form: LaunchForm): FieldMessages {
  const wrong = new Set(
    managedTargetSchema.safeParse(managedOf(form)).error?.issues.map(({ path }) => path[0]),
  );
  return {
    ...(wrong.has('documents') ? { documents: 'Whole numbers from 0 to 10,000,000.' } : {}),
    ...(wrong.has('workers') ? { workers: 'A whole number from 1 to 64.' } : {}),
  };
}

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
