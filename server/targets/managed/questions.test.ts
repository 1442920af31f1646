/** Protects the table of questions: what it says of a server is what that server is set up for. */
import { expect, test } from 'vitest';
import { pairOf } from '../../../shared/base/transport.ts';
import { canAnswer, questionNames, questions } from '../../../shared/kinds/comparison/questions.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { opensslLibrary } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { whyNoOther } from './tls-library.ts';

/** A version that every library has what it will ever have in. */
const newest = '9.99';

test.each(serverNames)('%s', (name) => {
  const server = managedServers[name];
  const { groups, keys } = typeof server.tls === 'string' ? opensslLibrary(newest) : server.tls(newest);
  const able = questionNames.filter((question) => {
    const { sides } = runRequestSchema.parse({ sides: questions[question].sides });
    return [sides.baseline, sides.comparison].every(({ tls, target }, index) => {
      const { group, version, certificateCompression = 'none' } = { ...tls };
      return (
        server.transports.includes(pairOf(sides)[index as 0 | 1]) &&
        (group == null || groups.split(':').includes(group)) &&
        (version == null || ['TLSv1.2', 'TLSv1.3'].includes(version)) &&
        (target?.key === undefined || keys.includes(target.key)) &&
        !(target?.clientCertificates && server.lacks?.includes('clientCertificates')) &&
        (certificateCompression === 'none' || server.compressesCertificates === true) &&
        (target?.kTls !== true || server.kTls === true) &&
        (question !== 'library' || whyNoOther(name) === null) &&
        (target?.tickets == null || server.sets?.includes('tickets') === true) &&
        (target?.recordSize == null || server.sets?.includes('recordSize') === true)
      );
    });
  });
  expect(able).toEqual(questionNames.filter((question) => canAnswer(question, name)));
});

test('what needs a newer library needs it', () => {
  const { group = '' } = { ...questions['post-quantum'].sides.comparison.tls };
  const has = (groups: string) => groups.split(':').includes(group ?? '');
  expect([has(opensslLibrary('3.4.9').groups), has(opensslLibrary('3.5.0').groups)]).toEqual([false, true]);
  const { tls } = managedServers.go;
  if (typeof tls === 'string') throw new Error('Go has a library of its own');
  expect([has(tls('1.23').groups), has(tls('1.24').groups)]).toEqual([false, true]);
});
