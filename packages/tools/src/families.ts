// The lists of built-in tools, one line a tool. Order is the order in which the model sees them: it must not move.
import type { Tool } from '@tenon/core'
import { edit } from './file/edit.ts'
import { read } from './file/read.ts'
import { write } from './file/write.ts'
import { glob } from './search/glob.ts'
import { grep } from './search/grep.ts'
import { bash } from './shell/bash.ts'
import { askUserQuestion } from './work/ask-user-question.ts'
import { finish } from './work/finish.ts'
import { todoWrite } from './work/todo-write.ts'

/** What every session has. */
export const coreTools: readonly Tool[] = [read, write, edit, bash, grep, glob, todoWrite, askUserQuestion, finish]
