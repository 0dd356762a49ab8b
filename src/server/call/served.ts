import type { Call, Calls } from '#src/contract/call.ts'
import { unstartedExports } from '#src/server/exports/exports.ts'

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'read' || value.kind === 'write') &&
  'path' in value &&
  'permit' in value
const nameOf = ({ method, path }: Call): string => `${method} ${path}`
/** The calls in what a contract exports: by themselves, in a group, or in groups of groups. */
const callsIn = (value: unknown, name: string): { call: Call; name: string }[] => {
  if (isCall(value)) return [{ call: value, name }]
  const plain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return plain
    ? Object.entries(value).flatMap(([key, inner]) => callsIn(inner, `${name}.${key}`))
    : []
}

/**
 * The implementations, when they serve every call that a contract exports and each of their exports
 * has the call that starts it; throws otherwise, with the calls that nobody serves.
 */
export const everyCallServed = <I extends { calls: Calls }>(
  implementations: readonly I[],
  contracts: Readonly<Record<string, object>>,
): readonly I[] => {
  const calls = implementations.flatMap(({ calls: of }) => Object.values(of))
  const served = new Set(calls.map(nameOf))
  const lost = Object.entries(contracts).flatMap(([file, exported]) =>
    callsIn({ ...exported }, file).filter(({ call }) => !served.has(nameOf(call))),
  )
  if (lost.length > 0)
    throw new Error(
      `Calls that nobody serves: ${lost.map(({ call, name }) => `${nameOf(call)} (${name})`).join(', ')}`,
    )
  const pages = unstartedExports(calls)
  if (pages.length > 0) throw new Error(`Exports that no call starts: ${pages.join(', ')}`)
  return implementations
}
