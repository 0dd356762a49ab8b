import { fulfilOf, settleOf, statusOf, unitShares, type CodeState, type FulfilState, type OrderKind, type RefundState } from '#src/domain/order.ts'
import { shares } from '#src/domain/money.ts'
import { dayStart } from '#src/domain/time.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db } from '../implement.ts'
import { order, order_code, order_item, refund, refund_item, verify_record } from '../tables/order.ts'
import type { Offered } from './audits.ts'
import { insertRows } from './insert.ts'
import { deviceOf } from './logs.ts'
import type { Random } from './random.ts'
import { sized } from './trade.ts'
import { refundReasons } from './words.ts'

const [HOUR, DAY] = [3600, 86_400]
/** Orders of each kind at full size: 60,000 over 13 months. */
const full = { bulks: 26_000, voucher: 7000, elist: 9000, roll_buy: 6000, goods: 3500, card: 2500, visitor: 2500, combo: 1000, raise: 700, points: 1200, ecard: 600 } as const
type Kind = keyof typeof full
const soldAs: Readonly<Record<Kind, ProductBody['kind']>> = { bulks: 'bulks', voucher: 'voucher', elist: 'elist', roll_buy: 'bulks', goods: 'goods', card: 'card', visitor: 'bulks', combo: 'bulks', raise: 'elist', points: 'elist', ecard: 'card' }
/** What happens to an order in the end; the first ones of each kind take the fates in turn, so that every state is there at any size. */
const fates = {
  code: { used: 66, part: 6, unused: 12, expired: 4, refunded: 8, refunding: 1, cancelled: 4, unpaid: 0.4, frozen: 0.3, late_pay: 0.1 },
  group: { used: 62, part: 3, unused: 10, group_fail: 10, waiting_group: 1, refunded: 7, cancelled: 5, unpaid: 0.4, frozen: 0.3, expired: 2 },
  card: { used: 30, part: 40, unused: 15, expired: 4, refunded: 6, refunding: 1, cancelled: 3, unpaid: 0.4, frozen: 0.4 },
  ship: { finished: 78, waiting_ship: 4, part_shipped: 0.6, shipped: 5, refunded: 7, refunding: 1.6, cancelled: 4, unpaid: 0.4, frozen: 0.3 },
  pickup: { finished: 80, waiting_pickup: 6, delivering: 1, refunded: 7, refunding: 1, cancelled: 4, unpaid: 0.5, frozen: 0.3 },
  raise: { finished: 60, waiting_group: 8, waiting_ship: 10, shipped: 6, group_fail: 10, balance: 2, cancelled: 4, refunded: 3, frozen: 0.5 },
  issue: { finished: 88, issuing: 3, issue_failed: 2, refunded: 3, cancelled: 4, frozen: 0.5 },
} as const
const wayOf: Readonly<Record<Kind, keyof typeof fates>> = { bulks: 'code', voucher: 'code', visitor: 'code', combo: 'code', card: 'card', roll_buy: 'group', elist: 'ship', goods: 'pickup', raise: 'raise', points: 'ship', ecard: 'issue' }
/** Share of a day's orders by hour, and of a week's by weekday from Monday. */
const byHour = [1, 1, 0, 0, 0, 0, 1, 2, 4, 6, 8, 12, 11, 7, 6, 7, 8, 11, 13, 12, 9, 6, 4, 2]
const byWeekday = [8, 8, 9, 10, 13, 18, 16]
const promotions = new Set(['11-11', '12-12', '06-18'])

const codeNumber = (n: number): string => {
  // Twelve digits, no leading zero, the last a check digit; one to one with n.
  const body = String(10_000_000_000 + ((n * 7_368_787) % 89_999_999_993))
  return body + String([...body].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10)
}

