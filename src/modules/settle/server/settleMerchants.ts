/** The terms that merchants are settled on: what one person asks to change, another approves. */
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { bankNoFault, bankNoOf } from '#src/areas/merchant/identity.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { holderFault } from '#src/areas/merchant/merchant.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import {
  endsSharing,
  mayCheck,
  settleRateAt,
  subMchidFault,
  subMchidOf,
  type BankAccount,
  type PendingChange,
  type Sharing,
} from '#src/areas/settle/settleMerchant.ts'
import { isSharing } from '#src/areas/split/underWay.server.ts'
import { masked } from '#src/domain/mask.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { settleMerchants as contract, type SettleMerchantRow } from '../contract/detail.ts'
import { byMerchant, merchantNamed } from './rows.ts'

type Terms = typeof settle_merchant.$inferSelect
type Merchant = typeof merchant.$inferSelect
const hidden = (no: string | null) => (no === null ? '' : masked('bank', no))
const bankTold = (bank: BankAccount) => ({ ...bank, bank_no: hidden(bank.bank_no) })
const changeTold = ({ bank, ...change }: PendingChange) => ({
  ...change,
  ...(bank && bankTold(bank)),
})

const terms = record(settle_merchant, {
  object: 'settle_merchant',
  label: row => `#${row.merchant_id}`,
  keys: [
    'commission_bp',
    'next_commission_bp',
    'rate_from_at',
    'freeze_days',
    'fee_bearer',
    'reserve_cents',
    'min_withdraw_cents',
    'profit_sharing',
    'sub_mchid',
  ],
  places: byMerchant(settle_merchant.merchant_id),
  told: ({ pending_change: _, ...row }) => row,
})
/** A merchant's own cycle and account, changed here as its page's log tells it. */
const owners = record(merchant, {
  object: 'merchant',
  label: row => row.name,
  keys: ['bank_holder', 'bank_name', 'bank_no', 'settle_cycle'],
  places: 'all',
  told: row => ({ ...row, bank_no: hidden(row.bank_no) }),
})
type Filters = { pending?: boolean; keyword?: string }
const list = listing(terms, {
  by: settle_merchant.id,
  down: true,
  where: ({ pending, keyword }: Filters) =>
    and(
      pending ? isNotNull(settle_merchant.pending_change) : undefined,
      keyword ? merchantNamed(settle_merchant.merchant_id, keyword) : undefined,
    ),
  shown: async (db, rows): Promise<SettleMerchantRow[]> => {
    if (rows.length === 0) return []
    const found = await db
      .select({ of: merchant, pending_name: admin.name, id: settle_merchant.id })
      .from(settle_merchant)
      .innerJoin(merchant, eq(merchant.id, settle_merchant.merchant_id))
      .leftJoin(admin, eq(admin.id, settle_merchant.pending_by))
      .where(
        inArray(
          settle_merchant.id,
          rows.map(row => row.id),
        ),
      )
    const beside = new Map(found.map(one => [one.id, one]))
    return rows.map(row => {
      const { of, pending_name } = beside.get(row.id)!
      return {
        kind: 'merchant' as const,
        ...row,
        name: of.name,
        merchant_status: of.status,
        batch_cycle: of.settle_cycle,
        bank_holder: of.bank_holder ?? '',
        bank_name: of.bank_name ?? '',
        bank_no: of.bank_no ?? '',
        pending: row.pending_change,
        pending_name: pending_name ?? '',
      }
    })
  },
})

