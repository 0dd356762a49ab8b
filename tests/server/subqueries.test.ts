// Run @embedded too: the statement has forms of its own.
/** What a list counts of each row in a subselect is counted of that row, and of no other. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { debtors } from '#src/areas/funds/ageing.server.ts'
import { level_hold, level_ladder } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { rulesOf } from '#src/areas/welcome/rules.server.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { sellersServer } from '#src/modules/distribution/server/index.ts'
import { codeServer } from '#src/modules/ecard/server/code.ts'
import { storeAddServer } from '#src/modules/shop/server/storeAdd.ts'
import { profileOf } from '#src/modules/shop/server/storeForms.ts'
import { shelfServer } from '#src/modules/stores/server/linkGoods.ts'
import { rulesServer } from '#src/modules/vip/server/rules.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../farm.ts'
import { addTeam } from '../help/distribution.ts'
import { freshMember } from '../help/members.ts'
import { freshMerchant } from '../help/merchants.ts'
import { freshShop } from '../help/shops.ts'

const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)
type Listed = { list: (Record<string, unknown> & { id: number })[] }
type Server = { handlers: Record<string, unknown> }
const asked = <T = Listed>(server: unknown, call: string, input: object) => {
  const handler = (server as Server).handlers[call] as (of: object, by: object) => Promise<T>
  return handler({ page: 1, pageSize: 200, ...input }, { db: database.db, staff, now })
}
/** A number or text of each row, by its id, as a plain statement answers it. */
const plainly = async (statement: SQL) => {
  const { rows } = await database.db.execute<{ id: number; is: unknown }>(statement)
  return new Map(rows.map(row => [row.id, row.is]))
}
const agree = (rows: Listed['list'], key: string, plain: ReadonlyMap<number, unknown>) => {
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(row => [row.id, row[key]])).toEqual(rows.map(row => [row.id, plain.get(row.id)]))
}

it('places left in a team', async () => {
  const { team } = await addTeam(database, 3, { member_limit: 10, name: '余位测试队' })
  const { list } = await asked(sellersServer, 'teamOptions', { keyword: '余位测试队' })
  expect(list).toEqual([expect.objectContaining({ id: team.id, left: 6 })])
})
it('codes that a card has left and has sold', async () => {
  const { list } = await asked(codeServer, 'cards', {})
  const of = (column: 'free_n' | 'sold_n') =>
    plainly(sql`select c.id, (select coalesce(sum(${sql.identifier(column)}), 0)::int
      from ecard_attr a where a.card_id = c.id) "is" from ecard c`)
  agree(list, 'free_n', await of('free_n'))
  agree(list, 'sold_n', await of('sold_n'))
})
it('the category above a category of stores', async () => {
  const { rows } = await database.db.execute<{ id: number }>(sql`
    with up as (insert into shop_category (level, name, commission_min_bp, commission_max_bp,
      floor_bp, need_licenses, product_kinds) values (1, '上级测试类目', 0, 5000, 1000, '[]', '[]')
      returning id)
    insert into shop_category (parent_id, level, name, commission_min_bp, commission_max_bp,
      floor_bp, need_licenses, product_kinds)
      select id, 2, '下级测试类目', 0, 5000, 1000, '[]', '[]' from up returning id`)
  const [{ id: category_id }] = rows as [{ id: number }]
  const { list } = await asked(storeAddServer, 'leaves', { keyword: '下级测试类目' })
  expect(list).toEqual([{ id: category_id, name: '上级测试类目 / 下级测试类目' }])
  const { store_id } = await freshMerchant(database)
  await database.db.update(store).set({ category_id }).where(eq(store.id, store_id))
  const [row] = await database.db.select().from(store).where(eq(store.id, store_id))
  const profile = await profileOf(database.db, row!, staff)
  expect(profile.category_name).toBe('上级测试类目 / 下级测试类目')
})
it('products that an online shop has on its shelf', async () => {
  const owner = await freshMerchant(database)
  const [own, other] = [await freshShop(database, owner), await freshShop(database, owner)]
  const goods = await database.db.select({ id: product.id }).from(product).limit(3)
  for (const { id } of goods)
    await database.db.execute(
      sql`insert into product_store (product_id, store_id) values (${id}, ${other.id})`,
    )
  const { list } = await asked(shelfServer, 'shops', { store_id: own.id, keyword: other.name })
  const plain = await plainly(sql`select s.id, (select count(*)::int from product_store ps
    where ps.store_id = s.id and ps.status = 'on') "is" from store s`)
  agree(list, 'goods_count', plain)
  expect(plain.get(other.id)).toBe(goods.length)
})
it('members whose level staff has set stay where they are when a ladder is tried', async () => {
  const [draft] = await database.db
    .select()
    .from(level_ladder)
    .orderBy(sql`(state = 'live') desc, id`)
    .limit(1)
  const [someone] = await database.db.select({ id: admin.id }).from(admin).limit(1)
  const tried = () =>
    asked<Record<'up' | 'same', number>>(rulesServer, 'simulate', { id: draft!.id })
  const before = await tried()
  const { id } = await freshMember(database, { growth: 1_000_000, level: 0 })
  expect((await tried()).up - before.up).toBe(1)
  await database.db.insert(level_hold).values({
    member_id: id,
    kind: 'manual',
    level: 0,
    until_at: now + 30 * DAY,
    back_level: 0,
    reason: '人工定级测试',
    operator_id: someone!.id,
  })
  const after = await tried()
  expect([after.up - before.up, after.same - before.same]).toEqual([0, 1])
  await database.db.delete(level_hold).where(eq(level_hold.member_id, id))
  await database.db.delete(member).where(eq(member.id, id))
})
it('departments that a welcome of a mall is for', async () => {
  const { rows } = await database.db.execute<{ mall_id: number }>(
    sql`select mall_id from wecom_department_mall group by mall_id order by mall_id limit 2`,
  )
  expect(rows).toHaveLength(2)
  for (const { mall_id } of rows)
    await database.db
      .insert(wecom_welcome)
      .values({ name: `商场欢迎语${mall_id}`, scope: 'department', mall_id, text: '欢迎' })
  const rules = (await rulesOf(database.db)).filter(rule => rule.mall_id !== null)
  const plain = await plainly(sql`select b.mall_id id, array_agg(b.department_id
    order by b.department_id) "is" from wecom_department_mall b group by 1`)
  expect(rules.length).toBeGreaterThan(1)
  for (const rule of rules)
    expect([rule.mall_id, rule.department_ids]).toEqual([
      rule.mall_id,
      plain.get(rule.mall_id!) ?? [],
    ])
})
it('when the debt of a merchant moved last', async () => {
  const { rows } = await database.db.execute<{ id: number }>(sql`
    select a.id from ledger_account a where a.kind = 'merchant_balance' and a.owner_id is not null
      and exists (select 1 from ledger_entry e where e.account_id = a.id)
      and not exists (select 1 from ledger_account d where d.kind = 'merchant_debt'
        and d.owner_id = a.owner_id) order by a.id limit 2`)
  // Accounts with entries stand for debts: entries are never written by hand.
  await database.pool.query(
    `update ledger_account set kind = 'merchant_debt', balance_cents = 500 where id = any($1)`,
    [rows.map(row => row.id)],
  )
  const list = await debtors(database.db, staff)
  const plain =
    await plainly(sql`select a.owner_id id, (select max(e.at)::float8 from ledger_entry e
    where e.account_id = a.id) "is" from ledger_account a where a.kind = 'merchant_debt'`)
  agree(list, 'since', plain)
})
