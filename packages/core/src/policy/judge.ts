// Policy: from a call to allow, ask or deny, with its reasons. Pure. The strictest part decides; a deny is a deny.
import type { Access, DecidedBy, PermissionMode, Verdict } from '@tenon/protocol'
import { parseRule, type Rule, ruleMatches } from './rule.ts'

export interface JudgedCall {
  readonly tool: string
  readonly readOnly: boolean
  /** With real paths. */
  readonly accesses: readonly Access[]
  readonly root: string
  /** A person typed the call, or said yes to it: asks count as answered. */
  readonly approved: boolean
}

export interface PermissionSettings {
  readonly mode: PermissionMode
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly deny: readonly string[]
}

interface PartVerdict {
  readonly access: Access
  readonly verdict: Verdict
  readonly by: string
}

export interface Judgement {
  readonly verdict: Verdict
  readonly decidedBy: DecidedBy
  readonly parts: readonly PartVerdict[]
  readonly reasons: readonly string[]
}

interface Finding {
  readonly verdict: Verdict
  readonly decidedBy: DecidedBy
  readonly reason: string
}

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

export function judge(call: JudgedCall, settings: PermissionSettings): Judgement {
  const subjects: readonly Access[] = call.accesses.length > 0 ? call.accesses : [{ verb: 'config', target: call.tool }]
  const found = subjects.map((access) => ({
    access,
    finding: answered(judgePart(call, access, settings), call, settings.mode),
  }))
  const worst = found.reduce((a, b) => (strictness[b.finding.verdict] > strictness[a.finding.verdict] ? b : a))
  return {
    verdict: worst.finding.verdict,
    decidedBy: worst.finding.decidedBy,
    parts: found.map(({ access, finding }) => ({
      access,
      verdict: finding.verdict,
      by: finding.decidedBy.rule ?? finding.decidedBy.id,
    })),
    reasons: [
      ...new Set(
        found.filter(({ finding }) => finding.verdict === worst.finding.verdict).map(({ finding }) => finding.reason),
      ),
    ],
  }
}

/** Whether a deny rule keeps this file from the model, for tools that list and search whole folders. */
export function isReadDenied(path: string, root: string, deny: readonly string[]): boolean {
  const access = { verb: 'read', target: path } as const
  return deny.map(parseRule).some((rule) => rule && ruleMatches(rule, { tool: 'Read', root }, access, 'deny'))
}

/** deny rules → what plan mode forbids → ask rules → allow rules → mode. No allow widens plan mode. */
function judgePart(call: JudgedCall, access: Access, settings: PermissionSettings): Finding {
  const mode = byMode(call, access, settings.mode)
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = settings[verdict].map(parseRule).find((parsed) => parsed && ruleMatches(parsed, call, access, verdict))
    if (rule) return byRule(rule, verdict)
    if (verdict === 'deny' && settings.mode === 'plan' && mode.verdict === 'deny') return mode
  }
  return mode
}

const byRule = (rule: Rule, verdict: Verdict): Finding => ({
  verdict,
  decidedBy: { stage: 'rule', id: verdict, rule: rule.text },
  reason: `the ${verdict} rule ${rule.text}`,
})

/** A person's yes answers every ask; dontAsk turns each into a deny. */
function answered(finding: Finding, call: JudgedCall, mode: PermissionMode): Finding {
  if (finding.verdict !== 'ask') return finding
  if (call.approved) return { ...finding, verdict: 'allow', decidedBy: { stage: 'person', id: 'approved' } }
  return mode === 'dontAsk' ? { ...finding, verdict: 'deny' } : finding
}

/** The table of modes: what each allows without a question. */
function byMode(call: JudgedCall, access: Access, mode: PermissionMode): Finding {
  const find = (verdict: Verdict, reason: string): Finding => ({
    verdict,
    decidedBy: { stage: 'mode', id: mode },
    reason,
  })
  if (mode === 'bypassPermissions') return find('allow', 'mode bypassPermissions')
  const inside = isInside(access.target, call.root)
  switch (access.verb) {
    case 'read':
      if (inside || isBlob(access.target)) return find('allow', 'reading inside the folder')
      return find('ask', `reading outside the folder: ${access.target}`)
    case 'write':
    case 'delete':
      if (mode === 'plan') return find('deny', 'plan mode changes nothing')
      if (isProtected(access.target)) return find('ask', `changing a protected path: ${access.target}`)
      if (inside && mode === 'acceptEdits') return find('allow', 'mode acceptEdits')
      return find('ask', `${access.verb === 'write' ? 'changing' : 'deleting'} ${access.target}`)
    case 'config':
      return find('allow', 'it touches nothing')
    case 'exec':
      if (mode === 'plan') return find('deny', 'plan mode runs no command')
      return find('ask', `running: ${access.target}`)
    default:
      return find(mode === 'plan' ? 'deny' : 'ask', `${access.verb} ${access.target}`)
  }
}

/** Files that decide what other programs, or Tenon itself, will do later. */
const isProtected = (path: string): boolean =>
  /\/(\.git|\.vscode|\.idea|\.husky|\.tenon|\.claude|\.agents|\.codex|\.gemini|\.opencode)(\/|$)|\/(\.envrc|\.mcp\.json|\.bashrc|\.zshrc|\.profile|\.gitconfig)$/.test(
    path,
  )

const isBlob = (target: string): boolean => target.startsWith('blob:')

const isInside = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
