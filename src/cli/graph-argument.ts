/** The graph that the arguments of a command name, under a scenario if they name one. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig, type RouterConfig } from '../config/router-config.js';
import { openChecked } from '../native/addon.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph } from '../native/types.js';
import { GRAPH_FILE, scenarioDirectory } from '../registry/graph-file.js';
import { readScenario, type Scenario, UnusableScenario } from '../scenarios/scenario.js';
import { ScenarioStore } from '../scenarios/scenario-store.js';
import { CommandFailure, EXIT } from './failure.js';
import { readNamedText } from './named-file.js';

/** The value of `--scenario`, for the help. */
export const SCENARIO_HELP = 'scenario of the graph by id, or a .json file with one';

/** The graph of a command that searches, and what most searches have in common. */
export interface SearchArguments {
  graph: string;
  scenario?: string;
  date?: string;
  time?: string;
  mode?: string;
}

/** An opened graph; `close` releases it and all that belongs to it. */
export interface NamedGraph {
  readonly graph: Graph;
  close(): void;
}

/** The configuration in a graph, whose defaults apply to commands as they do on a server. */
export function configIn(graph: Graph): RouterConfig {
  const { routerConfig } = graphInfo(graph);
  if (!routerConfig) return EMPTY_ROUTER_CONFIG;
  return parseRouterConfig(routerConfig, 'router-config.json in the graph').config;
}

/** The graph file at a path, or the one in the directory at that path. */
export function graphFileOf(named: string): string {
  return named.endsWith('.obj') ? named : path.join(named, GRAPH_FILE);
}

/** The text of a scenario of a graph: stored beside it, or in a .json file. Undefined when it is not stored. */
export function scenarioText(graphFile: string, name: string): Promise<string | undefined> {
  if (name.endsWith('.json')) return readNamedText(name);
  return new ScenarioStore(scenarioDirectory(graphFile)).text(name);
}

/** Opens a graph file, or the one in a directory. Warnings about a scenario go to standard error. */
export async function openGraph(named: string, scenarioName?: string): Promise<NamedGraph> {
  const file = graphFileOf(named);
  if (!existsSync(file)) throw new CommandFailure(noGraph(file));
  const graph = await openChecked(file);
  const opened = [graph];
  const close = () => {
    for (const each of opened) each.dispose();
  };
  if (scenarioName === undefined) return { graph, close };
  try {
    const scenario = await findScenario(file, scenarioName);
    const changed = await graph.withScenario(scenario.modifications.map(({ native }) => native));
    opened.push(changed);
    printWarnings(changed, scenario);
    return { graph: changed, close };
  } catch (error) {
    close();
    if (error instanceof UnusableScenario) throw new CommandFailure(`${scenarioName}: ${error.message}`, EXIT.usage);
    throw error;
  }
}

function noGraph(file: string): string {
  const directory = path.dirname(file);
  return `there is no graph ${file}: build it with \`trestle build ${directory}\`, or name another one with --graph`;
}

async function findScenario(graphFile: string, name: string): Promise<Scenario> {
  if (name.endsWith('.json')) return readScenario(await readNamedText(name));
  const stored = await new ScenarioStore(scenarioDirectory(graphFile)).get(name);
  if (stored === undefined) throw new CommandFailure(`there is no scenario ${name} of ${graphFile}`, EXIT.usage);
  return stored.scenario;
}

function printWarnings(changed: Graph, { modifications }: Scenario): void {
  for (const [i, { warnings, error }] of changed.modificationReports().entries()) {
    if (error) throw new UnusableScenario(`modifications[${i}]: ${error}`);
    for (const warning of [...(modifications[i]?.warnings ?? []), ...warnings]) {
      console.error(`modifications[${i}]: ${warning}`);
    }
  }
}
