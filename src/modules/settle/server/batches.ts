import { and, eq, inArray } from 'drizzle-orm'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import {
  batchCan,
  batchStates,
  CONFIRM_S,
  mayAskReverse,
  mayPost,
  mayReverse,
  periodFault,
  type BatchVerb,
} from '#src/areas/settle/batch.ts'
import {
  calculated,
  confirmDue,
  ensureTerms,
  freeLines,
  generateBatch,
  linesHash,
  settleable,
  settleBatch,
} from '#src/areas/settle/batches.server.ts'
import { reverseBatch } from '#src/areas/settle/batchReversal.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { say } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { batches as contract } from '../contract/detail.ts'
import { batchList, batchRecord, lineList, merchantsFound, statOf, type Batch } from './rows.ts'

type Period = { period_from: string; period_to: string }
type One = { id: number; version: number }
/** So many merchants are settled at once; of more there is a job. */
const AT_ONCE = 20
const STATEMENT_LINES = 500

/** Makes the batch of one merchant and tells the log of it. */
const generateOne = async (context: WriteContext, merchant_id: number, period: Period) => {
  const { tx, staff, now } = context
  const made = await generateBatch(tx, { merchant_id, ...period, maker_id: staff.id, now })
  if (made.batch)
    batchRecord.log(context, made.batch, {
      after: {
        merchant_id,
        period_to: period.period_to,
        line_count: made.batch.line_count,
        payable_cents: made.batch.payable_cents,
      },
    })
  return made
}
const generating = defineRowJob(
  contract.generate,
  async (context, { merchant_id }: { line: number; merchant_id: number }, period: Period) => {
    const made = await generateOne(context, merchant_id, period)
    if ('skipped' in made) throw ruled('merchant_skipped', made.skipped)
  },
)
/** The merchants that have something to settle, of those that are named or of all. */
const merchantsDue = async ({ tx, staff, now }: WriteContext, period_to: string, ids?: number[]) =>
  tx
    .selectDistinct({ id: settle_line.merchant_id, name: merchant.name })
    .from(settle_line)
    .innerJoin(merchant, eq(merchant.id, settle_line.merchant_id))
    .where(
      and(
        settleable(period_to, now),
        ids && ids.length > 0 ? inArray(merchant.id, ids) : undefined,
        within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
      ),
    )
    .orderBy(settle_line.merchant_id)

const nameOf = async ({ tx }: WriteContext, id: number | null): Promise<string> => {
  if (id === null) return ''
  const [one] = await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
  return one?.name ?? ''
}
/** The batch as the person holds it; 422 where it can't have that now. */
const heldFor = async (context: WriteContext, verb: BatchVerb, one: One): Promise<Batch> => {
  const was = await batchRecord.heldFast(context, one)
  const may = batchCan(verb, was)
  if (may !== true) throw ruled(`batch_${verb}`, may)
  return was
}
/** Where the money of a batch is counted: where its merchant stands. */
const placeOf = async ({ tx }: WriteContext, { merchant_id }: Batch) => {
  const [of] = await tx
    .select({ city_id: merchant.city_id })
    .from(merchant)
    .where(eq(merchant.id, merchant_id))
  return { city_id: of!.city_id, mall_id: 0 }
}
const notReversing = { reverse_by: null, reverse_at: null, reverse_reason: '' }
/** A batch whose reversal this person may check. */
const heldToReverse = async (context: WriteContext, one: One): Promise<Batch> => {
  const was = await batchRecord.heldFast(context, one)
  const asker = await nameOf(context, was.reverse_by)
  const may = mayReverse(was, context.staff.id, asker)
  if (may !== true)
    throw ruled(was.reverse_by === context.staff.id ? 'own_reversal' : 'batch_reverse', may)
  return was
}
/** Posts a batch that is locked, or says why this person does not. */
const postHeld = async (context: WriteContext, was: Batch): Promise<Batch> => {
  const { tx, staff, now } = context
  if (was.status === 'posted') {
    const poster = await nameOf(context, was.poster_id)
    throw ruled('posted_already', [`${poster}已将它入账`, `${poster} has posted it`])
  }
  const may = mayPost(was, staff.id, await nameOf(context, was.maker_id))
  if (may !== true) throw ruled(was.maker_id === staff.id ? 'own_batch' : 'batch_post', may)
  const place = await placeOf(context, was)
  const txn_id = await settleBatch(tx, was, { poster_id: staff.id, place, now })
  return batchRecord.save(context, was, {
    status: 'posted',
    poster_id: staff.id,
    posted_at: now,
    txn_id,
  })
}

