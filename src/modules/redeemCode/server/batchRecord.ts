/** Batches as handlers read, judge and change them. */
import { inArray } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import {
  planOf,
  rewardCoupons,
  rewardPlans,
  type Batch,
} from '#src/areas/redeemCode/batches.server.ts'
import { batchCan, type BatchVerb } from '#src/areas/redeemCode/batchVerbs.ts'
import { cardFaults, givenCardOf } from '#src/areas/redeemCode/card.ts'
import { cardOf, rewardCards } from '#src/areas/redeemCode/cards.server.ts'
import { daysCost, membershipOf } from '#src/areas/redeemCode/membership.ts'
import { cardPromises, holdCardPromises } from '#src/areas/redeemCode/promises.server.ts'
import { code_batch, code_partner } from '#src/areas/redeemCode/redeemCode.table.ts'
import {
  batchFaults,
  needsFinance,
  rewardTimes,
  unitCost,
  type BatchTerms,
  type RewardCoupon,
} from '#src/areas/redeemCode/redeemCode.ts'
import { mostTold, yuan } from '#src/domain/money.ts'
import { colon, say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { BatchRow } from '../contract/index.ts'

export const terms = [
  'name',
  'partner',
  'contract_no',
  'code_kind',
  'alphabet',
  'length',
  'prefix',
  'quantity',
  'start_at',
  'end_at',
  'use_limit',
  'limit_member',
  'limit_phone',
  'limit_device',
  'new_only',
  'mall_ids',
  'bearer',
  'coupon_ids',
  'points',
  'points_days',
  'goods',
  'goods_cents',
  'vip_card_id',
  'vip_days',
  'vip_cents',
  'ecard_attr_id',
  'ecard_cents',
  'budget_cents',
  'note',
] as const satisfies readonly (keyof BatchTerms)[]
export const batches = record(code_batch, {
  object: 'code_batch',
  label: row => row.name,
  keys: [...terms, 'status', 'amendment'],
  places: 'all',
})

/** The batch as a change that waits would make it. */
export const amended = (row: Batch): Batch => ({ ...row, ...row.amendment?.set })
const lookOf = (row: Batch) => ({
  ...row,
  amending: row.amendment !== null,
  needs_finance: needsFinance(amended(row)),
  submitted_by: row.amendment?.by ?? row.submitted_by,
})
/** Whether a person may have that of a batch now; else why not. */
export const mayNow = (row: Batch, verb: BatchVerb, staff_id: number): true | Text =>
  batchCan(verb, lookOf(row), staff_id)
/** The batch as the person holds it, locked; 422 where it can't have that now. */
export const heldFor = async (
  context: WriteContext,
  verb: BatchVerb,
  one: { id: number; version: number },
): Promise<Batch> => {
  const row = await batches.heldFast(context, one)
  const may = mayNow(row, verb, context.staff.id)
  if (may !== true) throw ruled(`batch_${verb}`, may)
  return row
}

/** The coupons a batch promises, in its order; one that is gone altogether counts as ended. */
export const couponsOf = async (db: Db, ids: readonly number[]): Promise<RewardCoupon[]> => {
  const found = await rewardCoupons(db, ids)
  return ids.map(
    id =>
      found.get(id) ?? {
        id,
        name: `#${id}`,
        status: 'void',
        cost_cents: 0,
        film_cents: null,
        left: 0,
        use_end_at: null,
      },
  )
}
/** Redemptions of a batch that were, and those of void codes, need no reward any more. */
export const goneOf = ({ redeemed = 0, voided = 0 }: Partial<Pick<Batch, 'redeemed' | 'voided'>>) =>
  redeemed + voided
type Asking = Pick<WriteContext, 'tx' | 'staff' | 'now'>
type Promising = Pick<Batch, 'ecard_attr_id'> & Partial<Pick<Batch, 'id'>>
/**
 * The e-card of a batch with what other batches promise of it, which stays as it is until the
 * transaction ends.
 */
const cardHeld = async ({ tx, now }: Asking, of: Promising) => {
  await holdCardPromises(tx, of.ecard_attr_id)
  const others = await cardPromises(tx, { ecard_attr_id: of.ecard_attr_id, but: of.id }, now)
  return { card: await cardOf(tx, of, now), others }
}
/** Refuses to put off an end that has come where other batches promise the e-cards by now. */
export const refusePromisedAway = async (context: Asking, was: Batch): Promise<void> => {
  if (was.end_at > context.now) return
  const { card, others } = await cardHeld(context, was)
  const times = rewardTimes(was) - goneOf(was)
  faultless(context.staff, { end_at: cardFaults(was, card, { times, others }).ecard_attr_id })
}
/**
 * The cost of one code by now; refuses terms that may not be approved, at their fields. What other
 * batches promise of its e-card stays as it is until the transaction ends.
 */
export const sound = async (
  context: Asking,
  of: BatchTerms & Partial<Pick<Batch, 'id' | 'redeemed' | 'voided'>>,
): Promise<{ unit_cost_cents: number }> => {
  const { tx, staff, now } = context
  const coupons = await couponsOf(tx, of.coupon_ids)
  const plan = await planOf(tx, of)
  const held = await cardHeld(context, of)
  faultless(staff, batchFaults(of, coupons, { now, gone: goneOf(of), plan, ...held }))
  return { unit_cost_cents: unitCost(of, coupons) }
}
/**
 * The cost of the days and of the card of one code by now; it stays so once the batch is submitted.
 */
export const pricedNow = async (
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  of: Pick<BatchTerms, 'vip_card_id' | 'vip_days' | 'ecard_attr_id'>,
): Promise<Pick<BatchTerms, 'vip_cents' | 'ecard_cents'>> => ({
  vip_cents: daysCost(await planOf(tx, of), of.vip_days),
  ecard_cents: (await cardOf(tx, of, now))?.cost_cents ?? 0,
})
/** The terms that a form sends: all but those that are worked out. */
export type SentTerms = Omit<BatchTerms, 'vip_cents' | 'ecard_cents'>
/** These terms as they are kept: a use limit of shared codes alone, and no days without a plan. */
export const termsOf = (of: SentTerms): SentTerms => ({
  ...of,
  prefix: of.prefix.normalize('NFKC').toUpperCase().trim(),
  use_limit: of.code_kind === 'shared' ? of.use_limit : null,
  limit_phone: of.code_kind === 'per_phone' ? 1 : of.limit_phone,
  goods_cents: of.goods === '' ? 0 : of.goods_cents,
  vip_days: of.vip_card_id === null ? 0 : of.vip_days,
})
export const oncePrefix = <T>(
  { staff }: WriteContext,
  prefix: string,
  run: Promise<T>,
): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'prefix_taken',
      ['前缀已被其他批次使用', 'Another batch has the prefix'],
      {},
      {
        fields: {
          prefix: say(['{prefix} 已被使用，请更换', '{prefix} is taken'], staff.lang, { prefix }),
        },
      },
    ),
  )

