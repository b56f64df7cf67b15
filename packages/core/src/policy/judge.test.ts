// Policy as a fixture table: what each mode allows, asks and denies, and what rules make of it. Long because it is a table.
import type { Access, PermissionMode, Verdict } from '@tenon/protocol'
import { permissionModes } from '@tenon/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isReadDenied, type JudgedCall, judge, type PermissionSettings } from './judge.ts'
import { parseRule } from './rule.ts'

const seed = 20_260_728
const root = '/w'
const call = (tool: string, ...accesses: Access[]): JudgedCall => ({
  tool,
  readOnly: false,
  accesses,
  root,
  approved: false,
})
const read = (target: string, tool = 'Read') => call(tool, { verb: 'read', target })
const write = (target: string, tool = 'Edit') => call(tool, { verb: 'write', target })
const bash = (command: string) => call('Bash', { verb: 'exec', target: command })
const settings = (more: Partial<PermissionSettings> = {}): PermissionSettings => ({
  mode: 'default',
  allow: [],
  ask: [],
  deny: [],
  ...more,
})
const verdict = (judged: JudgedCall, more: Partial<PermissionSettings> = {}): Verdict =>
  judge(judged, settings(more)).verdict

describe('modes', () => {
  // In the order: default, acceptEdits, plan, dontAsk, bypassPermissions.
  const table: readonly [string, JudgedCall, string][] = [
    ['reading inside', read('/w/a'), 'allow allow allow allow allow'],
    ['reading the folder itself', read('/w'), 'allow allow allow allow allow'],
    ['reading outside', read('/etc/passwd'), 'ask ask ask deny allow'],
    ['reading beside, with the same beginning', read('/wide/a'), 'ask ask ask deny allow'],
    ['reading kept output', read('blob:abc'), 'allow allow allow allow allow'],
    ['changing inside', write('/w/a'), 'ask allow deny deny allow'],
    ['changing outside', write('/etc/passwd'), 'ask ask deny deny allow'],
    ['deleting inside', call('Delete', { verb: 'delete', target: '/w/a' }), 'ask allow deny deny allow'],
    ['a command', bash('ls'), 'ask ask deny deny allow'],
    ['the net', call('Fetch', { verb: 'net', target: 'example.org' }), 'ask ask deny deny allow'],
    ['a server of tools', call('Remote', { verb: 'mcp', target: 'github' }), 'ask ask deny deny allow'],
    ['what touches nothing', call('TodoWrite'), 'allow allow allow allow allow'],
    [
      'one inside and one outside: the strictest decides',
      call('Copy', { verb: 'read', target: '/w/a' }, { verb: 'write', target: '/etc/b' }),
      'ask ask deny deny allow',
    ],
  ]
  test.each(table)('%s', (_name, judged, expected) => {
    const verdicts = permissionModes.map((mode) => verdict(judged, { mode }))
    expect(verdicts.join(' ')).toBe(expected)
  })

  test('a person’s yes answers every ask and no deny', () => {
    const approved = (judged: JudgedCall) => ({ ...judged, approved: true })
    const found = table.map(([, judged]) => permissionModes.map((mode) => verdict(approved(judged), { mode })))
    const expected = table.map(([, judged]) =>
      // dontAsk turns only what nobody said yes to into a deny.
      permissionModes.map((mode) => {
        const before = verdict(judged, { mode: mode === 'dontAsk' ? 'default' : mode })
        return before === 'ask' ? 'allow' : before
      }),
    )
    expect(found).toEqual(expected)
  })

  test('the judgement says which parts were judged how, by what, and why', () => {
    const judged = call('Copy', { verb: 'read', target: '/w/a' }, { verb: 'write', target: '/etc/b' })
    expect(judge(judged, settings({ ask: ['Read(/etc/*)'] }))).toEqual({
      verdict: 'ask',
      decidedBy: { stage: 'mode', id: 'default' },
      parts: [
        { access: { verb: 'read', target: '/w/a' }, verdict: 'allow', by: 'default' },
        { access: { verb: 'write', target: '/etc/b' }, verdict: 'ask', by: 'default' },
      ],
      reasons: ['changing /etc/b'],
    })
    expect(judge(bash('rm -rf /'), settings({ deny: ['Bash(rm *)'] }))).toMatchObject({
      verdict: 'deny',
      decidedBy: { stage: 'rule', id: 'deny', rule: 'Bash(rm *)' },
      reasons: ['the deny rule Bash(rm *)'],
    })
  })
})

