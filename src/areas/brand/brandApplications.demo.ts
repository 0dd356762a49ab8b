import { and, asc, eq, sql } from 'drizzle-orm'
import { application } from '#src/areas/application/application.table.ts'
import { SLA_S } from '#src/areas/application/application.ts'
import { e_category, merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import { licencePicture } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { judgeBrand } from './applying.server.ts'
import { brand_authorisation } from './authorisation.table.ts'
import { brand } from './brand.table.ts'
import type { BrandBody, BrandRefuseCode } from './brandBody.ts'

/** The classes of trademarks that cover what stands below each branch. */
const classes: Readonly<Record<string, readonly number[]>> = {
  美食: [43, 30],
  丽人: [44],
  休闲娱乐: [41],
  亲子: [41],
  运动健身: [41],
  生活服务: [37, 45],
  教育培训: [41],
  酒店民宿: [43],
  医疗健康: [44],
  食品生鲜: [29, 30, 31],
  家居日用: [20, 21],
  美妆个护: [3],
  母婴玩具: [28, 5],
  数码家电: [9, 11],
  服饰内衣: [25],
  鞋靴箱包: [25, 18],
  运动户外: [28],
}
/** Names that nobody has yet. */
const fresh = ['半亩塘', '拾光里', '山野集', '小满屋', '南乔记', '松间', '米未', '一苇', '澄然']
const words: Partial<Record<BrandRefuseCode, string>> = {
  trademark: '注册证照片与注册号不一致，请重新上传',
  chain: '缺少总代理到门店的授权书',
  expired: '授权已到期，请补交续期文件',
}
type New = typeof application.$inferInsert
type Merchant = typeof merchant.$inferSelect

const seedClasses = async (db: Db): Promise<void> => {
  for (const [name, of] of Object.entries(classes))
    for (const table of [shop_category, e_category])
      await db
        .update(table)
        .set({ trademark_classes: [...of] })
        .where(and(eq(table.name, name), eq(table.level, 1)))
}
/** Every brand has a trademark, of a class that covers its category. */
const seedTrademarks = (db: Db, now: number) =>
  db.execute(sql`
    update ${brand} b set trademark_no = (20000000 + b.id * 137)::text, trademark_end_at = ${now} + 86400 * (400 + b.id * 11),
      trademark_classes = coalesce((select r.trademark_classes from (select id, parent_id, trademark_classes from ${shop_category} union all select id, parent_id, trademark_classes from ${e_category}) c
        join (select id, trademark_classes from ${shop_category} union all select id, trademark_classes from ${e_category}) r on r.id = coalesce(c.parent_id, c.id) where c.id = b.category_id), '[]')
    where b.state <> 'merged'`)

/** What a merchant applies for: a brand of its own, one of another's, one that is there, one that is over. */
const applied = (
  random: Random,
  row: Merchant,
  at: number,
  { now, brands }: { now: number; brands: readonly (typeof brand.$inferSelect)[] },
): BrandBody => {
  const like = brands[at % brands.length]!
  const isOwn = at % 3 !== 1
  return {
    name:
      at % 4 === 2
        ? `${like.name}品牌`
        : `${fresh[at % fresh.length]!}${at < fresh.length ? '' : at}`,
    en_name: '',
    logo: `demo/goods-${(at % 14) + 1}.webp`,
    category_id: like.category_id,
    company: isOwn ? row.name : `${fresh[at % fresh.length]!}品牌管理有限公司`,
    trademark_no: String(random.int(30_000_000, 69_999_999)),
    trademark_classes: like.trademark_classes,
    trademark_end_at: at === 5 ? now - 20 * DAY : now + random.int(200, 3000) * DAY,
    trademark_image: licencePicture,
    chain: isOwn
      ? []
      : [
          { name: `${fresh[at % fresh.length]!}华东总代理有限公司`, image: licencePicture },
          { name: row.name, image: licencePicture },
        ],
    auth_end_at: isOwn ? null : now + random.int(20, 180) * DAY,
  }
}
const DECIDED = 9
const ASKED = 8
const HELD = 6
const AGAIN = 3
const auditorOf = (random: Random, { people }: World) =>
  random.pick(people.filter(person => person.role === 'auditor'))
const stateOf = (at: number): New['state'] => {
  if (at >= DECIDED) return 'rejected'
  if (at === ASKED) return 'need_more'
  return at === HELD ? 'claimed' : 'pending'
}
/** What a colleague decided of it, or that they hold it. */
const decision = (random: Random, at: number, submitted: number, world: World) => {
  const { now } = world
  const { id, name } = auditorOf(random, world)
  const state = stateOf(at)
  const isDone = state === 'rejected' || state === 'need_more'
  const code = random.pick(['trademark', 'chain', 'expired'] as const)
  const asked = state === 'need_more' ? '请补充商标注册证的清晰照片' : null
  return {
    state,
    claimed_by: state === 'claimed' ? id : null,
    claimer_name: state === 'claimed' ? name : null,
    claimed_at: state === 'claimed' ? now - 60 : null,
    claim_until: state === 'claimed' ? now + 240 : null,
    decided_by: isDone ? id : null,
    decider_name: isDone ? name : null,
    decided_at: isDone ? submitted + random.int(1, 20) * HOUR : null,
    reason_code: state === 'rejected' ? code : null,
    reason: state === 'rejected' ? words[code]! : asked,
  }
}
type Asked = { body: BrandBody; row: Merchant; at: number }
const rowOf = (random: Random, { body, row, at }: Asked, world: World): New => {
  const hours = at >= DECIDED ? random.int(50, 300) : random.int(1, 32)
  const submitted = world.now - hours * HOUR
  return {
    queue: 'brand',
    kind: 'brand',
    merchant_id: row.id,
    title: body.name,
    city_id: row.city_id,
    owner_id: row.bd_admin_id,
    snapshot: { brand: body },
    last_snapshot:
      at === AGAIN
        ? { brand: { ...body, trademark_no: '12345678', trademark_image: '', logo: '' } }
        : null,
    changed: [],
    flags: [],
    round: at === AGAIN ? 2 : 1,
    asked: [],
    submitted_at: submitted,
    submitted_by: null,
    sla_at: submitted + SLA_S,
    created_at: submitted,
    ...decision(random, at, submitted, world),
  }
}
const SOME = 14
const seedApplications = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now } = world
  await seedClasses(db)
  await seedTrademarks(db, now)
  const brands = await db.select().from(brand).where(eq(brand.state, 'on')).orderBy(asc(brand.id))
  const trading = await db
    .select()
    .from(merchant)
    .where(eq(merchant.status, 'active'))
    .orderBy(asc(merchant.id))
    .limit(SOME)
  const rows: New[] = []
  for (const [at, row] of trading.entries()) {
    const own = random.branch(`brand${row.id}`)
    const body = applied(own, row, at, { now, brands })
    const { found } = await judgeBrand(db, body, row, now)
    rows.push({
      ...rowOf(own, { body, row, at }, world),
      flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
    })
  }
  await insertRows(db, application, rows)
  await afterIds(db)
}
/** Whoever has a store or sells under a brand that needs leave has it, as long as the brand. */
const seedAuthorisations = async (db: Db, _: Random, { now }: World): Promise<void> => {
  await db.execute(sql`
    insert into ${brand_authorisation} (brand_id, merchant_id, start_at, end_at)
    select distinct b.id, u.merchant_id, ${now} - 86400 * 200, case when b.auth_end_at > ${now} - 86400 * 200 then b.auth_end_at end
    from ${brand} b join (select brand_id, merchant_id from store union select brand_id, merchant_id from product) u on u.brand_id = b.id
    where b.auth_category_ids is not null`)
}
export const demo: readonly DemoStep[] = [
  { place: 55, branch: 'brandApplications', run: seedApplications },
  { place: 86, branch: 'brandAuthorisations', run: seedAuthorisations },
]
