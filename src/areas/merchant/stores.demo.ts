import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'

/** Where shops of each city send from. */
const warehouses = [
  ['上海市', '浦东新区'],
  ['浙江省杭州市', '余杭区'],
  ['江苏省南京市', '江宁区'],
  ['江苏省苏州市', '吴中区'],
  ['四川省成都市', '双流区'],
  ['广东省深圳市', '宝安区'],
  ['湖北省武汉市', '江夏区'],
  ['湖南省长沙市', '岳麓区'],
  ['陕西省西安市', '雁塔区'],
] as const
/**
 * Shops that ship goods: where from, by which template, where to they are sent back. Three more
 * stand beside those that trade: one that rests and can be opened, one in audit, one that the first
 * person drafts.
 */
const seedShops = async (db: Db, now: number): Promise<void> => {
  for (const [at, [city, district]] of warehouses.entries()) {
    const theirs = sql`from merchant m where m.city_id = ${at + 1} and m.id =`
    await db.execute(
      sql`update return_address a set area = ${city + district} ${theirs} a.merchant_id`,
    )
    await db.execute(
      sql`update store s set ship_area = ${city} ${theirs} s.merchant_id and s.kind = 'online'`,
    )
  }
  await db.execute(sql`
    update store s set shop_type = 'flagship', category_ids = jsonb_build_array(s.category_id), invoice = case when s.id % 3 = 0 then 'special' else 'plain' end, sort = s.id % 7 * 10, address = '',
      logo = (select coalesce(min(p.images->>0), '') from product p where p.store_ids->0 = to_jsonb(s.id)), return_address_id = (select min(a.id) from return_address a where a.merchant_id = s.merchant_id),
      freight_template_id = (select min(f.id) from freight_template f where f.mode = 'piece' and (f.merchant_id = s.merchant_id or f.merchant_id is null)) where s.kind = 'online'`)
  const more = [
    ['resting', '仓配店', '系统维护'],
    ['auditing', '特卖店', null],
    ['draft', '新品店', null],
  ] as const
  for (const [status, tail, why] of more)
    await db.execute(sql`
      insert into store (id, store_no, kind, merchant_id, brand_id, category_id, name, city_id, address, phone, open_hours, avg_price_cents, logo, status, status_reason, shop_type, category_ids, ship_area, freight_template_id, return_address_id, invoice, draft_by, created_at, updated_at)
      select n.id, 'S' || (200000 + n.id), 'online', s.merchant_id, s.brand_id, s.category_id, left(s.name, 30) || ${tail}, s.city_id, '', s.phone, '09:00-21:00', 0, s.logo, ${status}, ${why}, 'flagship', s.category_ids, s.ship_area, s.freight_template_id, s.return_address_id, s.invoice, ${status === 'draft' ? sql`(select min(id) from admin)` : null}::int, ${now - DAY}, ${now - 3600}
      from (select s.* from store s join merchant m on m.id = s.merchant_id where s.kind = 'online' and s.status = 'open' and m.status = 'active' and s.return_address_id is not null order by exists (select 1 from product p where p.state = 'on_sale' and p.store_ids->0 = to_jsonb(s.id)) desc, s.id limit 1) s, (select max(id) + 1 id from store) n`)
  await db.execute(sql`
    insert into product_store (id, product_id, store_id, created_at, updated_at) select (select max(id) + 1 from product_store), ps.product_id, s.id, ${now}, ${now} from store s join store o on o.merchant_id = s.merchant_id and o.status = 'open' join product_store ps on ps.store_id = o.id join product p on p.id = ps.product_id and p.state = 'on_sale' where s.kind = 'online' and s.status_reason = '系统维护' order by ps.product_id limit 1`)
  await afterIds(db)
}

/** Stores as they are kept: one open store a door, and nothing on sale that no open store takes. */
const step: DemoStep = {
  place: 85,
  branch: 'stores',
  run: async (db, _, { now }) => {
    await seedShops(db, now)
    await db.execute(sql`
      update store s set door_no = d.door_no || '-' || d.n from (select id, door_no, row_number() over (partition by floor_id, door_no order by id) n from store where floor_id is not null and door_no is not null) d where d.id = s.id and d.n > 1`)
    await db.execute(
      sql`update store s set brand_id = b.id from merchant m, brand b where m.id = s.merchant_id and s.kind = 'offline' and s.brand_id is null and s.id % 40 <> 4 and b.category_id = s.category_id and position(b.name in m.name) > 0`,
    )
    await db.execute(
      sql`update store set is_recommend = true where kind = 'offline' and status = 'open' and id % 23 = 5`,
    )
    await db.execute(
      sql`update store set rest_until_at = ${now} + 86400 * (2 + id % 20) where status = 'resting' and id % 3 > 0`,
    )
    await db.execute(sql`
      update product p set state = 'off_sale', off_reason = '没有营业中的适用门店', taken_off = array['no_open_store']
      where p.state = 'on_sale' and exists (select 1 from product_store ps where ps.product_id = p.id) and not exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open')`)
    await db.execute(sql`
      update product_store ps set sort = o.n from (select id, row_number() over (partition by store_id order by id) n from product_store) o where o.id = ps.id`)
  },
}
export const demo: readonly DemoStep[] = [step]