const handlers = {
  lst: async (asked, context) => ({
    ...(await batchList.page(asked, context)),
    stat: await statOf(
      context.db,
      batchRecord.table,
      batchList.where({ keyword: asked.keyword } as typeof asked, context),
    ),
  }),
  look: async ({ id }, { db, staff }) => {
    const batch = await batchRecord.read(db, staff, id)
    const owed = await balanceOf(db, merchants('merchant_debt', batch.merchant_id))
    if (['posted', 'void', 'reversed'].includes(batch.status))
      return { ...batch, fresh: true, debt_cents: owed }
    const fresh = (await linesHash(db, id)) === batch.lines_hash
    return { ...(await calculated(db, batch)), fresh, debt_cents: owed }
  },
  statement: async ({ id }, context) => {
    const { db, staff } = context
    const batch = await batchRecord.read(db, staff, id)
    const [[shown], [account], { list: lines, total }] = await Promise.all([
      batchList.shown(db, [batch], context),
      db.select().from(merchant).where(eq(merchant.id, batch.merchant_id)),
      lineList.page({ batch_id: id, page: 1, pageSize: STATEMENT_LINES }, context),
    ])
    return {
      batch: shown!,
      bank_holder: account!.bank_holder ?? '',
      bank_name: account!.bank_name ?? '',
      bank_no: account!.bank_no ?? '',
      lines,
      left: total - lines.length,
    }
  },
  merchants: (asked, { db, staff }) => merchantsFound(db, staff, asked),
  generate: async ({ merchant_ids: ids, from, to }, context) => {
    const period = { period_from: dateOf(from), period_to: dateOf(to) }
    faultless(context.staff, { to: periodFault(period, context.now) })
    await ensureTerms(context.tx)
    const due = await merchantsDue(context, period.period_to, ids)
    const empty = ids ? ids.length - due.length : 0
    if (due.length === 0)
      throw ruled('nothing_to_settle', [
        '截止日前没有可结算的明细：冻结期未满、已在其他批次或被人工冻结的不会进入',
        'No line can be settled by that day: what is in its freeze, in a batch or held stays out',
      ])
    if (due.length > AT_ONCE) {
      const rows = due.map((one, line) => ({ line, merchant_id: one.id }))
      const { job_id } = await startRowJob(context, generating, { rows, same: period })
      return { done: 0, skipped: [], empty, job_id }
    }
    const told = { done: 0, skipped: [] as { id: number; name: string; why: string }[], empty }
    for (const one of due) {
      const made = await generateOne(context, one.id, period)
      if (made.batch) told.done++
      else if ('skipped' in made)
        told.skipped.push({ ...one, why: say(made.skipped, context.staff.lang) })
      else told.empty++
    }
    return { ...told, job_id: null }
  },
  recalc: async (one, context) => {
    const was = await heldFor(context, 'recalc', one)
    await freeLines(context.tx, was.id, { which: 'unfit', now: context.now })
    const sums = await calculated(context.tx, was)
    if (sums.line_count === 0)
      throw ruled('no_line_left', [
        '批次里已没有可结算的明细，请作废它',
        'No line of it can be settled any more: void it',
      ])
    const again = { status: 'draft', sent_at: null, confirm_deadline_at: null } as const
    const anew = { confirmed_by: null, confirmed_at: null, proof: '' }
    return batchRecord.save(context, was, { ...sums, ...again, ...anew })
  },
  send: async (one, context) => {
    const was = await heldFor(context, 'send', one)
    return batchRecord.save(context, was, {
      status: 'confirming',
      sent_at: context.now,
      confirm_deadline_at: context.now + CONFIRM_S,
      reason: '',
    })
  },
  confirm: async ({ proof, ...one }, context) => {
    const was = await heldFor(context, 'confirm', one)
    return batchRecord.save(context, was, {
      status: 'confirmed',
      confirmed_by: 'staff',
      confirmed_at: context.now,
      proof,
    })
  },
  dispute: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'dispute', one)
    return batchRecord.save(context, was, { status: 'disputed', reason }, reason)
  },
  post: async (one, context) => postHeld(context, await batchRecord.heldFast(context, one)),
  batchPost: ({ ids }, context) =>
    eachRow(context, ids, async (inside, id) =>
      postHeld(inside, await batchRecord.lock(inside, id)),
    ),
  void: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'void', one)
    await freeLines(context.tx, was.id, { which: 'all', now: context.now })
    return batchRecord.save(context, was, { status: 'void', reason }, reason)
  },
  askReverse: async ({ reason, ...one }, context) => {
    const was = await batchRecord.heldFast(context, one)
    const may = mayAskReverse(was, await nameOf(context, was.reverse_by))
    if (may !== true) throw ruled('batch_askReverse', may)
    const after = await batchRecord.set(context, was, {
      reverse_by: context.staff.id,
      reverse_at: context.now,
      reverse_reason: reason,
    })
    batchRecord.log(context, after, { after: { reversing: true }, reason })
    return after
  },
  reverse: async (one, context) => {
    const was = await heldToReverse(context, one)
    const { staff, now } = context
    const reverse_txn_id = await reverseBatch(context.tx, was, {
      checker_id: staff.id,
      place: await placeOf(context, was),
      now,
    })
    return batchRecord.save(context, was, {
      status: 'reversed',
      reversed_by: staff.id,
      reversed_at: now,
      reverse_txn_id,
    })
  },
  refuseReverse: async ({ reason, ...one }, context) => {
    const was = await heldToReverse(context, one)
    const after = await batchRecord.set(context, was, notReversing)
    batchRecord.log(context, after, { after: { reversing: false }, reason })
    return after
  },
  export: exporting(batchList, {
    page: 'settle.detail',
    title: ['结算单', 'Settlement batches'],
    permit: contract.export.permit,
    columns: [
      { key: 'no', title: ['批次号', 'Number'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'period_from', title: ['起始日', 'From'] },
      { key: 'period_to', title: ['截止日', 'To'] },
      { key: 'line_count', title: ['明细数', 'Lines'], kind: 'number' },
      { key: 'gross_cents', title: ['销售额', 'Gross'], kind: 'money' },
      { key: 'merchant_discount_cents', title: ['商户优惠', 'Merchant discount'], kind: 'money' },
      { key: 'subsidy_cents', title: ['补贴', 'Subsidy'], kind: 'money' },
      {
        key: 'commission_cents',
        title: ['平台佣金', 'Commission'],
        kind: 'money',
        field: 'product.commission_bp',
      },
      { key: 'distributor_cents', title: ['导购佣金', 'Guides'], kind: 'money' },
      { key: 'fee_cents', title: ['微信手续费', 'WeChat fee'], kind: 'money' },
      { key: 'refund_deduct_cents', title: ['退款扣减', 'Refunds'], kind: 'money' },
      { key: 'debt_deduct_cents', title: ['抵扣欠款', 'Debt'], kind: 'money' },
      {
        key: 'payable_cents',
        title: ['应结金额', 'Payable'],
        kind: 'money',
        field: ['product.settle_price_cents', 'product.commission_bp'],
      },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'posted_at', title: ['入账时间', 'Posted'], kind: 'time' },
      { key: 'txn_no', title: ['凭证号', 'Journal entry'] },
      { key: 'maker', title: ['生成人', 'Generated by'] },
      { key: 'poster', title: ['入账人', 'Posted by'] },
    ],
    words: ({ status, reversing, keyword }, lang) => [
      status && say(batchStates[status], lang),
      reversing && say(['待复核冲销', 'Reversal to check'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({ ...row, status: say(batchStates[row.status], lang) }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const batchServer = implement(contract, handlers)

defineTimer('settle.confirm', '*/5 * * * *', async ({ database, now }) => {
  const terms = await ensureTerms(database.db)
  const confirmed = await database.transaction(tx => confirmDue(tx, now))
  return [...(terms > 0 ? ['settle_merchant'] : []), ...(confirmed > 0 ? ['settle_batch'] : [])]
})
