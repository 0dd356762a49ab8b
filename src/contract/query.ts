import { z } from 'zod'

const inQuery = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
/**
 * Input as query parameters: absent for undefined, commas between the entries of an array, 1 and 0
 * for booleans.
 */
export const toQuery = (input: unknown): string => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input ?? {})) {
    if (value === undefined || value === '') continue
    query.set(key, inQuery(value))
  }
  return query.toString()
}

const bare = (schema: z.ZodType): z.ZodType => {
  const inner = (schema as { unwrap?: () => z.ZodType }).unwrap
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
    ? bare(inner!.call(schema))
    : schema
}
/** Whether a schema takes a number, however it may be left out. */
export const isNumber = (schema: z.ZodType): boolean => bare(schema) instanceof z.ZodNumber
const isWhole = /^-?\d{1,16}$/

const flags: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }
const typed = (schema: z.ZodType, value: string): unknown => {
  const of = bare(schema)
  if (of instanceof z.ZodNumber) return isWhole.test(value) ? Number(value) : value
  if (of instanceof z.ZodBoolean) return flags[value] ?? value
  if (of instanceof z.ZodArray)
    return value.split(',').map(part => typed(of.element as z.ZodType, part))
  return value
}

/**
 * Query parameters as the input a schema expects; what can't be read stays text, so that the schema
 * names the fault at its field. `limit` is another name of `pageSize`.
 */
export const fromQuery = (
  schema: z.ZodType,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
  const sized =
    'limit' in query &&
    !('pageSize' in query) &&
    !Object.hasOwn(shape, 'limit') &&
    Object.hasOwn(shape, 'pageSize')
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [sized && key === 'limit' ? 'pageSize' : key, value] as const)
      .map(([key, value]) => [
        key,
        typeof value === 'string' && Object.hasOwn(shape, key) ? typed(shape[key]!, value) : value,
      ]),
  )
}

/**
 * What of this a schema takes as a whole: fields that it refuses only together are left out, as few
 * as it takes.
 */
export const fitting = (
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const faultsOf = (of: object) => schema.safeParse(of).error?.issues.length ?? 0
  let kept = { ...given }
  let faults = faultsOf(kept)
  for (const key of Object.keys(given)) {
    if (faults === 0) break
    const { [key]: _, ...rest } = kept
    const left = faultsOf(rest)
    if (left < faults) [kept, faults] = [rest, left]
  }
  return kept
}
