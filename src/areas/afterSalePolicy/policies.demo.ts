import { eq, sql } from 'drizzle-orm'
import { e_category } from '#src/areas/merchant/merchant.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { after_sale_config, after_sale_reason } from './afterSalePolicy.table.ts'
import { DEFAULT_CATEGORY, policyAtFirst, type PolicyFields } from './policy.ts'

/** Categories with a policy of their own; their children follow them. */
const own: readonly (readonly [name: string, reason: string, fields: Partial<PolicyFields>])[] = [
  ['数码家电', '拆封后影响二次销售，补充凭证要求', { evidence_photos: 3, late_day_bp: 100 }],
  ['服饰内衣', '换季退货多，延长退货期', { no_reason_days: 15, freight_payer: 'merchant' }],
  ['内衣家居', '贴身衣物不适用七天无理由', { no_reason_days: 0, exempt: true }],
  ['母婴玩具', '会员日承诺延长退货期', { no_reason_days: 15, freight_payer: 'by_fault' }],
  ['图书文具', '客单价低，放宽自动同意', { auto_agree_cents: 300_00 }],
  ['鞋靴箱包', '尺码问题退货由商家承担运费', { freight_payer: 'merchant' }],
  ['宠物生活', '活体与处方粮售后须快速响应', { merchant_h: 24, platform_h: 72 }],
  ['医疗器械', '拆封后不支持无理由退货', { no_reason_days: 0, exempt: true, evidence_photos: 2 }],
]
const seedPolicies = async (db: Db, now: number): Promise<void> => {
  const at = (days: number) => ({
    effective_at: now - days * DAY,
    created_at: now - days * DAY,
    by_admin: 1,
  })
  // The first version came with the tables; another followed it.
  await db
    .update(after_sale_config)
    .set({ state: 'old' })
    .where(eq(after_sale_config.category_id, DEFAULT_CATEGORY))
  const usual = { ...policyAtFirst, late_day_bp: 200, late_max_cents: 50_00 }
  await db.insert(after_sale_config).values({
    ...usual,
    ...at(90),
    category_id: DEFAULT_CATEGORY,
    version_no: 2,
    reason: '逾期发货按天赔付，上限 50 元',
    state: 'current',
  })
  for (const [place, [name, reason, fields]] of own.entries()) {
    const [category] = await db
      .select({ id: e_category.id })
      .from(e_category)
      .where(eq(e_category.name, name))
      .orderBy(e_category.level)
      .limit(1)
    if (!category) continue
    const category_id = category.id
    if (place % 2 === 0)
      await db.insert(after_sale_config).values({
        ...usual,
        ...at(80 - place),
        category_id,
        version_no: 1,
        reason: '分类单独设置',
        state: 'old',
      })
    await db.insert(after_sale_config).values({
      ...usual,
      ...fields,
      ...at(60 - place),
      category_id,
      version_no: place % 2 === 0 ? 2 : 1,
      reason,
      state: 'current',
    })
  }
  // A reason that is switched off stays for the cases that name it.
  await db
    .update(after_sale_reason)
    .set({ status: 'off' })
    .where(eq(after_sale_reason.code, 'no_slot'))
}
/** Some merchants take goods back in a second warehouse too. */
const secondAddresses = (db: Db) =>
  db.execute(
    sql`insert into return_address (id, merchant_id, name, phone, area, address, created_at) select (select max(id) from return_address) + row_number() over (order by id), merchant_id, name, phone, area, '退货中心二号门', created_at from return_address where id % 3 = 0`,
  )
/** What was sold under the versions in force keeps them, with their days. */
const keepVersions = (db: Db) =>
  db.execute(sql`
    with recursive up as (select c.id leaf, c.id, c.parent_id, 0 depth from e_category c union all select up.leaf, c.id, c.parent_id, up.depth + 1 from up join e_category c on c.id = up.parent_id),
    own as (select distinct on (up.leaf) up.leaf, v.id from up join after_sale_config v on v.category_id = up.id and v.state = 'current' order by up.leaf, up.depth)
    update order_item i set policy_id = p.id, snapshot = i.snapshot || jsonb_build_object('after_sale_days', p.no_reason_days)
    from product g left join own on own.leaf = g.category_id, after_sale_config p
    where g.id = i.product_id and i.kind in ('elist', 'raise', 'points') and p.state = 'current' and p.effective_at <= i.created_at
      and case when own.id is null then p.category_id = ${DEFAULT_CATEGORY} else p.id = own.id end`)

export const demo: readonly DemoStep[] = [
  {
    place: 62,
    branch: 'after-sale-policies',
    run: async (db, _, { now }) => {
      await seedPolicies(db, now)
      await keepVersions(db)
      await secondAddresses(db)
    },
  },
]
