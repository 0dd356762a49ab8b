import fc from 'fast-check'
import { z } from 'zod'

type Def = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
  in?: z.ZodType
  entries?: Record<string, unknown>
  values?: unknown[]
  checks?: {
    _zod: {
      def: {
        check: string
        value?: number
        minimum?: number
        maximum?: number
        inclusive?: boolean
        format?: string
      }
    }
  }[]
  defaultValue?: unknown
}
const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

/** The bounds that a schema's checks set. */
const boundsOf = (schema: z.ZodType) => {
  const bounds: { min?: number; max?: number } = {}
  for (const check of defOf(schema).checks ?? []) {
    const { check: kind, value, minimum, maximum } = check._zod.def
    if (kind === 'greater_than' && value !== undefined) bounds.min = value
    if (kind === 'less_than' && value !== undefined) bounds.max = value
    if (kind === 'min_length') bounds.min = minimum ?? 0
    if (kind === 'max_length') bounds.max = maximum ?? 0
  }
  const { minLength, maxLength } = (schema.meta() ?? {}) as Record<string, number>
  if (minLength !== undefined) bounds.min = minLength
  if (maxLength !== undefined) bounds.max = maxLength
  return bounds
}

/** Paths of the strings of a schema that neither say their kind nor have a form of their own. */
export const bareStringsOf = (schema: z.ZodType, path: readonly string[] = []): string[] => {
  const def = defOf(schema) as Def & {
    format?: string
    shape?: Record<string, z.ZodType>
    keyType?: z.ZodType
    valueType?: z.ZodType
    items?: z.ZodType[]
  }
  if (def.type === 'string') {
    const formed =
      def.format !== undefined ||
      def.checks?.some(check => check._zod.def.check === 'string_format') === true
    return formed || schema.meta()?.kind !== undefined ? [] : [path.join('.')]
  }
  const own = [def.innerType, def.in, def.element, def.valueType, ...(def.options ?? [])]
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, inner]) =>
      bareStringsOf(inner, [...path, name]),
    ),
    ...[...own, ...(def.items ?? [])].flatMap(inner => (inner ? bareStringsOf(inner, path) : [])),
    ...(def.keyType ? bareStringsOf(def.keyType, [...path, '*']) : []),
  ]
}

type Shape = { list: boolean; fields: Map<string, Shape | undefined> }
/** Reads `id list[name of{a b}] total`; what begins with a bracket is a list by itself. */
const shapeOf = (written: string): Shape => {
  const tokens = written.match(/[\w]+|[[\]{}]/g) ?? []
  let at = 0
  const fields = (): Map<string, Shape | undefined> => {
    const found = new Map<string, Shape | undefined>()
    while (at < tokens.length && tokens[at] !== ']' && tokens[at] !== '}') {
      const name = tokens[at++]!
      if (tokens[at] !== '[' && tokens[at] !== '{') {
        found.set(name, undefined)
        continue
      }
      const list = tokens[at++] === '['
      found.set(name, { list, fields: fields() })
      at++
    }
    return found
  }
  if (tokens[0] !== '[') return { list: false, fields: fields() }
  at = 1
  return { list: true, fields: fields() }
}
/**
 * What of a shape a schema does not say, as paths; where the schema has several forms, of the one
 * that is nearest.
 */
const lacking = (shape: Shape, schema: z.ZodType, side: 'in' | 'out'): string[] => {
  const def = defOf(schema) as Def & { shape?: Record<string, z.ZodType>; out?: z.ZodType }
  const piped = side === 'in' ? def.in : def.out
  const inner = def.innerType ?? (def.type === 'pipe' ? piped : undefined)
  if (inner) return lacking(shape, inner, side)
  if (def.type === 'lazy')
    return lacking(shape, (def as unknown as { getter: () => z.ZodType }).getter(), side)
  if (def.options)
    return def.options
      .map(option => lacking(shape, option, side))
      .sort((a, b) => a.length - b.length)[0]!
  if (shape.list)
    return def.type === 'array'
      ? lacking({ ...shape, list: false }, def.element!, side)
      : ['(no list)']
  return [...shape.fields].flatMap(([name, of]) => {
    const field = def.shape?.[name]
    if (!field) return [name]
    return of ? lacking(of, field, side).map(path => `${name}.${path}`) : []
  })
}
/** What is missing in a schema of each form that is written down, ` | ` between them. */
export const missingIn = (written: string, schema: z.ZodType, side: 'in' | 'out'): string[] =>
  written.split(' | ').flatMap(form => lacking(shapeOf(form), schema, side))

/**
 * Texts that have broken systems before. `canary` is in every one, so that logs can be searched for
 * it.
 */
