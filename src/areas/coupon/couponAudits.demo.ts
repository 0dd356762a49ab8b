import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { coupon } from './coupon.table.ts'
import type { CouponScope } from './coupon.ts'
import { coupon_audit } from './couponAudit.table.ts'
import { couponQueueOf, couponAuditSettings, slaOf } from './couponAudit.ts'
import { judgeCoupon } from './couponAuditFacts.server.ts'
import { goodsThen } from './couponAuditGoods.server.ts'
import type { CouponRefuseCode } from './couponAuditRules.ts'
import { approvedTerms, type Coupon } from './couponRecord.server.ts'
import { exposure } from './couponSentence.ts'

type New = typeof coupon_audit.$inferInsert
type NewCoupon = typeof coupon.$inferInsert
type Goods = Pick<typeof product.$inferSelect, 'id' | 'price_cents' | 'settle_price_cents'>
/** The ways that submissions went; `plain` waits and nothing is wrong with it. */
const cases = [
  'plain',
  'plain',
  'losing',
  'large',
  'large',
  'second',
  'held',
  'asked',
  'again',
  'unagreed',
  'everything',
  'rejected',
  'withdrawn',
] as const
type Case = (typeof cases)[number]
const names = [
  '下午茶立减券',
  '周末满减券',
  '亲子畅玩券',
  '新店尝鲜券',
  '会员日满减券',
  '夜宵满减券',
]
const states: Partial<Record<Case, New['state']>> = {
  second: 'second_audit',
  held: 'claimed',
  asked: 'need_more',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
}
const refused: readonly (readonly [CouponRefuseCode, string])[] = [
  ['margin', '部分商品用券后毛利为负，请提高门槛'],
  ['cost', '补贴成本过高，请降低面额或总量'],
  ['overlap', '与在投的同范围满减券重叠，请错开时间'],
]
/** The terms by which a case is what it is. */
const termsOf = (of: Case, goods: Goods): Partial<NewCoupon> => {
  const margin = goods.price_cents - goods.settle_price_cents
  const face_cents = Math.max(100, Math.floor(margin / 200) * 100)
  const common = {
    apply_kind: 'product' as const,
    apply_ids: [goods.id],
    threshold_cents: goods.price_cents,
    face_cents,
  }
  switch (of) {
    case 'losing':
      return { ...common, face_cents: margin + 500, threshold_cents: margin + 600 }
    case 'large':
    case 'second':
      return { ...common, total: Math.ceil(6_000_000 / face_cents) }
    case 'unagreed':
      return { ...common, platform_share_bp: 5000, merchant_share_bp: 5000 }
    case 'everything':
      return { ...common, apply_kind: 'all', apply_ids: [] }
    default:
      return common
  }
}
const statusOf = (of: Case): Coupon['status'] => {
  if (of === 'rejected') return 'rejected'
  return of === 'withdrawn' ? 'draft' : 'auditing'
}
type Made = { of: Case; at: number; goods: Goods; scope: CouponScope; maker: number }
const couponOf = ({ of, at, goods, scope, maker }: Made, now: number): NewCoupon => ({
  coupon_no: `CA${scope === 'ecom' ? 'E' : 'L'}${String(100 + at)}`,
  scope,
  name: names[at % names.length]!,
  kind: 'full_reduce',
  face_cents: 0,
  threshold_cents: 0,
  apply_kind: 'product',
  apply_ids: [],
  exclude_ids: [],
  city_ids: [],
  total: 200,
  claim_kind: 'claim',
  claim_start_at: now + (at % 3) * DAY,
  claim_end_at: now + 30 * DAY,
  valid_kind: 'days_after',
  valid_after_days: 0,
  valid_days: 15,
  weekdays: [],
  level_ids: [],
  platform_share_bp: 10_000,
  merchant_share_bp: 0,
  consent_no: null,
  reason: of === 'rejected' ? refused[at % refused.length]![1] : null,
  status: statusOf(of),
  created_by: maker,
  created_at: now - 3 * DAY,
  ...termsOf(of, goods),
})

