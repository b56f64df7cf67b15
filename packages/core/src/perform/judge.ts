// Effect judge: repairs and checks a call's input, gathers the facts that policy needs, and settles the verdict.
import type { Call, RunState } from '@tenon/projections'
import { type Access, canonicalJson, type Draft, type Json, type Resource } from '@tenon/protocol'
import { closeAsk, deniedResult, invalidResult } from '../next/close.ts'
import { normaliseInput } from '../normalise/normalise.ts'
import { type Judgement, judge } from '../policy/judge.ts'
import type { Tool } from '../tool.ts'
import type { Workspace } from '../workspace.ts'
import type { PerformPorts } from './ports.ts'

export async function judgeCall(ports: PerformPorts, call: Call, state: RunState): Promise<Draft[]> {
  const tool = ports.tools.find(({ name }) => name === call.ref.tool)
  if (!tool)
    return [
      invalidResult(
        call.ref,
        'tool_unknown',
        `There is no tool ${call.name}. Tools: ${ports.tools.map(({ name }) => name).join(', ')}.`,
      ),
    ]
  const cwd = ports.workspace.root
  const normal = normaliseInput(tool, call.input, { cwd, home: ports.host.home })
  if ('issues' in normal) return [invalidResult(call.ref, 'args_invalid', normal.issues)]
  const accesses = await realAccesses(ports.workspace, tool.access(normal.input, { cwd }))
  const resources = await realResources(ports.workspace, tool.resources(normal.input, { cwd }))
  const approved = call.approved || state.batch?.by === 'person'
  const { settings } = state
  const judgement = judge(
    { tool: tool.name, readOnly: tool.annotations.readOnly, accesses, root: cwd, approved },
    {
      mode: settings.mode,
      allow: settings['permissions.allow'],
      ask: settings['permissions.ask'],
      deny: settings['permissions.deny'],
    },
  )
  const { input } = normal
  return settle(
    state,
    call,
    judgement,
    {
      input,
      inputHash: ports.hash(canonicalJson(input)),
      repairs: normal.repairs,
      kind: tool.kind,
      resources,
      timeoutMs: tool.timeoutMs(normal.input),
    },
    tool,
  )
}

interface Settled {
  readonly input: Json
  readonly inputHash: string
  readonly repairs: readonly string[]
  readonly kind: Tool['kind']
  readonly resources: readonly Resource[]
  readonly timeoutMs: number
}

function settle(state: RunState, call: Call, judgement: Judgement, settled: Settled, tool: Tool): Draft[] {
  const { verdict, decidedBy, parts, reasons } = judgement
  const trail = [{ stage: decidedBy.stage, verdict, id: decidedBy.id }]
  const judged: Draft = {
    type: 'tool.judged',
    by: 'harness',
    ref: call.ref,
    verdict,
    decidedBy,
    parts,
    trail,
    reasons,
    ...settled,
  }
  const open = state.asks.find(({ ref }) => ref?.call === call.ref.call && ref.message === call.ref.message)
  if (verdict === 'allow') return open ? [closeAsk(open.id, 'rejudged'), judged] : [judged]
  if (verdict === 'deny') {
    const denied = deniedResult(
      call.ref,
      `Denied by ${reasons.join('; ')}.`,
      'Do not look for a way around it; choose another way or say what you need.',
    )
    return [...(open ? [closeAsk(open.id, 'rejudged')] : []), judged, denied]
  }
  return open ? [judged] : [judged, permissionAsk(call, judgement, settled, tool)]
}

function permissionAsk(call: Call, { reasons, parts }: Judgement, { input }: Settled, tool: Tool): Draft {
  const text = canonicalJson(input)
  return {
    type: 'ask.opened',
    by: 'harness',
    kind: 'permission',
    ref: call.ref,
    title: `${tool.name} needs approval: ${reasons.join('; ')}.`,
    detail: text.length > 20_000 ? `${text.slice(0, 20_000)}… (${text.length} characters)` : text,
    options: [
      { id: 'allow', label: 'Allow', effect: 'runs the call, or the edited `input`' },
      { id: 'deny', label: 'Deny', effect: 'the model is told, with your text' },
    ],
    rules: proposedRules(tool, parts),
  }
}

/** What "always" would remember: the whole tool, or for one simple command its first two words. */
function proposedRules(tool: Tool, parts: Judgement['parts']): string[] {
  const command = parts.find(({ access }) => access.verb === 'exec')?.access.target
  if (command === undefined) return [tool.name]
  const words = command.trim().split(/\s+/)
  return words.length > 2 ? [`Bash(${words.slice(0, 2).join(' ')} *)`] : [`Bash(${command.trim()})`]
}

const withPath: readonly Access['verb'][] = ['read', 'write', 'delete']

const realAccesses = (workspace: Workspace, accesses: readonly Access[]): Promise<Access[]> =>
  Promise.all(
    accesses.map(async (access) =>
      withPath.includes(access.verb) && !access.target.startsWith('blob:')
        ? { ...access, target: await workspace.realPath(access.target) }
        : access,
    ),
  )

const realResources = (workspace: Workspace, resources: readonly Resource[]): Promise<Resource[]> =>
  Promise.all(
    resources.map(async (resource) => {
      const [kind, path] = [resource.key.slice(0, 5), resource.key.slice(5)]
      const isPath = (kind === 'file:' || kind === 'tree:') && !path.startsWith('blob:')
      return isPath ? { ...resource, key: kind + (await workspace.realPath(path)) } : resource
    }),
  )
