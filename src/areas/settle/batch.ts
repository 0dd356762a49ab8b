import { lineOf, merchants, reversalOf, type Posting } from '#src/areas/ledger/ledger.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, SHANGHAI } from '#src/domain/time.ts'
import type { FeeBearer, LineState } from './settle.ts'

/** How far a settlement batch is (domain D, settle_batch). */
export const batchStates = {
  draft: ['待发送', 'Draft'],
  confirming: ['待商户确认', 'With the merchant'],
  disputed: ['有异议', 'Disputed'],
  confirmed: ['待入账', 'Confirmed'],
  posted: ['已入账', 'Posted'],
  void: ['已作废', 'Void'],
  reversed: ['已冲销', 'Reversed'],
} as const satisfies Record<string, Text>
export type BatchState = keyof typeof batchStates

export const confirmers = {
  merchant: ['商户确认', 'The merchant'],
  staff: ['代商户确认', 'Staff for the merchant'],
  auto: ['到期自动确认', 'The deadline'],
} as const satisfies Record<string, Text>
export type Confirmer = keyof typeof confirmers

/** A merchant that says nothing for so long agrees. */
export const CONFIRM_S = 3 * DAY

const from = {
  recalc: ['draft', 'confirming', 'disputed', 'confirmed'],
  send: ['draft'],
  confirm: ['confirming'],
  dispute: ['confirming'],
  post: ['confirmed'],
  void: ['draft', 'confirming', 'disputed', 'confirmed'],
  askReverse: ['posted'],
  reverse: ['posted'],
} as const satisfies Record<string, readonly BatchState[]>
export type BatchVerb = keyof typeof from
const whyNot: Record<BatchVerb, Text> = {
  recalc: ['已入账或已作废的批次不能重算', 'A posted or void batch is not calculated again'],
  send: ['只有待发送的批次可以发送商户确认', 'Only a draft is sent to its merchant'],
  confirm: ['只有待商户确认的批次可以确认', 'Only a batch that is with its merchant is confirmed'],
  dispute: [
    '只有待商户确认的批次可以登记异议',
    'Only a batch that is with its merchant is disputed',
  ],
  post: [
    '只有待入账的批次可以入账，请先完成商户确认',
    'Only a confirmed batch is posted: its merchant confirms first',
  ],
  void: [
    '已入账的批次不能作废，请申请冲销；已作废或已冲销的无需再作废',
    'A posted batch is reversed instead, and one that is void or reversed is over',
  ],
  askReverse: ['只有已入账的批次可以冲销', 'Only a posted batch is reversed'],
  reverse: ['只有已入账的批次可以冲销', 'Only a posted batch is reversed'],
}
/** True, or why a batch of this state can't have it. */
export const batchCan = (verb: BatchVerb, { status }: { status: BatchState }): true | Text =>
  (from[verb] as readonly BatchState[]).includes(status) || whyNot[verb]
/** True, or why this person does not post it: whoever generated a batch never does. */
export const mayPost = (
  of: { status: BatchState; maker_id: number },
  me: number,
  maker: string,
): true | Text => {
  const may = batchCan('post', of)
  if (may !== true || of.maker_id !== me) return may
  return [
    `批次由${maker}（你）生成，须由另一人入账`,
    `${maker} (you) generated it: another person posts it`,
  ]
}

type Reversing = { status: BatchState; reverse_by: number | null }
/** True, or why nobody asks to reverse a batch: it is not posted, or somebody has asked already. */
export const mayAskReverse = (of: Reversing, asker: string): true | Text => {
  const may = batchCan('askReverse', of)
  if (may !== true || of.reverse_by === null) return may
  return [`${asker}已申请冲销，待复核`, `${asker} has asked for it: it waits for a second person`]
}
/** True, or why this person does not check a reversal: whoever asked for it never does. */
export const mayReverse = (of: Reversing, me: number, asker: string): true | Text => {
  const may = batchCan('reverse', of)
  if (may !== true) return may
  if (of.reverse_by === null) return ['没有待复核的冲销申请', 'Nobody has asked to reverse it']
  return (
    of.reverse_by !== me || [
      `冲销由${asker}（你）申请，须由另一人复核`,
      `${asker} (you) asked for it: another person checks it`,
    ]
  )
}

/** The parts of a line that a batch counts. */
export type BatchLine = {
  price_cents: number
  platform_subsidy_cents: number
  mall_subsidy_cents: number
  merchant_discount_cents: number
  commission_cents: number
  distributor_cents: number
  distributor_bearer: FeeBearer
  fee_cents: number
  fee_bearer: FeeBearer
  merchant_cents: number
  gone_merchant_cents: number
}
export type BatchSums = {
  line_count: number
  gross_cents: number
  merchant_discount_cents: number
  subsidy_cents: number
  commission_cents: number
  /** What the merchant bears of what its sellers earn. */
  distributor_cents: number
  fee_cents: number
  refund_deduct_cents: number
  debt_deduct_cents: number
  payable_cents: number
}
/** What a batch does with what its lines leave and what its merchant owes (both cents, from 0). */
export const payableOf = (
  rest_cents: number,
  debt_cents: number,
): Pick<BatchSums, 'debt_deduct_cents' | 'payable_cents'> => {
  const debt_deduct_cents = Math.min(debt_cents, rest_cents)
  return { debt_deduct_cents, payable_cents: rest_cents - debt_deduct_cents }
}
/**
 * What a batch comes to: gross - merchant discount - commission - sellers - fee - refunds - debt = payable,
 * of which none is below 0; what is owed beyond stays owed (domain D, settle_batch).
 */