type Person = { id: number; name: string }
type Story = { of: Case; at: number; submitted: number; who: Person }
/** The columns of a claim or a decision, and of what was said. */
const decision = ({ of, at, submitted, who }: Story, now: number) => {
  const isDone = of === 'rejected' || of === 'asked'
  const [code, words] = refused[at % refused.length]!
  const said: Partial<Record<Case, string>> = {
    rejected: words,
    asked: '请说明为什么不设每日限领',
    second: '拉新效果好，建议通过',
  }
  return {
    state: states[of] ?? ('pending' as const),
    claimed_by: of === 'held' ? who.id : null,
    claimer_name: of === 'held' ? who.name : null,
    claimed_at: of === 'held' ? now - 60 : null,
    claim_until: of === 'held' ? now + 240 : null,
    first_by: of === 'second' ? who.id : null,
    first_name: of === 'second' ? who.name : null,
    first_at: of === 'second' ? submitted + HOUR : null,
    decided_by: isDone ? who.id : null,
    decider_name: isDone ? who.name : null,
    decided_at: isDone || of === 'withdrawn' ? submitted + 2 * HOUR : null,
    reason_code: of === 'rejected' ? code : null,
    reason: said[of] ?? null,
  }
}
const auditOf = async (db: Db, row: Coupon, story: Story, now: number): Promise<New> => {
  const { of, submitted } = story
  const snapshot = approvedTerms(row)
  const goods = await goodsThen(db, row)
  const { found } = await judgeCoupon(db, row, { snapshot, goods }, now)
  const exposure_cents = exposure(row)
  return {
    queue: couponQueueOf(row.scope),
    coupon_id: row.id,
    title: row.name,
    kind: row.kind,
    city_ids: row.city_ids,
    owner_id: row.created_by,
    exposure_cents,
    snapshot,
    last_snapshot: of === 'again' ? { ...snapshot, threshold_cents: 0, total: 500 } : null,
    goods,
    flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
    round: of === 'again' ? 2 : 1,
    submitted_at: submitted,
    submitted_by: row.created_by,
    sla_at: submitted + slaOf(exposure_cents, couponAuditSettings.limit_cents),
    created_at: submitted,
    ...decision(story, now),
  }
}
/** Goods of a scope that earn most of their price, each of another coupon. */
const richGoods = (db: Db, scope: CouponScope): Promise<Goods[]> =>
  db
    .select()
    .from(product)
    .where(
      and(
        eq(product.state, 'on_sale'),
        inArray(product.kind, scope === 'ecom' ? ['elist'] : ['bulks', 'goods']),
        gt(product.price_cents, 2000),
      ),
    )
    .orderBy(desc(sql`${product.price_cents} - ${product.settle_price_cents}`), asc(product.id))
    .limit(cases.length)
const peopleOf = ({ people }: World, ...roles: string[]) =>
  people.filter(person => roles.includes(person.role))
const seedScope = async (db: Db, random: Random, world: World, scope: CouponScope) => {
  const { now } = world
  const goods = await richGoods(db, scope)
  if (goods.length === 0) return
  const makers = peopleOf(world, 'content', 'city_manager')
  const made = cases.map((of, at): Made => ({
    of,
    at,
    scope,
    goods: goods[at % goods.length]!,
    maker: makers[at % makers.length]!.id,
  }))
  await insertRows(
    db,
    coupon,
    made.map(one => couponOf(one, now)),
  )
  const rows = await db
    .select()
    .from(coupon)
    .where(sql`${coupon.coupon_no} like ${scope === 'ecom' ? 'CAE%' : 'CAL%'}`)
    .orderBy(asc(coupon.coupon_no))
  const auditors = peopleOf(world, 'auditor')
  const audits: New[] = []
  for (const [at, row] of rows.entries())
    audits.push(
      await auditOf(
        db,
        row,
        {
          of: cases[at]!,
          at,
          submitted: now - random.int(1, 20) * HOUR,
          who: auditors[at % auditors.length]!,
        },
        now,
      ),
    )
  await insertRows(db, coupon_audit, audits)
}
/** All other coupons in audit wait in their queue. */
const seedOthers = async (db: Db, random: Random, { now, ...world }: World) => {
  const rows = await db
    .select({ coupon })
    .from(coupon)
    .leftJoin(coupon_audit, eq(coupon_audit.coupon_id, coupon.id))
    .where(and(eq(coupon.status, 'auditing'), isNull(coupon_audit.id)))
    .orderBy(asc(coupon.id))
  const [who] = peopleOf({ now, ...world }, 'auditor')
  const audits: New[] = []
  for (const { coupon: row } of rows) {
    const submitted = now - random.int(2, 30) * HOUR
    audits.push(await auditOf(db, row, { of: 'plain', at: 0, submitted, who: who! }, now))
  }
  await insertRows(db, coupon_audit, audits)
}
const APPROVED_MOST = 40
/** Coupons that are given out were approved once. */
const seedApproved = async (db: Db, random: Random, world: World) => {
  const rows = await db
    .select()
    .from(coupon)
    .where(inArray(coupon.status, ['waiting', 'active', 'paused']))
    .orderBy(asc(coupon.id))
    .limit(APPROVED_MOST)
  const auditors = peopleOf(world, 'auditor', 'senior_auditor')
  const audits = rows.map((row, at): New => {
    const who = auditors[at % auditors.length]!
    const submitted = row.claim_start_at - 2 * DAY - random.int(1, 40) * HOUR
    const exposure_cents = exposure(row)
    return {
      queue: couponQueueOf(row.scope),
      coupon_id: row.id,
      title: row.name,
      kind: row.kind,
      city_ids: row.city_ids,
      owner_id: row.created_by === who.id ? null : row.created_by,
      exposure_cents,
      snapshot: approvedTerms(row),
      goods: { of: {}, whole: false },
      flags: [],
      state: 'approved',
      submitted_at: submitted,
      submitted_by: row.created_by === who.id ? null : row.created_by,
      sla_at: submitted + DAY,
      decided_by: who.id,
      decider_name: who.name,
      decided_at: submitted + random.int(1, 20) * HOUR,
      created_at: submitted,
    }
  })
  await insertRows(db, coupon_audit, audits)
}
const seed = async (db: Db, random: Random, world: World): Promise<void> => {
  for (const scope of ['local', 'ecom'] as const) await seedScope(db, random, world, scope)
  await seedOthers(db, random, world)
  await seedApproved(db, random, world)
  await afterIds(db)
}
export const demo: readonly DemoStep[] = [{ place: 93, branch: 'coupon audits', run: seed }]
