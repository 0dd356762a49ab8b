import { sql, type SQL } from 'drizzle-orm'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { checkDigitOf } from '#src/areas/code/code.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { dressCombos } from '#src/areas/combo/combos.demo.ts'
import { dressCoupons } from '#src/areas/coupon/coupons.demo.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { Groups, oweReward, partiesOf } from '#src/areas/group/groups.demo.ts'
import { deviceOf } from '#src/areas/log/logs.demo.ts'
import { dressVisitors } from '#src/areas/member/visitors.demo.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { dressPoints, exchangeFor, seedPointsGoods } from '#src/areas/points/points.demo.ts'
import { depositIn, dressRaises, seedBatches } from '#src/areas/raise/raises.demo.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import type { RefundState } from '#src/areas/refund/refund.ts'
import { dressRefunds } from '#src/areas/refund/refunds.demo.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { shares } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { cities, refundReasons } from '#src/server/demo/words.ts'
import { configScopes, type ConfigScope } from './configScope.ts'
import { freezeWords, remindedBefore, reviewedByItself } from './logWords.ts'
import { order, order_item } from './order.table.ts'
import { statusOf, type CodeState, type OrderKind } from './order.ts'
import { faceIn, isWaiting } from './orderFacts.server.ts'
import {
  cancelOf,
  causeOf,
  distanceOf,
  drawReceiver,
  fulfilOf,
  openCase,
  payStateOf,
  qtyOf,
  receiverBy,
  refusedCase,
  settleStateAt,
  spentOf,
  subKinds,
  unissued,
} from './orderFates.demo.ts'
import { settleOf, unitShares } from './orderMoney.ts'
import { rulesAtFirst, scopesWith, type OrderRules, type Sender } from './orderRules.ts'
import { codeStateOf, factsOf } from './orderUnits.ts'
import { reviewedWays } from './orderVerbs.ts'
import { dressStoreGoods } from './storeGoods.demo.ts'
import { order_config } from './trail.table.ts'

/** Orders of each kind at full size: 60,000 over 13 months. */
const full = {
  bulks: 26_000,
  voucher: 7000,
  elist: 9000,
  roll_buy: 6000,
  goods: 3500,
  card: 2500,
  visitor: 2500,
  combo: 1000,
  raise: 700,
  points: 1200,
  ecard: 600,
} as const
type Kind = keyof typeof full
const soldAs: Readonly<Record<Kind, ProductBody['kind']>> = {
  bulks: 'bulks',
  voucher: 'voucher',
  elist: 'elist',
  roll_buy: 'bulks',
  goods: 'goods',
  card: 'card',
  visitor: 'bulks',
  combo: 'bulks',
  raise: 'elist',
  points: 'elist',
  ecard: 'card',
}
/**
 * What happens to an order in the end; the first ones of each kind take the fates in turn, so that
 * every state is there at any size.
 */
const fates = {
  code: {
    used: 66,
    part: 6,
    unused: 12,
    expired: 4,
    refunded: 8,
    refunding: 1,
    cancelled: 4,
    unpaid: 0.03,
    frozen: 0.3,
    late_pay: 0.1,
  },
  group: {
    used: 62,
    part: 3,
    unused: 10,
    group_fail: 10,
    waiting_group: 1,
    waiting_ship: 0.6,
    refunded: 7,
    cancelled: 5,
    unpaid: 0.1,
    frozen: 0.3,
    expired: 2,
  },
  card: {
    used: 30,
    part: 40,
    unused: 15,
    expired: 4,
    refunded: 6,
    refunding: 1,
    cancelled: 3,
    unpaid: 0.08,
    frozen: 0.4,
  },
  ship: {
    finished: 75.5,
    waiting_ship: 6.5,
    part_shipped: 0.6,
    shipped: 5,
    refunded: 7,
    refunding: 1.6,
    cancelled: 4,
    unpaid: 0.06,
    frozen: 0.3,
  },
  pickup: {
    finished: 80,
    waiting_pickup: 6,
    waiting_ship: 2,
    delivering: 1,
    refunded: 7,
    refunding: 1,
    cancelled: 4,
    unpaid: 0.08,
    frozen: 0.3,
  },
  raise: {
    finished: 60,
    waiting_group: 8,
    waiting_ship: 10,
    shipped: 6,
    group_fail: 10,
    balance: 2,
    cancelled: 4,
    refunded: 3,
    frozen: 0.5,
  },
  points: {
    finished: 74,
    waiting_ship: 6,
    shipped: 5,
    issuing: 2,
    issue_failed: 3,
    unused: 4,
    waiting_pickup: 2,
    refunded: 5,
    cancelled: 5,
    unpaid: 0.2,
    refunding: 1,
    frozen: 0.5,
  },
  issue: { finished: 88, issuing: 3, issue_failed: 2, refunded: 3, cancelled: 4, frozen: 0.5 },
} as const
const wayOf: Readonly<Record<Kind, keyof typeof fates>> = {
  bulks: 'code',
  voucher: 'code',
  visitor: 'code',
  combo: 'code',
  card: 'card',
  roll_buy: 'group',
  elist: 'ship',
  goods: 'pickup',
  raise: 'raise',
  points: 'points',
  ecard: 'issue',
}
/**
 * Fates that a kind has at any hour beside those of its way: two who wait in one group, two whose
 * group is posted, a second visitor who has not come yet, a deposit.
 */
const moreFates: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  roll_buy: ['waiting_group', 'waiting_group', 'waiting_ship'],
  visitor: ['unused'],
  raise: ['unpaid'],
}
/** States of a case that every kind has at any hour, as each can be acted on. */
const casesOf = (kind: Kind): RefundState[] => {
  if (kind === 'ecard') return []
  if (kind === 'points') return ['pay_failed']
  const all: RefundState[] = ['applied', 'second_audit', 'pay_failed']
  if (kind === 'goods') return [...all, 'applied']
  return kind === 'elist' ? [...all, 'wait_return', 'returning'] : all
}
/**
 * How many hours ago a case was opened: at a store the second of a state has waited for more than
 * the day that it has to answer, and the first has not.
 */
const openedAgo = (
  kind: Kind,
  covers: RefundState | undefined,
  again: boolean,
): [from: number, to: number] => {
  if (again) return [26, 70]
  return [1, kind === 'goods' && covers ? 20 : 70]
}
/** Share of a day's orders by hour, and of a week's by weekday from Monday. */
const byHour = [1, 1, 0, 0, 0, 0, 1, 2, 4, 6, 8, 12, 11, 7, 6, 7, 8, 11, 13, 12, 9, 6, 4, 2]
const byWeekday = [8, 8, 9, 10, 13, 18, 16]
const promotions = new Set(['11-11', '12-12', '06-18'])

const codeNumber = (n: number): string => {
  // Twelve digits, no leading zero, the last a check digit; one to one with n.
  const body = String(10_000_000_000 + ((n * 7_368_787) % 89_999_999_993))
  return body + String(checkDigitOf(body))
}

/**
 * Orders with their items, codes, redemptions and refunds; money adds up to the cent and every
 * status follows from its facts. Answers how many rows were made.
 */