export const nasty = (canary: string) => [
  '',
  ' ',
  canary,
  `=${canary}()`,
  `＝${canary}`,
  `@SUM(${canary})`,
  `<img src=x onerror=${canary}>`,
  `<script>${canary}</script>`,
  `javascript:${canary}`,
  `' or 1=1; drop table admin; -- ${canary}`,
  `%_\\${canary}`,
  `\u0000${canary}`,
  `\ud800${canary}`,
  `${canary}\u202e\u200b`,
  `e\u0301${canary}`,
  '😀'.repeat(40),
  `${canary}${'长'.repeat(3000)}`,
  `../../../${canary}`,
  '{"$ne":1}',
  '1e309',
  '-0',
  '１２３',
  'NaN',
  '__proto__',
]
const numbers = [
  0,
  -1,
  1,
  2,
  7,
  50,
  200,
  201,
  2147483647,
  2147483648,
  -2147483649,
  4102444800,
  4102444801,
  1_790_000_000_000,
  Number.MAX_SAFE_INTEGER,
  9007199254740993,
  1e25,
  1.5,
  -0.0001,
]
const anything = (canary: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...nasty(canary)),
    fc.constantFrom(...numbers),
    fc.constantFrom(null, true, false, [], {}, [[]], { a: { b: [1] } }, [1, 'x', null]),
  )

type Bounds = ReturnType<typeof boundsOf>
const numberWithin = ({ min, max }: Bounds, ids: readonly number[]): fc.Arbitrary<number> => {
  const low = min ?? Math.min(0, max ?? 0)
  const most = Math.min(max ?? low + 1_000_000, low + 1_000_000)
  const beside = [min, max].flatMap(bound =>
    bound === undefined ? [] : [bound, bound - 1, bound + 1],
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: low, max: most }) },
    ...(ids.length > 0 && min === 1 ? [{ weight: 4, arbitrary: fc.constantFrom(...ids) }] : []),
    { weight: 1, arbitrary: fc.constantFrom(0, ...beside) },
  )
}
const textWithin = ({ min, max }: Bounds, canary: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .string({ minLength: Math.min(min ?? 0, 20), maxLength: Math.min(max ?? 30, 30) })
        .map(text => `${text}${canary}`.slice(0, max ?? 200)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...nasty(canary)) },
  )
/**
 * Input that a schema takes, or nearly: bounds, their neighbours, and words that are long, odd or
 * dangerous where text is allowed.
 */
export const inputFor = (
  schema: z.ZodType,
  canary: string,
  ids: readonly number[],
): fc.Arbitrary<unknown> => {
  const def = defOf(schema)
  const { min, max } = boundsOf(schema)
  const of = (inner: z.ZodType) => inputFor(inner, canary, ids)
  switch (def.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries((schema as z.ZodObject).shape as Record<string, z.ZodType>).map(
            ([key, inner]) => [key, of(inner)],
          ),
        ),
        {
          requiredKeys: Object.entries((schema as z.ZodObject).shape as Record<string, z.ZodType>)
            .filter(([, inner]) => !inner.safeParse(undefined).success)
            .map(([key]) => key),
        },
      )
    case 'optional':
    case 'default':
    case 'nullable':
    case 'prefault':
      return of(def.innerType!)
    case 'array':
      return fc.array(of(def.element!), {
        minLength: min ?? 0,
        maxLength: Math.min(max ?? 4, (min ?? 0) + 4),
      })
    case 'record':
      return fc.dictionary(fc.constantFrom('title', 'price_cents', 'x'), of(def.valueType!), {
        maxKeys: 3,
      })
    case 'union':
      return fc.oneof(...def.options!.map(of))
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries!))
    case 'literal':
      return fc.constantFrom(...def.values!)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return numberWithin({ min, max }, ids)
    case 'string':
      return textWithin({ min, max }, canary)
    case 'pipe':
      return of(def.in!)
    default:
      return anything(canary)
  }
}

/** Input with one thing wrong: a field lost, added, of another type, or everything replaced. */
export const brokenInput = (
  schema: z.ZodType,
  canary: string,
  ids: readonly number[],
): fc.Arbitrary<unknown> => {
  const base = inputFor(schema, canary, ids) as fc.Arbitrary<Record<string, unknown>>
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const changed = (
    change: (
      input: Record<string, unknown>,
      key: string,
      value: unknown,
    ) => Record<string, unknown>,
  ) =>
    fc
      .tuple(base, fc.constantFrom(...(keys.length > 0 ? keys : ['x'])), anything(canary))
      .map(([input, key, value]) => change({ ...input }, key, value))
  return fc.oneof(
    changed((input, key) => {
      delete input[key]
      return input
    }),
    changed((input, key, value) => ({ ...input, [key]: value })),
    changed((input, key, value) => ({ ...input, [key]: [value, value] })),
    changed((input, _, value) => ({ ...input, unknown_field: value })),
    changed((input, _, value) => ({
      ...input,
      status: value,
      password_hash: value,
      admin_id: value,
      created_at: value,
    })),
    anything(canary),
  )
}
