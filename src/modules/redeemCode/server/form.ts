import { planOf, rewardCoupons, type Batch } from '#src/areas/redeemCode/batches.server.ts'
import { cardFaults } from '#src/areas/redeemCode/card.ts'
import { cardOf } from '#src/areas/redeemCode/cards.server.ts'
import { daysCost, membershipFaults } from '#src/areas/redeemCode/membership.ts'
import { sharedStock } from '#src/areas/redeemCode/promises.server.ts'
import {
  amendFaults,
  batchFaults,
  formFaults,
  needsFinance,
  rewardTimes,
  unitCost,
  type Amendment,
  type BatchTerms,
} from '#src/areas/redeemCode/redeemCode.ts'
import { workedBatch } from '#src/areas/redeemCode/worked.server.ts'
import { mostTold } from '#src/domain/money.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { batchAdd, batchCopy, batchEdit } from '../contract/form.ts'
import { batches, heldFor, oncePrefix, sound, termsOf, type SentTerms } from './batchRecord.ts'

const inAudit = ({ staff, now }: WriteContext) => ({
  status: 'auditing' as const,
  reason: '',
  finance_by: null,
  submitted_by: staff.id,
  submitted_at: now,
})
/** The least that a draft must have: a period, and a form of codes that is hard to guess. */
const drafted = ({ staff }: WriteContext, of: BatchTerms): void =>
  faultless(staff, {
    ...formFaults(of),
    end_at: of.end_at > of.start_at ? undefined : ['结束须晚于开始', 'Must end after it starts'],
  })
/** The terms that a form sends, with what its days and its card cost; refused where not even a draft may be so. */
const written = async (context: WriteContext, sent: SentTerms): Promise<BatchTerms> => {
  const terms = termsOf(sent)
  const plan = await planOf(context.tx, terms)
  const card = await cardOf(context.tx, terms, context.now)
  if (terms.ecard_attr_id !== null && !card)
    throw invalid({
      ecard_attr_id: ['没有这张电子卡，请重新选择', 'No such e-card: choose another'],
    })
  if (terms.vip_card_id !== null && !plan)
    throw invalid({ vip_card_id: ['没有这个卡种，请重新选择', 'No such plan: choose another'] })
  const of = {
    ...terms,
    vip_cents: daysCost(plan, terms.vip_days),
    ecard_cents: card?.cost_cents ?? 0,
  }
  drafted(context, of)
  return of
}
type More = { copy_from_id?: number; submitted?: boolean }
const make = async (context: WriteContext, sent: SentTerms, { submitted, ...more }: More) => {
  const of = await written(context, sent)
  const cost = submitted ? { ...(await sound(context, of)), ...inAudit(context) } : {}
  return oncePrefix(
    context,
    of.prefix,
    batches.add(context, {
      status: 'draft',
      ...of,
      ...cost,
      ...more,
      created_by: context.staff.id,
    }),
  )
}
const change = async (
  context: WriteContext,
  { id, version, ...sent }: SentTerms & { id: number; version: number },
  submitted: boolean,
) => {
  const was = await heldFor(context, 'submit', { id, version })
  const of = await written(context, sent)
  const cost = submitted ? { ...(await sound(context, of)), ...inAudit(context) } : {}
  return oncePrefix(context, of.prefix, batches.save(context, was, { ...of, ...cost }))
}
/** The next order of a partner has a prefix of its own, and no code of the last one. */
const copied = async (
  context: WriteContext,
  { copy_from_id, ...sent }: SentTerms & { copy_from_id: number },
  submitted: boolean,
) => {
  const source = await batches.read(context.tx, context.staff, copy_from_id)
  faultless(context.staff, {
    prefix:
      termsOf(sent).prefix === source.prefix
        ? ['复制的批次须更换前缀', 'A copy needs its own prefix']
        : undefined,
  })
  return make(context, sent, { copy_from_id, submitted })
}
/** The fields of a change that differ from the batch as it is. */
const differing = (was: Batch, sent: Amendment['set']): Amendment['set'] =>
  Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => !sameContent(was[key as keyof Batch], value)),
  )

