import {
  and,
  asc,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNotNull,
  lte,
  ne,
  not,
  sql,
  type SQL,
} from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { isFilmTicket } from '#src/areas/film/filmTickets.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { cardOf, pickCards } from '#src/areas/redeemCode/cards.server.ts'
import { rewardsOf } from '#src/areas/redeemCode/film.ts'
import { sharedStock } from '#src/areas/redeemCode/promises.server.ts'
import { code_batch, code_run } from '#src/areas/redeemCode/redeemCode.table.ts'
import {
  batchStates,
  codeKinds,
  outliveFaults,
  rewardKinds,
  rewardTimes,
  type BatchState,
  type RewardKind,
} from '#src/areas/redeemCode/redeemCode.ts'
import { pickPlans } from '#src/areas/vipCard/plans.server.ts'
import { say, semicolon } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { equal, exporting, faultless, holding, listing } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { codeBatches as contract } from '../contract/index.ts'
import {
  amended,
  batches,
  couponsOf,
  goneOf,
  heldFor,
  pricedNow,
  refusePromisedAway,
  shownBatches,
  sound,
} from './batchRecord.ts'
import { codeHandlers } from './codes.ts'

const ENDING_DAYS = 7
type Filters = {
  keyword?: string
  partner?: string
  reward?: RewardKind
  status?: BatchState
  ending?: boolean
  stock?: boolean
}
/** Batches of which a coupon is such a one. */
const promises = (such: SQL) =>
  sql`exists (select 1 from ${coupon} where ${code_batch.coupon_ids} @> to_jsonb(${coupon.id}) and ${such})`