describe('rules about commands', () => {
  test.each<[rule: string, command: string, allowed: boolean]>([
    ['Bash', 'anything at all; rm -rf /', true],
    ['Bash(*)', 'anything; at all', true],
    ['bash', 'ls', true],
    ['Bash(ls)', 'ls', true],
    ['Bash(ls)', 'ls -la', false],
    ['Bash(ls *)', 'ls', true],
    ['Bash(ls *)', 'ls -la /', true],
    ['Bash(ls *)', 'lsof', false],
    ['Bash(ls:*)', 'ls -la', true],
    ['Bash(ls:*)', 'lsof', false],
    ['Bash(npm run *)', 'npm run test', true],
    ['Bash(npm run *)', 'npm  run   test', true],
    ['Bash(npm run *)', 'npm install', false],
    ['Bash(npm * test)', 'npm run test', true],
    ['Bash(echo \\*)', 'echo *', true],
    ['Bash(echo \\*)', 'echo secrets', false],
    ['Bash(a.b)', 'axb', false],
    // Several parts are asked about, whatever the first one is.
    ['Bash(ls *)', 'ls; rm -rf /', false],
    ['Bash(ls *)', 'ls && rm -rf /', false],
    ['Bash(ls *)', 'ls || rm -rf /', false],
    ['Bash(ls *)', 'ls & rm -rf /', false],
    ['Bash(ls *)', 'ls | sh', false],
    ['Bash(ls *)', 'ls\nrm -rf /', false],
    ['Bash(ls *)', 'ls\rrm -rf /', false],
    ['Bash(ls *)', 'ls $(rm -rf /)', false],
    ['Bash(ls *)', 'ls `rm -rf /`', false],
    ['Bash(ls *)', 'ls > /etc/passwd', false],
    ['Bash(ls *)', 'ls < /etc/passwd', false],
    ['Bash(ls *)', '(ls)', false],
    ['Bash(ls *)', 'X=1 ls', false],
    ['Edit', 'ls', false],
  ])('allow %s, command %j: allowed %s', (rule, command, allowed) => {
    expect(verdict(bash(command), { allow: [rule] })).toBe(allowed ? 'allow' : 'ask')
  })

  test.each([
    'rm -rf /',
    '  rm   -rf /',
    'rm',
    'ls; rm -rf /',
    'ls;rm -rf /',
    'ls && rm -rf /',
    'ls || rm x',
    'ls & rm x',
    'ls | rm x',
    'ls\nrm x',
    'ls\r\nrm x',
    'echo $(rm x)',
    'echo `rm x`',
    '(rm x)',
    'A=1 rm x',
    'A=1 B=2 rm x',
    'ls; A=1 rm x',
    'cat <(rm x)',
  ])('deny Bash(rm *) holds in %j, in every mode and whatever is allowed', (command) => {
    const verdicts = permissionModes.map((mode) =>
      verdict(bash(command), { mode, deny: ['Bash(rm *)'], allow: ['Bash', command, `Bash(${command})`] }),
    )
    expect(verdicts).toEqual(permissionModes.map(() => 'deny'))
  })

  test.each(['ls', 'farm x', 'rmdir x', 'echo rm'])('deny Bash(rm *) says nothing of %j', (command) => {
    expect(verdict(bash(command), { deny: ['Bash(rm *)'], allow: ['Bash'] })).toBe('allow')
  })

  test('an ask rule holds in front of an allow, and behind a deny', () => {
    const more = { allow: ['Bash'], ask: ['Bash(git push *)'] }
    expect([
      verdict(bash('git push'), more),
      verdict(bash('ls && git push -f'), more),
      verdict(bash('git pull'), more),
      verdict(bash('git push'), { ...more, deny: ['Bash(git *)'] }),
    ]).toEqual(['ask', 'ask', 'allow', 'deny'])
  })
})