export const batchSums = (lines: readonly BatchLine[], debt_cents: number): BatchSums => {
  const sum = (of: (line: BatchLine) => number) => lines.reduce((all, line) => all + of(line), 0)
  const refund_deduct_cents = sum(line => line.gone_merchant_cents)
  return {
    line_count: lines.length,
    gross_cents: sum(line => line.price_cents),
    merchant_discount_cents: sum(line => line.merchant_discount_cents),
    subsidy_cents: sum(line => line.platform_subsidy_cents + line.mall_subsidy_cents),
    commission_cents: sum(line => line.commission_cents),
    distributor_cents: sum(line =>
      line.distributor_bearer === 'merchant' ? line.distributor_cents : 0,
    ),
    fee_cents: sum(line => (line.fee_bearer === 'merchant' ? line.fee_cents : 0)),
    refund_deduct_cents,
    ...payableOf(sum(line => line.merchant_cents) - refund_deduct_cents, debt_cents),
  }
}

/** The first second after a day (`YYYY-MM-DD`, Shanghai). */
export const dayEnd = (day: string): number =>
  Date.parse(`${day}T00:00:00Z`) / 1000 - SHANGHAI + DAY
/** Why lines of this period can't be settled now, or undefined. */
export const periodFault = (
  { period_from, period_to }: { period_from: string; period_to: string },
  now: number,
): Text | undefined => {
  if (period_from > period_to) return ['起始日不能晚于截止日', 'It begins after it ends']
  if (period_to >= dateOf(now))
    return [
      '截止日须已结束（北京时间），最晚选昨天',
      'Its last day must be over in Beijing: yesterday at the latest',
    ]
  return undefined
}
/** Whether a line may enter a batch up to a moment: past its freeze, free, and not held. */
export const maySettle = (
  line: {
    status: LineState
    freeze_until_at: number | null
    held: boolean
    batch_id: number | null
  },
  until: number,
): boolean =>
  line.status === 'freezing' &&
  line.freeze_until_at !== null &&
  line.freeze_until_at < until &&
  !line.held &&
  line.batch_id === null

type Posted = Pick<BatchSums, 'debt_deduct_cents' | 'payable_cents'> & {
  id: number
  no: string
  merchant_id: number
}
/**
 * What posting a batch moves: what its merchant had on hold goes to its balance, less what it
 * owes. A batch of nothing moves nothing (undefined).
 */
export const postingOfBatch = (
  { id, no, merchant_id, debt_deduct_cents, payable_cents }: Posted,
  of: Pick<Posting, 'at' | 'place' | 'maker_id' | 'checker_id'>,
): Posting | undefined => {
  const rest_cents = payable_cents + debt_deduct_cents
  if (rest_cents === 0) return undefined
  return {
    biz: 'settle',
    biz_id: id,
    biz_no: no,
    idem_key: `settle:${id}`,
    memo: joined([
      `结算批次 ${no} 入账 ${yuan(payable_cents)} 元`,
      `Batch ${no} posted: ¥${yuan(payable_cents)}`,
    ]),
    ...of,
    lines: [
      ...lineOf(merchants('merchant_frozen', merchant_id), rest_cents),
      ...lineOf(merchants('merchant_debt', merchant_id), -debt_deduct_cents),
      ...lineOf(merchants('merchant_balance', merchant_id), -payable_cents),
    ],
  }
}

/**
 * What reversing a batch moves: what posting it moved, the other way. A batch of nothing moves
 * nothing (undefined). `txn_id` is the transaction that posted it.
 */
export const reversalOfBatch = (
  batch: Posted & { txn_id: number | null },
  of: Pick<Posting, 'at' | 'place' | 'maker_id' | 'checker_id'>,
): Posting | undefined => {
  const posted = postingOfBatch(batch, of)
  if (!posted || batch.txn_id === null) return undefined
  return {
    ...posted,
    biz: 'reverse',
    idem_key: `reverse:${batch.txn_id}`,
    memo: joined([
      `冲销结算批次 ${batch.no} ${yuan(batch.payable_cents)} 元`,
      `Batch ${batch.no} reversed: ¥${yuan(batch.payable_cents)}`,
    ]),
    lines: reversalOf(posted),
    reverses_id: batch.txn_id,
  }
}

export type LineVerb = 'hold' | 'release'
/** True, or why a line can't be kept out of batches, or let in again. */
export const lineCan = (
  verb: LineVerb,
  { status, held }: { status: LineState; held: boolean },
): true | Text => {
  if (verb === 'release')
    return held || ['明细没有被人工冻结，无需解冻', 'Nobody holds it: there is nothing to release']
  if (held) return ['明细已被人工冻结', 'It is held already']
  return (
    status === 'not_settled' ||
    status === 'freezing' || [
      '只有未结算或冻结中的明细可以冻结',
      'Only what is not settled yet can be held',
    ]
  )
}
