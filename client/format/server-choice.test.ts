/** Protects the choice of a server: its version, what to install where it is missing, and all while nothing is known. */
import { expect, test } from 'vitest';
import { serverNames } from '../../shared/target/server-options.ts';
import type { FoundServer } from '../../shared/target/target.ts';
import { serverChoices } from './server-choice.ts';

const found = (change: Partial<FoundServer>): FoundServer => ({
  ...{ name: 'nginx', title: 'nginx', installed: true, path: '/usr/sbin/nginx', version: '1.22.1' },
  ...{ packages: ['nginx-light'], missing: [], transports: ['http', 'https'], kTlsProblem: null },
  ...change,
});

test('an installed server has its version, one that is missing says what to install', () => {
  const lighttpd = found({
    ...{ name: 'lighttpd', installed: false, version: null },
    missing: ['lighttpd', 'lighttpd-mod-openssl'],
  });
  const choices = serverChoices([found({}), lighttpd]);
  expect(choices[0]).toEqual({ value: 'nginx', label: 'nginx, 1.22.1' });
  expect(choices.find(({ value }) => value === 'lighttpd')).toEqual({
    ...{ value: 'lighttpd', disabled: true },
    label: 'lighttpd: install lighttpd and lighttpd-mod-openssl',
  });
});

test('until it is known what is installed, all can be chosen', () => {
  expect(serverChoices(undefined).map(({ value }) => value)).toEqual([...serverNames]);
  expect(serverChoices(undefined).some((choice) => 'disabled' in choice)).toBe(false);
});
