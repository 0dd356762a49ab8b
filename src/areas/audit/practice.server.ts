import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { makeBody } from '#src/areas/product/offers.demo.ts'
import { changedFields } from '#src/areas/product/product.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { randomFrom, type Random } from '#src/server/demo/random.ts'
import { cities, mallNames, trades } from '#src/server/demo/words.ts'
import { audit_task } from './audit.table.ts'
import { CLAIM_SECONDS, flagsOf, type AuditState, type Finding } from './audit.ts'
import { findings, type SubmissionFacts } from './auditFindings.ts'
import { practice_round, type PracticeAnswer } from './practice.table.ts'
import { PRACTICE_SIZE, plantedIn, type PracticeFault } from './practice.ts'

export type Round = typeof practice_round.$inferSelect
/**
 * A submission made for practising: what a queue's detail shows of one, and what was planted in it.
 */
export type Made = {
  id: number
  fault: PracticeFault
  body: ProductBody
  live: ProductBody | null
  found: Finding[]
  names: { merchant: string; store: string; mall: string; city: string; category: string }
  categories: Record<string, string>
  licence: { no: string; expire_at: number }
  qualifications: { name: string; no: string; expire_at: number | null }[]
  store_status: 'open' | 'closed'
  submitted_at: number
}

const pictures = ['/practice/dish-1.svg', '/practice/dish-2.svg', '/practice/dish-3.svg']
const BLURRED = '/practice/blurred.svg'
const noTerms = [
  '具体使用规则以门店告知为准，最终解释权归商家所有。',
  '解释权归本店所有，详情到店咨询。',
]
/** Trades that need a licence, so that one may be missing. */
const licensed = trades.flatMap((trade, at) => (trade.licences.length > 0 ? [at] : []))

/** A shop in a mall of some city, of a trade that needs a licence. */
const shopFor = (random: Random, id: number, fault: PracticeFault) => {
  const trade = random.pick(licensed)
  const leaf = trades[trade]!
  const [city] = cities[random.int(0, 4)]!
  const brand = random.pick(leaf.brands) + leaf.tail
  const mall = mallNames[random.int(0, 17)]!
  const store = {
    id: id * 10 + 1,
    name: `${brand}（${mall}店）`,
    status: fault === 'store' ? ('closed' as const) : ('open' as const),
  }
  return { id, trade, leaf, city, brand, mall, store }
}
type Shop = ReturnType<typeof shopFor>

/** Faults of the terms that the maker of offers plants itself. */
const offerFaults: { [F in PracticeFault]?: 'banned_words' | 'price_not_below_list' } = {
  words: 'banned_words',
  list_price: 'price_not_below_list',
}
const shownFor = (random: Random, fault: PracticeFault): string[] => {
  const shown = random.shuffle(pictures).slice(0, random.int(2, 3))
  if (fault === 'picture') return []
  return fault === 'blurred' ? [BLURRED, ...shown.slice(1)] : shown
}
const offerOf = (random: Random, shop: Shop, fault: PracticeFault, today: number): ProductBody => {
  const made = makeBody(random, {
    seller: { id: shop.id, trade: shop.trade, online: false, stores: [shop.store] },
    trade: {
      categoryOf: trades.map((_, i) => i + 1),
      eCategoryOf: [],
      freightOf: new Map<number, number>(),
      returnOf: new Map<number, number>(),
      brands: [],
    },
    kind: 'bulks',
    at: today,
    fault: offerFaults[fault],
  })
  return { ...made, images: shownFor(random, fault), refund_policy: 'anytime' }
}
/** The same offer with a fault of its content. */
const misplaced = (
  random: Random,
  full: ProductBody,
  { leaf, brand }: Shop,
  fault: PracticeFault,
): ProductBody => {
  // A food offer among the hairdressers, or the other way round: the rules see nothing, for its
  // licences are there.
  const foreign = random.pick(licensed.filter(other => trades[other]!.root !== leaf.root))
  if (fault === 'category')
    return {
      ...full,
      title: `${brand}${random.pick(trades[foreign]!.items)}`,
      package: random
        .shuffle(trades[foreign]!.dishes)
        .slice(0, 2)
        .map(name => ({ name, qty: 1, price_cents: random.int(20, 90) * 100 })),
    }
  if (fault !== 'terms') return full
  const { use_time: _, ...rest } = full
  return { ...rest, buy_notes: random.pick(noTerms) }
}
const cheaper = (body: ProductBody): ProductBody => {
  const price_cents = Math.round((body.price_cents * 92) / 1000) * 10
  const settle_price_cents = price_cents - Math.round((price_cents * body.commission_bp) / 10_000)
  return { ...body, price_cents, settle_price_cents }
}

