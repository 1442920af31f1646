import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import type { DryRunReport } from '../../../shared/scenario/dry-run.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { ProbeReport, ProbeRequest } from '../../../shared/target/probe.ts';
import { exporterTokenName } from '../../../shared/target/prometheus-source.ts';
import { agentTokenName } from '../../../shared/target/remote-readings.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { demandReaderTokens, secretsOfScenario } from '../../intake/scenario/reader-tokens.ts';
import { fillSecrets } from '../../intake/scenario/secrets.ts';
import { maskSecrets } from '../../intake/traffic/mask-secrets.ts';
import type { RunHouse } from '../../targets/open-target.ts';
import { resolveAgent } from '../../targets/resolve-agent.ts';
import { resolveExporter } from '../../targets/resolve-exporter.ts';
import { connectToAgent } from '../../targets/sampling/agent/agent-connection.ts';
import { Scraper } from '../../targets/sampling/prometheus/scraper.ts';
import type { Database } from '../database/open-database.ts';
import { runnableScenario } from '../library/runnable-scenario.ts';
import type { MachineQueue } from '../measurement/queue/machine-queue.ts';
import { takeMachine } from '../measurement/queue/take-machine.ts';

/** What is tried once on a target, and stored nowhere. */
export type Checks = {
  preflight(request: PreflightRequest): Promise<PreflightAnswer>;
  /** A preflight that tells each step's answers. Throws machine_busy. */
  dryRun(request: PreflightRequest): Promise<DryRunReport>;
  probe(request: ProbeRequest): Promise<ProbeReport>;
};

/** What checks a target is loaded with the first check. */
export function openChecks(database: Database, house: RunHouse, queue: MachineQueue): Checks {
  const scenarioOf = async (request: Omit<PreflightRequest, 'secrets'>, secrets: SecretValues) =>
    (
      await runnableScenario(
        database,
        request.scenario ?? factsOf(request.target).scenario,
        secretsOfScenario(request, secrets),
      )
    ).scenario;
  return {
    async preflight({ secrets, ...request }) {
      const scenario = await scenarioOf(request, secrets);
      await checkReader(request, secrets, house);
      const { answerOnce } = await import('../../targets/preflight/check-once.ts');
      return maskSecrets(secrets)(await answerOnce(request, fillSecrets(scenario, secrets), secrets, house));
    },
    async dryRun({ secrets, ...request }) {
      const scenario = await scenarioOf(request, secrets);
      const { dryRunOnce } = await import('../../targets/preflight/check-once.ts');
      const report = await takeMachine(queue, 'dryRun', (signal) =>
        dryRunOnce(request, fillSecrets(scenario, secrets), secrets, house, signal),
      );
      return maskSecrets(secrets)(report);
    },

    async probe(request) {
      const { probe } = await import('../../targets/probe/probe.ts');
      return probe(request, house);
    },
  };
}

/**
 * A run would find out only when it begins that its agent or exporter is away, is another one, or has another token. Throws
 * exporter_unreachable, exporter_unusable, agent_unreachable, agent_untrusted, agent_version, secret_missing, invalid_request.
 */
async function checkReader(
  request: Omit<PreflightRequest, 'secrets'>,
  secrets: SecretValues,
  house: RunHouse,
): Promise<void> {
  const { target } = request;
  if (target.kind !== 'origins') return;
  demandReaderTokens(request, secrets);
  const agent = await resolveAgent(target, house);
  if (agent !== null) (await connectToAgent(agent, secrets[agentTokenName] ?? '')).close();
  const exporter = await resolveExporter(target, house);
  if (exporter === null) return;
  const scraper = new Scraper(exporter, exporter.bearer ? (secrets[exporterTokenName] ?? '') : null);
  await scraper.read().finally(() => scraper.close());
}
