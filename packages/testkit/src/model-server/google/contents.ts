// Shape of a Gemini request, as loosely as a server must read it before it judges it.
import type { JsonObject } from '@tenon/protocol'
import { isObject, listOf, objectOf } from '../wire/json.ts'

export const contentsOf = (body: JsonObject): readonly JsonObject[] => listOf(body.contents).filter(isObject)

export const partsOf = ({ parts }: JsonObject): readonly JsonObject[] => listOf(parts).filter(isObject)

/** Objects of one kind among the parts of a content. */
export const kindOf = (content: JsonObject, key: 'functionCall' | 'functionResponse'): readonly JsonObject[] =>
  partsOf(content).flatMap((part) => (isObject(part[key]) ? [objectOf(part[key])] : []))

export const contentText = (content: JsonObject): string =>
  partsOf(content)
    .map(({ text, functionResponse: response }) =>
      isObject(response)
        ? JSON.stringify(Object.values(objectOf(response.response))) + String(objectOf(response.response).content)
        : String(text ?? ''),
    )
    .join('\n')

export const declarationsOf = (body: JsonObject): readonly JsonObject[] =>
  listOf(body.tools).flatMap((tool) => listOf(objectOf(tool).functionDeclarations).filter(isObject))
