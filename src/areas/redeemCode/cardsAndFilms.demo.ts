import { and, asc, eq, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { approvedTerms } from '#src/areas/coupon/couponRecord.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { giveCost } from '#src/areas/ecard/givenCard.ts'
import { film_owner } from '#src/areas/film/film.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import type { Batch } from './batches.server.ts'
import { makeCodes, redeemEach, takeOneBack } from './memberships.demo.ts'
import { code_batch } from './redeemCode.table.ts'

const SEAT = 45_00
type By = { maker: number; auditor: number; now: number }
type New = typeof code_batch.$inferInsert
type Told = Pick<New, 'name' | 'partner' | 'contract_no' | 'prefix' | 'quantity'> & {
  /** Its rewards; `cost` is the cost of a code of them, in cents. */
  gives: Partial<New>
  cost: number
  waits?: boolean
}
const addBatch = async (db: Db, { gives, cost, waits, ...of }: Told, by: By): Promise<Batch> => {
  const { now } = by
  const [batch] = await db
    .insert(code_batch)
    .values({
      ...of,
      code_kind: 'once',
      alphabet: 'mixed',
      length: 16,
      start_at: now - 10 * DAY,
      end_at: now + 80 * DAY,
      limit_member: 1,
      bearer: 'partner',
      unit_cost_cents: cost,
      budget_cents: cost * of.quantity + 1000_00,
      created_by: by.maker,
      created_at: now - 14 * DAY,
      submitted_by: by.maker,
      submitted_at: now - 13 * DAY,
      status: waits ? 'auditing' : 'running',
      ...(!waits && { approved_by: by.auditor, approved_at: now - 12 * DAY }),
      ...gives,
    })
    .returning()
  return batch!
}
/** An exchange coupon for a seat at every cinema, as the audit let it through. */
const addTicket = async (db: Db, { now, maker }: By): Promise<typeof coupon.$inferSelect> => {
  const houses = await db
    .select({ id: film_owner.store_id })
    .from(film_owner)
    .orderBy(asc(film_owner.id))
  const [made] = await db
    .insert(coupon)
    .values({
      coupon_no: 'C899001',
      scope: 'local',
      name: '周末观影券',
      kind: 'exchange',
      face_cents: SEAT,
      threshold_cents: 0,
      apply_kind: 'store',
      apply_ids: houses.map(one => one.id),
      exclude_ids: [],
      city_ids: [],
      weekdays: [],
      level_ids: [],
      total: 20_000,
      per_member: 2,
      claim_kind: 'code',
      claim_start_at: now - 20 * DAY,
      claim_end_at: now + 120 * DAY,
      valid_kind: 'days_after',
      valid_after_days: 0,
      valid_days: 90,
      platform_share_bp: 10_000,
      merchant_share_bp: 0,
      created_by: maker,
      created_at: now - 22 * DAY,
      approved_at: now - 21 * DAY,
      status: 'active',
    })
    .returning()
  await db
    .update(coupon)
    .set({ approved: approvedTerms(made!) })
    .where(eq(coupon.id, made!.id))
  return made!
}
/** The least face of a card that is on sale, by its name. */
const faceNamed = async (db: Db, name: string) =>
  (
    await db
      .select({ face: ecard_attr, card: ecard })
      .from(ecard_attr)
      .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
      .where(and(eq(ecard.name, name), eq(ecard.state, 'on'), eq(ecard_attr.status, 'on')))
      .orderBy(asc(ecard_attr.face_cents))
      .limit(1)
  )[0]
/** Members redeem some codes within the last hours: the books of days before are closed. */
const redeemSome = async (db: Db, sealer: Sealer, of: { batch: Batch; from: number; by: By }) => {
  const people = await db
    .select()
    .from(member)
    .where(sql`${member.account_state} = 'normal' and not ${member.benefits_frozen}`)
    .orderBy(asc(member.id))
    .offset(of.from)
    .limit(Math.floor(of.batch.quantity / 4))
  const takers = people.map((who, at) => ({ who, at: of.by.now - ((at % 6) * HOUR) / 2 }))
  await redeemEach(db, sealer, of.batch, { takers, net: 3 })
}
/** Batches whose codes give e-cards, made or in stock, and a film ticket. */
const seedBatches = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now, scale, people, codeKeys } = world
  const [gift, bought] = [await faceNamed(db, '商场礼品卡'), await faceNamed(db, '外卖红包卡')]
  if (!gift || !bought || !codeKeys) return
  const staff = people.filter(one => one.status === 'active')
  const by = { maker: staff.at(-1)!.id, auditor: staff[0]!.id, now }
  const sealer = await sealerOf(openKeyFile(codeKeys), db)
  const quantity = sized(120, scale, 16)
  const cost = giveCost(gift.face, gift.card)
  const cards = await addBatch(
    db,
    {
      name: '企业年会礼品卡',
      partner: '平安集团',
      contract_no: 'HT2026-127',
      prefix: 'NH',
      quantity,
      gives: { ecard_attr_id: gift.face.id, ecard_cents: cost },
      cost,
    },
    by,
  )
  const made = { maker: by.maker, at: now - 11 * DAY }
  await makeCodes(db, sealer, cards, made)
  await redeemSome(db, sealer, { batch: cards, from: 40, by })
  await takeOneBack(db, cards, { ...by, reason: '会员兑错账号，换绑后重兑' })
  const ticket = await addTicket(db, by)
  const films = await addBatch(
    db,
    {
      name: '信用卡周末观影',
      partner: '招商银行信用卡中心',
      contract_no: 'HT2026-131',
      prefix: 'GY',
      quantity,
      gives: { coupon_ids: [ticket.id] },
      cost: SEAT,
    },
    by,
  )
  await makeCodes(db, sealer, films, made)
  await redeemSome(db, sealer, { batch: films, from: 160, by })
  const each = giveCost(bought.face, bought.card)
  const free = await db.$count(
    ecard_code,
    and(eq(ecard_code.attr_id, bought.face.id), eq(ecard_code.state, 'free')),
  )
  await addBatch(
    db,
    {
      name: '外卖红包答谢',
      partner: '建设银行上海分行',
      contract_no: 'HT2026-133',
      prefix: 'WM',
      quantity: Math.max(1, Math.floor(free / 2)),
      gives: { ecard_attr_id: bought.face.id, ecard_cents: each, points: 100 },
      cost: each + 100,
      waits: true,
    },
    by,
  )
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 101, branch: 'redeem-cards-films', run: seedBatches },
]
