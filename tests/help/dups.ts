import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { customer_dup } from '#src/areas/dedup/dedup.table.ts'
import { scanDups } from '#src/areas/dedup/scanning.server.ts'
import { ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { bookGrowth } from '#src/areas/level/growth.server.ts'
import { member_tag, member_tag_of } from '#src/areas/member/care.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { moneyOf } from '#src/areas/payout/withdrawing.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { freshMember } from './members.ts'
import { freshAdvisers, freshCustomer } from './wecomRows.ts'

export type Who = Awaited<ReturnType<typeof addStaff>>
export let database: Database
let app: App
export let me: Who
export let other: Who
export const now = unixNow()
export const reason = '同一人重复注册'
/** Opens a database and the product on it, with two persons who decide duplicates. */
export const openDups = async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['customer.deduplication.*', 'vip.*'] })
  other = await addStaff(database, { perms: ['customer.deduplication.*'] })
}
export const call = (what: Call, input: object, as = me) =>
  send(app, what, input, { token: as.token })
export const done = async (what: Call, input: object, as = me) => {
  const said = await call(what, input, as)
  expect([what.path, said.status, said.message, said.data]).toEqual([
    what.path,
    200,
    said.message,
    said.data,
  ])
  return said.data
}
export const rule = async (what: Call, input: object, as = me) => {
  const said = await call(what, input, as)
  return [said.status, said.data?.rule]
}
export const scan = () => database.transaction(tx => scanDups(tx, now))
export const caseBy = async (where: ReturnType<typeof sql>) =>
  (await database.db.select().from(customer_dup).where(where))[0]
export const caseOf = async (id: number) =>
  (await caseBy(sql`${customer_dup.member_ids} @> array[${id}]::int[]`))!
export const held = async (id: number) => {
  const { version } = (await caseBy(sql`${customer_dup.id} = ${id}`))!
  return { id, version }
}
export const read = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!
let made = 0
/** Two members with one unionid, and the case of them. */
export const pair = async (of: Partial<typeof member.$inferInsert> = {}) => {
  const unionid = `oDup${now}${++made}`
  const [a, b] = [
    await freshMember(database, { unionid, ...of }),
    await freshMember(database, { unionid, ...of }),
  ]
  await scan()
  const { id } = await caseOf(a.id)
  return { id, a, b }
}
export const give = (member_id: number, cents: number) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'adjust',
      biz_id: member_id,
      biz_no: `TDUP${++made}`,
      idem_key: `test-dup:${now}:${made}`,
      at: now,
      lines: [
        { ...ours('suspense'), amount_cents: cents },
        { ...moneyOf({ owner_kind: 'member', owner_id: member_id }).balance, amount_cents: -cents },
      ],
    }),
  )
export const points = (member_id: number, delta: number) =>
  database.transaction(tx =>
    adjustPoints(tx, {
      member_id,
      delta,
      biz_no: `TDUP${++made}`,
      reason,
      operator_id: me.id,
      now,
    }),
  )
export const growth = (member_id: number, delta: number) =>
  database.transaction(tx =>
    bookGrowth(tx, { member_id, delta, kind: 'comment', biz_no: `TDUP${++made}`, now }),
  )
/** What members have in all (cents, points, growth), and each of them. */
export const wealth = async (ids: readonly number[]) => {
  const { rows } = await database.db.execute<{ id: number; c: string; p: number; g: number }>(sql`
    select m.id, m.points p, m.growth g, coalesce((select -sum(a.balance_cents) from ledger_account a
      where a.owner_kind = 'member' and a.owner_id = m.id), 0) c from member m
    where m.id in ${[...ids]} order by m.id`)
  return rows.map(row => [Number(row.c), row.p, row.g])
}
export const sums = (all: readonly (readonly number[])[]) =>
  [0, 1, 2].map(at => all.reduce((sum, one) => sum + one[at]!, 0))
export const tag = async (member_id: number) => {
  const [row] = await database.db
    .insert(member_tag)
    .values({ name: `标${String(now).slice(-5)}${++made}` })
    .returning()
  await database.db.insert(member_tag_of).values({ member_id, tag_id: row!.id, at: now })
  return row!.id
}
export const tagsOf = async (member_id: number) =>
  (await database.db.select().from(member_tag_of).where(eq(member_tag_of.member_id, member_id)))
    .map(row => row.tag_id)
    .sort((x, y) => x - y)
/** A contact whom so many advisers follow, the first of them first. */
export const followed = async (n: number) => {
  const advisers = await freshAdvisers(database, n)
  const customer = await freshCustomer(database)
  await database.transaction(tx =>
    applyRelations(
      tx,
      advisers.map((adviser, at) => ({
        customer_id: customer.id,
        staff_id: adviser.id,
        kind: 'add' as const,
        at: now - 1000 + at,
      })),
    ),
  )
  const follows = await database.db
    .select()
    .from(wecom_follow)
    .where(eq(wecom_follow.customer_id, customer.id))
    .orderBy(wecom_follow.added_at)
  return { customer, advisers, follows }
}
export const caseOfCustomer = async (id: number) =>
  (await caseBy(sql`${customer_dup.customer_ids} @> array[${id}]::int[]`))!
