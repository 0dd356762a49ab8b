/** The prices, stock and order of group-buys that a grid or a file brings, row by row. */
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { priceFaults } from '#src/areas/product/goods.ts'
import { needGoods, type Goods } from '#src/areas/product/goodsRows.server.ts'
import type { Result } from '#src/contract/call.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { say, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import type { goods as contract, GoodsEdit as Edited } from '../contract/goods.ts'
import { goods } from './goodsRows.ts'

type Saved = Result<typeof contract.saveGrid>['results'][number]
/** So many may still be sold; what unpaid orders hold is kept besides. */
export const setStock = (context: WriteContext, was: Goods, left: number, reason: string) =>
  goods.save(context, was, { stock: left + was.held }, reason)

const prices = ['price_cents', 'settle_price_cents', 'group_price_cents'] as const
/** Submits what was edited of the prices to the audit: the old ones sell until it is decided. */
const submitPrices = async (
  context: WriteContext,
  was: Goods,
  { edited, reason }: { edited: Edited; reason: string },
): Promise<Text> => {
  const { tx, staff, now } = context
  await needGoods(context, 'editPrice', was)
  const live = await liveBody(tx, was.id)
  if (!live) throw ruled('never_approved', ['商品尚未审核通过', 'It was never approved'])
  const set = Object.fromEntries(
    prices.flatMap(key => (edited[key] === undefined ? [] : [[key, edited[key]]])),
  )
  if (set['group_price_cents'] !== undefined && live.group_price_cents === undefined)
    faultless(staff, { group_price_cents: ['该商品不支持拼团', 'Nobody buys it together'] })
  const body = { ...live, ...set }
  faultless(staff, priceFaults(body))
  const task = await submitOffer(tx, {
    product_id: was.id,
    body,
    submit_type: 'edit',
    by: staff.id,
    now,
  })
  const before = Object.fromEntries(Object.keys(set).map(key => [key, live[key as 'price_cents']]))
  goods.log(context, was, { before, after: { ...set, audit_task: task.id }, reason })
  return task.state === 'approved'
    ? ['已保存，新价格已生效', 'Saved, the new price holds']
    : ['已保存，价格待审核', 'Saved, the price waits for an audit']
}
/** Nobody sets a price that is hidden from them: whether it is taken would tell what it is. */
const needShownPrices = ({ staff }: WriteContext, { settle_price_cents }: Edited): void => {
  const isHidden = staff.field('product.settle_price_cents') !== 'show'
  if (settle_price_cents !== undefined && isHidden)
    faultless(staff, {
      settle_price_cents: ['无权查看结算价，不能修改', 'It is not shown to you, nor to be changed'],
    })
}
/** Saves a row of a grid: what needs no audit at once, the prices last. */
const saveRow = async (context: WriteContext, edited: Edited, reason: string): Promise<Text> => {
  needShownPrices(context, edited)
  let was = await goods.heldFast(context, edited)
  if (edited.stock_left !== undefined) {
    await needGoods(context, 'editStock', was)
    was = await setStock(context, was, edited.stock_left, reason)
  }
  if (edited.sort !== undefined) was = await goods.save(context, was, { sort: edited.sort }, reason)
  return prices.some(key => edited[key] !== undefined)
    ? submitPrices(context, was, { edited, reason })
    : ['已保存', 'Saved']
}
/** A refusal of a row as its grid shows it: at its cells, where it says at which. */
const refused = (error: Refusal, edited: Edited, context: WriteContext) => {
  const { lang } = context.staff
  const text = error.in(lang)
  const { fields, by } = error.dataIn(lang) as {
    fields?: Record<string, string>
    by?: ChangedBy
  }
  const isPrice = error.data['rule'] === 'in_audit'
  const at = prices.filter(key => isPrice && edited[key] !== undefined)
  return {
    result: error.status === 409 ? ('conflict' as const) : ('error' as const),
    text,
    fields: fields ?? Object.fromEntries(at.map(key => [key, text])),
    ...(by && { by }),
  }
}

/** Saves rows, each by itself: what came of it, and where it was refused at which of its cells. */
export const saveRows = async (
  context: WriteContext,
  rows: readonly Edited[],
  reason: string,
): Promise<Saved[]> => {
  const once = [...new Map(rows.map(row => [row.id, row])).values()]
  const told = new Map<number, Text>()
  const tried = await tryRows(context, once, async (inside, edited) => {
    told.set(edited.id, await saveRow(inside, edited, reason))
  })
  return tried.map(({ one, error }) => ({
    id: one.id,
    ...(error
      ? refused(error, one, context)
      : {
          result: 'saved' as const,
          text: say(told.get(one.id)!, context.staff.lang),
          fields: {},
        }),
  }))
}
