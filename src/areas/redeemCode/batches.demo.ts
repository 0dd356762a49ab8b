import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { slicesOf } from '#src/areas/secret/slices.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { beginRun, generateSome, type Batch } from './batches.server.ts'
import { code_batch, redeem_code, redeem_log } from './redeemCode.table.ts'
import type { BatchState } from './redeemCode.ts'

type New = typeof code_batch.$inferInsert
type Told = Pick<New, 'name' | 'partner' | 'prefix' | 'code_kind'> & {
  status: BatchState
  coupon: boolean
  points: number
  /** Codes at scale 1. */ quantity: number
  /** Days until its end. */ days: number
  more?: Partial<New>
}
const CODES = 20_000
const told: readonly Told[] = [
  {
    name: '招行信用卡周三礼',
    partner: '招商银行信用卡中心',
    prefix: 'CMB',
    code_kind: 'once',
    status: 'running',
    coupon: true,
    points: 0,
    quantity: 6000,
    days: 60,
  },
  {
    name: '建行新户礼包',
    partner: '建设银行上海分行',
    prefix: 'CCB',
    code_kind: 'per_phone',
    status: 'running',
    coupon: true,
    points: 200,
    quantity: 3000,
    days: 3,
  },
  {
    name: '平安员工节日福利',
    partner: '平安集团',
    prefix: 'PA',
    code_kind: 'once',
    status: 'running',
    coupon: true,
    points: 0,
    quantity: 4000,
    days: 45,
    more: { goods: '节日保温杯礼盒', goods_cents: 68_00 },
  },
  {
    name: '地铁站点通用码',
    partner: '申通地铁',
    prefix: 'METR',
    code_kind: 'shared',
    status: 'running',
    coupon: false,
    points: 50,
    quantity: 4,
    days: 20,
    more: { use_limit: 200, limit_member: 1 },
  },
  {
    name: '滴滴出行联名券',
    partner: '滴滴出行',
    prefix: 'DD',
    code_kind: 'once',
    status: 'paused',
    coupon: true,
    points: 0,
    quantity: 2000,
    days: 30,
    more: { reason: '合作方核对名单，暂停兑换' },
  },
  {
    name: '会员俱乐部积分码',
    partner: '平安集团',
    prefix: 'PAB',
    code_kind: 'once',
    status: 'running',
    coupon: false,
    points: 100,
    quantity: 1500,
    days: 90,
  },
  {
    name: '国庆线下快闪',
    partner: '自有活动',
    prefix: 'GQ',
    code_kind: 'once',
    status: 'ended',
    coupon: true,
    points: 0,
    quantity: 3500,
    days: -20,
    more: { reason: '活动结束' },
  },
  {
    name: '浦发生日礼',
    partner: '浦发银行',
    prefix: 'SPD',
    code_kind: 'once',
    status: 'auditing',
    coupon: true,
    points: 0,
    quantity: 1000,
    days: 120,
  },
  {
    name: '银联云闪付积分',
    partner: '银联商务',
    prefix: 'UP',
    code_kind: 'once',
    status: 'auditing',
    coupon: false,
    points: 500,
    quantity: 50_000,
    days: 90,
  },
  {
    name: '中信年货节',
    partner: '中信银行',
    prefix: 'CTC',
    code_kind: 'once',
    status: 'draft',
    coupon: false,
    points: 100,
    quantity: 500,
    days: 60,
  },
  {
    name: '携程酒店住客礼',
    partner: '携程旅行',
    prefix: 'XC',
    code_kind: 'per_phone',
    status: 'draft',
    coupon: true,
    points: 0,
    quantity: 800,
    days: 75,
  },
]
/** The prefix of the batch of which a change waits. */
const AMENDED = 'PAB'
const REASON = '合作方追加采购'
const SHARE_USED = 0.35
const SHARE_VOID = 0.02
const ATTACK_TRIES = 60

/** Two of three prizes were handed over a day later, at a few stores; the others wait. */
const handSomeOver = (db: Db, { id }: Batch, { now, by }: { now: number; by: number }) =>
  db.execute(sql`
    update redeem_log l set handed_at = l.created_at + ${DAY}::int, handed_by = ${by}, handed_store_id = s.id, updated_at = l.created_at + ${DAY}::int
    from (select x.id, row_number() over (order by x.id) n from ${store} x where x.status = 'open' order by x.id limit 3) s
    where l.batch_id = ${id} and l.result = 'ok' and l.id % 3 > 0 and s.n = 1 + l.id % 3 and l.created_at + ${DAY}::int < ${now}`)
