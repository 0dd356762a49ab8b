import { z } from 'zod'
import { masked, type MaskRule } from '#src/domain/mask.ts'
import type { FieldMode } from './implement.ts'

export type FieldRules = { field: (key: string) => FieldMode; masks: Readonly<Record<string, MaskRule>> }
type Walk = (value: unknown, rules: FieldRules) => unknown
type Def = { type: string; innerType?: z.ZodType; element?: z.ZodType; valueType?: z.ZodType; options?: z.ZodType[]; left?: z.ZodType; right?: z.ZodType; out?: z.ZodType; getter?: () => z.ZodType; items?: z.ZodType[] }
const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

const guardOf = (schema: z.ZodType): string | undefined => {
  const key = schema.meta()?.['field']
  return typeof key === 'string' ? key : undefined
}

/** A guarded value by its rule: as it is, masked text, or undefined. A number can't be masked, so it is hidden. */
const guardedValue = (value: unknown, key: string, { field, masks }: FieldRules): unknown => {
  const mode = field(key)
  if (mode === 'show' || value === undefined || value === null) return value
  return mode === 'mask' && typeof value === 'string' ? masked(masks[key] ?? 'all', value) : undefined
}

/**
 * Makes of an output schema the function that applies role rules to what it describes; undefined when nothing in it is guarded.
 * Compiled once per call: a list of 200 rows then costs a few property reads a row.
 */
export const fieldWalk = (schema: z.ZodType, known: Known = new Map()): Walk | undefined => {
  const found = known.get(schema)
  // A schema that holds itself: by the time it is walked, its walk is known.
  if (found === 'working') return (value, rules) => (known.get(schema) as Walk | undefined)?.(value, rules) ?? value
  if (known.has(schema)) return found
  known.set(schema, 'working')
  const walk = make(schema, known)
  known.set(schema, walk)
  return walk
}
type Known = Map<z.ZodType, Walk | 'working' | undefined>

const make = (schema: z.ZodType, known: Known): Walk | undefined => {
  const def = defOf(schema)
  const of = (inner: z.ZodType | undefined) => (inner ? fieldWalk(inner, known) : undefined)
  if (schema instanceof z.ZodObject) {
    const steps = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, inner]) => {
      const key = guardOf(inner)
      const below = of(inner)
      return key || below ? [{ name, key, below }] : []
    })
    if (steps.length === 0) return undefined
    return (value, rules) => {
      if (typeof value !== 'object' || value === null) return value
      const copy: Record<string, unknown> = { ...value }
      for (const { name, key, below } of steps) {
        if (copy[name] === undefined) continue
        const shown = key ? guardedValue(copy[name], key, rules) : copy[name]
        if (shown === undefined) delete copy[name]
        else copy[name] = below ? below(shown, rules) : shown
      }
      return copy
    }
  }
  if (def.type === 'array') {
    const below = of(def.element)
    return below && ((value, rules) => (Array.isArray(value) ? value.map(one => below(one, rules)) : value))
  }
  if (def.type === 'record') {
    const below = of(def.valueType)
    return below && ((value, rules) => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, below(v, rules)])) : value))
  }
  if (def.type === 'union') {
    // Each kind guards its own names, which the other kinds then leave alone.
    const below = (def.options ?? []).flatMap(option => of(option) ?? [])
    return below.length > 0 ? (value, rules) => below.reduce((at, walk) => walk(at, rules), value) : undefined
  }
  if (def.type === 'lazy') return of(def.getter?.())
  return of(def.innerType ?? def.out)
}

/** Every guarded key of a schema; a test asks that each is a known field. */
export const guardsOf = (schema: z.ZodType, seen = new Set<z.ZodType>()): string[] => {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = defOf(schema)
  const inner = [
    ...(schema instanceof z.ZodObject ? Object.values(schema.shape as Record<string, z.ZodType>) : []),
    ...(def.options ?? []), ...[def.innerType, def.element, def.valueType, def.out, def.type === 'lazy' ? def.getter?.() : undefined].flatMap(one => one ?? []),
  ]
  return [...new Set([...(guardOf(schema) ? [guardOf(schema)!] : []), ...inner.flatMap(one => guardsOf(one, seen))])]
}

const guarded = new Set<string>()
/** Notes the guarded fields of an answer, so that the register of fields knows which of them the server really guards. */
export const noteGuards = (schema: z.ZodType): void => guardsOf(schema).forEach(key => guarded.add(key))
export const isGuarded = (key: string): boolean => guarded.has(key)
