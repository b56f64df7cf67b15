// What Grep takes.
import { z } from 'zod'

const defaultTimeout = 20_000
const hidden = { hidden: true } as const
const lines = z.int().nonnegative().max(1000).optional()

export const grepSchema = z.object({
  pattern: z.string().min(1).describe('Regular expression (Rust syntax)'),
  path: z.string().optional().describe('File or folder; default: the working directory'),
  glob: z.string().optional().describe('Only files like "*.ts" or "src/**/*.{js,ts}"'),
  type: z.string().optional().describe('Only files of a type: js, py, rust, go …'),
  output_mode: z
    .enum(['files_with_matches', 'content', 'count'])
    .default('files_with_matches')
    .describe('Paths (default), lines, or counts'),
  '-A': lines.describe('Lines after'),
  '-B': lines.describe('Lines before'),
  '-C': lines.describe('Lines around'),
  '-n': z.boolean().default(true).meta(hidden),
  '-i': z.boolean().default(false).describe('Ignore case'),
  '-o': z.boolean().default(false).meta(hidden),
  case_sensitive: z.boolean().optional().meta(hidden),
  multiline: z.boolean().default(false).describe('. matches line ends'),
  head_limit: z.int().nonnegative().default(250).describe('Most entries; 0 = all'),
  offset: z.int().nonnegative().default(0).describe('Entries to skip'),
  literal: z.boolean().default(false).describe('Pattern is plain text'),
  pcre: z.boolean().default(false).meta(hidden),
  include_ignored: z.boolean().default(false).describe('Also ignored files'),
  timeout: z.int().positive().max(120_000).default(defaultTimeout).meta({ hidden: true, milliseconds: true }),
})
export type GrepInput = z.infer<typeof grepSchema>
