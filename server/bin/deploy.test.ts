/** Protects the files for containers: their variables and commands are ones that the program knows. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { verbs } from '../edge/commands/run-command.ts';
import { readConfig } from '../edge/settings/config.ts';
import { manifestProblems } from '../testing/manifest-problems.ts';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../public/${path}`, import.meta.url)), 'utf8');

type Started = { environment: Record<string, string>; command: string[] };

/** Environment and command of each container of the program. */
const started: Record<string, Started> = {};

type Service = {
  image: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
};
const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
};
for (const [name, { image, entrypoint, command = ['serve'], environment = {} }] of Object.entries(services)) {
  if (image === 'tls-toll' && entrypoint === undefined) started[`compose ${name}`] = { environment, command };
}

type Container = { image: string; args: string[]; env?: { name: string; value?: string }[] };
type Manifest = {
  apiVersion: string;
  kind: string;
  spec: {
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: { containers: Container[] } };
  };
};
const manifests = parseAllDocuments(read('deploy/kubernetes.yaml')).map((each) => each.toJS() as Manifest);
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
for (const { template } of deployments.map(({ spec }) => spec)) {
  for (const { args, env = [] } of template.spec.containers) {
    // Without a value, it comes from the cluster and is for the others.
    const environment = Object.fromEntries(
      env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    started[`kubernetes ${args.join(' ')}`] = { environment, command: args };
  }
}

test('six containers run the program', () => {
  expect(Object.keys(started)).toHaveLength(6);
});

test.each(Object.entries(started))('%s', (_name, { environment, command }) => {
  expect(Object.keys(verbs)).toContain(command[0]);
  expect(() => readConfig(environment)).not.toThrow();
  const settings = read('docs/settings.md');
  expect(Object.keys(environment).filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
});

test('the selector of each Kubernetes deployment matches its own pods', () => {
  expect(deployments).toHaveLength(2);
  for (const { spec } of deployments)
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
});

test('the published schemas of Kubernetes have nothing against its manifests', () => {
  expect(manifests).toHaveLength(7);
  expect(manifests.flatMap(manifestProblems)).toEqual([]);
});
