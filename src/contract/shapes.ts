import { z } from 'zod'
import { callableOf, callableRule, isCallable, mobileOf, phoneRule } from '#src/domain/phone.ts'
import { isLonger, joined, lengthOf, plainLine, plainLines } from '#src/domain/text.ts'
import { UNIX_MOST } from '#src/domain/time.ts'

/** What PostgreSQL would refuse or silently change: a NUL, or half of a surrogate pair. */
const storable = (s: string) => s.isWellFormed() && !s.includes('\0')

/**
 * What a string of an input is: one `line` or several `lines` that a person writes, a text `searched`
 * for, something `pasted` that a reader of its own takes apart, or a `key` that the console itself
 * makes. A test asks it of every string that has no form of its own.
 */
export type TextKind = 'line' | 'lines' | 'phone' | 'searched' | 'pasted' | 'key'
/** A storable text of a kind in the form that `plain` gives it, `min` to `max` code points long. */
const worded = (kind: TextKind, plain: (text: string) => string, min: number, max: number) =>
  z
    .string()
    .refine(storable, { message: '含有无法保存的字符' })
    .overwrite(plain)
    .superRefine((input, context) => {
      const issue = { origin: 'string', inclusive: true, input } as const
      if (lengthOf(input) < min) context.addIssue({ ...issue, code: 'too_small', minimum: min })
      else if (isLonger(input, max)) context.addIssue({ ...issue, code: 'too_big', maximum: max })
    })
    .meta({ kind, ...(min > 0 && { minLength: min }), maxLength: max })
const composed = (text: string) => text.normalize('NFC').trim()
const ended = (text: string) => text.normalize('NFC').trimEnd()
/**
 * Takes a line that a person writes, such as a name, and brings it to its plain form (`plainLine`):
 * at most `max` code points. Refuses a text in which nothing can be seen, unless `min` is 0.
 */
export const text = (max: number, min = 1) => worded('line', plainLine, min, max)
/** Several lines that a person writes, such as a reason: as `text`, but line breaks stay. */
export const lines = (max: number, min = 1) => worded('lines', plainLines, min, max)
/**
 * A number to call by, in its plain form where it has one (`callableOf`): who takes it says which
 * numbers are right.
 */
export const phoneText = (max = 30, min = 1) =>
  worded('phone', typed => callableOf(typed) ?? plainLine(typed), min, max)
/** A mobile number, however it is typed. */
export const mobile = phoneText(30, 0).refine(typed => mobileOf(typed) !== undefined, {
  message: joined(phoneRule),
})
/** A number that somebody can be called by: a mobile, a landline, a 400 number. */
export const callable = phoneText(30, 0).refine(isCallable, { message: joined(callableRule) })
/**
 * Words to search by, as they were typed: what reads them tells one in which nothing can be read
 * from none.
 */
export const searched = (max: number, min = 0) => worded('searched', composed, min, max)
/**
 * A pasted table or a marked-up text: whoever reads it knows its form, and tells its lines by number.
 */
export const pasted = (max: number, min = 1) => worded('pasted', ended, min, max)
/** What the console or the server itself made: a key, an address of a file, a day. */
export const keyText = (max: number, min = 0) => worded('key', value => value, min, max)

const JSON_BYTES = 65_536
const JSON_LEVELS = 16
/**
 * What keeps a value from being stored as JSON; looked at without recursion, for who sends it may
 * nest it as deep as a megabyte goes.
 */
const jsonFault = (value: unknown): string | undefined => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_LEVELS) return 'deepJson'
    const below: unknown[] = []
    for (const one of level) {
      if (typeof one === 'string' && !storable(one)) return '含有无法保存的字符'
      if (typeof one !== 'object' || one === null) continue
      if (!Array.isArray(one) && !Object.keys(one).every(storable)) return '含有无法保存的字符'
      for (const inner of Object.values(one)) below.push(inner)
    }
    level = below
  }
  return new TextEncoder().encode(JSON.stringify(value)).length > JSON_BYTES ? 'bigJson' : undefined
}
/**
 * Any JSON but `null` alone, at most 64 KB and 16 levels: what only the console itself understands.
 */