const licenceEnd = (random: Random, fault: PracticeFault, today: number): number => {
  if (fault === 'licence') return today - random.int(5, 60) * DAY
  if (fault === 'expiring') return today + random.int(8, 25) * DAY
  return today + random.int(200, 1500) * DAY
}
const papersOf = (random: Random, { leaf }: Shop, fault: PracticeFault, today: number) => {
  const licence = {
    no: `91${random.int(310000, 510000)}MA${random.int(10_000_000, 99_999_999)}`,
    expire_at: licenceEnd(random, fault, today),
  }
  const needed = fault === 'qualification' ? [] : leaf.licences
  const qualifications = needed.map(name => ({
    name,
    no: `JY${random.int(1_000_000, 9_999_999)}`,
    expire_at: today + random.int(120, 900) * DAY,
  }))
  return { licence, qualifications }
}
const factsOf = (
  { id, leaf, mall, store }: Shop,
  { licence, qualifications }: ReturnType<typeof papersOf>,
  title: string,
  fault: PracticeFault,
): SubmissionFacts => ({
  merchant: {
    status: 'active',
    license_expire_at: licence.expire_at,
    contract_end_at: null,
    qualifications,
  },
  stores: [{ ...store, own: true, mall_name: mall, mall_status: 'online' }],
  category: {
    name: leaf.name,
    on: true,
    commission_min_bp: leaf.commission[0],
    commission_max_bp: leaf.commission[1],
    floor_bp: leaf.floor,
    need_licenses: leaf.licences,
  },
  brand: null,
  freight_ok: true,
  return_ok: true,
  duplicate: fault === 'duplicate' ? { id: id * 10 + 7, title } : null,
  same_face: [],
  cash_out_hits: 0,
  image_faults: { [BLURRED]: 'blurred' },
  sold_left: 0,
})

const make = (random: Random, id: number, fault: PracticeFault, today: number): Made => {
  const shop = shopFor(random, id, fault)
  const submitted_at = today - random.int(1, 20) * HOUR
  const offered = misplaced(random, offerOf(random, shop, fault, today), shop, fault)
  const live = fault === 'cheaper' ? offered : null
  const body = live ? cheaper(live) : offered
  const papers = papersOf(random, shop, fault, today)
  const facts = factsOf(shop, papers, body.title, fault)
  const { leaf, city, brand, mall, store } = shop
  const business = leaf.root === '美食' ? '餐饮管理' : '生活服务'
  return {
    id,
    fault,
    body,
    live,
    found: findings(body, live, facts, today),
    names: {
      merchant: `${city}${brand}${business}有限公司`,
      store: store.name,
      mall,
      city,
      category: leaf.name,
    },
    categories: { [body.category_id]: leaf.name },
    ...papers,
    store_status: store.status,
    submitted_at,
  }
}
/**
 * The submissions of a person's round, the same however often they are asked for; their dates go
 * with the day.
 */
export const madeFor = (admin_id: number, round: number, now: number): Made[] => {
  const random = randomFrom(admin_id * 7919 + round * 104_729)
  const order = random.shuffle(plantedIn(round))
  return order.map((fault, at) => make(random.branch(`${at}`), at + 1, fault, dayStart(now)))
}

const states: Record<PracticeAnswer['verdict'], AuditState> = {
  approve: 'approved',
  reject: 'rejected',
  askMore: 'need_more',
}
export const answerOf = (round: Pick<Round, 'answers'>, id: number): PracticeAnswer | undefined =>
  round.answers.find(one => one.id === id && !one.open)
