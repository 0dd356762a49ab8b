import { and, desc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { billPartner } from '#src/areas/redeemCode/bills.server.ts'
import { block } from '#src/areas/redeemCode/blocks.server.ts'
import { rewardsGiven } from '#src/areas/redeemCode/given.server.ts'
import {
  goodsFilters,
  goodsStateOf,
  goodsStates,
  type GoodsFilter,
} from '#src/areas/redeemCode/goods.ts'
import { goodsAre } from '#src/areas/redeemCode/handing.server.ts'
import {
  code_batch,
  code_bill,
  redeem_block,
  redeem_code,
  redeem_log,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import { redeemResults, type RedeemResult } from '#src/areas/redeemCode/redeemCode.ts'
import {
  reissueSuccess,
  revokeSuccess,
  type RedeemLog,
} from '#src/areas/redeemCode/revoking.server.ts'
import { maskedCode, normalCode } from '#src/areas/secret/secretCode.ts'
import { masked } from '#src/domain/mask.ts'
import { say, semicolon } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { redeemLogs as contract, type RedeemRow } from '../contract/redeem.ts'

const CURVE_DAYS = 7
type Filters = {
  tail?: string
  phone?: string
  batch_id?: number
  member_id?: number
  partner?: string
  result?: RedeemResult
  goods_state?: GoodsFilter
  from?: number
  to?: number
  folded?: boolean
}
const logs = record(redeem_log, {
  object: 'redeem_log',
  label: row => maskedCode(row.input_tail),
  keys: ['revoked_at', 'reissued_at'],
  places: 'all',
})
const t = redeem_log
/** The same try once more within the hour, earlier than this one. */
const repeats = sql`exists (select 1 from redeem_log e where e.member_id = ${t.member_id} and e.device_id = ${t.device_id} and e.result = ${t.result} and e.created_at between ${t.created_at} - ${HOUR}::int and ${t.created_at} and e.id < ${t.id})`
const within = ({
  from,
  to,
}: {
  from?: number | undefined
  to?: number | undefined
}): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(t.created_at, from),
    to === undefined ? undefined : lt(t.created_at, to),
  )
const list = listing(logs, {
  by: redeem_log.created_at,
  down: true,
  where: ({ tail, phone, partner, goods_state, folded, from, to, ...same }: Filters, { now }) =>
    and(
      equal(redeem_log, same),
      tail ? eq(t.input_tail, normalCode(tail).slice(-4)) : undefined,
      phone ? eq(t.phone, phone) : undefined,
      partner
        ? sql`${t.batch_id} = any(array(select b.id from code_batch b where b.partner = ${partner}))`
        : undefined,
      goods_state ? goodsAre(goods_state, now) : undefined,
      folded ? sql`(${t.result} = 'ok' or not ${repeats})` : undefined,
      within({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
    ),
  shown: (db, rows, { staff, now }) => shownLogs(db, rows, { lang: staff.lang, now }),
})
type Beside = {
  id: number
  batch_name: string
  partner: string
  nickname: string
  by: string
  mall_name: string
  handed_store: string
  handed_name: string
  /** Until when its code is good. */ end: number | null
  locked_until: number | null
  tries: number
}
const besideOf = (db: Db, ids: readonly number[], now: number): Promise<Beside[]> =>
  db
    .select({
      id: t.id,
      batch_name: sql<string>`coalesce(${code_batch.name}, '')`,
      partner: sql<string>`coalesce(${code_batch.partner}, '')`,
      nickname: sql<string>`coalesce(${member.nickname}, '')`,
      by: sql<string>`coalesce(${admin.name}, '')`,
      mall_name: sql<string>`coalesce(${mall.name}, '')`,
      handed_store: sql<string>`coalesce((select s.name from store s where s.id = ${t.handed_store_id}), '')`,
      handed_name: sql<string>`coalesce((select a.name from admin a where a.id = ${t.handed_by}), '')`,
      end: sql<number | null>`coalesce(${redeem_code.end_at}, ${code_batch.end_at})::float8`,
      locked_until: sql<
        number | null
      >`(select b.until::float8 from ${redeem_block} b where b.kind = 'member' and b.value = ${t.member_id}::text and b.until > ${now})`,
      tries: sql<number>`(select count(*)::int from redeem_log e where e.member_id = ${t.member_id} and e.device_id = ${t.device_id} and e.result = ${t.result} and e.created_at between ${t.created_at} and ${t.created_at} + ${HOUR}::int)`,
    })
    .from(t)
    .leftJoin(code_batch, eq(code_batch.id, t.batch_id))
    .leftJoin(redeem_code, eq(redeem_code.id, t.code_id))
    .leftJoin(member, eq(member.id, t.member_id))
    .leftJoin(admin, eq(admin.id, t.staff_id))
    .leftJoin(mall, eq(mall.id, t.mall_id))
    .where(inArray(t.id, [...ids]))
const shownLogs = async (
  db: Db,
  rows: readonly RedeemLog[],
  { lang, now }: { lang: WriteContext['staff']['lang']; now: number },
): Promise<RedeemRow[]> => {
  const beside = new Map(
    (
      await besideOf(
        db,
        rows.map(row => row.id),
        now,
      )
    ).map(one => [one.id, one]),
  )
  const rewards = await rewardsGiven(
    db,
    rows.map(row => row.granted),
    lang,
  )
  return rows.map((row, at) => ({
    ...row,
    ...beside.get(row.id)!,
    masked: maskedCode(row.input_tail),
    rewards: rewards[at]!,
    goods_state:
      row.granted?.goods && row.revoked_at === null
        ? goodsStateOf(row, beside.get(row.id)!.end ?? 0, now)
        : null,
  }))
}

const handlers = {
  lst: list.page,
  hourly: async ({ batch_id, from, to }, { db, now }) => {
    const end = to ?? now
    const begin = Math.max(from ?? 0, end - CURVE_DAYS * DAY)
    const first = Math.floor(begin / HOUR) * HOUR
    const rows = await db
      .select({
        at: sql<number>`(${t.created_at} / ${HOUR}::int * ${HOUR}::int)::float8`,
        ok: sql<number>`(count(*) filter (where ${t.result} = 'ok'))::int`,
        unknown: sql<number>`(count(*) filter (where ${t.result} in ('unknown', 'locked')))::int`,
        all: sql<number>`count(*)::int`,
      })
      .from(t)
      .where(and(within({ from: first, to: end + 1 }), equal(redeem_log, { batch_id })))
      .groupBy(sql`1`)
    const by = new Map(rows.map(row => [row.at, row]))
    return {
      hours: Array.from({ length: Math.floor((end - first) / HOUR) + 1 }, (_, n) => {
        const at = first + n * HOUR
        const { ok = 0, unknown = 0, all = 0 } = by.get(at) ?? {}
        return { at, ok, unknown, failed: all - ok - unknown }
      }),
    }
  },
  bills: async (_, { db }) => ({
    list: await db.select().from(code_bill).orderBy(desc(code_bill.id)).limit(100),
  }),
  reissue: async ({ reason, ...one }, context) => {
    const was = await logs.heldFast(context, one)
    const { staff, now } = context
    await reissueSuccess(context.tx, was, { staff_id: staff.id, now, reason })
    const after = await logs.read(context.tx, staff, was.id)
    logs.log(context, after, { after: { reissued_at: now }, reason })
    return after
  },
  revoke: async ({ reopen, reason, ...one }, context) => {
    const was = await logs.held(context, one)
    const { staff, now } = context
    await revokeSuccess(context.tx, was, { staff_id: staff.id, now, reason, reopen })
    const after = await logs.read(context.tx, staff, was.id)
    logs.log(context, after, { after: { revoked_at: now }, reason })
    return after
  },
  blockMember: async ({ id, days, reason }, context) => {
    const { tx, staff, now } = context
    const was = await logs.read(tx, staff, id)
    if (was.member_id === null)
      throw ruled('no_member', ['这条记录没有会员', 'No member stands in this record'])
    const until = now + days * DAY
    await block(tx, {
      kind: 'member',
      value: String(was.member_id),
      until,
      reason,
      admin_id: staff.id,
    })
    context.log({
      object_type: 'redeem_block',
      object_id: was.member_id,
      object_label: was.phone && masked('phone', was.phone),
      after: { member_id: was.member_id, until },
      reason,
    })
    return { id, until }
  },
  partnerBill: async ({ partner, month }, context) => {
    const { tx, staff, now, log } = context
    const bill = await billPartner(tx, { partner, month, admin_id: staff.id, now })
    log({
      object_type: 'code_bill',
      object_id: bill.id,
      object_label: `${partner} ${month}`,
      after: { successes: bill.successes, revokes: bill.revokes, amount_cents: bill.amount_cents },
    })
    return bill
  },
  export: exporting(list, {
    page: 'redeemCode.redeem',
    title: ['兑换记录', 'Redemption records'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'created_at', title: ['时间', 'When'], kind: 'time' },
      { key: 'masked', title: ['兑换码', 'Code'] },
      { key: 'batch_name', title: ['批次', 'Batch'] },
      { key: 'partner', title: ['合作方', 'Partner'] },
      { key: 'nickname', title: ['会员', 'Member'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'result', title: ['结果', 'Result'] },
      { key: 'rewards', title: ['奖励', 'Rewards'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'device_id', title: ['设备', 'Device'] },
      { key: 'by', title: ['办理人', 'Handled by'] },
      { key: 'goods_state', title: ['实物核销', 'Prize'] },
      { key: 'handed_at', title: ['核销时间', 'Handed over'], kind: 'time' },
      { key: 'handed_store', title: ['核销门店', 'Store'] },
      { key: 'handed_name', title: ['核销人', 'Handed over by'] },
      { key: 'revoked_at', title: ['撤销时间', 'Undone at'], kind: 'time' },
      { key: 'reason', title: ['原因', 'Why'] },
    ],
    words: ({ result, goods_state, partner, tail }, lang) => [
      result && say(redeemResults[result], lang),
      goods_state && say(goodsFilters[goods_state], lang),
      partner,
      tail,
    ],
    cells: (row, { lang }) => ({
      ...row,
      phone: row.phone ?? '',
      result: say(redeemResults[row.result], lang),
      rewards: row.rewards.join(say(semicolon, lang)),
      goods_state: row.goods_state ? say(goodsStates[row.goods_state], lang) : '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const redeemServer = implement(contract, handlers)