describe('rules about files', () => {
  test.each<[rule: string, judged: JudgedCall, allowed: boolean]>([
    ['Edit', write('/w/a'), true],
    ['Edit', write('/w/a', 'Write'), true],
    ['Write', write('/w/a'), true],
    ['MultiEdit', write('/w/a'), true],
    ['Edit(src/**)', write('/w/src/a/b.ts'), true],
    ['Edit(src/**)', write('/w/test/b.ts'), false],
    ['Edit(src/*)', write('/w/src/a.ts'), true],
    ['Edit(src)', write('/w/src/a.ts'), true],
    ['Edit(/src/**)', write('/w/src/a.ts'), true],
    ['Edit(./src/**)', write('/w/src/a.ts'), true],
    ['Edit(//tmp/**)', write('/tmp/a'), true],
    ['Edit(//tmp/**)', write('/tmpfile'), false],
    ['Edit(*.md)', write('/w/a.md'), true],
    ['Edit(*.md)', write('/w/docs/a.md'), false],
    ['Edit(**/*.md)', write('/w/docs/deep/a.md'), true],
    ['Edit(**/*.md)', write('/w/a.md'), true],
    ['Edit(a.md)', write('/w/axmd'), false],
    ['Edit(src/**)', write('/w/srcs/a'), false],
    ['Read', write('/w/a'), false],
    ['Read(**)', write('/w/a'), false],
    ['Read(//etc/**)', read('/etc/passwd'), true],
    ['Bash', write('/w/a'), false],
    ['not a rule (', write('/w/a'), false],
  ])('allow %s: allowed %#', (rule, judged, allowed) => {
    expect(verdict(judged, { allow: [rule] })).toBe(allowed ? 'allow' : 'ask')
  })

  test.each<[rule: string, judged: JudgedCall, denied: boolean]>([
    ['Read(.env)', read('/w/.env'), true],
    ['Read(.env)', read('/w/.env', 'Grep'), true],
    ['Read(.env)', write('/w/.env'), true],
    ['Read(.env)', read('/w/.envrc'), false],
    ['Edit(.env)', read('/w/.env'), false],
    ['Edit(.env)', write('/w/.env', 'Write'), true],
    ['Read(**/secrets/**)', read('/w/a/secrets/b'), true],
    ['Read(**/secrets/**)', read('/w/secrets/b'), true],
    ['Read(secrets)', read('/w/secrets/deep/b'), true],
  ])('deny %s: %#', (rule, judged, denied) => {
    const verdicts = permissionModes.map((mode) =>
      verdict(judged, { mode, deny: [rule], allow: ['Read', 'Edit', 'Write'] }),
    )
    expect(verdicts.every((found) => found === 'deny')).toBe(denied)
    if (!denied) expect(verdicts).not.toContain('deny')
  })
})

test.each([
  ['Bash', { text: 'Bash', tool: 'Bash', inner: null }],
  [' Bash(*) ', { text: 'Bash(*)', tool: 'Bash', inner: null }],
  ['Bash(a(b)c)', { text: 'Bash(a(b)c)', tool: 'Bash', inner: 'a(b)c' }],
  ['run_command(ls)', { text: 'run_command(ls)', tool: 'Bash', inner: 'ls' }],
  ['mcp__github__search', { text: 'mcp__github__search', tool: 'mcp__github__search', inner: null }],
  ['Bash(a', undefined],
  ['', undefined],
  ['1Bash', undefined],
  ['two words', undefined],
])('%j is read as %j', (text, rule) => {
  expect(parseRule(text)).toEqual(rule)
})