export const batchAddServer = implement(batchAdd, {
  saveDraft: (sent, context) => make(context, sent, {}),
  submit: (sent, context) => make(context, sent, { submitted: true }),
  example: async ({ vip_card_id = null, ...of }, { db, staff, now }) =>
    workedBatch(db, { ...of, vip_card_id }, { staff, now }),
  estimate: async (asked, { db, staff, now }) => {
    const { quantity, use_limit, points, goods_cents, coupon_ids, end_at, gone } = asked
    const { vip_card_id = null, vip_days } = asked
    const plan = await planOf(db, { vip_card_id })
    const vip_cents = asked.vip_cents ?? daysCost(plan, vip_days)
    const { ecard_attr_id = null } = asked
    const card = await cardOf(db, { ecard_attr_id }, now)
    const ecard_cents = asked.ecard_cents ?? card?.cost_cents ?? 0
    const coupons = [...(await rewardCoupons(db, coupon_ids)).values()]
    const of = {
      quantity,
      use_limit: use_limit ?? null,
      points,
      code_kind: use_limit ? ('shared' as const) : ('once' as const),
    }
    const times = Math.max(0, rewardTimes(of) - gone)
    const stock = await sharedStock(db, { card, times, but: asked.but }, now)
    const unit_cents = unitCost({ points, goods_cents, vip_cents, ecard_cents }, coupons)
    return {
      unit_cents,
      worst_cents: mostTold(unit_cents * rewardTimes(of)),
      points_total: mostTold(points * rewardTimes(of)),
      needs_finance: needsFinance(of),
      coupons: coupons.map(one => {
        const { id, name, film_cents, cost_cents, left } = one
        const fault = batchFaults({ ...noTerms, ...of, end_at: end_at ?? now + 1 }, [one], {
          now,
          gone,
        }).coupon_ids
        return { id, name, film_cents, cost_cents, left, fault: faultIn(fault, staff.lang) }
      }),
      card: card
        ? {
            name: card.name,
            face_cents: card.face_cents,
            cost_cents: ecard_cents,
            left: card.left,
            fault: faultIn(
              cardFaults({ ecard_attr_id }, card, { times, others: stock?.others }).ecard_attr_id,
              staff.lang,
            ),
            stock,
          }
        : null,
      plan: plan
        ? {
            name: plan.name,
            cost_cents: vip_cents,
            fault: faultIn(
              membershipFaults({ vip_card_id, vip_days }, plan).vip_card_id,
              staff.lang,
            ),
          }
        : null,
    }
  },
} satisfies { [K in keyof typeof batchAdd]: Handler<(typeof batchAdd)[K]> })
const faultIn = (fault: Text | undefined, lang: Lang): string => (fault ? say(fault, lang) : '')
/** Terms of which only the coupons are looked at. */
const noTerms: BatchTerms = {
  name: '',
  partner: '',
  contract_no: '',
  code_kind: 'once',
  alphabet: 'mixed',
  length: 16,
  prefix: '',
  quantity: 1,
  start_at: 0,
  end_at: 1,
  use_limit: null,
  limit_member: null,
  limit_phone: null,
  limit_device: null,
  new_only: false,
  mall_ids: [],
  bearer: 'platform',
  coupon_ids: [],
  points: 0,
  points_days: 1,
  goods: '',
  goods_cents: 0,
  vip_card_id: null,
  vip_days: 0,
  vip_cents: 0,
  ecard_attr_id: null,
  ecard_cents: 0,
  budget_cents: 0,
  note: '',
}

export const batchEditServer = implement(batchEdit, {
  saveDraft: (sent, context) => change(context, sent, false),
  submit: (sent, context) => change(context, sent, true),
  amend: async ({ id, version, reason, ...sent }, context) => {
    const was = await heldFor(context, 'amend', { id, version })
    const set = differing(was, sent)
    if (Object.keys(set).length === 0)
      throw ruled('no_change', ['没有任何改动', 'Nothing differs from what it is'])
    faultless(context.staff, amendFaults(was, set))
    await sound(context, { ...was, ...set })
    const by = context.staff.id
    return batches.save(
      context,
      was,
      { amendment: { by, at: context.now, reason, set }, finance_by: null },
      reason,
    )
  },
  withdraw: async (one, context) => {
    const was = await heldFor(context, 'withdraw', one)
    return batches.save(
      context,
      was,
      was.amendment ? { amendment: null } : { status: 'draft', finance_by: null },
    )
  },
} satisfies { [K in keyof typeof batchEdit]: Handler<(typeof batchEdit)[K]> })

export const batchCopyServer = implement(batchCopy, {
  saveDraft: (sent, context) => copied(context, sent, false),
  submit: (sent, context) => copied(context, sent, true),
} satisfies { [K in keyof typeof batchCopy]: Handler<(typeof batchCopy)[K]> })