type Word = (value: never, lang: Lang) => string
const amendable: Readonly<Record<string, readonly [Text, Word?]>> = {
  name: [['名称', 'Name']],
  note: [['备注', 'Note']],
  end_at: [['结束时间', 'End'], (at: number) => timeFull(at).slice(0, 16)],
  quantity: [['数量', 'Codes']],
  budget_cents: [['预算', 'Budget'], (sum: number) => yuan(sum)],
  use_limit: [['可用次数', 'Uses']],
  limit_member: [['每会员', 'A member']],
  limit_phone: [['每手机号', 'A phone']],
  limit_device: [['每设备', 'A device']],
}
const changeLines = (row: Batch, lang: Lang): string[] =>
  Object.entries(row.amendment?.set ?? {}).map(([key, next]) => {
    const [title, word] = amendable[key]!
    const told = (value: unknown) =>
      value === null ? say(['不限', 'any'], lang) : (word?.(value as never, lang) ?? String(value))
    return `${say(title, lang)}${say(colon, lang)}${told(row[key as keyof Batch])} → ${told(next)}`
  })
const namesOf = async (db: Db, table: typeof admin | typeof mall, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(inArray(table.id, [...new Set(ids)]))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** How partners call the API, by their names. */
const accessOf = async (
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<BatchRow['api']>>> => {
  if (names.length === 0) return new Map()
  const rows = await db
    .select()
    .from(code_partner)
    .where(inArray(code_partner.name, [...new Set(names)]))
  return new Map(
    rows.map(({ name, app_key, ...row }) => [name, { ...row, app_key: app_key ?? '' }]),
  )
}
/** Batches as a list shows them, with the names of what they point at. */
export const shownBatches = async (
  db: Db,
  rows: readonly Batch[],
  { lang, now }: { lang: Lang; now: number },
): Promise<BatchRow[]> => {
  const coupons = await rewardCoupons(
    db,
    rows.flatMap(row => row.coupon_ids),
  )
  const plans = await rewardPlans(
    db,
    rows.map(row => row.vip_card_id),
  )
  const cards = await rewardCards(
    db,
    rows.map(row => row.ecard_attr_id),
    now,
  )
  const malls = await namesOf(
    db,
    mall,
    rows.flatMap(row => row.mall_ids),
  )
  const people = await namesOf(
    db,
    admin,
    rows.flatMap(row => [row.created_by, row.approved_by ?? 0]),
  )
  const access = await accessOf(
    db,
    rows.map(row => row.partner),
  )
  return rows.map(row => {
    const own = row.coupon_ids.flatMap(id => coupons.get(id) ?? [])
    const plan = plans.get(row.vip_card_id ?? 0)
    const membership = membershipOf(row, plan)
    const card = cards.get(row.ecard_attr_id ?? 0)
    const given = givenCardOf(row, card)
    return {
      ...row,
      ...lookOf(row),
      coupons: own.map(({ id, name, film_cents, status }) => ({
        id,
        name,
        film_cents,
        ended: status !== 'active',
      })),
      membership: membership && { ...membership, ended: plan?.status !== 'on' },
      card: given && { ...given, ended: card === undefined || card.fault !== undefined },
      malls: row.mall_ids.map(id => ({ id, name: malls.get(id) ?? `#${id}` })),
      worst_cents: mostTold(unitCost(row, own) * rewardTimes(row)),
      amendment: row.amendment && { reason: row.amendment.reason, lines: changeLines(row, lang) },
      creator: people.get(row.created_by) ?? '',
      api: access.get(row.partner) ?? null,
      approver: people.get(row.approved_by ?? 0) ?? '',
    }
  })
}