type Asked = Partial<BankAccount> & Omit<PendingChange, 'bank'>
const part: Text = ['户名、开户行与账号须一起填写', 'Holder, bank and account come together']
/** Why the three answers about an account are none together, or undefined. */
const bankFault = (given: number, bank_no: string | undefined): Text | undefined => {
  if (given === 0) return undefined
  if (given < 3) return part
  return bankNoFault(bank_no!)
}
/** What of the answers differs from what holds; 400 where an account can't be the merchant's. */
const changeOf = (
  context: WriteContext,
  was: Terms,
  of: Merchant,
  { bank_holder, bank_name, bank_no: typed, ...asked }: Asked,
): PendingChange => {
  const bank_no = typed === undefined ? undefined : bankNoOf(typed)
  const given = [bank_holder, bank_name, bank_no].filter(one => one !== undefined)
  const whole = given.length === 3
  const tomorrow = dayStart(context.now) + DAY
  const held = { ...was, batch_cycle: of.settle_cycle }
  faultless(context.staff, {
    bank_no: bankFault(given.length, bank_no),
    bank_holder: whole ? holderFault({ ...of, bank_holder: bank_holder! }) : undefined,
    rate_from_at:
      asked.rate_from_at !== undefined && asked.rate_from_at <= context.now
        ? ['新费率须在将来生效', 'A new rate begins later than now']
        : undefined,
  })
  const differ = Object.entries(asked).filter(
    ([key, value]) => key !== 'rate_from_at' && value !== held[key as keyof typeof held],
  )
  const bank = { bank_holder: bank_holder!, bank_name: bank_name!, bank_no: bank_no! }
  const moved = whole && (Object.keys(bank) as (keyof BankAccount)[]).some(k => bank[k] !== of[k])
  const change: PendingChange = { ...Object.fromEntries(differ), ...(moved && { bank }) }
  return change.commission_bp === undefined
    ? change
    : { ...change, rate_from_at: asked.rate_from_at ?? tomorrow }
}
/** The merchant of some terms, held until the transaction ends. */
const ownerOf = (context: WriteContext, was: Terms) => owners.lock(context, was.merchant_id)
const askerOf = async ({ tx }: WriteContext, id: number | null): Promise<string> => {
  const [one] =
    id === null ? [] : await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
  return one?.name ?? ''
}
/** The terms with a change that this person may check. */
const heldToCheck = async (context: WriteContext, one: { id: number; version: number }) => {
  const was = await terms.heldFast(context, one)
  const may = mayCheck(was, context.staff.id, await askerOf(context, was.pending_by))
  if (may !== true)
    throw ruled(was.pending_by === context.staff.id ? 'own_change' : 'no_change', may)
  return was
}
/** What approved terms become: a new rate begins later than now, whatever was waited for. */
const approved = (was: Terms, change: PendingChange, now: number): Partial<Terms> => {
  const { bank: _, batch_cycle: __, commission_bp, rate_from_at, ...same } = change
  return {
    ...same,
    ...(commission_bp !== undefined && {
      commission_bp: settleRateAt(was, now),
      next_commission_bp: commission_bp,
      rate_from_at: Math.max(rate_from_at ?? 0, now + 1),
    }),
  }
}
/**
 * Refuses (422 `split_open`) to take away what a merchant's splits are paid through while one of
 * them is under way: the channel would know neither the order nor its receiver.
 */
const keepsSplits = async ({ tx }: WriteContext, was: Terms, next: Sharing) => {
  if (endsSharing(was, next) && (await isSharing(tx, was.merchant_id)))
    throw ruled('split_open', [
      '该商户还有未完成的分账单，请先在“分账订单”处理完再关闭分账或更换特约商户号',
      'Splits of this merchant are under way: see to them among the profit-sharing orders first',
    ])
}
/** The terms as this person may ask for a change of them: no other change waits for its check. */
const heldToAsk = async (context: WriteContext, one: { id: number; version: number }) => {
  const was = await terms.heldFast(context, one)
  if (was.pending_change === null) return was
  const asker = await askerOf(context, was.pending_by)
  throw ruled('change_waits', [
    `${asker}提交的变更还在待复核，请先复核或驳回`,
    `A change by ${asker} waits for its check: approve or reject it first`,
  ])
}
/** Keeps what is asked for until another person checks it; 422 where it is nothing. */
const askFor = async (
  context: WriteContext,
  was: Terms,
  { change, reason }: { change: PendingChange; reason: string },
) => {
  if (Object.keys(change).length === 0)
    throw ruled('nothing_changed', ['没有任何修改', 'Nothing differs from what holds'])
  const after = await terms.set(context, was, {
    pending_change: change,
    pending_by: context.staff.id,
    pending_at: context.now,
    reject_reason: '',
  })
  terms.log(context, after, { after: { ...changeTold(change), pending: true }, reason })
  return after
}
const nothing = { pending_change: null, pending_by: null, pending_at: null } as const

const handlers = {
  lst: list.page,
  editMerchant: async ({ id, version, reason, ...asked }, context) => {
    const was = await heldToAsk(context, { id, version })
    const of = await ownerOf(context, was)
    return askFor(context, was, { change: changeOf(context, was, of, asked as Asked), reason })
  },
  setSharing: async ({ id, version, reason, profit_sharing, sub_mchid }, context) => {
    const was = await heldToAsk(context, { id, version })
    const next = { profit_sharing, sub_mchid: subMchidOf(sub_mchid) }
    faultless(context.staff, { sub_mchid: subMchidFault(next) })
    await keepsSplits(context, was, next)
    const change = {
      ...(next.profit_sharing !== was.profit_sharing && { profit_sharing }),
      ...(next.sub_mchid !== was.sub_mchid && { sub_mchid: next.sub_mchid }),
    }
    return askFor(context, was, { change, reason })
  },
  approveMerchant: async (one, context) => {
    const was = await heldToCheck(context, one)
    const change = was.pending_change!
    await keepsSplits(context, was, { ...was, ...change })
    const of = await ownerOf(context, was)
    const moved = {
      ...change.bank,
      ...(change.batch_cycle && { settle_cycle: change.batch_cycle }),
    }
    if (Object.keys(moved).length > 0) await owners.save(context, of, moved)
    return terms.save(context, was, {
      ...approved(was, change, context.now),
      ...nothing,
      changed_by: was.pending_by,
      checked_by: context.staff.id,
    })
  },
  rejectMerchant: async ({ reason, ...one }, context) => {
    const was = await heldToCheck(context, one)
    const after = await terms.set(context, was, { ...nothing, reject_reason: reason })
    terms.log(context, after, { after: { pending: false }, reason })
    return after
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const settleMerchantServer = implement(contract, handlers)
