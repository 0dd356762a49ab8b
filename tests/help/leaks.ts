import fc from 'fast-check'
import type { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { inputFor } from './inputs.ts'

/** Moments, and what says how far a row or a list has come: no figure of anybody's rows. */
const noFigure = /(^|_)(at|from|to|until|version|page|pageSize)$/
/**
 * What of an answer could be somebody's, as paths: rows of lists, and figures that are not zero.
 * `known` are paths without positions (`list.id`) that are none.
 */
export const found = (value: unknown, known: readonly string[] = [], path = ''): string[] => {
  const key = path.split('.').at(-1)!
  if (known.includes(path)) return []
  if (typeof value === 'number')
    return value === 0 || noFigure.test(key) ? [] : [`${path}=${value}`]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(one => found(one, known, path))
  return Object.entries(value).flatMap(([name, inner]) =>
    found(inner, known, path ? `${path}.${name}` : name),
  )
}

type Values = Readonly<Record<string, unknown>>
const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> | undefined =>
  (schema as unknown as { shape?: Record<string, z.ZodType> }).shape
const fieldsOf = (schema: z.ZodType) => shapeOf(schema) ?? {}
/** Puts a value at a path of the input: `id`, `ids`, `tasks.id`. */
const put = (schema: z.ZodType, input: Record<string, unknown>, path: string, id: number) => {
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  const isList = (one: z.ZodType | undefined): boolean => {
    const def = (one as unknown as { _zod?: { def: { type: string; innerType?: z.ZodType } } })
      ?._zod?.def
    return def?.innerType ? isList(def.innerType) : def?.type === 'array'
  }
  if (rest.length > 0)
    return {
      ...input,
      [head]: ((input[head] as object[] | undefined) ?? [{}])
        .slice(0, 1)
        .map(one => ({ ...one, [rest[0]!]: id })),
    }
  return { ...input, [head]: isList(fieldsOf(schema)[head]) ? [id] : id }
}

/** A call is asked the same, whatever other calls come to stand before it. */
const seedOf = ({ path }: Call): number =>
  [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)
const [SOME, MANY] = [10, 150]
const samplesOf = (call: Call, numRuns: number) => {
  const samples = fc.sample(inputFor(call.input, 'x', []), { numRuns, seed: seedOf(call) })
  return (samples as (Record<string, unknown> | null)[]).filter(
    one => typeof one === 'object' && one !== null,
  )
}
const firstOf = <T>(count: number, all: readonly T[], takes: (one: T) => boolean): T[] => {
  const found: T[] = []
  for (const one of all) {
    if (found.length === count) break
    if (takes(one)) found.push(one)
  }
  return found
}
/**
 * Inputs that a call takes: at first the one with as few filters as there can be, then some more.
 * `ids` are put where the contract says that rows are named, `given` into fields by their names.
 * `hand` are fields whose form no sample hits; where there are several forms, all of one.
 */
export const inputsOf = (
  call: Call,
  of: {
    ids: Readonly<Record<string, number>>
    given: Values
    hand?: Values | undefined
    more: number
  },
): unknown[] => {
  const fields = fieldsOf(call.input)
  const complete = (input: Record<string, unknown>) => {
    const own = Object.fromEntries(Object.entries(of.given).filter(([name]) => name in fields))
    return Object.entries(of.ids).reduce((all, [path, id]) => put(call.input, all, path, id), {
      ...(shapeOf(call.input) && input),
      ...own,
      ...of.hand,
    })
  }
  const needed = Object.entries(fields)
    .filter(([, field]) => !field.safeParse(undefined).success)
    .map(([name]) => name)
  const takes = (input: unknown) => call.input.safeParse(input).success
  const among = (samples: readonly Record<string, unknown>[]) => {
    const few = (sample: Record<string, unknown>) =>
      complete(Object.fromEntries(needed.map(name => [name, sample[name]])))
    return [
      ...firstOf(1, samples.map(few), takes),
      ...firstOf(of.more, samples.map(complete), takes),
    ]
  }
  const inputs = among(samplesOf(call, SOME))
  // Most calls take one of the first few.
  return inputs.length > of.more ? inputs : among(samplesOf(call, MANY))
}