const list = listing(batches, {
  by: code_batch.id,
  down: true,
  where: ({ keyword, partner, reward, status, ending, stock }: Filters, { now }) =>
    and(
      holding(keyword, [code_batch.name, code_batch.prefix, code_batch.partner], code_batch.id),
      equal(code_batch, { status, partner }),
      reward === 'points' ? gt(code_batch.points, 0) : undefined,
      reward === 'goods' ? ne(code_batch.goods, '') : undefined,
      reward === 'membership' ? isNotNull(code_batch.vip_card_id) : undefined,
      reward === 'card' ? isNotNull(code_batch.ecard_attr_id) : undefined,
      reward === 'coupon' ? promises(not(isFilmTicket)) : undefined,
      reward === 'film' ? promises(isFilmTicket) : undefined,
      ending
        ? and(
            inArray(code_batch.status, ['running', 'paused']),
            gt(code_batch.end_at, now),
            lte(code_batch.end_at, now + ENDING_DAYS * DAY),
          )
        : undefined,
      stock
        ? and(
            inArray(code_batch.status, ['running', 'paused']),
            gt(code_batch.quantity, code_batch.generated),
          )
        : undefined,
    ),
  shown: (db, rows, { staff, now }) => shownBatches(db, rows, { lang: staff.lang, now }),
})
type Picking = { page: number; pageSize: number; keyword?: string | undefined }
const pickCoupons = async (db: Db, { page, pageSize, keyword }: Picking, such: SQL) => {
  const where = and(
    eq(coupon.status, 'active'),
    such,
    keyword ? ilike(coupon.name, like(keyword)) : undefined,
  )
  const rows = await db
    .select({ id: coupon.id, name: coupon.name })
    .from(coupon)
    .where(where)
    .orderBy(asc(coupon.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: rows, total: await db.$count(coupon, where) }
}
const decided = { reason: '', amendment: null, finance_by: null } as const

const handlers = {
  ...codeHandlers,
  lst: list.page,
  detail: async ({ id }, { db, staff, now }) =>
    (await shownBatches(db, [await batches.read(db, staff, id)], { lang: staff.lang, now }))[0]!,
  stock: async ({ id }, { db, staff, now }) => {
    const row = amended(await batches.read(db, staff, id))
    const times = Math.max(0, rewardTimes(row) - goneOf(row))
    return {
      stock: await sharedStock(db, { card: await cardOf(db, row, now), times, but: id }, now),
    }
  },
  runs: async ({ id }, { db, staff }) => {
    await batches.read(db, staff, id)
    return {
      list: await db
        .select({
          id: code_run.id,
          run_no: code_run.run_no,
          kind: code_run.kind,
          qty: code_run.qty,
          done: code_run.done,
          by: admin.name,
          created_at: code_run.created_at,
        })
        .from(code_run)
        .innerJoin(admin, eq(admin.id, code_run.admin_id))
        .where(and(eq(code_run.batch_id, id), gt(code_run.run_no, 0)))
        .orderBy(desc(code_run.run_no))
        .limit(20),
    }
  },
  coupons: (asked, { db }) => pickCoupons(db, asked, not(isFilmTicket)),
  films: (asked, { db }) => pickCoupons(db, asked, isFilmTicket),
  cards: (asked, { db, staff, now }) => pickCards(db, asked, { now, lang: staff.lang }),
  plans: (asked, { db }) => pickPlans({ ...asked, status: 'on' }, { db }),
  partners: async (_, { db }) => {
    const rows = await db
      .selectDistinct({ name: code_batch.partner })
      .from(code_batch)
      .orderBy(asc(code_batch.partner))
      .limit(500)
    return { list: rows.map(row => row.name) }
  },
  submit: async (one, context) => {
    const was = await heldFor(context, 'submit', one)
    const priced = await pricedNow(context, was)
    return batches.save(context, was, {
      ...priced,
      ...(await sound(context, { ...was, ...priced })),
      ...decided,
      status: 'auditing',
      submitted_by: context.staff.id,
      submitted_at: context.now,
    })
  },
  approveFinance: async (one, context) => {
    const was = await heldFor(context, 'finance', one)
    return batches.save(context, was, { finance_by: context.staff.id })
  },
  approve: async (one, context) => {
    const was = await heldFor(context, 'approve', one)
    // Its promises may be gone since it began to wait.
    const cost = await sound(context, amended(was))
    return batches.save(
      context,
      was,
      was.amendment
        ? { ...was.amendment.set, ...cost, ...decided }
        : {
            ...cost,
            ...decided,
            status: 'running',
            approved_by: context.staff.id,
            approved_at: context.now,
          },
    )
  },
  reject: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'reject', one)
    return batches.save(
      context,
      was,
      { ...decided, ...(was.amendment ? {} : { status: 'draft', reason }) },
      reason,
    )
  },
  extend: async ({ end_at, reason, ...one }, context) => {
    const was = await heldFor(context, 'extend', one)
    faultless(context.staff, {
      end_at: end_at > was.end_at ? undefined : ['只能延后，不能提前', 'It only becomes later'],
    })
    faultless(context.staff, outliveFaults(await couponsOf(context.tx, was.coupon_ids), end_at))
    await refusePromisedAway(context, was)
    return batches.save(context, was, { end_at }, reason)
  },
  pause: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'pause', one)
    return batches.save(context, was, { status: 'paused', reason }, reason)
  },
  resume: async (one, context) => {
    const was = await heldFor(context, 'resume', one)
    return batches.save(context, was, { status: 'running', reason: '' })
  },
  end: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'end', one)
    return batches.save(context, was, { status: 'ended', reason, amendment: null }, reason)
  },
  export: exporting(list, {
    page: 'redeemCode.index',
    title: ['兑换码批次', 'Code batches'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['批次', 'Batch'] },
      { key: 'partner', title: ['合作方', 'Partner'] },
      { key: 'contract_no', title: ['合同号', 'Contract'] },
      { key: 'code_kind', title: ['码类型', 'Kind'] },
      { key: 'rewards', title: ['奖励', 'Rewards'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'quantity', title: ['批准数量', 'Approved'], kind: 'number' },
      { key: 'generated', title: ['已生成', 'Made'], kind: 'number' },
      { key: 'exported', title: ['已导出', 'Exported'], kind: 'number' },
      { key: 'redeemed', title: ['已兑换', 'Redeemed'], kind: 'number' },
      { key: 'voided', title: ['已作废', 'Void'], kind: 'number' },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
    ],
    words: ({ status, reward, partner, keyword }, lang) => [
      status && say(batchStates[status], lang),
      reward && say(rewardKinds[reward], lang),
      partner,
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      code_kind: say(codeKinds[row.code_kind], lang),
      status: say(batchStates[row.status], lang),
      rewards: rewardsOf(row, (text, values) => say(text, lang, values)).join(say(semicolon, lang)),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const batchesServer = implement(contract, handlers)
