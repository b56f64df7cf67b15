// Temperature, top-p and stop words under a format's own names; what a model does not take is left out and said.
import type { JsonObject } from '@tenon/protocol'
import type { WriteFacts } from './dialect.ts'

export interface SamplingNames {
  readonly temperature: string
  readonly topP: string
  /** Absent where the format has no stop words. */
  readonly stop?: string
}

export function samplingFields({ request, model, warn }: WriteFacts, names: SamplingNames): JsonObject {
  const { temperature, topP, stop } = request.sampling ?? {}
  const { noSampling = false, noStop = false } = model.quirks
  if (noSampling) {
    if (temperature !== undefined || topP !== undefined) warn(`${model.id} takes no temperature or top-p; left out.`)
    return {}
  }
  return {
    ...(temperature !== undefined && { [names.temperature]: temperature }),
    ...(topP !== undefined && { [names.topP]: topP }),
    ...(stop?.length && names.stop && !noStop && { [names.stop]: stop }),
  }
}
