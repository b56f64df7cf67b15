import { expect, test } from 'vitest'
import type { Json } from './json.ts'
import { defaultSettings, type SettingKey, settingIssue, settingSchemas, verdictKeys } from './settings.ts'

const keys = Object.keys(settingSchemas) as SettingKey[]

test('every setting has a default that its own schema takes, and comes through JSON unchanged', () => {
  expect(Object.keys(defaultSettings).sort()).toEqual([...keys].sort())
  const issues = keys.flatMap((key) => settingIssue(key, defaultSettings[key] as Json) ?? [])
  expect(issues).toEqual([])
  expect(JSON.parse(JSON.stringify(defaultSettings))).toEqual(defaultSettings)
})

test.each<[string, Json, string | undefined]>([
  ['mode', 'plan', undefined],
  ['mode', 'yolo', 'mode: '],
  ['limits.turns', 3, undefined],
  ['limits.turns', null, undefined],
  ['limits.turns', 0, 'limits.turns: '],
  ['limits.turns', 1.5, 'limits.turns: '],
  ['limits.turns', '3', 'limits.turns: '],
  ['limits.usd', 0.001, undefined],
  ['limits.parallelTools', 65, 'limits.parallelTools: '],
  ['limits.parallelTools', null, 'limits.parallelTools: '],
  ['checks.stuckRepeats', 1, 'checks.stuckRepeats: '],
  ['permissions.deny', ['Bash(rm *)'], undefined],
  ['permissions.deny', [''], 'permissions.deny: '],
  // A lost bracket must not make a rule for the whole tool out of a narrow one.
  ['permissions.allow', ['Bash(npm test'], 'permissions.allow: '],
  ['permissions.allow', ['Bash('], 'permissions.allow: '],
  ['permissions.allow', ['Bash()'], 'permissions.allow: '],
  ['permissions.allow', ['Bash(a)b'], 'permissions.allow: '],
  ['permissions.allow', ['Bash(echo (a))'], undefined],
  ['permissions.deny', 'Bash', 'permissions.deny: '],
  ['limits.turn', 3, 'unknown setting "limits.turn"'],
  ['__proto__', 3, 'unknown setting "__proto__"'],
  ['toString', 3, 'unknown setting "toString"'],
])('%s = %j: %s', (key, value, issue) => {
  const found = settingIssue(key, value)
  if (issue === undefined) expect(found).toBeUndefined()
  else expect(found).toEqual(expect.stringMatching(new RegExp(`^${issue.replace(/[".]/g, '\\$&')}`)))
})

test('what verdicts depend on is exactly the mode and the rules', () => {
  expect(verdictKeys).toEqual(keys.filter((key) => key === 'mode' || key.startsWith('permissions.')))
})