export const json = z.unknown().superRefine((value, context) => {
  const fault = value === undefined || value === null ? 'required' : jsonFault(value)
  if (fault) context.addIssue({ code: 'custom', message: fault })
})

/** Yes or no in a body; 0 and 1 are taken too. */
export const flag = z.union([
  z.boolean(),
  z.literal(0).transform(() => false),
  z.literal(1).transform(() => true),
])
export const id = z.int().min(1).max(2147483647)
/** Integer cents. */
export const cents = z.int().min(-9_007_199_254_740_991).max(9_007_199_254_740_991)
/** Unix seconds; a value in milliseconds is refused. */
export const unix = z.int().min(0).max(UNIX_MOST)
/**
 * Fields of which some say from when, and until when: an end alone is a period without a bound, so
 * its beginning is asked for.
 */
export const begun = <S extends z.ZodRawShape>(
  shape: S,
  ...periods: readonly (readonly [from: keyof S & string, to: keyof S & string])[]
) =>
  z.object(shape).superRefine((of: Readonly<Record<string, unknown>>, context) => {
    for (const [from, to] of periods)
      if (of[from] === undefined && of[to] !== undefined)
        context.addIssue({ code: 'custom', path: [from], message: 'begin' })
  })
/** 1/10000. */
export const basisPoints = z.int().min(0).max(10_000)
export const version = z.int().min(0).max(2147483647)

/** Page numbers outside, keyset inside: `total` is exact unless `capped`. */
export const page = {
  page: z.int().min(1).max(100_000).default(1),
  pageSize: z.int().min(1).max(200).default(50),
}
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({ list: z.array(row), total: z.int(), capped: z.boolean().optional() })

/** What every batch answers: nothing is half applied, each failed row says why. */
export const batchResult = z.object({
  ok: z.array(id),
  failed: z.array(z.object({ id, code: z.string(), msg: z.string() })),
})
export type BatchResult = z.output<typeof batchResult>
/** The code of a row that a busy server did nothing to: it can be sent again as it is. */
export const NO_TIME = 'no_time'

/**
 * What comes with a value revealed: how long it may be shown, and how often more it may be asked
 * for today.
 */
export const revealed = { seconds: z.int(), left: z.int() }

/**
 * A field that role rules may mask or hide; hidden means absent, so it is optional on the wire. Of
 * several keys the strictest holds: what is settled tells the commission beside what was paid.
 */
export const guarded = <T extends z.ZodType>(key: string | readonly string[], schema: T) =>
  schema.optional().meta({ field: key })
/** What a redemption or a code settles, and what it tells of the product's terms. */
export const settled = guarded(['product.settle_price_cents', 'product.commission_bp'], cents)
/** 1/1000000 degree, as a phone tells where it is. */
export const pin = {
  lng_e6: z.int().min(-180_000_000).max(180_000_000),
  lat_e6: z.int().min(-90_000_000).max(90_000_000),
}
/**
 * A field that is called like a guarded one and is not it: `why` says what it is. A test asks it of
 * every answer.
 */
export const open = <T extends z.ZodType>(why: string, schema: T): T => schema.meta({ open: why })

/** One of the keys of a table of words, such as the states of an order. */
export const keysOf = <K extends string>(of: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(of) as [K, ...K[]])

const EXPORT_CHOSEN_MAX = 2000
/** What a file is to be: its columns, all of them unless some are named, and its format. */
export const exportFile = (format: 'csv' | 'xlsx' = 'xlsx') => ({
  columns: z.array(keyText(40, 1)).min(1).max(100).optional(),
  format: z.enum(['csv', 'xlsx']).default(format),
})
/** The same, and the rows it is of, where it is not all that the filters match. */
export const asksExport = (format?: 'csv' | 'xlsx') => ({
  ids: z.array(id).min(1).max(EXPORT_CHOSEN_MAX).optional(),
  ...exportFile(format),
})
/** An export that was begun: its job, and how many rows it is of now. */
export const exportBegun = z.object({ job_id: id, rows_expected: z.int() })