describe('never widened by composition', () => {
  const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }
  const word = fc.constantFrom('ls', 'rm', 'git', 'push', '-rf', '/', 'X=1', '*', 'a.b')
  const simple = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const joint = fc.constantFrom('; ', ';', ' && ', ' || ', ' | ', ' & ', '\n', '\r\n')
  const rule = fc.oneof(
    simple.map((text) => `Bash(${text})`),
    simple.map((text) => `Bash(${text} *)`),
    fc.constantFrom('Bash', 'Edit', 'Read', 'Edit(src/**)', 'Read(.env)'),
  )
  const rules = fc.array(rule, { maxLength: 3 })
  // Not plan: there an ask or allow rule still stands in front of what the mode denies.
  const mode = fc.constantFrom(...permissionModes.filter((one) => one !== 'plan'))
  const some = fc.record({ mode, allow: rules, ask: rules, deny: rules })

  test('an allow: a longer command is never less strict than its strictest part', () => {
    fc.assert(
      fc.property(some, simple, joint, simple, (more, a, between, b) => {
        const whole = verdict(bash(`${a}${between}${b}`), more)
        const parts = [a, b].map((part) => strictness[verdict(bash(part), more)])
        expect(strictness[whole]).toBeGreaterThanOrEqual(Math.max(...parts))
      }),
      { seed, numRuns: 3_000 },
    )
  })

  test('a call of several accesses is exactly as strict as its strictest one', () => {
    const access: fc.Arbitrary<Access> = fc.record({
      verb: fc.constantFrom('read', 'write', 'delete', 'exec', 'net'),
      target: fc.constantFrom('/w/a', '/w/.env', '/etc/b', 'ls', 'rm -rf /'),
    })
    fc.assert(
      fc.property(some, fc.array(access, { minLength: 1, maxLength: 4 }), (more, accesses) => {
        const alone = accesses.map((one) => strictness[verdict(call('Any', one), more)])
        expect(strictness[verdict(call('Any', ...accesses), more)]).toBe(Math.max(...alone))
      }),
      { seed, numRuns: 1_000 },
    )
  })

  test('one more deny or ask rule never makes anything looser, one more allow never stricter', () => {
    fc.assert(
      fc.property(some, rule, simple, (more, extra, command) => {
        const before = strictness[verdict(bash(command), more)]
        const denied = strictness[verdict(bash(command), { ...more, deny: [...more.deny, extra] })]
        const asked = strictness[verdict(bash(command), { ...more, ask: [...more.ask, extra] })]
        const allowed = strictness[verdict(bash(command), { ...more, allow: [...more.allow, extra] })]
        expect(denied).toBeGreaterThanOrEqual(before)
        // An ask in bypassPermissions asks; what a deny said stays denied.
        if (before === strictness.deny && more.mode !== 'dontAsk') expect(asked).toBe(strictness.deny)
        expect(allowed).toBeLessThanOrEqual(before)
      }),
      { seed, numRuns: 1_000 },
    )
  })

  test('a deny is a deny in every mode, whatever else is said', () => {
    fc.assert(
      fc.property(some, simple, (more, command) => {
        const verdicts = permissionModes.map((one: PermissionMode) =>
          verdict({ ...bash(command), approved: true }, { ...more, mode: one, deny: [`Bash(${command})`] }),
        )
        fc.pre(!command.includes('*'))
        expect(verdicts).toEqual(permissionModes.map(() => 'deny'))
      }),
      { seed, numRuns: 500 },
    )
  })
})

test('no allow rule widens plan mode; a deny still names its own rule', () => {
  const plan = { mode: 'plan', allow: ['Edit', 'Bash'] } as const
  expect([verdict(write('/w/a'), plan), verdict(bash('ls'), plan), verdict(read('/w/a'), plan)]).toEqual([
    'deny',
    'deny',
    'allow',
  ])
  expect(judge(write('/w/a'), settings({ ...plan, deny: ['Edit'] })).decidedBy).toEqual({
    stage: 'rule',
    id: 'deny',
    rule: 'Edit',
  })
})

describe('what a person refused does not come in by another door', () => {
  test.each([
    'rm a',
    '\\rm a',
    '/bin/rm a',
    '{ rm a; }',
    'if true; then rm a; fi',
    'X="a b" rm a',
    'X+=1 rm a',
    'command rm a',
    "r''m a",
    '! rm a',
    'env rm a',
    "eval 'rm a'",
    'sudo rm a',
    'timeout 5 rm a',
    'echo x && rm a',
    'echo $(rm a)',
    'ls\nrm a',
    "bash -c 'rm a'",
  ])('deny Bash(rm *) holds for %j', (command) => {
    expect(verdict(bash(command), { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('deny')
  })

  test.each(['ls', 'echo rm', 'npm run rm-old', 'git rm-cache', 'cat farm'])('and says nothing of %j', (command) => {
    expect(verdict(bash(command), { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('allow')
  })

  test('a blank that no shell takes for one does not stretch an allow', () => {
    expect(verdict(bash('ls\u00a0a'), { allow: ['Bash(ls *)'] })).toBe('ask')
  })

  test('acceptEdits asks before it changes what other programs will run', () => {
    const ask = (path: string) => verdict(write(path), { mode: 'acceptEdits' })
    expect(
      ['/w/.git/hooks/pre-commit', '/w/.git/config', '/w/sub/.envrc', '/w/.gitignore', '/w/a.git/b'].map(ask),
    ).toEqual(['ask', 'ask', 'ask', 'allow', 'allow'])
  })

  test('a denied file is hidden from tools that list and search', () => {
    const hidden = (path: string) => isReadDenied(path, '/w', ['Read(secret/**)', 'Read(.env)', 'Bash(rm *)'])
    expect(['/w/secret/key', '/w/.env', '/w/src/.env', '/w/a'].map(hidden)).toEqual([true, true, true, false])
  })
})
