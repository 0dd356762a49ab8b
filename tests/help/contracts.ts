import type { Call } from '#src/contract/call.ts'

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'kind' in value && 'touches' in value
/** The calls of a contract, however deep in what its file exports. */
export const callsIn = (of: unknown): Call[] => {
  if (isCall(of)) return [of]
  return typeof of === 'object' && of !== null && !('_zod' in of)
    ? Object.values(of).flatMap(callsIn)
    : []
}
