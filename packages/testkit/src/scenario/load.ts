// Where the stories lie: scenarios/<name>/{scenario.json, golden.jsonl, files.json} beside the packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Scenario, scenario } from './schema.ts'

export const scenarioFolder = join(import.meta.dirname, '../../../../scenarios')

export const scenarioNames = (): readonly string[] =>
  readdirSync(scenarioFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

export const loadScenario = (name: string): Scenario =>
  scenario.parse(JSON.parse(readFileSync(join(scenarioFolder, name, 'scenario.json'), 'utf8')))
