import { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { masked } from '#src/domain/mask.ts'
import type { Staff } from './implement.ts'

export type FieldRules = Pick<Staff, 'field' | 'masks'>
type Walk = (value: unknown, rules: FieldRules) => unknown
type Def = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
  left?: z.ZodType
  right?: z.ZodType
  out?: z.ZodType
  getter?: () => z.ZodType
  items?: z.ZodType[]
}
const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

/** The keys that guard a field, also where it is wrapped: optional, nullable, in part of a shape. */
const guardOf = (schema: z.ZodType): readonly string[] => {
  const key = schema.meta()?.['field'] as string | readonly string[] | undefined
  if (key !== undefined) return [key].flat()
  const { innerType } = defOf(schema)
  return innerType ? guardOf(innerType) : []
}
/** A guard hides a field; what a list, a record or a choice holds has none to hide. */
const refuseGuard = (schema: z.ZodType): void => {
  const keys = guardOf(schema)
  if (keys.length > 0) throw new Error(`${keys.join(', ')} guards what is no field of its own`)
}

const strictness = { show: 0, mask: 1, hide: 2 } as const
/** Which of the keys that guard a value says the least may be seen. */
export const strictest = (keys: readonly string[], rules: Pick<FieldRules, 'field'>) =>
  keys.toSorted((a, b) => strictness[rules.field(b)] - strictness[rules.field(a)])[0]

/**
 * A guarded value by its rule: as it is, masked text, or undefined. A number can't be masked, so it
 * is hidden.
 */
const guardedValue = (value: unknown, key: string, { field, masks }: FieldRules): unknown => {
  const mode = field(key)
  if (mode === 'show' || value === undefined || value === null) return value
  return mode === 'mask' && typeof value === 'string'
    ? masked(masks[key] ?? 'all', value)
    : undefined
}

/** The walks of all schemas so far: answers share their parts, servers of one process their calls. */
const known = new WeakMap<z.ZodType, Walk | 'working' | undefined>()
/**
 * Makes of an output schema the function that applies role rules to what it describes; undefined
 * when nothing in it is guarded. Compiled once per schema: a list of 200 rows then costs a few
 * property reads a row.
 */
export const fieldWalk = (schema: z.ZodType): Walk | undefined => {
  const found = known.get(schema)
  // A schema that holds itself: by the time it is walked, its walk is known.
  if (found === 'working') return (value, rules) => fieldWalk(schema)?.(value, rules) ?? value
  if (known.has(schema)) return found
  known.set(schema, 'working')
  try {
    const walk = make(schema)
    known.set(schema, walk)
    return walk
  } catch (error) {
    // Refused once, it is refused again: half a walk would leave its fields open.
    known.delete(schema)
    throw error
  }
}

const make = (schema: z.ZodType): Walk | undefined => {
  const def = defOf(schema)
  const of = (inner: z.ZodType | undefined) => (inner ? fieldWalk(inner) : undefined)
  for (const held of [def.element, def.valueType, ...(def.options ?? [])])
    if (held) refuseGuard(held)
  if (schema instanceof z.ZodObject) {
    const steps = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
      ([name, inner]) => {
        const keys = guardOf(inner)
        const below = of(inner)
        return keys.length > 0 || below ? [{ name, keys, below }] : []
      },
    )
    if (steps.length === 0) return undefined
    return (value, rules) => {
      if (typeof value !== 'object' || value === null) return value
      const copy: Record<string, unknown> = { ...value }
      for (const { name, keys, below } of steps) {
        if (copy[name] === undefined) continue
        const key = keys.length > 1 ? strictest(keys, rules) : keys[0]
        const shown = key ? guardedValue(copy[name], key, rules) : copy[name]
        if (shown === undefined) delete copy[name]
        else copy[name] = below ? below(shown, rules) : shown
      }
      return copy
    }
  }
  if (def.type === 'array') {
    const below = of(def.element)
    return (
      below &&
      ((value, rules) => (Array.isArray(value) ? value.map(one => below(one, rules)) : value))
    )
  }
  if (def.type === 'record') {
    const below = of(def.valueType)
    return (
      below &&
      ((value, rules) =>
        typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, below(v, rules)]))
          : value)
    )
  }
  if (def.type === 'union') {
    // Each kind guards its own names, which the other kinds then leave alone.
    const below = (def.options ?? []).flatMap(option => of(option) ?? [])
    return below.length > 0
      ? (value, rules) => below.reduce((at, walk) => walk(at, rules), value)
      : undefined
  }
  if (def.type === 'lazy') return of(def.getter?.())
  return of(def.innerType ?? def.out)
}

