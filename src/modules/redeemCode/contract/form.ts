import { z } from 'zod'
import { orderTrial } from '#src/contract/orderTrial.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, open, text, unix, version } from '#src/contract/shapes.ts'
import { batchFields, cardStock, rewardCents } from './index.ts'

const call = (at: string) =>
  callsOf(`redeemCode/index/${at}`, { touches: ['code_batch'], rows: 'all' })
const add = call('add')
const edit = call('edit')
const copy = call('copy')
const done = z.object({ id, version })
const held = { id, version }

const shopItem = z.object({
  id,
  name: z.string(),
  points_price: z.int(),
  cash_cents: cents,
})
/** A new batch of codes. */
export const batchAdd = {
  saveDraft: add.write('saveDraft', ['保存批次草稿', 'Save a batch’s draft'], {
    input: z.object(batchFields),
    output: done,
  }),
  submit: add.write('submit', ['提交新批次审核', 'Submit a new batch'], {
    input: z.object(batchFields),
    output: done,
  }),
  /** Its cost, how hard its codes are to guess, and the faults that keep it from being submitted. */
  estimate: add.read('estimate', ['测算成本与强度', 'Cost and strength'], {
    input: z.object({
      quantity: batchFields.quantity,
      use_limit: z.int().optional(),
      points: batchFields.points,
      goods_cents: batchFields.goods_cents.default(0),
      vip_card_id: id.optional(),
      vip_days: batchFields.vip_days.default(0),
      /** The cost of the days in a batch that was submitted; otherwise the plan's price says it. */
      vip_cents: rewardCents.optional(),
      ecard_attr_id: id.optional(),
      /** The cost of the card in a batch that was submitted; otherwise the card says it. */
      ecard_cents: rewardCents.optional(),
      coupon_ids: batchFields.coupon_ids.default([]),
      end_at: unix.optional(),
      /** The batch that is changed: what it promises by now is none of the others’. */
      but: id.optional(),
      /** The redemptions that there were, and those of void codes. */
      gone: z.int().min(0).max(2147483647).default(0),
    }),
    output: z.object({
      unit_cents: cents,
      worst_cents: cents,
      points_total: z.int(),
      needs_finance: z.boolean(),
      coupons: z.array(
        z.object({
          id,
          name: z.string(),
          film_cents: cents.nullable(),
          cost_cents: open('What a coupon takes off, no product’s', cents),
          left: z.int(),
          fault: z.string(),
        }),
      ),
      /** The plan whose days a code gives, and what they cost; null without one. */
      plan: z
        .object({
          name: z.string(),
          cost_cents: open('What days of a plan cost, no product’s', cents),
          fault: z.string(),
        })
        .nullable(),
      /** The e-card that a code gives, and what it costs; null of none. */
      card: z
        .object({
          name: z.string(),
          face_cents: cents,
          cost_cents: open('What a card that is given away costs, no product’s', cents),
          /** Null where it is made as it is given. */
          left: z.int().nullable(),
          fault: z.string(),
          stock: cardStock,
        })
        .nullable(),
    }),
    touches: ['coupon', 'vip_card', 'ecard', 'ecard_attr', 'ecard_code', 'code_batch'],
    permit: 'redeemCode.index.view',
  }),
  /** What a code comes to: its coupons on real orders, what its points buy, how long the rest lasts. */
  example: add.read('example', ['按真实订单试算', 'Real order trial'], {
    input: z.object({
      points: batchFields.points.default(0),
      goods: batchFields.goods.default(''),
      vip_card_id: id.optional(),
      vip_days: batchFields.vip_days.default(0),
      coupon_ids: batchFields.coupon_ids.default([]),
      start_at: unix.optional(),
      end_at: unix.optional(),
    }),
    output: z.object({
      /** Each on the newest paid order that it fits; null where it fits none of the newest. */
      coupons: z.array(z.object({ id, name: z.string(), trial: orderTrial.nullable() })),
      /** What so many points buy, or the cheapest thing where they buy nothing; null of none. */
      points: z
        .object({ points: z.int(), item: shopItem.nullable(), cheapest: shopItem.nullable() })
        .nullable(),
      membership: z.object({ plan: z.string(), days: z.int(), from: unix, until: unix }).nullable(),
      prize: z.object({ name: z.string(), until: unix.nullable() }).nullable(),
    }),
    touches: ['coupon', 'order', 'points_goods', 'vip_card'],
    permit: 'redeemCode.index.view',
  }),
}
/** A batch that stands: a draft as it likes, an approved one through an audit. */
export const batchEdit = {
  saveDraft: edit.write('saveDraft', ['保存批次修改', 'Save a batch'], {
    input: z.object({ ...held, ...batchFields }),
    output: done,
  }),
  submit: edit.write('submit', ['提交批次修改审核', 'Submit a batch'], {
    input: z.object({ ...held, ...batchFields }),
    output: done,
  }),
  /** Only what the domain lets grow: texts, a later end, more codes, looser limits. */
  amend: edit.write('amend', ['提交变更审核', 'Submit a change'], {
    input: z.object({
      ...held,
      name: text(60),
      note: batchFields.note,
      end_at: unix,
      quantity: batchFields.quantity,
      budget_cents: batchFields.budget_cents,
      use_limit: batchFields.use_limit,
      limit_member: batchFields.limit_member,
      limit_phone: batchFields.limit_phone,
      limit_device: batchFields.limit_device,
      reason,
    }),
    output: done,
  }),
  withdraw: edit.changes('withdraw', ['撤回批次审核', 'Withdraw a batch from its audit']),
}
/** A partner's next order: the rewards of an earlier batch, a prefix and a period of its own. */
export const batchCopy = {
  saveDraft: copy.write('saveDraft', ['保存复制的批次', 'Save a copied batch'], {
    input: z.object({ copy_from_id: id, ...batchFields }),
    output: done,
  }),
  submit: copy.write('submit', ['提交复制的批次审核', 'Submit a copied batch'], {
    input: z.object({ copy_from_id: id, ...batchFields }),
    output: done,
  }),
}
