/** Codes as the handlers of their page find, judge and show them. */
import { and, asc, count, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { codeLabel } from '#src/areas/ecard/codeLife.ts'
import type { Code } from '#src/areas/ecard/codeMaking.server.ts'
import {
  ecard,
  ecard_attr,
  ecard_channel,
  ecard_code,
  ecard_ledger,
} from '#src/areas/ecard/ecard.table.ts'
import { codeStates, ledgerTypes, type CodeState } from '#src/areas/ecard/ecard.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import { yuan } from '#src/domain/money.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import type { CodeRow } from '../contract/code.ts'

type Seer = Pick<Staff, 'scope'>
/** True of cards that the person sees. */
export const cardsSeen = ({ scope }: Seer): SQL | undefined =>
  within(scope, { city: ecard.city_id, mall: ecard.mall_id })
/** True of rows whose card the person sees. */
export const seenByCard = (card_id: PgColumn) => (staff: Seer) => {
  const seen = cardsSeen(staff)
  return seen && sql`exists (select 1 from ${ecard} where ${ecard.id} = ${card_id} and ${seen})`
}
export const codeRecord = record(ecard_code, {
  object: 'ecard_code',
  label: codeLabel,
  keys: ['state', 'valid_until'],
  places: seenByCard(ecard_code.card_id),
  // A refusal shows no number that the reader's rules hide.
  told: ({ state, valid_until }) => ({ state, valid_until }),
})
type Filters = {
  card_id: number
  attr_id?: number
  state?: CodeState
  batch_no?: string
  keyword?: string
}
const TAIL = 4
/** A whole number, or its end for who may see the number: trying ends would tell it. */
const numbered = (typed: string, staff: Staff): SQL => {
  const no = normalCode(typed)
  if (no.length > TAIL) return eq(ecard_code.card_no, no)
  if (staff.field('ecard.card_no') !== 'show')
    throw ruled('whole_number', [
      '你没有查看卡号的权限，请输入完整的卡号查找',
      'You may not see card numbers: search by the whole number',
    ])
  return sql`right(card_no, 4) = ${no}`
}
const holderOf = { id: member.id, nickname: member.nickname, phone: member.phone }
const besideOf = async (db: Db, rows: readonly Code[]) => {
  const found = await db
    .select({
      id: ecard_code.id,
      channel_name: sql<string>`coalesce(${ecard_channel.name}, '')`,
      order_no: sql<string>`coalesce(${order.order_no}, '')`,
      frozen_by_name: sql<string>`coalesce(${admin.name}, '')`,
      member: holderOf,
    })
    .from(ecard_code)
    .leftJoin(ecard_channel, eq(ecard_channel.id, ecard_code.channel_id))
    .leftJoin(order, eq(order.id, ecard_code.order_id))
    .leftJoin(member, eq(member.id, ecard_code.holder_id))
    .leftJoin(admin, eq(admin.id, ecard_code.frozen_by))
    .where(
      inArray(
        ecard_code.id,
        rows.map(row => row.id),
      ),
    )
  return new Map(found.map(one => [one.id, one]))
}
export const codeList = listing(codeRecord, {
  by: ecard_code.id,
  down: true,
  where: ({ keyword, ...same }: Filters, { staff }) =>
    and(equal(ecard_code, same), keyword ? numbered(keyword, staff as Staff) : undefined),
  shown: async (db, rows): Promise<CodeRow[]> => {
    const beside = await besideOf(db, rows)
    return rows.map(row => {
      const { member: holder, ...names } = beside.get(row.id)!
      return {
        ...row,
        ...names,
        holder: holder?.nickname ?? '',
        phone: holder?.phone ?? '',
        reason: row.reason ?? '',
      }
    })
  },
})
/** How many codes of some rows stand in each state. */
export const statOf = async (
  db: Db,
  where: SQL | undefined,
): Promise<Partial<Record<CodeState, number>>> => {
  const rows = await db
    .select({ state: ecard_code.state, n: count() })
    .from(ecard_code)
    .where(where)
    .groupBy(ecard_code.state)
  return Object.fromEntries(rows.map(row => [row.state, row.n]))
}

type Step = {
  id: string
  at: number
  what: string
  amount_cents: number | null
  balance_after_cents: number | null
  by: string
  note: string
}
/** The life of a code, the oldest step first: its own times, and each move of its money. */
export const trailOf = async (db: Db, code: Code, lang: Lang): Promise<Step[]> => {
  const moves = await db
    .select({ row: ecard_ledger, by: sql<string>`coalesce(${admin.name}, '')` })
    .from(ecard_ledger)
    .leftJoin(admin, eq(admin.id, ecard_ledger.admin_id))
    .where(eq(ecard_ledger.code_id, code.id))
    .orderBy(asc(ecard_ledger.id))
  const mark = (key: string, at: number | null, [zh, en]: readonly [string, string]): Step[] =>
    at === null
      ? []
      : [
          {
            id: key,
            at,
            what: say([zh, en], lang),
            amount_cents: null,
            balance_after_cents: null,
            by: '',
            note: '',
          },
        ]
  return [
    ...mark('made', code.created_at, ['入库', 'In stock']),
    ...mark('sold', code.sold_at, ['售出', 'Sold']),
    ...mark('shown', code.shown_at, ['卡密被查看', 'Its secret was seen']),
    ...moves.map(({ row, by }) => ({
      id: `m${row.id}`,
      at: row.created_at,
      what: say(ledgerTypes[row.type], lang),
      amount_cents: row.amount_cents,
      balance_after_cents: row.balance_after_cents,
      by,
      note:
        row.reason ||
        (row.ref_id > 0 && row.ref_type !== 'code' ? `${row.ref_type} ${row.ref_id}` : ''),
    })),
    ...mark('frozen', code.frozen_at, codeStates.frozen),
  ].toSorted((a, b) => a.at - b.at)
}
/** A face as a question offers it: 100.00 元，余 20 张. */
export const faceName = (of: typeof ecard_attr.$inferSelect, lang: Lang): string =>
  say(['{face} 元（未售 {n} 张）', '¥{face} ({n} free)'], lang, {
    face: yuan(of.face_cents),
    n: of.free_n,
  })