/** The schemas that one is made of. */
const below = (schema: z.ZodType): z.ZodType[] => {
  const def = defOf(schema)
  const shape = schema instanceof z.ZodObject ? Object.values(schema.shape) : []
  const inner = [def.innerType, def.element, def.valueType, def.out]
  return [
    ...(shape as z.ZodType[]),
    ...(def.options ?? []),
    ...[...inner, def.type === 'lazy' ? def.getter?.() : undefined].flatMap(one => one ?? []),
  ]
}

type Guard = { name: string; key: string }
/** Every guarded property of a schema, with its key. */
const guardsIn = (schema: z.ZodType, seen = new Set<z.ZodType>()): Guard[] => {
  if (seen.has(schema)) return []
  seen.add(schema)
  const shape =
    schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : []
  const own = shape.flatMap(([name, inner]) => guardOf(inner).map(key => ({ name, key })))
  return [...own, ...below(schema).flatMap(one => guardsIn(one, seen))]
}
const reasonOf = (schema: z.ZodType): unknown =>
  schema.meta()?.['open'] ?? (defOf(schema).innerType && reasonOf(defOf(schema).innerType!))
/** The properties of a schema that neither a rule guards nor a reason leaves open. */
export const unguardedIn = (schema: z.ZodType, seen = new Set<z.ZodType>()): string[] => {
  if (seen.has(schema)) return []
  seen.add(schema)
  const shape =
    schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : []
  const own = shape.flatMap(([name, inner]) =>
    guardOf(inner).length > 0 || reasonOf(inner) ? [] : [name],
  )
  return [...own, ...below(schema).flatMap(one => unguardedIn(one, seen))]
}
/** What the guarded properties of a schema are called. */
export const guardNamesOf = (schema: z.ZodType): string[] => [
  ...new Set(guardsIn(schema).map(({ name }) => name)),
]
/** Every guarded key of a schema; a test asks that each is a known field. */
export const guardsOf = (schema: z.ZodType): string[] => [
  ...new Set(guardsIn(schema).map(({ key }) => key)),
]

const guarded = new Set<string>()
const noted = new WeakSet<object>()
const guardsAbout = new Map<string, Map<string, Set<string>>>()
/**
 * Notes the guarded fields of a call's answer, so that the register of fields knows which of them
 * the server really guards, and what they are called in answers about the same things.
 */
export const noteGuards = (call: Pick<Call, 'output' | 'touches'>): void => {
  // Another server of this process has the same calls.
  if (noted.has(call)) return
  noted.add(call)
  const { output, touches } = call
  for (const { name, key } of guardsIn(output)) {
    guarded.add(key)
    for (const touch of touches) {
      const names = guardsAbout.get(touch) ?? new Map<string, Set<string>>()
      guardsAbout.set(touch, names.set(name, (names.get(name) ?? new Set()).add(key)))
    }
  }
}
export const isGuarded = (key: string): boolean => guarded.has(key)

/**
 * What no contract describes, such as the row that a refusal tells of: a property falls under the
 * strictest rule that it has in any answer about the same things.
 */
export const guardedAbout = (
  touches: readonly string[],
  value: unknown,
  rules: FieldRules,
): unknown => {
  if (Array.isArray(value)) return value.map(one => guardedAbout(touches, one, rules))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const keys = [...guarded].filter(
        one =>
          (one.endsWith(`.${name}`) && touches.includes(one.slice(0, -name.length - 1))) ||
          touches.some(touch => guardsAbout.get(touch)?.get(name)?.has(one)),
      )
      const key = strictest(keys, rules)
      const shown = key ? guardedValue(inner, key, rules) : inner
      return shown === undefined ? [] : [[name, guardedAbout(touches, shown, rules)]]
    }),
  )
}