/** Redeems and voids some codes of a batch, with the record of each and the coupons that came of it. */
const redeemSome = async (
  db: Db,
  batch: Batch,
  of: { members: number; now: number; by: number },
) => {
  const used = Math.floor(batch.generated * SHARE_USED)
  const voided = Math.floor(batch.generated * SHARE_VOID)
  const from = batch.start_at
  const span = Math.min(of.now, batch.end_at) - from
  const start = sql`${from}::bigint + (c.seq::bigint * 7919 % ${span}::bigint)`
  await db.execute(sql`
    with used as (
      update redeem_code c set state = 'redeemed', used_times = 1, member_id = m.id, phone = m.phone, redeemed_at = ${start}, exported_at = ${from}
      from ${member} m where c.batch_id = ${batch.id} and c.seq <= ${used} and m.id = 1 + c.seq * 31 % ${of.members}
      returning c.id, c.tail, c.member_id, c.phone, c.redeemed_at at)
    insert into redeem_log (code_id, batch_id, member_id, phone, input_tail, result, channel, device_id, ip, created_at, updated_at)
    select id, ${batch.id}, member_id, phone, tail, 'ok', 'mini', 'dev' || member_id, '10.1.' || member_id % 200 || '.' || member_id % 250, at, at from used`)
  for (const id of batch.coupon_ids)
    await db.execute(sql`
      with given as (
        insert into coupon_grant (coupon_id, code, member_id, grant_kind, snapshot, start_at, end_at, status, created_at, updated_at)
        select ${id}, 'RC' || l.id || '-' || ${id}, l.member_id, 'code', jsonb_build_object('name', c.name, 'face_cents', c.face_cents, 'threshold_cents', c.threshold_cents), l.created_at, l.created_at + ${45 * DAY}::int, case when l.created_at + ${45 * DAY}::int > ${of.now} then 'unused' else 'expired' end, l.created_at, l.created_at
        from redeem_log l join ${coupon} c on c.id = ${id} where l.batch_id = ${batch.id} and l.result = 'ok' returning id)
      update ${coupon} c set claimed_count = c.claimed_count + n, total = greatest(c.total, c.claimed_count + n) from (select count(*)::int n from given) g where c.id = ${id}`)
  await db.execute(
    sql`update redeem_log l set granted = jsonb_build_object('coupons', (select coalesce(jsonb_agg('RC' || l.id || '-' || x), '[]') from jsonb_array_elements_text(b.coupon_ids) x), 'points', 0, 'points_no', null, 'cost_cents', b.unit_cost_cents) || case when b.goods = '' then '{}'::jsonb else jsonb_build_object('goods', b.goods) end from code_batch b where l.batch_id = ${batch.id} and b.id = l.batch_id and l.result = 'ok'`,
  )
  if (batch.goods) await handSomeOver(db, batch, of)
  await db
    .update(redeem_code)
    .set({
      state: 'voided',
      voided_at: of.now - DAY,
      voided_by: of.by,
      void_reason: '合作方遗失一箱实体卡',
    })
    .where(
      and(
        eq(redeem_code.batch_id, batch.id),
        gt(redeem_code.seq, batch.generated - voided),
        eq(redeem_code.state, 'unused'),
      ),
    )
  await db
    .update(code_batch)
    .set({ redeemed: used, voided, exported: used })
    .where(eq(code_batch.id, batch.id))
}
/** Somebody tried codes for an hour, and everybody now and then mistypes one. */
const guess = async (db: Db, members: number, now: number) => {
  await db.execute(sql`
    insert into redeem_log (member_id, phone, input_tail, result, channel, device_id, ip, created_at, updated_at)
    select m.id, m.phone, upper(substr(md5(n::text), 1, 4)), case when n <= 5 then 'unknown' else 'locked' end, 'mini', 'dev-guess', '10.66.6.6', ${now - 2 * DAY} + n * 40, ${now - 2 * DAY} + n * 40
    from generate_series(1, ${ATTACK_TRIES}) n join ${member} m on m.id = ${Math.min(7, members)}`)
  await db.execute(sql`
    insert into redeem_log (code_id, batch_id, member_id, phone, input_tail, result, channel, device_id, ip, created_at, updated_at)
    select code_id, batch_id, member_id, phone, input_tail, 'used', 'mini', device_id, ip, created_at + 600, created_at + 600 from ${redeem_log} where result = 'ok' and id % 17 = 0`)
}
const couponsOf = (db: Db) =>
  db
    .select({ id: coupon.id, face: coupon.face_cents })
    .from(coupon)
    .where(
      and(
        eq(coupon.status, 'active'),
        ne(coupon.valid_kind, 'fixed'),
        gt(coupon.face_cents, 0),
        sql`${coupon.total} - ${coupon.claimed_count} > 50`,
      ),
    )
    .orderBy(asc(coupon.id))
    .limit(4)