const seedOrders = async (
  db: Db,
  random: Random,
  of: {
    offers: readonly Offered[]
    memberCount: number
    now: number
    scale: number
    done: (rows: number) => void
  },
): Promise<void> => {
  const { now, scale } = of
  const selling = new Map<ProductBody['kind'], Offered[]>()
  for (const kind of ['bulks', 'card', 'voucher', 'goods', 'elist'] as const) {
    // Few offers sell most: those first in the list are bought far more often.
    selling.set(
      kind,
      random.shuffle(of.offers.filter(one => one.row.kind === kind && one.lives.length > 0)),
    )
  }
  const popular = (all: Offered[]) =>
    all[Math.min(all.length - 1, Math.floor(all.length * random.next() ** 2.2))]!

  // Thirteen months of days, weighted by growth, weekday and promotions.
  const first = dayStart(now) - 394 * DAY
  const days = Array.from({ length: 395 }, (_, at) => {
    const at0 = first + at * DAY
    const date = new Date((at0 + 8 * HOUR) * 1000)
    return {
      at0,
      weight:
        (0.55 + at / 600) *
        byWeekday[(date.getUTCDay() + 6) % 7]! *
        (promotions.has(date.toISOString().slice(5, 10)) ? 3.5 : 1) *
        (at === 200 ? 0.1 : 1),
    }
  })
  const total = days.reduce((sum, day) => sum + day.weight, 0)
  const cumulative: number[] = []
  days.reduce((sum, day, at) => (cumulative[at] = sum + day.weight / total), 0)
  const moment = (latest = now - 120): number => {
    const x = random.next()
    let [low, high] = [0, days.length - 1]
    while (low < high) {
      const mid = (low + high) >> 1
      if (cumulative[mid]! < x) low = mid + 1
      else high = mid
    }
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
  const usesOf = new Map<Kind, number>()
  const refunds: (typeof refund.$inferInsert)[] = []
  const refundItems: (typeof refund_item.$inferInsert)[] = []
  const bodyOf = (offer: Offered, at: number) =>
    offer.lives.findLast(live => live.at <= at) ?? offer.lives[0]!
  const parcels = selling.get('elist')!
  const combos = await seedCombos(
    db,
    { offers: selling.get('bulks')!, goods: parcels },
    bodyOf,
    now,
  )
  const batches = await seedBatches(db, random, parcels, now)
  const turns = new Map<string, number>()
  /** Campaigns take turns, so that each has its first order at any size. */
  const campaignFor = (fate: string) => {
    const fitting = batches.filter(one => one.fits(fate))
    const turn = turns.get(fate) ?? 0
    turns.set(fate, turn + 1)
    return fitting[turn % fitting.length]!
  }
  const exchanges = await seedPointsGoods(db, random, {
    elist: parcels,
    goods: selling.get('goods')!,
    vouchers: selling.get('voucher')!,
    now,
  })
  const groups = new Groups<Offered>()
  const some = selling.get('bulks')!.slice(0, 12)
  // What a group still forms round is on sale until after the group ends.
  const onSale = (offer: Offered) => bodyOf(offer, now).body.sale_end_at > now + 2 * DAY
  const lasting = selling.get('bulks')!.filter(onSale).slice(0, 12)
  const joint = { all: some, lasting: lasting.length > 0 ? lasting : some, posted: parcels }

  const plan = (Object.keys(full) as Kind[]).flatMap(kind => {
    const n = sized(full[kind], scale, 24)
    const names = [...Object.keys(fates[wayOf[kind]]), ...(moreFates[kind] ?? [])]
    const cases = casesOf(kind)
    return Array.from({ length: n }, (_, at) => {
      const covers = cases[at - names.length]
      const drawn = random.weighted(fates[wayOf[kind]] as Record<string, number>)
      const again = covers !== undefined && cases.indexOf(covers) < at - names.length
      return { kind, fate: names[at] ?? (covers ? 'refunding' : drawn), covers, again }
    })
  })
  // Young states are of today; the rest keeps the rhythm of the year.
  const young = new Set([
    'unpaid',
    'waiting_group',
    'waiting_ship',
    'part_shipped',
    'shipped',
    'waiting_pickup',
    'delivering',
    'issuing',
    'refunding',
    'unused',
  ])
  const ages: Record<string, number> = {
    unpaid: 780,
    waiting_group: 20 * HOUR,
    waiting_ship: 60 * HOUR,
    part_shipped: 4 * DAY,
    shipped: 9 * DAY,
    waiting_pickup: 6 * DAY,
    delivering: 5 * HOUR,
    issuing: 2 * HOUR,
    refunding: 9 * DAY,
    unused: 55 * DAY,
  }
  const dated = plan
    .map(one => {
      let at = young.has(one.fate) ? now - 30 - random.int(0, ages[one.fate]!) : moment()
      // Long enough ago for goods that are sent back to have arrived.
      if (one.covers) at = Math.min(at, now - 5 * DAY)
      if (one.fate === 'expired') at = Math.min(at, now - 70 * DAY)
      if (
        ['used', 'part', 'finished', 'group_fail', 'balance'].includes(one.fate) &&
        at > now - 3 * HOUR
      )
        at -= random.int(3, 30) * HOUR
      return { ...one, at }
    })
    .sort((a, b) => a.at - b.at)

  const seats = partiesOf<Offered>(dated, now)
  // Two in five that wait at a store are still to be made ready, the first of them always.
  let toMakeReady = 0
  for (const planned of dated) {
    const { kind, fate } = planned
    const seat = seats.get(planned)
    const id = orders.length + 1
    const exchange =
      kind === 'points'
        ? exchangeFor(random, exchanges, fate, planned.covers !== undefined)
        : undefined
    const way: keyof typeof fates = exchange?.way ?? wayOf[kind]
    const batch = kind === 'raise' ? campaignFor(fate) : undefined
    const began = fate === 'unpaid' ? undefined : batch?.boughtAt(id)
    const at = began ?? seat?.at ?? planned.at
    const bundle = kind === 'combo' ? random.pick(combos) : undefined
    // Groups form round few offers.
    const offer =
      exchange?.offer ??
      batch?.offer ??
      bundle?.offers[0] ??
      (seat
        ? (seat.party.offer ??= random.pick(joint[partyOffers(seat.party)]))
        : popular(selling.get(soldAs[kind])!))
    // The version that was live when it was bought.
    const version = bodyOf(offer, at)
    const body = version.body
    const isCard = way === 'card'
    const bill = kind === 'visitor' && fate === 'used' && random.chance(0.6)
    const fulfil = fulfilOf(random, {
      fate,
      way,
      exchanged: exchange !== undefined,
      posted: seat?.party.posted === true,
    })
    const paidAt = at + random.int(8, 240)
    const unpaid = fate === 'unpaid'
    const lapsed = fate === 'balance' && batch!.state !== 'success'
    const closed = fate === 'cancelled' || fate === 'late_pay' || lapsed
    const refundWhole = fate === 'refunded' || fate === 'group_fail' || fate === 'late_pay'
    const two = kind === 'combo' || ((kind === 'elist' || kind === 'goods') && random.chance(0.45))
    const storeId = body.store_ids.length ? random.pick(body.store_ids) : offer.seller.stores[0]!.id
    const validUntil = Math.max(
      at + 20 * DAY,
      Math.min(at + (body.valid_days ?? 60) * DAY, Math.max(body.check_end_at, at + 60 * DAY)),
    )
    const isOne = isCard || bill || bundle !== undefined || exchange !== undefined
    const priceOf = (listed: number): number => {
      if (exchange) return exchange.cash_cents!
      if (kind === 'roll_buy') return groupPrice(body.price_cents)
      return bill ? random.int(30, 600) * 100 : listed
    }
    const lots = Array.from({ length: two ? 2 : 1 }, (_, k) => {
      const own = bundle?.offers[k] ?? offer
      const ownBody = bodyOf(own, at).body
      const sku =
        !exchange && ownBody.skus?.length
          ? ownBody.skus[(id + k) % ownBody.skus.length]!
          : undefined
      const qty = isOne ? 1 : qtyOf(random, fate)
      return {
        own,
        body: ownBody,
        sku,
        qty,
        fulfil: bundle && own.row.kind === 'elist' ? ('express' as const) : fulfil,
        store_id: bundle
          ? (ownBody.store_ids[id % Math.max(1, ownBody.store_ids.length)] ??
            own.seller.stores[0]!.id)
          : storeId,
        price: priceOf(sku?.price_cents ?? ownBody.price_cents),
      }
    })
    const totalCents = lots.reduce((sum, lot) => sum + lot.price * lot.qty, 0)
    const bundled = bundle ? Math.max(0, totalCents - bundle.price_cents) : 0
    const platform =
      !exchange && random.chance(0.18)
        ? Math.min(totalCents - bundled - 1, random.pick([300, 500, 800, 1000, 2000]))
        : 0
    const freight = kind === 'elist' && random.chance(0.2) ? 800 : 0
    const goodsPay = totalCents - bundled - platform
    const pay = goodsPay + freight
    const due =
      batch && (fate === 'balance' || batch.state === 'raising' || batch.state === 'failed')
        ? depositIn(batch, pay, lots[0]!.qty)
        : pay
    const paid = unpaid || fate === 'cancelled' ? 0 : due
    /** What costs no cash is paid with its points. */
    const came = paid > 0 || (exchange !== undefined && !unpaid && !closed)
    const payShares = shares(
      goodsPay,
      lots.map(lot => lot.price * lot.qty),
    )
    const platformShares = shares(
      platform,
      lots.map(lot => lot.price * lot.qty),
    )
    const ended = (): number =>
      Math.min(
        now - 60,
        at +
          Math.round(
            -Math.log(1 - random.next() * 0.98) * (way === 'ship' || way === 'raise' ? 4 : 6) * DAY,
          ) +
          HOUR,
      )
    const ordinary = ended()
    const doneAt = batch?.doneAt(id, fate) ?? ordinary
    const groupId =
      seat &&
      groups.join(seat.party, {
        product_id: offer.row.id,
        city_id: offer.row.city_id,
        mall_id: offer.row.mall_id,
        single_price_cents: body.price_cents,
        group_price_cents: groupPrice(body.price_cents),
        counts: paid > 0 && !refundWhole,
        now,
      })
    const waiting = isWaiting(seat?.party.state, batch?.state)
    const ready =
      fulfil === 'pickup' &&
      (exchange !== undefined || fate !== 'waiting_pickup' || toMakeReady++ % 5 > 1)

    const lot0 = items.length
    const code0 = codes.length
    const used0 = verifies.length
    for (const [k, lot] of lots.entries()) {
      const itemId = items.length + 1
      const express = lot.fulfil === 'express' || lot.fulfil === 'delivery'
      // A bundle's posted part has come when its codes are used or expired.
      const arrived =
        express &&
        (fate === 'finished' || (bundle !== undefined && (fate === 'used' || fate === 'expired')))
      const isSent = express && (arrived || fate === 'shipped' || fate === 'delivering')
      const begun = fate === 'part_shipped' && k === 0 ? 1 : 0
      const shipped = isSent ? lot.qty : begun
      const gone = refundWhole && fate !== 'late_pay' ? lot.qty : 0
      const cost = batch ? paid : payShares[k]!
      items.push({
        id: itemId,
        kind,
        order_id: id,
        product_id: lot.own.row.id,
        sku_id: null,
        points_goods_id: exchange?.id ?? null,
        snapshot: {
          ...(exchange && { points_price: exchange.points_price }),
          no: version.no,
          title: lot.body.title,
          price_cents: lot.price,
          commission_bp: lot.body.commission_bp,
          check_end_at: lot.body.check_end_at,
          refund_policy: lot.body.refund_policy,
          images: lot.body.images.slice(0, 1),
          ...(lot.sku ? { sku: lot.sku.name } : {}),
          ...(kind === 'voucher' && {
            face_cents: lot.body.face_cents,
            min_spend_cents: lot.body.min_spend_cents,
            per_bill_limit: lot.body.per_bill_limit,
            exclude_weekdays: lot.body.exclude_weekdays ?? [],
            unavailable_dates: lot.body.unavailable_dates ?? [],
            use_time: lot.body.use_time ?? '',
          }),
          ...(isCard && { times_total: lot.body.times_total }),
          ...(bundle && {
            combo: { name: bundle.name, policy: bundle.policy, price_cents: bundle.price_cents },
          }),
        },
        title: bill ? '到店扫码买单' : (exchange?.name ?? lot.body.title),
        store_id: lot.store_id,
        qty: lot.qty,
        price_cents: lot.price,
        pay_cents: payShares[k]!,
        platform_cents: platformShares[k]!,
        used_qty: 0,
        refunding_qty:
          fate === 'refunding' && lot.fulfil !== 'code' && lot.fulfil !== 'pickup' ? lot.qty : 0,
        refunded_qty: gone,
        shipped_qty: gone ? 0 : shipped,
        received_qty: arrived ? lot.qty : 0,
        refunded_cents: gone ? cost : 0,
        stock_returned: gone,
        fulfil: lot.fulfil,
        issue_state:
          fulfil === 'virtual' && !unpaid && !closed ? (unissued[fate] ?? 'issued') : 'none',
        issue_note:
          fate === 'issue_failed' ? joined(['渠道库存不足', 'The channel is out of stock']) : null,
        created_at: at,
        updated_at: at,
      })
      if ((lot.fulfil !== 'code' && lot.fulfil !== 'pickup') || unpaid || closed) continue
      const pickup = fulfil === 'pickup'
      const [parts, platformParts] = pickup
        ? [[payShares[k]!], [platformShares[k]!]]
        : [unitShares(payShares[k]!, lot.qty), unitShares(platformShares[k]!, lot.qty)]
      for (const [unit, codePay] of parts.entries()) {
        const each = isCard ? (lot.body.times_total ?? 5) : 1
        const times = pickup ? lot.qty : each
        const isFirst = unit === 0 && (lot.qty > 1 || (k === 0 && two))
        const spent = spentOf(random, fate, times, { isCard, isFirst })
        const codeId = codes.length + 1
        const codePlatform = platformParts[unit]!
        const settleAll = settleOf(codePay, codePlatform, lot.body.commission_bp)
        const valid_until =
          fate === 'expired'
            ? Math.min(now - DAY, validUntil)
            : Math.max(validUntil, now + random.int(2, 50) * DAY)
        const counts = {
          times_total: times,
          times_bonus: 0,
          times_used: spent,
          times_refunding: fate === 'refunding' ? times - spent : 0,
          times_refunded: refundWhole ? times : 0,
        }
        const isLocked = (waiting && !refundWhole) || (pickup && !ready)
        const said: CodeState = isLocked ? 'locked' : 'unused'
        const [timePay, timePlatform, timeSettle] = [codePay, codePlatform, settleAll].map(cents =>
          unitShares(cents, times),
        )
        const left = (of: readonly number[]) =>
          counts.times_refunding + counts.times_refunded > 0
            ? 0
            : of.slice(spent).reduce((sum, one) => sum + one, 0)
        const state = codeStateOf({ state: said, ...counts, valid_until }, now)
        codes.push({
          id: codeId,
          order_id: id,
          item_id: itemId,
          product_id: lot.own.row.id,
          code: codeNumber(codeId),
          kind: pickup && !exchange ? 'pickup' : (kind as 'bulks'),
          ordered_at: at,
          ...counts,
          pay_cents: codePay,
          platform_cents: codePlatform,
          settle_cents: settleAll,
          refunded_cents: refundWhole ? codePay : 0,
          left_times: counts.times_refunding + counts.times_refunded > 0 ? 0 : times - spent,
          left_pay_cents: left(timePay!),
          left_platform_cents: left(timePlatform!),
          left_settle_cents: left(timeSettle!),
          valid_from: paidAt,
          valid_until,
          state,
          created_at: paidAt,
          updated_at: paidAt,
        })
        const item = items[itemId - 1]!
        item.used_qty! += pickup ? spent : Number(state === 'used')
        item.refunding_qty! += pickup ? counts.times_refunding : Number(counts.times_refunding > 0)
        // One record a visit; what is picked up goes in one.
        for (let turn = 0; turn < (pickup ? Math.min(1, spent) : spent); turn++) {
          const visit = isCard
            ? at +
              Math.round(((turn + 1) / (spent + 1)) * Math.max(HOUR, Math.min(now - at, 120 * DAY)))
            : Math.max(paidAt + 60, doneAt)
          const when = Math.min(now - 30, bill ? paidAt : visit)
          const some = (of: readonly number[]) =>
            pickup ? of.reduce((sum, one) => sum + one, 0) : of[turn]!
          const [pays, platforms, settle] = [some(timePay!), some(timePlatform!), some(timeSettle!)]
          const turns = (usesOf.get(kind) ?? 0) + 1
          usesOf.set(kind, turns)
          const abnormal = verifies.length % 480 === 77 || turns === 3
          verifies.push({
            code_id: codeId,
            order_id: id,
            ordered_at: at,
            item_id: itemId,
            product_id: lot.own.row.id,
            kind,
            city_id: offer.row.city_id,
            mall_id: offer.row.mall_id,
            store_id: lot.store_id,
            way: bill ? 'auto' : random.weighted({ scan: 70, input: 22, api: 7, platform: 1 }),
            times: pickup ? spent : 1,
            paid_times: pickup ? spent : 1,
            pay_cents: pays,
            platform_cents: platforms,
            commission_cents: pays + platforms - settle,
            settle_cents: settle,
            bill_no: kind === 'voucher' ? `B${when}${codeId % 1000}` : null,
            bill_cents:
              kind === 'voucher' ? (lot.body.face_cents ?? 0) + random.int(0, 300) * 100 : null,
            distance_m: bill ? null : distanceOf(random),
            abnormal,
            abnormal_reason: abnormal ? '同一设备连续核销' : null,
            state: 'valid',
            verified_at: when,
            reversed_at: null,
            reverse_reason: null,
            settle_state: settleStateAt(when, now),
            hold_until: when + 3 * DAY,
            created_at: when,
            updated_at: when,
          })
        }
        // A few were redeemed by mistake and taken back; the code was redeemed again later, which
        // is the record above.
        if (spent === 1 && !bill && verifies.length % 160 === 31) {
          const last = verifies.at(-1)!
          verifies.push({
            ...last,
            state: 'reversed',
            settle_state: 'reversed',
            verified_at: last.verified_at - 1800,
            reversed_at: last.verified_at - 1200,
            reverse_reason: random.pick(['收银员扫错码', '顾客改用其他券']),
            created_at: last.verified_at - 1800,
          })
        }
      }
    }

    const stored = {
      pay_state: payStateOf({ closed, unpaid, partly: paid < pay }),
      balance_due: fate === 'balance' && !lapsed,
      frozen: fate === 'frozen',
    }
    const made = codes.slice(code0)
    const facts = factsOf({
      ...stored,
      waiting,
      items: items.slice(lot0).map(item => ({
        ...item,
        refunding_qty: item.refunding_qty!,
        refunded_qty: item.refunded_qty!,
        shipped_qty: item.shipped_qty!,
        received_qty: item.received_qty!,
        issue_state: item.issue_state!,
        codes: made
          .filter(code => code.item_id === item.id)
          .map(code => ({
            state: code.state,
            times_total: code.times_total,
            times_bonus: 0,
            times_used: code.times_used!,
            times_refunding: code.times_refunding!,
            times_refunded: code.times_refunded!,
          })),
      })),
    })
    const isDone = facts.fulfil_state === 'finished' || facts.fulfil_state === 'expired'
    const city = cities[offer.row.city_id - 1]!
    const parcel = bundle !== undefined && lots.some(lot => lot.fulfil === 'express')
    const posted = fulfil === 'express' || fulfil === 'delivery' || parcel
    const drawnTo = posted && !parcel ? drawReceiver(random, city) : null
    const receiver = parcel ? receiverBy(id, city) : drawnTo
    const drawn = kind === 'visitor' ? null : random.int(1, of.memberCount)
    const buyer =
      groupId === undefined || drawn === null
        ? drawn
        : groups.seatOf(groupId, drawn, of.memberCount)
    const promised = batch ? batch.ship_at : paidAt + 48 * HOUR
    const dueAt = posted || fulfil === 'pickup' ? promised : null
    const closedAt = closed ? at + 900 : null
    const arrivesBy = batch ? now + (1 + (id % 9)) * DAY : at + 12 * DAY
    orders.push({
      id,
      order_no: `${['BU', 'VO', 'EL', 'RB', 'GO', 'CA', 'VI', 'CO', 'RA', 'PO', 'EC'][Object.keys(full).indexOf(kind)]}${at}${String(id).padStart(6, '0')}`,
      kind: kind as OrderKind,
      sub_kind: bill ? 'pay_bill' : (batch?.mode ?? subKinds[fulfil]),
      face_cents: faceIn(items.slice(lot0) as { snapshot: Record<string, unknown> }[]),
      begun:
        items.slice(lot0).some(item => item.shipped_qty! > 0) ||
        made.some(code => code.times_used! > 0),
      used_at: verifies
        .slice(used0)
        .reduce<number | null>(
          (last, one) => (one.state === 'valid' ? Math.max(last ?? 0, one.verified_at) : last),
          null,
        ),
      member_id: buyer,
      device_id: buyer === null ? null : deviceOf(buyer),
      visitor_phone:
        kind === 'visitor' ? `136${String(10_000_000 + (id % 7 === 3 ? 77 : id)).slice(-8)}` : null,
      visitor_openid: kind === 'visitor' ? `oVis${String(id * 7919).padStart(12, '0')}` : null,
      city_id: offer.row.city_id,
      mall_id: offer.row.mall_id,
      merchant_id: offer.seller.id,
      store_id: storeId,
      source: random.weighted({ mini_program: 78, h5: 10, live: 6, qr: 6 }),
      total_cents: totalCents,
      freight_cents: freight,
      store_discount_cents: bundled,
      platform_discount_cents: platform,
      pay_cents: pay,
      paid_cents: paid,
      refunded_cents: refundWhole ? paid : 0,
      ...facts,
      freeze_reason:
        fate === 'frozen'
          ? random.pick([freezeWords.risk, freezeWords.dispute, '人工冻结待核实'])
          : null,
      frozen_by: fate === 'frozen' ? random.pick(['risk', 'staff', 'dispute'] as const) : null,
      status: statusOf(facts),
      cancel_type: cancelOf(random, fate, lapsed),
      expire_pay_at: fate === 'balance' ? batch!.balance_end_at! : at + 900,
      points_used: exchange ? exchange.points_price * lots[0]!.qty : 0,
      paid_at: came ? paidAt : null,
      finished_at: isDone ? doneAt : null,
      closed_at: lapsed ? batch!.balance_end_at : closedAt,
      valid_until: made.length > 0 ? Math.max(...made.map(code => code.valid_until)) : null,
      roll_group_id: groupId ?? null,
      group_role: seat?.role ?? null,
      raise_batch_id: batch?.id ?? null,
      combo_id: bundle?.id ?? null,
      config_version: fate === 'expired' ? 1 : oldConfigs(kind) + 1,
      receiver,
      receiver_changed_at: posted && id % 300 === 17 ? paidAt + 600 : null,
      remark: random.chance(0.06)
        ? random.pick(['请尽快发货', '放门卫', '靠窗位置', '不要辣', '生日用，麻烦包装好一点'])
        : '',
      tags: random.chance(0.02) ? [random.pick(['重点客户', '投诉', '需回访'])] : [],
      promise_at: came && !waiting ? dueAt : null,
      ready_at: ready && came ? paidAt + 3 * HOUR : null,
      receive_by: facts.fulfil_state === 'shipped' ? arrivesBy : null,
      created_at: at,
      updated_at: Math.min(now, doneAt),
    })
    if (
      refundWhole ||
      facts.refund_state === 'refunding' ||
      (fate === 'unused' && random.chance(0.05))
    ) {
      const rid = refunds.length + 1
      const open: RefundState = exchange ? 'applied' : openCase(random, kind === 'elist')
      const standing =
        facts.refund_state === 'refunding' || refundWhole
          ? (planned.covers ?? open)
          : refusedCase(random)
      const state: RefundState = refundWhole ? 'done' : standing
      const applied = Math.min(
        now - 90,
        refundWhole
          ? Math.max(paidAt + 60, doneAt - random.int(2, 40) * HOUR)
          : Math.max(
              paidAt + 60,
              now - random.int(...openedAgo(kind, planned.covers, planned.again)) * HOUR,
            ),
      )
      const bySystem = fate === 'group_fail' || fate === 'late_pay'
      const late = fate === 'late_pay'
      const isWhole = facts.refund_state === 'refunding' || refundWhole || made.length === 0
      const asked = items.slice(lot0, isWhole ? undefined : lot0 + 1)
      const lines = late ? [] : asked
      const of1 = (item: (typeof items)[number]) =>
        made.filter(
          code =>
            code.item_id === item.id &&
            (state === 'rejected' ||
              state === 'closed' ||
              code.times_refunding! + code.times_refunded! > 0),
        )
      // What a used card or part leaves is what is refunded.
      const rest = (code: (typeof codes)[number]) =>
        code.pay_cents -
        verifies
          .slice(-40)
          .reduce(
            (sum, one) =>
              sum + (one.code_id === code.id && one.state === 'valid' ? one.pay_cents : 0),
            0,
          )
      const rows = lines.flatMap((item): (typeof refund_item.$inferInsert)[] =>
        of1(item).length > 0
          ? of1(item).map(code => ({
              refund_id: rid,
              item_id: item.id!,
              code_id: code.id!,
              qty:
                state === 'rejected' || state === 'closed'
                  ? code.times_total
                  : code.times_refunding! + code.times_refunded!,
              paid_times:
                state === 'rejected' || state === 'closed'
                  ? code.times_total
                  : code.times_refunding! + code.times_refunded!,
              share_cents: rest(code),
              amount_cents: rest(code),
              platform_cents: code.platform_cents!,
              settle_cents: code.settle_cents,
            }))
          : [
              {
                refund_id: rid,
                item_id: item.id!,
                code_id: null,
                qty: item.qty,
                paid_times: 0,
                share_cents: item.pay_cents,
                amount_cents: batch ? paid : item.pay_cents,
                platform_cents: item.platform_cents!,
                settle_cents: 0,
              },
            ],
      )
      const share = rows.reduce((sum, one) => sum + one.amount_cents, 0)
      const amount = refundWhole ? paid : share
      refunds.push({
        points_back: exchange && state === 'done' ? exchange.points_price * lots[0]!.qty : 0,
        id: rid,
        refund_no: `RF${applied}${String(rid).padStart(5, '0')}`,
        order_id: id,
        order_kind: kind,
        city_id: offer.row.city_id,
        mall_id: offer.row.mall_id,
        merchant_id: offer.seller.id,
        member_id: buyer,
        type: ['wait_return', 'returning'].includes(state) ? 'return_refund' : 'refund_only',
        source: bySystem ? 'system' : 'member',
        cause: causeOf(fate, kind === 'raise'),
        reason: bySystem
          ? joined(['系统自动退款', 'Refunded by itself'])
          : random.pick(refundReasons),
        amount_cents: amount,
        freight_cents: amount - share > 0 && !late ? amount - share : 0,
        cap_cents: amount,
        state,
        first_by: state === 'second_audit' ? 2 : null,
        second_by: null,
        reject_code: state === 'rejected' ? 'too_late' : null,
        reject_reason: state === 'rejected' ? '已超过可退时间' : null,
        return_courier: state === 'returning' ? 'shunfeng' : null,
        return_tracking_no:
          state === 'returning' ? `SF${String(1_000_000_000_000 + rid * 7919).slice(0, 13)}` : null,
        messages:
          random.chance(0.3) && !bySystem
            ? [
                {
                  by: 'member',
                  name: '买家',
                  text: random.pick([
                    '麻烦尽快处理，谢谢',
                    '商品和图片不一样',
                    '已经联系过门店，同意退款',
                  ]),
                  at: applied + 60,
                },
              ]
            : [],
        deadline_at: applied + (state === 'wait_return' ? 7 * DAY : 48 * HOUR),
        decided_at: ['done', 'rejected', 'closed'].includes(state) ? applied + 3600 : null,
        done_at: state === 'done' ? Math.min(now - 40, applied + random.int(60, 7200)) : null,
        created_at: applied,
        updated_at: applied,
      })
      refundItems.push(...rows)
    }
  }
  await insertRows(db, roll_group, groups.rows())
  await offerGroups(db)
  await insertRows(db, order_config, configsOf(first))
  await insertRows(db, order, orders, of.done)
  await insertRows(db, order_item, items, of.done)
  await insertRows(db, order_code, codes, of.done)
  await insertRows(db, verify_record, verifies, of.done)
  // What follows is made from these by joins: planned for how many there are.
  await db.execute(sql`analyze ${order}, ${order_item}, ${order_code}, ${verify_record}`)
  await insertRows(db, refund, refunds, of.done)
  await insertRows(db, refund_item, refundItems, of.done)
  await dressRefunds(db, now)
  await dressCombos(db, now)
  await dressCoupons(db, now)
  await followed(db, now)
  await dressStoreGoods(db, now)
  await dressRaises(db, batches, now)
  await dressPoints(db, now)
  await givenCards(db, now)
  await dressVisitors(db, now)
  await lookedAfter(db, now)
  await sentAgain(db, now)
  await oweReward(db, now)
}

/**
 * Forty older versions and the one in force of each kind: what was tried, and why. The orders of
 * the demo were made under the last; those whose codes lie expired under the first, which promised
 * no refund for that.
 */
const configsOf = (first: number): (typeof order_config.$inferInsert)[] => {
  const tried: readonly [Partial<OrderRules>, string][] = [
    [
      { pay_timeout_min: 30, hold_days: 7, auto_receive_d: 15, expired_refund_days: null },
      '初始规则：过期不自动退款',
    ],
    [{ pay_timeout_min: 20, hold_days: 7, auto_receive_d: 15 }, '缩短占库存的时间'],
    [
      { auto_approve_limit_cents: 100_00, hold_days: 5, auto_receive_d: 12 },
      '试行自动同意小额退款',
    ],
    [{ auto_approve_limit_cents: 150_00 }, '小额退款投诉下降，提高额度'],
  ]
  return scopes.flatMap((scope, at) => {
    const old = tried.slice(0, oldConfigs(scope))
    return [...old, [{}, '双十一前统一规则'] as const].map(([fields, reason], n) => {
      const when = first - (old.length - n) * 21 * DAY - at * DAY
      return {
        scope,
        version_no: n + 1,
        fields: { ...rulesAtFirst, ...fields, senders: scope === 'elist' ? [warehouse] : [] },
        reason,
        effective_at: when,
        state: n === old.length ? ('current' as const) : ('old' as const),
        by_admin: 1,
        created_at: when,
        updated_at: when,
      }
    })
  })
}
const scopes = Object.keys(configScopes) as ConfigScope[]
/** There are forty: the last four kinds have three each. */
const oldConfigs = (scope: ConfigScope): number => (scopes.indexOf(scope) < 7 ? 4 : 3)
const warehouse: Sender = {
  name: '华东仓',
  phone: '13800001688',
  area: '330100',
  address: '萧山区空港物流园 3 号库',
  courier: '顺丰速运',
  customer_no: '5711688001',
  is_default: true,
}
/**
 * What was bought in groups is offered so, in every version of it and wherever one is being
 * audited.
 */
const offerGroups = async (db: Db) => {
  const groups = sql`(select product_id id, mode() within group (order by need_n) need from roll_group group by product_id)`
  const priced = (body: SQL) =>
    sql`${body} || jsonb_build_object('group_need', g.need, 'group_price_cents', greatest(1, round((${body}->>'price_cents')::numeric * 0.85)::int), 'group_leader_free', g.id % 4 = 0)`
  await db.execute(
    sql`update product p set group_need = g.need, group_price_cents = greatest(1, round(p.price_cents * 0.85)), group_leader_free = p.id % 4 = 0 from ${groups} g where g.id = p.id`,
  )
  await db.execute(
    sql`update product_version v set body = ${priced(sql`v.body`)} from ${groups} g where g.id = v.product_id`,
  )
  await db.execute(
    sql`update audit_task t set snapshot = ${priced(sql`t.snapshot`)}, live_snapshot = case when t.live_snapshot is not null then ${priced(sql`t.live_snapshot`)} end from ${groups} g where g.id = t.product_id`,
  )
}
/** Which offers people buy together: what forms lasts, and what is posted can be. */
const partyOffers = ({ posted, state }: { posted: boolean; state: string }) => {
  if (posted) return 'posted'
  return state === 'forming' ? 'lasting' : 'all'
}
const groupPrice = (cents: number) => Math.max(1, Math.round(cents * 0.85))

const bundleNames = [
  '周末双人放松套餐',
  '居家护理组合',
  '闺蜜下午茶套餐',
  '亲子一日套餐',
  '焕新礼盒组合',
  '商务宴请套餐',
  '好友聚会套餐',
  '新客尝鲜组合',
] as const
/** Eight bundles of two parts; every third has goods that are posted. */
const seedCombos = async (
  db: Db,
  { offers, goods }: { offers: readonly Offered[]; goods: readonly Offered[] },
  bodyOf: (offer: Offered, at: number) => { body: ProductBody },
  now: number,
) => {
  const made = Array.from({ length: 8 }, (_, at) => {
    const parts = [
      offers[(at * 2) % offers.length]!,
      at % 3 === 1 ? goods[at % goods.length]! : offers[(at * 2 + 1) % offers.length]!,
    ]
    const price_cents = Math.round(
      parts.reduce((sum, part) => sum + bodyOf(part, now).body.price_cents, 0) * 0.9,
    )
    return {
      id: at + 1,
      offers: parts,
      name: `${bundleNames[at]!}（${parts.map(part => part.row.title.replace(/^【.+?】/, '').slice(0, 10)).join(' + ')}）`,
      policy: at % 3 === 0 ? ('whole' as const) : ('part' as const),
      price_cents,
      parts: parts.map(part => ({ product_id: part.row.id, qty: 1 })),
      status: 'on' as const,
    }
  })
  await insertRows(
    db,
    combo,
    made.map(({ offers: _, ...row }) => row),
  )
  return made
}

/**
 * Some of the cards that can still be used are given away, received or not, and some got uses on
 * top for what went wrong, or wait for somebody who may give as much.
 */
const givenCards = async (db: Db, now: number) => {
  await db.execute(
    sql`update order_code c set gift_state = case when u.n % 15 = 11 then 'received' else 'sent' end, holder_id = case when u.n % 15 = 11 then (select m.id from member m where m.id <> u.member_id order by m.id offset c.id % 20 limit 1) end from (select c.id, o.member_id, row_number() over (order by c.id) n from order_code c join "order" o on o.id = c.order_id where c.kind = 'card' and c.state = 'unused') u where u.id = c.id and u.n % 5 = 1`,
  )
  await db.execute(
    sql`update order_code set times_bonus = 1 + id % 2 where kind = 'card' and state = 'part_used' and id % 9 = 4 and times_total > 2`,
  )
  await db.execute(sql`
    insert into times_ask (order_id, ordered_at, code_id, times, worth_cents, state, first_by, reason, second_by, second_reason, created_at, updated_at)
    select order_id, ordered_at, code_id, times, worth, s, 3 + n % 5, '门店装修停业两周，会员要求补偿', case when s = 'refused' then 9 + n % 3 end, case when s = 'refused' then '停业已提前公告，按规则不补' end, ${now} - 1800 * n, ${now} - 900 * n
    from (select *, case when n % 4 = 0 then 'refused' else 'asked' end s from (select c.order_id, c.ordered_at, c.id code_id, 2 times, ceil((c.pay_cents + c.platform_cents) * (c.times_bonus + 2.0) / c.times_total)::int worth, row_number() over (order by c.id)::int n
      from order_code c join "order" o on o.id = c.order_id where c.kind = 'card' and c.state = 'part_used' and c.gift_state = 'none' and c.times_bonus + 2 <= c.times_total and o.refund_state = 'none' and not o.frozen and (c.pay_cents + c.platform_cents) * (c.times_bonus + 2) > 20000 * c.times_total and not exists (select 1 from order_code d where d.order_id = c.order_id and d.id <> c.id)) c where n <= 8) c`)
  await db.execute(sql`
    insert into order_log (order_id, event, actor_type, actor_id, memo, data, at)
    select order_id, 'gift', 'member', null, case gift_state when 'sent' then ${joined(['转赠好友，待领取', 'Given to a friend, not taken yet'])} else ${joined(['好友已领取', 'The friend took it'])} end, null::jsonb, ${now} - 3600 * (1 + id % 40) from order_code where gift_state <> 'none'
    union all select order_id, 'add_times', 'staff', 1, '门店停电未能服务，补偿次数', jsonb_build_object('code_id', id, 'times', times_bonus), ${now} - 3600 * (1 + id % 90) from order_code where times_bonus > 0
    union all select order_id, 'times_ask', 'staff', first_by, reason, jsonb_build_object('ask_id', id, 'code_id', code_id, 'times', times, 'worth_cents', worth_cents), created_at from times_ask
    union all select order_id, 'times_refuse', 'staff', second_by, second_reason, jsonb_build_object('ask_id', id), updated_at from times_ask where state = 'refused'`)
}

/**
 * What the clock and buyers did since: what was received long ago is reviewed, by two of three
 * buyers themselves, and whose codes end in a week or tomorrow was told so that morning at nine.
 */
const lookedAfter = async (db: Db, now: number) => {
  const days = rulesAtFirst.auto_review_days
  await db.execute(sql`
    update "order" o set reviewed_at = s.at, review_by = s.by from (select id, case when id % 3 = 0 then 'auto' else 'member' end "by", finished_at + case when id % 3 = 0 then ${days * DAY}::int else (1 + id % ${days - 1}::int) * ${DAY}::int - 3600 * (id % 20) end "at"
      from "order" where fulfil_state = 'finished' and refund_state in ('none', 'part_refunded') and not frozen and sub_kind in ${reviewedWays} and kind in ${scopesWith('auto_review_days')} and reissue_of is null and finished_at is not null) s where s.id = o.id and s.at <= ${now}`)
  await db.execute(
    sql`insert into order_log (order_id, event, from_status, to_status, actor_type, actor_id, memo, at) select id, 'review', status, status, case review_by when 'auto' then 'system' else 'member' end, case review_by when 'member' then member_id end, case review_by when 'auto' then ${reviewedByItself(days)} else '' end, reviewed_at from "order" where reviewed_at is not null`,
  )
  await db.execute(sql`
    insert into order_message (order_id, kind, phone, text, state, tries, answer, sent_at, once, created_at, updated_at)
    with c as materialized (select * from order_code where state in ('unused', 'part_used') and kind <> 'pickup' and valid_until <= ${now + (1 + Math.max(...rulesAtFirst.remind_days)) * DAY})
    select distinct on (o.id, s.once) o.id, 'expire', coalesce(h.phone, o.visitor_phone, m.phone), '您的「' || i.title || '」将于 ' || to_char(to_timestamp(s.last_day + 28800) at time zone 'UTC', 'YYYY-MM-DD') || ' 到期（还有 ' || d.n || ' 天），请在到期前使用。订单 ' || o.order_no, 'sent', 1, 'OK', s.at + 5, s.once, s.at, s.at + 5
    from c join order_item i on i.id = c.item_id join "order" o on o.id = c.order_id left join member m on m.id = o.member_id left join member h on h.id = c.holder_id cross join unnest(${sql.param(rulesAtFirst.remind_days)}::int[]) d (n)
      cross join lateral (select x.last_day, x.last_day - d.n * ${DAY} + 32400 "at", 'expire:' || x.last_day || ':' || d.n || ':' || coalesce(c.holder_id, 0) once from (select ((c.valid_until - 1 + 28800) / ${DAY}) * ${DAY} - 28800 last_day) x) s
    where o.kind in ${scopesWith('remind_days')} and o.pay_state = 'paid' and not o.frozen and s.at < ${now} and o.paid_at < s.at - 32400
    order by o.id, s.once, c.id`)
  await db.execute(
    sql`insert into order_log (order_id, event, actor_type, memo, at) select order_id, 'message', 'system', replace(${remindedBefore('{n}')}, '{n}', split_part(once, ':', 3)), created_at from order_message where kind = 'expire'`,
  )
}

/** Two buyers found something missing in their parcel lately: it is sent again free of charge. */
const sentAgain = async (db: Db, now: number) => {
  const { rows: held } = await db.execute<{ id: number }>(
    sql`select o.id from "order" o where o.kind = 'elist' and o.sub_kind = 'express' and o.status = 'finished' and o.refund_state = 'none' and not o.frozen and o.finished_at < ${now - 2 * DAY} and not exists (select 1 from refund r where r.order_id = o.id) order by o.finished_at desc, o.id limit 2`,
  )
  const theirs = sql`o.id = any(${sql.param(held.map(one => one.id))}::int[])`
  const first = sql`join lateral (select i.* from order_item i where i.order_id = o.id order by i.id limit 1) i on true`
  const asked = sql`${now - DAY}::bigint`
  await db.execute(sql`
    insert into refund (id, refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason_code, reason, amount_cents, cap_cents, state, first_by, decided_at, done_at, deadline_at, created_at, updated_at)
    select (select coalesce(max(id), 0) from refund) + row_number() over (order by o.id), 'RF' || ${asked} || lpad(o.id::text, 6, '0'), o.id, o.kind, o.city_id, o.mall_id, o.merchant_id, o.member_id, 'resend', 'member', 'apply', 'missing', '少件', 0, 0, 'done', 2, ${asked} + 3600, ${asked} + 3600, ${asked} + ${2 * DAY}, ${asked}, ${asked} + 3600 from "order" o where ${theirs}`)
  await db.execute(sql`
    insert into refund_item (refund_id, item_id, qty, shipped_qty, share_cents, amount_cents, platform_cents)
    select r.id, i.id, 1, 1, 0, 0, 0 from "order" o ${first} join refund r on r.order_id = o.id where ${theirs}`)
  await db.execute(sql`
    insert into "order" (id, order_no, kind, sub_kind, source, member_id, city_id, mall_id, merchant_id, store_id, receiver, config_version, total_cents, pay_cents, pay_state, fulfil_state, refund_state, status, expire_pay_at, paid_at, promise_at, reissue_of, remark, created_at, updated_at)
    select (select max(id) from "order") + row_number() over (order by o.id), 'RS' || (${asked} + 3600) || lpad(o.id::text, 6, '0'), o.kind, 'reissue', 'admin', o.member_id, o.city_id, o.mall_id, o.merchant_id, o.store_id, o.receiver, o.config_version, 0, 0, 'paid', 'waiting_ship', 'none', 'pending_ship', ${asked} + 3600, ${asked} + 3600, ${asked} + 3600 + ${2 * DAY}, o.id, '', ${asked} + 3600, ${asked} + 3600 from "order" o where ${theirs}`)
  await db.execute(sql`
    insert into order_item (id, order_id, kind, product_id, sku_id, snapshot, title, store_id, qty, price_cents, pay_cents, fulfil, created_at, updated_at)
    select (select max(id) from order_item) + row_number() over (order by o.id), n.id, i.kind, i.product_id, i.sku_id, i.snapshot, i.title, i.store_id, 1, 0, 0, i.fulfil, n.created_at, n.created_at from "order" o ${first} join "order" n on n.reissue_of = o.id where ${theirs}`)
  await db.execute(sql`
    insert into order_log (order_id, event, to_status, actor_type, memo, data, at)
    select n.id, 'create', 'pending_ship', 'staff', r.refund_no, jsonb_build_object('refund_id', r.id, 'reissue_of', o.id), n.created_at from "order" o join "order" n on n.reissue_of = o.id join refund r on r.order_id = o.id where ${theirs}`)
}

/**
 * What follows from orders: their payments in and out, parcels and log. Made by the database from
 * the rows above, which is many times faster than sending them.
 */
const followed = async (db: Db, now: number) => {
  await db.execute(sql`
    insert into payment (order_id, direction, stage, channel, amount_cents, fee_cents, out_no, channel_no, state, success_at, created_at, updated_at)
    select id, 'in', case when paid_cents < pay_cents and paid_cents > 0 then 'deposit' else 'full' end, case when id % 23 = 0 then 'alipay' else 'embedded' end, case when paid_cents > 0 then paid_cents else pay_cents end, case when paid_cents > 0 then (paid_cents * 6 + 500) / 1000 else 0 end, order_no, case when paid_cents > 0 then '42000' || lpad((id * 7919)::text, 18, '0') end,
      case when paid_cents > 0 then 'success' when pay_state = 'unpaid' then 'pending' else 'closed' end, paid_at, created_at, coalesce(paid_at, created_at) from "order" where pay_cents > 0 order by id`)
  await db.execute(sql`
    insert into payment (order_id, refund_id, direction, stage, channel, amount_cents, out_no, channel_no, parent_id, state, fail_code, fail_text, tries, fails, ask_at, success_at, created_at, updated_at)
    select r.order_id, r.id, 'out', 'refund', p.channel, r.amount_cents, r.refund_no, case when r.state = 'done' then '50300' || lpad((r.id::bigint * 7919)::text, 18, '0') end, p.id, case r.state when 'done' then 'success' when 'pay_failed' then 'failed' else 'pending' end,
      case when r.state = 'pay_failed' then 'NOT_ENOUGH' end, case when r.state = 'pay_failed' then '商户账户余额不足' end, 1, case when r.state = 'pay_failed' then case when r.id = (select min(f.id) from refund f where f.order_kind = 'elist' and f.state = 'pay_failed') then 3 else 1 + r.id % 2 end else 0 end, ${now} + 60, r.done_at, r.created_at, coalesce(r.done_at, r.created_at)
    from refund r join payment p on p.order_id = r.order_id and p.direction = 'in' where r.state in ('done', 'paying', 'pay_failed') and r.amount_cents > 0 order by r.id`)
  await db.execute(sql`
    insert into shipment (order_id, kind, ordered_at, courier, tracking_no, items, receiver, state, traces, traced_at, shipped_by, shipped_at, signed_at, created_at, updated_at)
    select o.id, o.kind, o.created_at, c.code, c.prefix || lpad(((o.id::bigint * 104729) % 10000000000000)::text, 13, '0'), i.items, o.receiver, case when o.fulfil_state = 'finished' then 'signed' when o.id % 97 = 5 then 'problem' when o.id % 3 = 0 then 'delivering' else 'transit' end,
      '[]'::jsonb, least(${now}, s.at + 43200), 1, s.at, case when o.fulfil_state = 'finished' then o.finished_at end, s.at, o.updated_at
    from "order" o cross join lateral (select least(${now} - 600, o.paid_at + case when o.kind = 'elist' and o.id % 67 = 11 and coalesce(o.finished_at, ${now}) > o.paid_at + 72 * 3600 then 61 * 3600 else 43200 end) "at") s
      join lateral (select jsonb_agg(jsonb_build_object('item_id', i.id, 'qty', i.shipped_qty) order by i.id) items from order_item i where i.order_id = o.id and i.shipped_qty > 0 and i.fulfil = 'express') i on i.items is not null
      join (values (0, 'shunfeng', 'SF'), (1, 'yuantong', 'YT'), (2, 'jtexpress', 'JT')) c (n, code, prefix) on c.n = o.id % 3 order by o.id`)
  const { late_ship_penalty_bp, late_ship_penalty_max_cents } = rulesAtFirst
  await db.execute(
    sql`update "order" o set late_penalty_cents = least(${late_ship_penalty_max_cents}::bigint, round((o.pay_cents - o.freight_cents) * ${late_ship_penalty_bp}::int / 10000.0)) from (select order_id, min(shipped_at) "at" from shipment group by order_id) s where s.order_id = o.id and o.kind = 'elist' and s.at > o.promise_at`,
  )
  // Every sixth buyer wants an invoice; of what arrived most are out.
  await db.execute(sql`
    update "order" set invoice = jsonb_build_object('kind', case when id % 3 = 0 then 'company' else 'person' end, 'title', case when id % 3 = 0 then (array['上海明远贸易有限公司', '杭州知行文化传媒有限公司', '苏州恒达精密机械有限公司', '南京云帆信息技术有限公司'])[1 + id % 4] else receiver->>'name' end, 'tax_no', case when id % 3 = 0 then '91310' || lpad(((id::bigint * 7919) % 10000000000000)::text, 13, '0') end, 'asked_at', created_at,
      'issued', case when fulfil_state = 'finished' and id % 5 > 0 and paid_cents > refunded_cents then jsonb_build_object('no', '2631' || lpad((id::bigint * 104729)::text, 16, '0'), 'amount_cents', paid_cents - refunded_cents, 'by', (select a.name from admin a where a.id = 2), 'at', least(${now} - 60, finished_at + 7200)) end)
    where kind = 'elist' and pay_state = 'paid' and paid_cents > 0 and receiver is not null and id % 6 = 3`)
  await db.execute(sql`
    insert into order_log (order_id, event, from_status, to_status, actor_type, actor_id, memo, at, data)
    select logs.*, case when event = 'ship' then (select jsonb_build_object('late_penalty_cents', o.late_penalty_cents) from "order" o where o.id = logs.id and o.late_penalty_cents > 0) when event = 'create' then couponed.data end from (
      select id, 'create' event, null from_status, 'pending_payment' to_status, 'member' actor_type, member_id, '' memo, created_at "at" from "order"
      union all select id, 'pay', 'pending_payment', case when kind in ('bulks', 'voucher', 'card') or (kind = 'visitor' and sub_kind = 'code') or (kind = 'goods' and sub_kind = 'pickup') then 'pending_use' when kind in ('elist', 'goods') then 'pending_ship' when kind in ('roll_buy', 'raise') then 'waiting_group' end, 'channel', null, '', paid_at from "order" where paid_at is not null and pay_state <> 'closed'
      union all select id, 'invoice', null, null, 'staff', 2, invoice->'issued'->>'no', (invoice->'issued'->>'at')::bigint from "order" where kind = 'elist' and jsonb_typeof(invoice->'issued') = 'object'
      union all select id, 'cancel', 'pending_payment', 'cancelled', 'system', null, '', closed_at from "order" where closed_at is not null
      union all select id, 'freeze', null, 'freezing', case frozen_by when 'staff' then 'staff' else 'system' end, case frozen_by when 'staff' then 3 + id % 5 end, coalesce(freeze_reason, ''), updated_at from "order" where frozen
      union all select order_id, 'redeem', null, null, 'merchant', null, '', verified_at from verify_record
      union all select order_id, 'reverse', null, null, 'merchant', null, coalesce(reverse_reason, ''), reversed_at from verify_record where reversed_at is not null
      union all select order_id, 'ship', null, null, 'staff', 1, tracking_no, shipped_at from shipment
      union all select order_id, 'receive', null, null, 'member', null, '', signed_at from shipment where signed_at is not null
      union all select order_id, 'refund_open', null, 'refunding', case source when 'system' then 'system' else 'member' end, null, reason, created_at from refund
      union all select order_id, 'refund_done', null, null, 'channel', null, '', done_at from refund where done_at is not null
    ) logs left join (select o.id, jsonb_build_object('coupon', jsonb_build_object('name', c.name, 'discount_cents', o.platform_discount_cents, 'platform_cents', o.platform_discount_cents, 'merchant_cents', 0)) data from "order" o join coupon_grant g on g.id = o.coupon_grant_id join coupon c on c.id = g.coupon_id) couponed using (id) order by "at", 1`)
}

export const demo: readonly DemoStep[] = [
  {
    place: 60,
    branch: 'orders',
    title: '订单、券码与退款 / orders, codes and refunds',
    run: seedOrders,
  },
]
