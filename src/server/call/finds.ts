/**
 * Searching by a field that the reader may not see (`finds` of a contract). What is masked on the
 * screen could else be tried out: the end of a phone, or many whole ones at once. Whoever may not
 * see the field finds a row by one whole number at a time; it is logged, and a day has so many.
 */
import { and, countDistinct, eq, gte, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { readSearch, type Part, type Reading } from '#src/areas/order/orderSearch.ts'
import { isCodeLike, normalCode } from '#src/areas/secret/secretCode.ts'
import type { Call, Finds } from '#src/contract/call.ts'
import { masked } from '#src/domain/mask.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { Caller, Db, Install, Staff } from './implement.ts'
import { logFind } from './oplog.ts'
import { ruled } from './refuse.ts'

/** So many different numbers a day one person may find by without seeing them. */
export const FINDS_A_DAY = 200
const FIND_LOCK = 41_806

type Core = { database: Database; install: Install }
type Asking = { call: Call; staff: Staff; caller: Caller; now: number; request_id: string }
/** `secret`: nothing of it stands in the log. */
type Found = { field: string; value: string; secret?: boolean }

/** The guarded field that stands between the reader and this kind of number, if one does. */
const hiddenBy = (finds: Finds, kind: Reading['kind'], staff: Staff): string | undefined =>
  (finds as Readonly<Record<string, readonly string[]>>)[kind]?.find(
    key => staff.field(key) !== 'show',
  )

const onlyWhole = () =>
  ruled('whole_number', [
    '你没有查看此项的权限，请输入完整的号码查找',
    'You may not see this field: search by the whole number',
  ])
const onlyOne = () =>
  ruled('one_number', [
    '你没有查看此项的权限，一次只能按一个完整的号码查找',
    'You may not see this field: search by one whole number at a time',
  ])
const tooMany = () =>
  ruled(
    'find_quota',
    [
      '今天已按 {n} 个无权查看的号码查找，达到每日上限；如确有需要请联系管理员',
      'You have searched by {n} numbers that you may not see, which is the day’s limit: ask an administrator',
    ],
    { n: FINDS_A_DAY },
  )

/** A part as it may be read: as it stands, or with the reading said that is left of it. */
const readAs = (part: Part, left: readonly Reading[]): string => {
  if (left.length === part.readings.length) return part.text
  if (left.length === 0) throw onlyWhole()
  return left[0]!.kind === 'tracking_no' ? `快递单号 ${left[0]!.value}` : `名称 ${part.text}`
}
/** The text as the reader may search by it, and the guarded number that it finds by. */
const allowed = (typed: string, finds: Finds, staff: Staff): { text: string; by?: Found } => {
  const { parts } = readSearch(typed)
  const guards = (one: Reading) => hiddenBy(finds, one.kind, staff)
  const whole = parts.flatMap(part =>
    part.readings.flatMap(one => {
      const field = one.kind === 'phone_last4' ? undefined : guards(one)
      return field ? [{ field, value: one.value, sure: one.sure }] : []
    }),
  )
  const many = parts.length > 1
  if (many && whole.some(one => one.sure)) throw onlyOne()
  // A number that may be a code or a parcel's is, in a list, taken for the parcel's.
  const barred = (one: Reading) => (many || one.kind === 'phone_last4') && guards(one) !== undefined
  if (!parts.some(part => part.readings.some(barred)))
    return { text: typed, ...(whole[0] && { by: whole[0] }) }
  const text = parts.map(part =>
    readAs(
      part,
      part.readings.filter(one => !barred(one)),
    ),
  )
  return { text: text.join('\n') }
}

/** A person's searches of today by numbers that they may not see. */
const today = ({ staff, now }: Asking) =>
  and(
    eq(op_log.admin_id, staff.id),
    gte(op_log.created_at, dayStart(now)),
    eq(op_log.action, 'find'),
  )
const mark = sql<string>`${op_log.after} ->> 'mark'`
/** Counts and logs a number once a day; throws beyond what a day allows. */
const note = async (
  { database, install }: Core,
  asking: Asking,
  { field, value, secret }: Found,
) => {
  const own = install.sign(`find:${value}`).slice(0, 16)
  const known = async (db: Db) =>
    (
      await db
        .select({ id: op_log.id })
        .from(op_log)
        .where(and(today(asking), sql`${mark} = ${own}`))
        .limit(1)
    ).length > 0
  if (await known(database.db)) return
  await database.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIND_LOCK}, ${asking.staff.id})`)
    if (await known(tx)) return
    const [so] = await tx
      .select({ n: countDistinct(mark) })
      .from(op_log)
      .where(today(asking))
    if (so!.n >= FINDS_A_DAY) throw tooMany()
    const { call, staff, caller, request_id } = asking
    const rule = secret ? 'all' : (staff.masks[field] ?? 'all')
    await logFind(
      tx,
      { call, staff, ip: caller.ip, request_id },
      { label: masked(rule, value), after: { field, mark: own } },
    )
  })
}

/**
 * The input as its reader may search by it. Throws a refusal for several guarded numbers at once, a
 * part of one, or one too many today; what was counted stays counted.
 */
export const searchable = async (core: Core, asking: Asking, input: unknown): Promise<unknown> => {
  const { finds } = asking.call
  if (!finds) return input
  const own: Record<string, unknown> = { ...(input as object) }
  for (const [name, by] of Object.entries(finds)) {
    const typed = own[name]
    if (typeof typed !== 'string' || typed === '') continue
    if (by.whole) {
      const field = by.whole.find(key => asking.staff.field(key) !== 'show')
      const value = normalCode(typed)
      if (field && isCodeLike(value)) await note(core, asking, { field, value, secret: true })
      continue
    }
    const found = allowed(typed, by, asking.staff)
    if (found.by) await note(core, asking, found.by)
    own[name] = found.text
  }
  return own
}
