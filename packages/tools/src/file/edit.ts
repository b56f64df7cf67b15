// Edit: replaces one text by another in a file; every byte outside it stays.
import { defineTool, type ToolContext, type ToolResult } from '@tenon/core'
import { z } from 'zod'
import { planEdit } from '../edit/plan.ts'
import { changesFiles, count, fail, ok, settle } from '../result.ts'
import { unifiedDiff } from '../text/diff.ts'
import { factsOf, sha256 } from '../text/facts.ts'
import { type Splice, spliceBytes } from '../text/splice.ts'
import type { TextView } from '../text/view.ts'
import { eolOf } from '../text/view.ts'
import { fileLock, filePath, fileTimeout, pathAliases, writeAccess } from './access.ts'
import { type Loaded, loadText } from './load.ts'
import { refuseStale } from './stale.ts'
import { createFile } from './write.ts'

/** Characters of the diff in a result. */
const diffLimit = 6000

const schema = z.object({
  file_path: filePath,
  old_string: z.string().describe('Text to replace, without line numbers; empty creates a new file').default(''),
  new_string: z.string().describe('Text to put in its place'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
  insert_line: z.int().nonnegative().optional().meta({ hidden: true }),
  expected_replacements: z.int().positive().optional().meta({ hidden: true }),
  dry_run: z.boolean().default(false).meta({ hidden: true }),
})
type Input = z.infer<typeof schema>

export const edit = defineTool({
  kind: 'run',
  name: 'Edit',
  title: 'Edit a file',
  aliases: [
    'edit_file',
    'file_edit',
    'str_replace',
    'replace',
    'file_editor',
    'str_replace_editor',
    'str_replace_based_edit_tool',
  ],
  description:
    'Replaces old_string by new_string in a file. old_string must name one place exactly, blanks and tabs included; add ' +
    'lines around it when it occurs more than once, or set replace_all. Read the file first and leave out its line ' +
    'numbers. Line endings, BOM and final newline are kept.',
  schema,
  parameterAliases: {
    ...pathAliases,
    old_str: 'old_string',
    old_content: 'old_string',
    old_text: 'old_string',
    new_str: 'new_string',
    new_content: 'new_string',
    new_text: 'new_string',
    match_all: 'replace_all',
    diff_preview: 'dry_run',
  },
  paths: ['file_path'],
  annotations: changesFiles,
  access: (input) => writeAccess(input.file_path),
  resources: (input) => fileLock(input.file_path, 'exclusive'),
  timeoutMs: fileTimeout,
  run: (input, context) => settle(() => runEdit(input, context)),
})

async function runEdit(input: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal } = context
  const broken = (['old_string', 'new_string'] as const).find((key) => !input[key].isWellFormed())
  if (broken)
    return fail(
      'encoding_cannot',
      `${broken} holds half of a surrogate pair, which no file can hold.`,
      'Send the whole character.',
    )
  const load = await loadText(workspace, input.file_path)
  signal.throwIfAborted()
  if (load.type === 'refused') return load.result
  if (load.type === 'missing') {
    const creates = input.old_string === '' && input.insert_line === undefined
    return creates ? createFile(input.file_path, input.new_string, context, input.dry_run) : load.refusal()
  }
  const { loaded } = load
  const stale = await refuseStale(workspace, input.file_path, loaded)
  if (stale) return stale
  const plan = choose(input, loaded)
  if ('refusal' in plan) return plan.refusal
  return apply(input, context, loaded, plan.splices, plan.note)
}

type Choice = { readonly splices: readonly Splice[]; readonly note: string } | { readonly refusal: ToolResult }

function choose(input: Input, { file, seen }: Loaded): Choice {
  if (input.insert_line !== undefined) return insertAt(input.file_path, file, input.insert_line, input.new_string)
  if (input.old_string === '') {
    if (file.text === '')
      return { splices: [{ start: 0, end: 0, insert: input.new_string, raw: input.new_string }], note: '' }
    return {
      refusal: fail(
        'edit_empty_old',
        `old_string is empty, but ${input.file_path} has text.`,
        'Name the text to replace, or use Write for the whole file.',
      ),
    }
  }
  const plan = planEdit(input.file_path, file, input, seen !== undefined)
  if ('refusal' in plan) return plan
  const how = plan.pass === 'exact' ? '' : ` (matched by ${plan.pass})`
  return { splices: plan.splices, note: plan.places > 1 ? `, ${plan.places} places${how}` : how }
}

/** `line` 0 is the top; a number past the end is refused. */
function insertAt(path: string, file: TextView, line: number, text: string): Choice {
  let at = 0
  for (let i = 0; i < line; i++) {
    const next = file.view.indexOf('\n', at)
    if (next < 0 && (i < line - 1 || at === file.view.length))
      return {
        refusal: fail(
          'args_invalid',
          `${path} has fewer than ${line} lines.`,
          'Read it and choose a line that is there.',
        ),
      }
    at = next < 0 ? file.view.length : next + 1
  }
  const opens = at > 0 && file.view[at - 1] !== '\n'
  const body = text.replace(/\r\n/g, '\n').replace(/\n$/, '')
  // At the end of a file without final newline the new line goes under the last one, and the end stays as it was.
  const insert = opens ? `\n${body}` : `${body}\n`
  const ending = file.endingAt(Math.max(0, at - 1)) ?? file.dominant
  return { splices: [{ start: at, end: at, insert, raw: insert.replaceAll('\n', ending) }], note: '' }
}

async function apply(
  input: Input,
  { workspace, signal }: ToolContext,
  { real, bytes, file, hash, links, seen }: Loaded,
  splices: readonly Splice[],
  note: string,
): Promise<ToolResult> {
  const after = spliceBytes(bytes, file, splices)
  const diff = unifiedDiff(file.view, splices, diffLimit)
  const change = `+${diff.added} −${diff.removed}${note}`
  if (input.dry_run) return ok(`Would edit ${input.file_path}: ${change}\n${diff.text}`)
  signal.throwIfAborted()
  const eol =
    file.eol === 'mixed' || splices.some(({ raw }) => raw.includes('\r'))
      ? eolOf(Buffer.from(after).toString())
      : file.eol
  await workspace.write(input.file_path, { bytes: after, expect: bytes, facts: factsOf(file.bom, eol, diff) })
  const twin = links > 1 ? `\n${count(links, 'name')} share this file; all show the change.` : ''
  return ok(`Edited ${input.file_path}: ${change}${twin}\n${diff.text}`, {
    digest: `Edited ${input.file_path.slice(-120)}: +${diff.added} −${diff.removed}`,
    // The model knows the whole new text only when it knew the whole old one.
    ...(seen === hash && { seen: [{ path: real, sha256: sha256(after) }] }),
  })
}