/** A row of the practice queue, as a real one stands in its own. */
export const itemOf = (
  one: Made,
  round: Pick<Round, 'answers' | 'claims' | 'version'>,
  me: Pick<Staff, 'id' | 'name'>,
  now: number,
) => {
  const { body, names } = one
  const answer = answerOf(round, one.id)
  const claim = answer ? undefined : round.claims[one.id]
  const held = claim !== undefined && claim > now ? claim : null
  const changed = changedFields(one.live, body)
  const undecided = held ? ('claimed' as const) : ('pending' as const)
  return {
    id: one.id,
    queue: 'bulks' as const,
    product_id: one.id,
    product_kind: 'bulks' as const,
    product_version: one.live ? 2 : 1,
    submit_type: one.live ? ('edit' as const) : ('new' as const),
    title: body.title,
    image: body.images[0],
    merchant_id: one.id,
    merchant_name: names.merchant,
    store_name: names.store,
    store_count: 1,
    city_id: 1,
    city_name: names.city,
    mid: 1,
    mall_name: names.mall,
    category_name: names.category,
    price_cents: body.price_cents,
    list_price_cents: body.list_price_cents,
    settle_price_cents: body.settle_price_cents,
    commission_bp: body.commission_bp,
    stock: body.stock,
    sale_start_at: body.sale_start_at,
    sale_end_at: body.sale_end_at,
    check_start_at: body.check_start_at,
    check_end_at: body.check_end_at,
    changed,
    flags: flagsOf(one.found),
    round: 1,
    priority: 0,
    state: answer ? states[answer.verdict] : undecided,
    submitted_at: one.submitted_at,
    submitted_by: null,
    sla_at: one.submitted_at + 48 * HOUR,
    claimed_by: held === null ? null : me.id,
    claimer_name: held === null ? null : me.name,
    claim_until: held,
    first_by: null,
    decided_by: answer ? me.id : null,
    decider_name: answer ? me.name : null,
    decided_at: answer?.at ?? null,
    reason_code: answer?.codes[0] ?? null,
    more_codes: answer?.codes.slice(1) ?? [],
    reason: null,
    version: round.version,
  }
}
export const detailOf = (one: Made, round: Round, me: Pick<Staff, 'id' | 'name'>, now: number) => ({
  task: itemOf(one, round, me, now),
  body: one.body,
  live: one.live,
  findings: one.found,
  names: {
    categories: one.categories,
    brands: {},
    stores: { [one.body.store_ids[0]!]: one.names.store },
    freights: {},
    addresses: {},
  },
  merchant: {
    id: one.id,
    name: one.names.merchant,
    status: 'active',
    license_no: one.licence.no,
    license_expire_at: one.licence.expire_at,
    qualifications: one.qualifications,
    approved_90d: 0,
    rejected_90d: 0,
  },
  stores: [
    {
      id: one.body.store_ids[0]!,
      name: one.names.store,
      status: one.store_status,
      address: `${one.names.city} ${one.names.mall}`,
    },
  ],
  prices: one.live
    ? [
        {
          no: 1,
          at: one.submitted_at - 30 * DAY,
          price_cents: one.live.price_cents,
          list_price_cents: one.live.list_price_cents,
        },
      ]
    : [],
  rounds: [],
  siblings: [],
  redeemed_30d: { count: 0, cents: 0 },
  sold: { paid: 0, unused_codes: 0, latest_valid_until: null },
  field_marks: {},
  viewers: [],
})

const first = (admin_id: number): Round => ({
  id: 0,
  created_at: 0,
  updated_at: 0,
  version: 0,
  admin_id,
  round: 1,
  answers: [],
  claims: {},
  finished_at: null,
})
/**
 * The round a person is in; before anything was decided, the first one, which stands nowhere yet.
 */
export const roundOf = async (db: Db, admin_id: number): Promise<Round> => {
  const [row] = await db
    .select()
    .from(practice_round)
    .where(eq(practice_round.admin_id, admin_id))
    .orderBy(desc(practice_round.round))
    .limit(1)
  return row ?? first(admin_id)
}
/** The same, held: of two tabs one decides after the other. */
export const heldRound = async (tx: Db, admin_id: number): Promise<Round> => {
  await tx.insert(practice_round).values({ admin_id, round: 1 }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(practice_round)
    .where(eq(practice_round.admin_id, admin_id))
    .orderBy(desc(practice_round.round))
    .limit(1)
    .for('update')
  return row!
}
export const keepRound = async (
  tx: Db,
  row: Round,
  set: Partial<Pick<Round, 'answers' | 'claims' | 'finished_at'>>,
): Promise<void> => {
  await tx
    .update(practice_round)
    .set({ ...set, version: sql`${practice_round.version} + 1` })
    .where(eq(practice_round.id, row.id))
}
export const claimed = (row: Round, id: number, now: number): Round['claims'] => ({
  ...row.claims,
  [id]: now + CLAIM_SECONDS,
})
export const isOver = (round: Pick<Round, 'answers'>): boolean =>
  round.answers.filter(one => !one.open).length === PRACTICE_SIZE

/** What stands of earlier rounds, and whether a person has decided a real task. */
export const pastOf = async (db: Db, staff: Pick<Staff, 'id'>) => {
  const done = await db
    .select({ answers: practice_round.answers })
    .from(practice_round)
    .where(and(eq(practice_round.admin_id, staff.id), isNotNull(practice_round.finished_at)))
  const best = done.length
    ? Math.max(...done.map(one => one.answers.filter(answer => answer.first).length))
    : null
  const [real] = await db
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(eq(audit_task.decided_by, staff.id))
    .limit(1)
  return { rounds_done: done.length, best, decided_real: real !== undefined }
}