type Given = Awaited<ReturnType<typeof couponsOf>>[number] | undefined
type By = { maker: number; auditor: number; now: number; scale: number }
/** What became of a batch on its way: who sent and who approved it. */
const stepsOf = (status: BatchState, { maker, auditor, now }: By): Partial<New> => {
  if (status === 'draft') return {}
  const sent = { submitted_by: maker, submitted_at: now - 41 * DAY }
  if (status === 'auditing') return sent
  return { ...sent, approved_by: auditor, approved_at: now - 40 * DAY }
}
const quantityOf = ({ quantity, status }: Told, scale: number): number =>
  quantity < 10 || quantity > CODES || status === 'draft'
    ? quantity
    : Math.max(40, Math.floor(quantity * scale))
const addBatch = async (db: Db, at: number, pick: Given, by: By): Promise<Batch> => {
  const { days, coupon: _, more, ...one } = told[at]!
  const { now, maker } = by
  const quantity = quantityOf(told[at]!, by.scale)
  const unit = one.points + (pick?.face ?? 0) + (more?.goods_cents ?? 0)
  const uses = quantity * (more?.use_limit ?? 1)
  // Enough is left of its coupon, for what waits as well as for what runs.
  if (pick)
    await db
      .update(coupon)
      .set({ total: sql`greatest(${coupon.total}, ${coupon.claimed_count} + ${4 * quantity})` })
      .where(eq(coupon.id, pick.id))
  const [batch] = await db
    .insert(code_batch)
    .values({
      ...one,
      quantity,
      contract_no: `HT2026-${at + 101}`,
      alphabet: 'mixed',
      length: 16,
      start_at: now + (days - 110) * DAY,
      end_at: now + days * DAY,
      bearer: at % 3 === 0 ? 'platform' : 'partner',
      coupon_ids: pick ? [pick.id] : [],
      budget_cents: unit * uses + 1000_00,
      unit_cost_cents: unit,
      limit_phone: one.code_kind === 'per_phone' ? 1 : null,
      created_by: maker,
      created_at: now - (42 - at) * DAY,
      ...stepsOf(one.status, by),
      ...more,
    })
    .returning()
  return batch!
}
/** Makes the codes of a batch; half of them where some are to be made yet. */
const makeCodes = async (db: Db, sealer: Sealer, batch: Batch, by: By): Promise<Batch> => {
  const { id, status } = batch
  const n = batch.prefix === AMENDED ? Math.floor(batch.quantity / 2) : batch.quantity
  // A batch that has ended made its codes while it ran.
  await db.update(code_batch).set({ status: 'running' }).where(eq(code_batch.id, id))
  for (const slice of slicesOf(n)) {
    const { run_no } = await beginRun(db, {
      batch_id: id,
      kind: 'generate',
      qty: slice.n,
      admin_id: by.maker,
    })
    await generateSome(db, sealer, { batch_id: id, run_no, n: slice.n, now: by.now - 39 * DAY })
  }
  const [made] = await db
    .update(code_batch)
    .set({ status })
    .where(eq(code_batch.id, id))
    .returning()
  return made!
}
const amendOne = (db: Db, { maker, now }: By) =>
  db
    .update(code_batch)
    .set({
      amendment: {
        by: maker,
        at: now - DAY,
        reason: REASON,
        set: { end_at: now + 120 * DAY, note: REASON },
      },
    })
    .where(eq(code_batch.prefix, AMENDED))

const seedCodes = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now, people, memberCount: members, codeKeys, scale } = world
  const coupons = await couponsOf(db)
  const staff = people.filter(one => one.status === 'active')
  const by = { maker: staff.at(-1)!.id, auditor: staff[0]!.id, now, scale }
  const sealer = codeKeys ? await sealerOf(openKeyFile(codeKeys), db) : undefined
  for (const [at, one] of told.entries()) {
    const pick = one.coupon ? coupons[at % Math.max(1, coupons.length)] : undefined
    const batch = await addBatch(db, at, pick, by)
    if (!sealer || one.status === 'draft' || one.status === 'auditing') continue
    const made = await makeCodes(db, sealer, batch, by)
    if (pick && one.code_kind === 'once')
      await redeemSome(db, made, { members, now, by: by.auditor })
  }
  await amendOne(db, by)
  if (sealer) await guess(db, members, now)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [{ place: 95, branch: 'redeem-codes', run: seedCodes }]
