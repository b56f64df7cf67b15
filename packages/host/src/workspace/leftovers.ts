// What a dead owner's commands left running: found by the mark of their session, ended before the session goes on.
import { endFamily, sweepStages } from './kill.ts'

/** No process group has this number: only the mark counts. */
const noGroup = -1

/**
 * Ends every process that carries `mark` in its TENON_JOB. Resolves to the pids that were alive; none where there is no
 * `/proc`. Call it when no living owner holds the session.
 */
export const endLeftovers = (mark: string): Promise<readonly number[]> =>
  endFamily({ group: noGroup, mark }, sweepStages)