/** Orders with their items, codes, redemptions and refunds; money adds up to the cent and every status follows from its facts. Answers how many rows were made. */
export const seedOrders = async (db: Db, random: Random, of: { offers: readonly Offered[]; memberCount: number; now: number; scale: number; done: (rows: number) => void }): Promise<void> => {
  const { now, scale } = of
  const selling = new Map<ProductBody['kind'], Offered[]>()
  for (const kind of ['bulks', 'card', 'voucher', 'goods', 'elist'] as const) {
    // Few offers sell most: those first in the list are bought far more often.
    selling.set(kind, random.shuffle(of.offers.filter(one => one.row.kind === kind && one.lives.length > 0)))
  }
  const popular = (all: Offered[]) => all[Math.min(all.length - 1, Math.floor(all.length * random.next() ** 2.2))]!

  // Thirteen months of days, weighted by growth, weekday and promotions.
  const first = dayStart(now) - 394 * DAY
  const days = Array.from({ length: 395 }, (_, at) => {
    const at0 = first + at * DAY
    const date = new Date((at0 + 8 * HOUR) * 1000)
    return { at0, weight: (0.55 + at / 600) * byWeekday[(date.getUTCDay() + 6) % 7]! * (promotions.has(date.toISOString().slice(5, 10)) ? 3.5 : 1) * (at === 200 ? 0.1 : 1) }
  })
  const total = days.reduce((sum, day) => sum + day.weight, 0)
  const cumulative: number[] = []
  days.reduce((sum, day, at) => (cumulative[at] = sum + day.weight / total), 0)
  const moment = (latest = now - 120): number => {
    const x = random.next()
    let [low, high] = [0, days.length - 1]
    while (low < high) { const mid = (low + high) >> 1; if (cumulative[mid]! < x) low = mid + 1; else high = mid }
    let hour = random.next() * 100
    let h = 0
    const sum = byHour.reduce((a, b) => a + b, 0)
    for (hour = random.next() * sum; h < 23 && (hour -= byHour[h]!) >= 0; h++);
    const at = days[low]!.at0 + h * HOUR + random.int(0, 3599)
    return at > latest ? latest - random.int(0, 20 * HOUR) : at
  }

  const orders: (typeof order.$inferInsert)[] = []
  const items: (typeof order_item.$inferInsert)[] = []
  const codes: (typeof order_code.$inferInsert)[] = []
  const verifies: (typeof verify_record.$inferInsert)[] = []
  const refunds: (typeof refund.$inferInsert)[] = []
  const refundItems: (typeof refund_item.$inferInsert)[] = []
  const plan = (Object.keys(full) as Kind[]).flatMap(kind => {
    const n = sized(full[kind], scale, 24)
    const names = Object.keys(fates[wayOf[kind]])
    return Array.from({ length: n }, (_, at) => ({ kind, fate: at < names.length ? names[at]! : random.weighted(fates[wayOf[kind]] as Record<string, number>) }))
  })
  // Young states are of today; the rest keeps the rhythm of the year.
  const young = new Set(['unpaid', 'waiting_group', 'waiting_ship', 'part_shipped', 'shipped', 'waiting_pickup', 'delivering', 'issuing', 'refunding', 'unused'])
  const ages: Record<string, number> = { unpaid: 600, waiting_group: 20 * HOUR, waiting_ship: 60 * HOUR, part_shipped: 4 * DAY, shipped: 9 * DAY, waiting_pickup: 6 * DAY, delivering: 5 * HOUR, issuing: 2 * HOUR, refunding: 9 * DAY, unused: 55 * DAY }
  const dated = plan.map(one => {
    let at = young.has(one.fate) ? now - 30 - random.int(0, ages[one.fate]!) : moment()
    if (one.fate === 'expired') at = Math.min(at, now - 70 * DAY)
    if (['used', 'part', 'finished', 'group_fail', 'balance'].includes(one.fate) && at > now - 3 * HOUR) at -= random.int(3, 30) * HOUR
    return { ...one, at }
  }).sort((a, b) => a.at - b.at)

  for (const { kind, fate, at } of dated) {
    const id = orders.length + 1
    const offer = popular(selling.get(soldAs[kind])!)
    // The version that was live when it was bought.
    const version = offer.lives.findLast(live => live.at <= at) ?? offer.lives[0]!
    const body = version.body
    const way = wayOf[kind]
    const hasCodes = way === 'code' || way === 'group' || way === 'card'
    const isCard = way === 'card'
    const paidAt = at + random.int(8, 240)
    const unpaid = fate === 'unpaid'
    const closed = fate === 'cancelled' || fate === 'late_pay'
    const lines = (kind === 'elist' || kind === 'goods' || kind === 'combo') && random.chance(0.45) ? 2 : 1
    const storeId = body.store_ids.length ? random.pick(body.store_ids) : offer.seller.stores[0]!.id
    const validUntil = Math.max(at + 20 * DAY, Math.min(at + (body.valid_days ?? 60) * DAY, Math.max(body.check_end_at, at + 60 * DAY)))
    const lots = Array.from({ length: lines }, (_, k) => {
      const sku = body.skus?.length ? body.skus[(id + k) % body.skus.length]! : undefined
      return { sku, qty: isCard ? 1 : Number(random.weighted({ '1': 72, '2': 22, '3': 4, '4': 2 })), price: kind === 'roll_buy' ? Math.max(1, Math.round(body.price_cents * 0.85)) : sku?.price_cents ?? body.price_cents }
    })
    const totalCents = lots.reduce((sum, lot) => sum + lot.price * lot.qty, 0)
    const platform = random.chance(0.18) ? Math.min(totalCents - 1, random.pick([300, 500, 800, 1000, 2000])) : 0
    const freight = kind === 'elist' && random.chance(0.2) ? 800 : 0
    const goodsPay = totalCents - platform
    const pay = goodsPay + freight
    const paid = unpaid || fate === 'cancelled' ? 0 : fate === 'balance' ? Math.round(pay * 0.3) : pay
    const payShares = shares(goodsPay, lots.map(lot => lot.price * lot.qty))
    const platformShares = shares(platform, lots.map(lot => lot.price * lot.qty))
    const ended = (): number => Math.min(now - 60, at + Math.round(-Math.log(1 - random.next() * 0.98) * (way === 'ship' || way === 'raise' ? 4 : 6) * DAY) + HOUR)
    const doneAt = ended()

    const refundWhole = fate === 'refunded' || fate === 'group_fail' || fate === 'late_pay'
    const lot0 = items.length
    let used = 0
    let units = 0
    let gone = 0
    for (const [k, lot] of lots.entries()) {
      const itemId = items.length + 1
      const parts = unitShares(payShares[k]!, lot.qty)
      const platformParts = unitShares(platformShares[k]!, lot.qty)
      const express = way === 'ship' || way === 'raise'
      const shipped = express && ['finished', 'shipped'].includes(fate) ? lot.qty : fate === 'part_shipped' && k === 0 ? Math.min(1, lot.qty) : 0
      items.push({
        id: itemId, order_id: id, product_id: offer.row.id, sku_id: null, snapshot: { no: version.no, title: body.title, price_cents: lot.price, commission_bp: body.commission_bp, check_end_at: body.check_end_at, ...(lot.sku ? { sku: lot.sku.name } : {}) }, title: body.title, store_id: storeId, qty: lot.qty,
        price_cents: lot.price, pay_cents: payShares[k]!, platform_cents: platformShares[k]!, used_qty: 0, refunding_qty: fate === 'refunding' ? lot.qty : 0, refunded_qty: refundWhole && fate !== 'late_pay' ? lot.qty : 0, shipped_qty: shipped, received_qty: fate === 'finished' && express ? lot.qty : 0,
        refunded_cents: refundWhole && fate !== 'late_pay' ? payShares[k]! : 0, fulfil: hasCodes ? 'code' : way === 'pickup' ? (fate === 'delivering' ? 'delivery' : 'pickup') : way === 'issue' ? 'virtual' : 'express', created_at: at, updated_at: at,
      })
      if (!hasCodes || unpaid || closed) continue
      for (let unit = 0; unit < lot.qty; unit++) {
        const times = isCard ? body.times_total ?? 5 : 1
        const spent = fate === 'used' || (fate === 'frozen' && unit === 0 && isCard) ? times : fate === 'part' ? (isCard ? Math.max(1, Math.min(times - 1, random.int(1, times))) : unit === 0 && (lot.qty > 1 || lines > 1) ? 1 : 0) : 0
        const state: CodeState = fate === 'waiting_group' ? 'locked' : refundWhole ? 'refunded' : fate === 'refunding' ? 'refunding' : fate === 'expired' ? 'expired' : spent === times ? 'used' : spent > 0 ? 'part_used' : 'unused'
        const codeId = codes.length + 1
        const codePay = parts[unit]!
        const codePlatform = platformParts[unit]!
        codes.push({
          id: codeId, order_id: id, item_id: itemId, product_id: offer.row.id, code: codeNumber(codeId), kind: kind as 'bulks', times_total: times, times_used: spent, times_refunding: state === 'refunding' ? times : 0, times_refunded: state === 'refunded' ? times : 0, pay_cents: codePay, platform_cents: codePlatform,
          settle_cents: settleOf(codePay, codePlatform, body.commission_bp), refunded_cents: state === 'refunded' ? codePay : 0, valid_from: paidAt, valid_until: fate === 'expired' ? Math.min(now - DAY, validUntil) : Math.max(validUntil, state === 'unused' || state === 'part_used' ? now + random.int(2, 50) * DAY : 0), state, created_at: paidAt, updated_at: paidAt,
        })
        units += times
        used += spent
        if (state === 'refunded') gone += times
        if (spent === times) items[itemId - 1]!.used_qty! += 1
        const timePay = unitShares(codePay, times)
        const timePlatform = unitShares(codePlatform, times)
        for (let turn = 0; turn < spent; turn++) {
          const when = Math.min(now - 30, isCard ? at + Math.round(((turn + 1) / (spent + 1)) * Math.max(HOUR, Math.min(now - at, 120 * DAY))) : doneAt)
          const gross = timePay[turn]! + timePlatform[turn]!
          const settle = settleOf(timePay[turn]!, timePlatform[turn]!, body.commission_bp)
          const abnormal = verifies.length % 480 === 77
          verifies.push({
            code_id: codeId, order_id: id, product_id: offer.row.id, kind, city_id: offer.row.city_id, mall_id: offer.row.mall_id, store_id: storeId, way: random.weighted({ scan: 70, input: 22, api: 7, platform: 1 }), times: 1, pay_cents: timePay[turn]!, platform_cents: timePlatform[turn]!, commission_cents: gross - settle, settle_cents: settle,
            bill_cents: kind === 'voucher' ? (body.face_cents ?? 0) + random.int(0, 300) * 100 : null, abnormal, abnormal_reason: abnormal ? '同一设备连续核销' : null, state: 'valid', verified_at: when, reversed_at: null, reverse_reason: null, created_at: when, updated_at: when,
          })
        }
        // A few were redeemed by mistake and taken back; the code was redeemed again later, which is the record above.
        if (spent === 1 && verifies.length % 160 === 31) {
          const last = verifies.at(-1)!
          verifies.push({ ...last, state: 'reversed', verified_at: last.verified_at - 1800, reversed_at: last.verified_at - 1200, reverse_reason: random.pick(['收银员扫错码', '顾客改用其他券']), created_at: last.verified_at - 1800 })
        }
      }
    }

    const fulfil = ((): FulfilState => {
      if (unpaid || closed) return 'none'
      if (fate === 'waiting_group' || fate === 'balance') return 'waiting_group'
      if (hasCodes) return fulfilOf({ total: units, used, refunded: gone, expired: fate === 'expired' ? units - used : 0 }) ?? 'waiting_use'
      if (refundWhole || fate === 'refunding' || fate === 'frozen') return way === 'pickup' ? 'waiting_pickup' : way === 'issue' ? 'issuing' : 'waiting_ship'
      return fate as FulfilState
    })()
    const facts = {
      pay_state: closed ? 'closed' as const : unpaid ? 'unpaid' as const : fate === 'balance' ? 'part_paid' as const : 'paid' as const, balance_due: fate === 'balance', fulfil_state: fulfil,
      refund_state: closed ? 'none' as const : refundWhole ? 'refunded' as const : fate === 'refunding' ? 'refunding' as const : 'none' as const, frozen: fate === 'frozen',
    }
    const isDone = ['finished', 'expired'].includes(fulfil)
    const buyer = kind === 'visitor' ? null : random.int(1, of.memberCount)
    orders.push({
      id, order_no: `${['BU', 'VO', 'EL', 'RB', 'GO', 'CA', 'VI', 'CO', 'RA', 'PO', 'EC'][Object.keys(full).indexOf(kind)]}${at}${String(id).padStart(6, '0')}`, kind: kind as OrderKind, member_id: buyer, device_id: buyer === null ? null : deviceOf(buyer), visitor_phone: kind === 'visitor' ? `136${String(10_000_000 + id).slice(-8)}` : null, city_id: offer.row.city_id,
      mall_id: offer.row.mall_id, merchant_id: offer.seller.id, store_id: storeId, source: random.weighted({ mini_program: 78, h5: 10, live: 6, qr: 6 }), total_cents: totalCents, freight_cents: freight, store_discount_cents: 0, platform_discount_cents: platform, pay_cents: pay, paid_cents: paid,
      refunded_cents: refundWhole ? paid : 0, ...facts, freeze_reason: fate === 'frozen' ? random.pick(['风控命中：同设备多号', '支付争议', '人工冻结待核实']) : null, status: statusOf(facts), cancel_type: fate === 'cancelled' ? random.weighted({ timeout: 70, member: 25, staff: 5 }) : fate === 'late_pay' ? 'late_pay' : null,
      expire_pay_at: at + 900, paid_at: paid > 0 ? paidAt : null, finished_at: isDone && facts.refund_state === 'none' ? doneAt : null, closed_at: closed ? at + 900 : null, valid_until: hasCodes ? validUntil : null, created_at: at, updated_at: Math.min(now, doneAt),
    })
    if (refundWhole || fate === 'refunding' || (fate === 'unused' && random.chance(0.05))) {
      const rid = refunds.length + 1
      const open: RefundState = random.weighted({ applied: 62, second_audit: 5, wait_return: 13, returning: 9, paying: 6, pay_failed: 5 })
      const state: RefundState = refundWhole ? 'done' : fate === 'refunding' ? open : random.chance(0.7) ? 'rejected' : 'closed'
      const applied = Math.min(now - 90, refundWhole ? Math.max(paidAt + 60, doneAt - random.int(2, 40) * HOUR) : Math.max(paidAt + 60, now - random.int(1, 70) * HOUR))
      const system = fate === 'group_fail' || fate === 'late_pay'
      refunds.push({
        id: rid, refund_no: `RF${applied}${String(rid).padStart(5, '0')}`, order_id: id, order_kind: kind, city_id: offer.row.city_id, mall_id: offer.row.mall_id, type: ['wait_return', 'returning'].includes(state) ? 'return_refund' : 'refund_only', source: system ? 'system' : 'member', cause: fate === 'group_fail' ? (kind === 'raise' ? 'raise_fail' : 'group_fail') : fate === 'late_pay' ? 'late_pay' : 'apply',
        reason: system ? '系统自动退款' : random.pick(refundReasons), amount_cents: refundWhole ? paid : goodsPay, state, first_by: state === 'second_audit' ? 1 : null, second_by: null, reject_reason: state === 'rejected' ? '已超过可退时间' : null, deadline_at: applied + 24 * HOUR, done_at: state === 'done' ? Math.min(now - 40, applied + random.int(60, 7200)) : null, created_at: applied, updated_at: applied,
      })
      for (let at0 = lot0; at0 < items.length; at0++) refundItems.push({ refund_id: rid, item_id: items[at0]!.id!, code_id: null, qty: items[at0]!.qty, amount_cents: items[at0]!.pay_cents, platform_cents: items[at0]!.platform_cents! })
    }
  }
  await insertRows(db, order, orders, of.done)
  await insertRows(db, order_item, items, of.done)
  await insertRows(db, order_code, codes, of.done)
  await insertRows(db, verify_record, verifies, of.done)
  await insertRows(db, refund, refunds, of.done)
  await insertRows(db, refund_item, refundItems, of.done)
}
