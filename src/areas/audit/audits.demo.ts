import { eq } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { sized, type Seller, type Trade } from '#src/areas/merchant/trade.demo.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { editBody, factsHere, makeBody, type Fault } from '#src/areas/product/offers.demo.ts'
import {
  product,
  product_sku,
  product_store,
  product_time_log,
  product_version,
} from '#src/areas/product/product.table.ts'
import { changedFields, type ProductState } from '#src/areas/product/product.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { gramsOf } from '#src/domain/search.ts'
import { DAY, HOUR, dateOf, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { randomFrom, type Random } from '#src/server/demo/random.ts'
import { askReasons, cities, goods, rejectReasons, trades } from '#src/server/demo/words.ts'
import { audit_look, audit_task } from './audit.table.ts'
import {
  auditSettings,
  flagsOf,
  isDrawn,
  queueOf,
  rejectCodes,
  type RejectCode,
  type SubmitType,
} from './audit.ts'
import { findings } from './auditFindings.ts'
import { fromBody, judge } from './submission.server.ts'

type Kind = ProductBody['kind']
type ProductRow = typeof product.$inferInsert & { id: number }
type VersionRow = typeof product_version.$inferInsert & { id: number }
type TaskRow = typeof audit_task.$inferInsert
export type Offered = {
  row: ProductRow
  seller: Seller
  /** The version live since; older ones before it. */ lives: {
    no: number
    at: number
    body: ProductBody
  }[]
}

const full: Record<Kind, number> = { bulks: 320, card: 60, voucher: 90, goods: 200, elist: 230 }
const fewest: Record<Kind, number> = { bulks: 48, card: 16, voucher: 18, goods: 16, elist: 16 }
/** Open tasks, 130 at full size; small databases still have enough to work through. */
const openFull: Record<Kind, number> = { bulks: 66, card: 14, voucher: 18, goods: 15, elist: 17 }
const openFewest: Record<Kind, number> = { bulks: 32, card: 8, voucher: 10, goods: 6, elist: 6 }
const faults: readonly (Fault | 'licence' | 'store')[] = [
  'banned_words',
  'too_cheap',
  'blurred',
  'price_rise',
  'price_not_below_list',
  'settle_above_price',
  'commission',
  'small',
  'stock_empty',
  'licence',
  'store',
  'redeem_end',
]

const good = (seller: Seller, trade: Trade, now: number, span = 60 * DAY) => {
  const leaf = seller.online ? goods[seller.trade]! : trades[seller.trade]!
  return (
    seller.status === 'active' &&
    (!seller.license_expire_at || seller.license_expire_at > now + span) &&
    (!seller.contract_end_at || seller.contract_end_at > now) &&
    leaf.licences.every(name =>
      seller.licenses.some(one => one.name === name && (one.expire_at ?? Infinity) > now),
    ) &&
    seller.stores.some(
      store =>
        store.status === 'open' &&
        (!store.mall_id || trade.malls[store.mall_id - 1]!.status === 'online'),
    )
  )
}

/** How many of a kind were sent back for more. */
const asked: { [K in Kind]?: number } = { bulks: 4, goods: 1, card: 1, voucher: 1, elist: 1 }
const submitTypeOf = (random: Random, fault: string | undefined): SubmitType =>
  fault === 'price_rise' ? 'edit' : random.weighted({ new: 45, edit: 40, relist: 15 })
/** How often a product was submitted before. */
const roundsOf = (random: Random, drafted: boolean): number =>
  drafted ? random.int(1, 2) : Number(random.weighted({ '1': 30, '2': 38, '3': 20, '4': 12 }))
const refusedAs = (random: Random): 'rejected' | 'withdrawn' =>
  random.chance(0.78) ? 'rejected' : 'withdrawn'
const whyOff = (random: Random, state: ProductState): string | null => {
  if (state === 'forced_off') return random.pick(['多次投诉份量不符', '商户被冻结', '资质过期'])
  return state === 'off_sale' ? '商户下架' : null
}
const cashOutHit = (
  seller: Seller,
  store_id: number,
  hit_at: number,
): typeof risk_hit.$inferInsert => ({
  domain: 'platform',
  rule: 'cash_out',
  scene: 'verify',
  level: 'high',
  score: 85,
  city_id: seller.city_id,
  merchant_id: seller.id,
  store_id,
  note: '同一设备 30 分钟内核销 9 张代金券',
  state: 'confirmed',
  decided_at: hit_at + 3600,
  hit_at,
  last_at: hit_at,
  created_at: hit_at,
})
/** The version that is live retires those that were. */
const retireOthers = (versions: VersionRow[], product_id: number, no: number): void => {
  for (const before of versions)
    if (before.product_id === product_id && before.state === 'live' && before.no !== no)
      before.state = 'retired'
}

type SeededTask = TaskRow & { sort: number }
/** The rows seeded so far, and whatever the next submission is drawn from. */
type Seeding = {
  random: Random
  trade: Trade
  now: number
  scale: number
  auditors: Person[]
  /** Auditors other than the two whose queues a reader works on. */
  others: Person[]
  bds: Person[]
  able: { shop: Seller[]; web: Seller[] }
  poor: Seller[]
  /** Cash-out hits make these stores' vouchers need a second approver. */
  cashOut: Set<number>
  products: Offered[]
  versions: VersionRow[]
  tasks: SeededTask[]
  logs: (typeof op_log.$inferInsert & { product: number })[]
  hits: (typeof risk_hit.$inferInsert)[]
  rejected: number
}
type Of = { trade: Trade; people: readonly Person[]; now: number; scale: number }
const begun = (random: Random, { trade, people, now, scale }: Of): Seeding => {
  const auditors = people.filter(
    person =>
      person.status === 'active' && (person.role === 'auditor' || person.role === 'senior_auditor'),
  )
  return {
    random,
    trade,
    now,
    scale,
    auditors,
    others: auditors.filter(person => !['沈若溪', '顾明轩'].includes(person.name)),
    bds: people.filter(person => person.role === 'city_manager' && person.status === 'active'),
    able: {
      shop: trade.sellers.filter(one => !one.online && good(one, trade, now)),
      web: trade.sellers.filter(one => one.online && good(one, trade, now)),
    },
    poor: trade.sellers.filter(
      one =>
        !one.online && one.status !== 'draft' && !good(one, trade, now, 0) && one.stores.length > 0,
    ),
    cashOut: new Set(),
    products: [],
    versions: [],
    tasks: [],
    logs: [],
    hits: [],
    rejected: 0,
  }
}

/** The seller of an offer, its place, its category and its brand. */
const standing = (trade: Trade, seller: Seller, body: ProductBody) => {
  const first = seller.stores.find(store => store.id === body.store_ids[0]) ?? seller.stores[0]!
  const mall = first.mall_id ? trade.malls[first.mall_id - 1]! : undefined
  const leaf =
    body.kind === 'elist'
      ? goods[trade.eCategoryOf.indexOf(body.category_id)]!
      : trades[trade.categoryOf.indexOf(body.category_id)]!
  return {
    merchant_id: seller.id,
    merchant_name: seller.name,
    owner_id: seller.bd_admin_id ?? null,
    store_name: first.name,
    store_count: body.store_ids.length,
    store_ids: [...body.store_ids],
    city_id: first.city_id,
    city_name: cities[first.city_id - 1]![0],
    mall_id: first.mall_id ?? 0,
    mall_name: mall?.name ?? '',
    category_name: leaf.name,
    brand_name: body.brand_id === undefined ? null : trade.brands[body.brand_id - 1]!.name,
  }
}
const addVersion = (
  { versions }: Seeding,
  product_id: number,
  body: ProductBody,
  { live, state, at }: { live: ProductBody | null; state: VersionRow['state']; at: number },
): number => {
  const no = versions.filter(one => one.product_id === product_id).length + 1
  versions.push({
    id: versions.length + 1,
    product_id,
    no,
    body,
    changed: changedFields(live, body),
    state,
    edited_by: null,
    created_at: at,
    updated_at: at,
  })
  return no
}
const taskFor = (
  { trade, cashOut }: Seeding,
  seller: Seller,
  {
    id,
    no,
    body,
    live,
    submit_type,
    submitted_at,
  }: {
    id: number
    no: number
    body: ProductBody
    live: ProductBody | null
    submit_type: SubmitType
    submitted_at: number
  },
): SeededTask => {
  const queue = queueOf(body.kind)
  const shown = standing(trade, seller, body)
  const facts = factsHere(trade, seller, body, cashOut)
  const flags = flagsOf(findings(body, live, facts, submitted_at))
  return {
    queue,
    product_id: id,
    product_version: no,
    submit_type,
    ...shown,
    ...fromBody(body, shown.merchant_name, shown.store_name),
    live_snapshot: live,
    changed: changedFields(live, body),
    flags,
    image_faults: { ...facts.image_faults },
    field_marks: {},
    round: 1,
    priority: 0,
    state: 'pending',
    submitted_at,
    submitted_by: null,
    sla_at: submitted_at + auditSettings.sla_hours[queue] * HOUR,
    claimed_by: null,
    claimer_name: null,
    claimed_at: null,
    claim_until: null,
    first_by: null,
    first_name: null,
    first_at: null,
    second_by: null,
    decided_by: null,
    decider_name: null,
    decided_at: null,
    reason_code: null,
    reason: null,
    undo: null,
    created_at: submitted_at,
    updated_at: submitted_at,
    version: 0,
    sort: submitted_at,
  }
}

/** The field that an auditor marks for each code. */
const markedField: Record<RejectCode, string> = {
  price: 'list_price_cents',
  image: 'images',
  text: 'title',
  licence: 'category_id',
  category: 'category_id',
  duplicate: 'title',
  terms: 'buy_notes',
  store: 'store_ids',
  other: 'buy_notes',
}
/** Each code stands twice at least; beyond that they come as often as they do in a real queue. */
const rejectCodeOf = ({ random, rejected }: Seeding): RejectCode => {
  const codes = Object.keys(rejectCodes) as RejectCode[]
  if (rejected < codes.length * 2) return codes[rejected % codes.length]!
  return random.weighted({
    price: 22,
    image: 18,
    text: 14,
    licence: 10,
    category: 8,
    duplicate: 9,
    terms: 10,
    store: 5,
    other: 4,
  })
}
const reject = (seeding: Seeding, one: SeededTask): void => {
  const { random } = seeding
  const code = rejectCodeOf(seeding)
  seeding.rejected++
  one.reason_code = code
  one.reason = random
    .pick(rejectReasons[code])
    .replace('{list}', String(Math.round(one.snapshot.list_price_cents / 100)))
  if (random.chance(0.4)) one.field_marks = { [markedField[code]]: one.reason }
}
/** A task decided in the past, by somebody other than who submitted it. Answers when. */
const decide = (
  seeding: Seeding,
  one: SeededTask,
  state: 'approved' | 'rejected' | 'withdrawn',
): number => {
  const { random, now, auditors, bds } = seeding
  const took = random.chance(0.08) ? random.int(25, 60) * HOUR : random.int(4, 900) * 60
  const at = Math.min(now - 60, one.submitted_at + took)
  one.state = state
  one.decided_at = one.updated_at = at
  one.version = 2
  if (state === 'withdrawn') return at
  const who = random.pick(auditors)
  one.decided_by = who.id
  one.decider_name = who.name
  one.claimed_at = at - random.int(15, 240)
  if (random.chance(0.05)) one.submitted_by = random.pick(bds).id
  if (one.flags.includes('card_prepaid') || one.flags.includes('cash_out_risk')) {
    const first = random.pick(auditors.filter(person => person.id !== who.id))
    Object.assign(one, {
      first_by: first.id,
      first_name: first.name,
      first_at: at - 1800,
      second_by: who.id,
    })
  }
  if (state === 'rejected') reject(seeding, one)
  return at
}

/** A plan is drawn before anything of its product is written; `at` counts those of a kind. */
type Plan = {
  id: number
  kind: Kind
  at: number
  seller: Seller
  fault: Fault | undefined
  /** Sold in open stores of a merchant whose papers are in order. */
  sound: boolean
  isOpen: boolean
  asksMore: boolean
  second: boolean
  submit_type: SubmitType
  state: ProductState
  drafted: boolean
  /** How often it was submitted before. */
  rounds: number
}
const sellerFor = ({ random, able, poor }: Seeding, kind: Kind, sound: boolean): Seller => {
  if (kind === 'elist') return random.pick(able.web)
  return random.pick(!sound && poor.length > 0 ? poor : able.shop)
}
const planOf = (seeding: Seeding, kind: Kind, at: number, opens: number): Plan => {
  const { random } = seeding
  const isOpen = at < opens
  const asksMore = !isOpen && at < opens + (asked[kind] ?? 0)
  const fault = isOpen && at % 3 === 1 ? faults[Math.floor(at / 3) % faults.length] : undefined
  const outside = fault === 'licence' || fault === 'store'
  const seller = sellerFor(seeding, kind, !outside)
  const submit_type: SubmitType = isOpen ? submitTypeOf(random, fault) : 'new'
  const isNew = (isOpen && submit_type === 'new') || asksMore
  const drawn: ProductState =
    isNew || submit_type === 'relist'
      ? 'auditing'
      : random.weighted({ on_sale: 66, off_sale: 12, ended: 10, forced_off: 4, draft: 8 })
  const state = submit_type === 'edit' ? 'on_sale' : drawn
  const drafted = state === 'draft' || (state === 'auditing' && submit_type === 'new')
  return {
    id: seeding.products.length + 1,
    kind,
    at,
    seller,
    fault: outside ? undefined : fault,
    sound: !outside,
    isOpen,
    asksMore,
    second: (kind === 'card' || kind === 'voucher') && isOpen && at < 2,
    submit_type,
    state,
    drafted,
    rounds: isNew ? 0 : roundsOf(random, drafted),
  }
}
const newBody = (
  { random, trade }: Seeding,
  { kind, seller, sound, second }: Plan,
  at: number,
  fault: Fault | undefined,
): ProductBody =>
  makeBody(random, { kind, seller, trade, at, onlyOpen: sound, prepaid: second, fault })

/** The first vouchers come from stores where money is likely to be cashed out. */
const noteCashOut = (seeding: Seeding, { seller }: Plan, body: ProductBody): void => {
  const { random, now, cashOut, hits } = seeding
  for (const store of body.store_ids) {
    if (cashOut.has(store)) continue
    cashOut.add(store)
    hits.push(cashOutHit(seller, store, now - random.int(2, 20) * DAY))
  }
}
/** Seeds a product's past: its versions and their tasks, the oldest first. */
const seedHistory = (
  seeding: Seeding,
  plan: Plan,
): { lives: Offered['lives']; body: ProductBody } => {
  const { random, now, versions, tasks } = seeding
  const { id, seller, rounds, drafted } = plan
  const lives: Offered['lives'] = []
  let moment = now - random.int(40, 380) * DAY
  const body = newBody(seeding, plan, moment, rounds === 0 ? plan.fault : undefined)
  if (plan.second && plan.kind === 'voucher') noteCashOut(seeding, plan, body)
  for (let round = 0; round < rounds; round++) {
    const live = lives.at(-1)?.body ?? null
    const approved = drafted ? false : round === 0 || (live !== null && random.chance(0.78))
    const next = live ? editBody(random, live, moment) : body
    const outcome = approved ? 'approved' : refusedAs(random)
    const state = outcome === 'approved' ? 'live' : outcome
    const no = addVersion(seeding, id, next, { live, state, at: moment })
    const one = taskFor(seeding, seller, {
      id,
      no,
      body: next,
      live,
      submit_type: live ? 'edit' : 'new',
      submitted_at: moment,
    })
    const decidedAt = decide(seeding, one, outcome)
    tasks.push(one)
    if (approved) {
      retireOthers(versions, id, no)
      lives.push({ no, at: decidedAt, body: next })
    }
    moment = Math.min(now - 2 * DAY, moment + random.int(12, 90) * DAY)
  }
  return { lives, body }
}
/** An offer that sells now has a window that is open now; one that ended has a past one. */
const windowNow = ({ random, now }: Seeding, { state, at }: Plan, body: ProductBody) =>
  state === 'ended'
    ? {
        sale_start_at: now - 160 * DAY,
        sale_end_at: now - random.int(3, 60) * DAY,
        check_start_at: now - 160 * DAY,
        check_end_at: now + random.int(-20, 40) * DAY,
      }
    : {
        sale_start_at: Math.min(body.sale_start_at, now - 2 * DAY),
        sale_end_at: now + (at % 20 === 9 ? random.int(1, 6) : random.int(15, 120)) * DAY,
        check_start_at: Math.min(body.check_start_at, now - 2 * DAY),
        check_end_at: now + random.int(130, 200) * DAY,
      }

const submittedAt = ({ random, now }: Seeding, { kind, at, isOpen }: Plan): number => {
  if (!isOpen) return now - random.int(6, 60) * HOUR
  const sla = auditSettings.sla_hours[queueOf(kind)] * HOUR
  // Twelve in all wait longer than was promised.
  const late = kind === 'bulks' ? at < 7 : at === 3 || (kind !== 'goods' && at === 4)
  return late ? now - sla - random.int(1, 30) * HOUR : now - random.int(300, sla - 2 * HOUR)
}
/** The fields that break the rule of a fault in a body that was edited. */
const brokenBy = (next: ProductBody, fault: Exclude<Fault, 'price_rise'>): Partial<ProductBody> => {
  const cheap = {
    price_cents: Math.round(next.list_price_cents * 0.15),
    settle_price_cents: Math.round(next.list_price_cents * 0.12),
  }
  const soldOut = next.skus ? { skus: next.skus.map(sku => ({ ...sku, stock: 0 })) } : {}
  return {
    banned_words: { title: `【全网最低】${next.title}`.slice(0, 118) },
    too_cheap: next.face_cents || next.skus ? {} : cheap,
    blurred: { images: ['demo/blurred-1.webp', ...next.images.slice(1)] },
    small: { images: ['demo/small-1.webp', ...next.images.slice(1)] },
    price_not_below_list: { price_cents: next.list_price_cents + 100 },
    settle_above_price: { settle_price_cents: next.price_cents + 800 },
    commission: { commission_bp: 9000 },
    stock_empty: { stock: 0, ...soldOut },
    redeem_end: { check_end_at: next.sale_end_at - 5 * DAY },
  }[fault]
}
/** How far an open task has come: asked for more, audited once, claimed, or answered once. */
const moveOn = (seeding: Seeding, plan: Plan, one: SeededTask): void => {
  const { random, now, auditors, others, logs } = seeding
  const { id, kind, at } = plan
  const submitted = one.submitted_at
  if (plan.asksMore) {
    const who = random.pick(auditors)
    const reason = random.pick(askReasons)
    Object.assign(one, {
      state: 'need_more',
      decided_by: who.id,
      decider_name: who.name,
      decided_at: submitted + 2 * HOUR,
      claimed_at: submitted + 2 * HOUR - 90,
      reason,
      version: 2,
    })
    logs.push(askLog(id, one, { who, reason, at: submitted + 2 * HOUR }))
    return
  }
  if (plan.second) {
    const first = random.pick(others)
    Object.assign(one, {
      state: 'second_audit',
      first_by: first.id,
      first_name: first.name,
      first_at: submitted + HOUR > now ? now - 120 : submitted + HOUR,
      version: 2,
    })
    return
  }
  const isClaimed = kind === 'bulks' ? at % 9 === 8 && at < 27 : at === 5 && kind !== 'goods'
  if (isClaimed) {
    const who = random.pick(others)
    Object.assign(one, {
      state: 'claimed',
      claimed_by: who.id,
      claimer_name: who.name,
      claimed_at: now - random.int(20, 300),
      claim_until: now + random.int(60, 240),
      version: 1,
    })
    return
  }
  if (at % 8 === 6) {
    // A second round: the merchant has answered what was asked.
    const who = random.pick(auditors)
    Object.assign(one, { round: 2, submit_type: 'supplement' })
    logs.push(askLog(id, one, { who, reason: random.pick(askReasons), at: submitted - 5 * HOUR }))
  }
}
/** The submission that waits in a queue today; answers its body. */
const seedOpenTask = (
  seeding: Seeding,
  plan: Plan,
  { live, stores }: { live: ProductBody | null; stores: number[] },
): ProductBody => {
  const { id, seller, fault, submit_type } = plan
  const submitted_at = submittedAt(seeding, plan)
  const next = live
    ? editBody(seeding.random, live, submitted_at, fault)
    : newBody(seeding, plan, submitted_at, fault)
  if (plan.second && !live) next.store_ids = stores
  if (live && fault && fault !== 'price_rise') Object.assign(next, brokenBy(next, fault))
  const no = addVersion(seeding, id, next, { live, state: 'auditing', at: submitted_at })
  const one = taskFor(seeding, seller, { id, no, body: next, live, submit_type, submitted_at })
  moveOn(seeding, plan, one)
  seeding.tasks.push(one)
  return next
}
const productRow = (
  { random, trade, now, versions }: Seeding,
  { id, kind, at, seller, state }: Plan,
  shown: ProductBody,
  lives: Offered['lives'],
): ProductRow => {
  const place = standing(trade, seller, shown)
  const soldOut = state === 'on_sale' && at % 60 === 17
  return {
    id,
    kind,
    title: shown.title,
    merchant_id: seller.id,
    store_ids: [...shown.store_ids],
    city_id: place.city_id,
    mall_id: place.mall_id,
    brand_id: shown.brand_id ?? null,
    category_id: shown.category_id,
    images: [...shown.images],
    list_price_cents: shown.list_price_cents,
    price_cents: shown.price_cents,
    settle_price_cents: shown.settle_price_cents,
    commission_bp: shown.commission_bp,
    stock: soldOut ? 0 : shown.stock,
    held: 0,
    sold: 0,
    sale_start_at: shown.sale_start_at,
    sale_end_at: shown.sale_end_at,
    check_start_at: shown.check_start_at,
    check_end_at: shown.check_end_at,
    valid_days: shown.valid_days ?? null,
    refund_policy: shown.refund_policy,
    times_total: shown.times_total ?? null,
    face_cents: shown.face_cents ?? null,
    min_spend_cents: shown.min_spend_cents ?? null,
    per_bill_limit: shown.per_bill_limit ?? null,
    state,
    off_reason: whyOff(random, state),
    live_version: lives.at(-1)?.no ?? 0,
    in_activity: state === 'on_sale' && at % 25 === 12,
    grams: gramsOf(shown.title),
    created_at: versions.find(one => one.product_id === id)!.created_at,
    updated_at: now - random.int(0, 20) * DAY,
    version: lives.length,
  }
}
const seedProduct = (seeding: Seeding, plan: Plan): void => {
  const { lives, body } = seedHistory(seeding, plan)
  const live = lives.at(-1)
  if (live && !plan.drafted) {
    live.body = { ...live.body, ...windowNow(seeding, plan, live.body) }
    const isLive = (version: VersionRow) => version.product_id === plan.id && version.no === live.no
    seeding.versions.find(isLive)!.body = live.body
  }
  const submitted =
    plan.isOpen || plan.asksMore
      ? seedOpenTask(seeding, plan, { live: live?.body ?? null, stores: body.store_ids })
      : body
  const row = productRow(seeding, plan, live?.body ?? submitted, lives)
  seeding.products.push({ seller: plan.seller, lives, row })
}

/**
 * More history until the full count, on what sells: editions that were approved and replaced long
 * ago.
 */
const seedOldEditions = (seeding: Seeding): void => {
  const { random, now, scale, products, versions, tasks } = seeding
  const wantedVersions = sized(2100, scale, 0)
  const wantedTasks = sized(1600, scale, 0)
  const sellingNow = products.filter(one => one.lives.length > 0)
  while (versions.length < wantedVersions && sellingNow.length) {
    const one = random.pick(sellingNow)
    const live = one.lives.at(-1)!
    const at = now - random.int(20, 390) * DAY
    const old = editBody(random, live.body, at)
    const refusedOne = random.chance(0.25)
    const no = addVersion(seeding, one.row.id, old, {
      live: live.body,
      state: refusedOne ? 'rejected' : 'retired',
      at,
    })
    if (tasks.length >= wantedTasks) continue
    const was = taskFor(seeding, one.seller, {
      id: one.row.id,
      no,
      body: old,
      live: live.body,
      submit_type: 'edit',
      submitted_at: at,
    })
    decide(seeding, was, refusedOne ? 'rejected' : 'approved')
    tasks.push(was)
  }
}
/** Two offers of one merchant with one title: the machine sees the copy. */
const flagCopy = ({ products, tasks }: Seeding): void => {
  const original = products.find(one => one.row.kind === 'bulks' && one.row.state === 'on_sale')
  if (!original) return
  const copy = tasks.find(
    one =>
      one.queue === 'bulks' &&
      one.state === 'pending' &&
      one.submit_type === 'new' &&
      one.flags.length === 0 &&
      one.product_id !== original.row.id,
  )
  const isOfOneSeller = products.some(
    one => one.row.id === copy?.product_id && one.seller.id === original.seller.id,
  )
  if (copy && isOfOneSeller) Object.assign(copy, { flags: ['duplicate'] })
}

/**
 * 900 products with 2,100 versions, 2,400 SKUs and 1,600 audit tasks: every state, all nine reject
 * codes, some over their time, some held by colleagues.
 */
export const seedOffers = async (db: Db, random: Random, of: Of): Promise<Offered[]> => {
  const { people, now, scale } = of
  const seeding = begun(random, of)
  const counts = Object.fromEntries(
    (Object.keys(full) as Kind[]).map(kind => [kind, sized(full[kind], scale, fewest[kind])]),
  ) as Record<Kind, number>
  for (const kind of Object.keys(counts) as Kind[]) {
    const opens = Math.min(counts[kind] - 6, sized(openFull[kind], scale, openFewest[kind]))
    for (let at = 0; at < counts[kind]; at++) seedProduct(seeding, planOf(seeding, kind, at, opens))
  }
  seedOldEditions(seeding)
  flagCopy(seeding)

  const { products, versions, tasks, logs, hits } = seeding
  await insertRows(
    db,
    product,
    products.map(one => one.row),
  )
  await insertRows(db, product_version, versions)
  // The oldest versions were live before there was an audit.
  const surplus = new Set(
    tasks
      .filter(one => one.state === 'approved')
      .sort((a, b) => a.sort - b.sort)
      .slice(0, Math.max(0, tasks.length - sized(1600, scale, tasks.length))),
  )
  const sorted = tasks
    .filter(one => !surplus.has(one))
    .sort((a, b) => a.sort - b.sort)
    .map(({ sort: _, ...row }, at) => ({ ...row, id: at + 1 }))
  await insertRows(db, audit_task, sorted)
  await insertRows(db, audit_look, looks(sorted, people, now))
  const taskOf = new Map(
    sorted
      .filter(one => !one.decided_at || one.state === 'need_more')
      .map(one => [one.product_id, one.id]),
  )
  await insertRows(
    db,
    op_log,
    logs.map(({ product: of, ...row }) => ({ ...row, object_id: taskOf.get(of) ?? null })),
  )
  await insertRows(db, risk_hit, hits)
  await insertRows(
    db,
    product_store,
    products.flatMap(one =>
      (one.lives.length ? one.row.store_ids : []).map(store_id => ({
        product_id: one.row.id,
        store_id,
        status: 'on' as const,
      })),
    ),
  )
  await insertRows(
    db,
    product_sku,
    products.flatMap(one =>
      (one.lives.at(-1)?.body.skus ?? []).map(sku => ({
        product_id: one.row.id,
        code: sku.code,
        name: sku.name,
        price_cents: sku.price_cents,
        stock: sku.stock,
        status: 'on' as const,
      })),
    ),
  )
  await insertRows(
    db,
    product_time_log,
    timeLogs(random, { products, people }, now, sized(30, scale, 8)),
  )
  return products
}

/** Second looks of the last 30 days: most agree, the newest wait. */
const looks = (
  tasks: readonly (TaskRow & { id: number })[],
  people: readonly Person[],
  now: number,
): (typeof audit_look.$inferInsert)[] => {
  // Numbers of their own: what is grown after them stays as it was.
  const random = randomFrom(77)
  const auditors = people.filter(
    person =>
      person.status === 'active' && (person.role === 'auditor' || person.role === 'senior_auditor'),
  )
  return tasks.flatMap((one): (typeof audit_look.$inferInsert)[] => {
    if (
      (one.state !== 'approved' && one.state !== 'rejected') ||
      !one.decided_by ||
      (one.decided_at ?? 0) < now - 30 * DAY ||
      !isDrawn(one.id, auditSettings.look_bp[one.queue] * 3)
    )
      return []
    const drawn = {
      task_id: one.id,
      queue: one.queue,
      first_by: one.decided_by,
      first_verdict: one.state,
      first_codes: one.reason_code ? [one.reason_code] : [],
      first_at: one.decided_at!,
      created_at: one.decided_at!,
      updated_at: one.decided_at!,
    }
    const other = random.pick(
      auditors.filter(
        person =>
          person.id !== one.decided_by &&
          person.id !== one.first_by &&
          person.id !== one.submitted_by,
      ),
    )
    if (one.decided_at! > now - 2 * DAY)
      return [
        {
          ...drawn,
          taken_by: null,
          second_by: null,
          second_verdict: null,
          second_codes: null,
          note: null,
          second_at: null,
          version: 0,
        },
      ]
    const differs = random.chance(0.12)
    const verdict =
      differs === (one.state === 'approved') ? ('rejected' as const) : ('approved' as const)
    const code = random.pick(['image', 'text', 'terms', 'price'] as const)
    const second_code = differs ? code : (one.reason_code ?? code)
    return [
      {
        ...drawn,
        taken_by: other.id,
        second_by: other.id,
        second_verdict: verdict,
        second_codes: verdict === 'approved' ? [] : [second_code],
        note: verdict === 'rejected' ? rejectCodes[code][0] : null,
        second_at: one.decided_at! + random.int(2, 40) * HOUR,
        version: 1,
      },
    ]
  })
}

const askLog = (
  of: number,
  one: TaskRow,
  { who, reason, at }: { who: Person; reason: string; at: number },
) => ({
  product: of,
  admin_id: who.id,
  admin_name: who.name,
  module: 'audit',
  action: `audit.${one.queue}.askMore`,
  object_type: 'audit_task',
  object_id: null,
  object_label: one.title.slice(0, 60),
  before: { state: 'claimed' },
  after: { state: 'need_more' },
  reason,
  result: 'ok' as const,
  created_at: at,
  updated_at: at,
})

/** Batches of time changes in the past: most whole, some partial, two taken back. */
const timeLogs = (
  random: Random,
  { products, people }: { products: readonly Offered[]; people: readonly Person[] },
  now: number,
  n: number,
) => {
  const bulks = products.filter(one => one.row.kind === 'bulks' && one.lives.length > 0)
  const operators = people.filter(
    person =>
      person.status === 'active' &&
      ['ops_director', 'senior_auditor', 'city_manager'].includes(person.role),
  )
  const days = new Map<string, number>()
  return Array.from({ length: n }, (_, at) => {
    const when = now - Math.round(((n - at) / n) * 120 * DAY) + random.int(0, 8) * HOUR
    const chosen = random.shuffle(bulks).slice(0, random.int(3, Math.min(60, bulks.length)))
    const partial = at % 5 === 2
    const undone = at === 3 || at === 11
    const shift = random.pick([7, 14, 15, 30])
    const items = chosen.map((one, k) => {
      const { sale_start_at, sale_end_at, check_start_at, check_end_at } = one.row
      const ok = !(partial && k % 4 === 1)
      const before = {
        sale_start_at,
        sale_end_at: sale_end_at - shift * DAY,
        check_start_at,
        check_end_at: check_end_at - shift * DAY,
      }
      return {
        product_id: one.row.id,
        title: one.row.title,
        before,
        after: { sale_start_at, sale_end_at, check_start_at, check_end_at },
        ok,
        ...(ok
          ? { version: one.row.version }
          : {
              fail_reason: random.pick([
                '正在参加活动，不能修改时间',
                '商户合同在新的结束时间之前到期',
                `已售出未使用的券码有效期至 ${dateOf(check_end_at)}，不能提前`,
              ]),
            }),
      }
    })
    const day = timeFull(when).slice(0, 10).replaceAll('-', '')
    days.set(day, (days.get(day) ?? 0) + 1)
    const who = random.pick(operators)
    const ok_count = items.filter(item => item.ok).length
    const done = ok_count < items.length ? ('partial' as const) : ('done' as const)
    return {
      batch_no: `TG${day}-${String(days.get(day)).padStart(4, '0')}`,
      operator_id: who.id,
      operator_name: who.name,
      reason: random.pick([
        '双十二活动延期',
        '商场整体闭店改造，顺延使用期',
        '年货节统一开售时间',
        '商户申请延长核销',
      ]),
      changes: { mode: 'shift', shift_days: shift },
      product_count: items.length,
      ok_count,
      fail_count: items.length - ok_count,
      items,
      product_ids: items.map(item => item.product_id),
      status: undone ? ('undone' as const) : done,
      undo_until_at: when + DAY > now && !undone ? when + DAY : null,
      created_at: when,
      updated_at: when,
    }
  })
}

/**
 * What the rules find of the submissions that wait, now that orders and suspicions of their stores
 * are there too: codes sold under a card's old validity, hits of cash-out.
 */
export const flagAgain = async (db: Db): Promise<void> => {
  for (const task of await db
    .select()
    .from(audit_task)
    .where(eq(audit_task.is_open, true))
    .orderBy(audit_task.id)) {
    const found = flagsOf((await judge(db, task, task.snapshot, task.submitted_at)).found)
    // A title's twin may have been submitted later: that is found when its task is opened.
    const flags = [
      ...found.filter(rule => rule !== 'duplicate'),
      ...task.flags.filter(rule => rule === 'duplicate'),
    ]
    if (flags.toSorted().join() !== task.flags.toSorted().join())
      await db.update(audit_task).set({ flags }).where(eq(audit_task.id, task.id))
  }
}
