import { sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { dist_binding_ask } from './binding.table.ts'
import { DISPUTE_S, type BindingAskState } from './binding.ts'

/** Experts and guides whose bindings of one customer began within an hour. */
const nameRivals = (db: Db) =>
  db.execute(sql`
    update dist_binding b set rival_id = o.id from dist_binding o
    where o.member_id = b.member_id and o.role <> b.role and b.status = 'active' and o.status = 'active'
      and abs(o.bind_at - b.bind_at) <= ${DISPUTE_S}`)
/** Some friends in WeCom are lost since some days. */
const loseFriends = (db: Db, now: number) =>
  db.execute(sql`
    update dist_binding set friend_lost_at = ${now} - (1 + id % 5) * ${DAY}
    where status = 'active' and source = 'wecom' and id % 30 = 7`)

/** Pauses one of the stores that sell for others. */
const pauseOne = (db: Db) =>
  db.execute(sql`
    update distributor set paused = true, reason = '门店盘点，申请暂停' where id = (
      select d.id from distributor d join store s on s.id = d.store_id
      where d.kind = 'store' and d.status = 'active' and s.status = 'open' order by d.id desc limit 1)`)

const whys = ['客户投诉原达人长期不联系', '达人换城市，客户由同城达人承接', '客户指定更换']
const stateOf = (n: number): BindingAskState => {
  if (n % 4 === 0) return 'rejected'
  return n % 4 === 1 ? 'lapsed' : 'pending'
}
/** Transfers within the protection time: most of them wait for a second person. */
const askTransfers = async (db: Db, random: Random, { now, scale, people }: World) => {
  const { rows } = await db.execute<{
    id: number
    to_id: number
    city_id: number
    mall_id: number
  }>(sql`
    select b.id, b.city_id, b.mall_id, d.id to_id from dist_binding b
      cross join lateral (select d.id from distributor d where d.kind = 'expert' and d.status = 'active'
        and d.id <> b.distributor_id and d.member_id <> b.member_id order by (d.id * 31 + b.id) % 97, d.id limit 1) d
    where b.role = 'expert' and b.status = 'active' and b.protect_until > ${now + 3 * DAY} order by b.id limit ${sized(24, scale, 6)}`)
  const makers = people.slice(1, 5)
  await insertRows(
    db,
    dist_binding_ask,
    rows.map((row, n) => {
      const state = stateOf(n)
      const asked = now - random.int(2, 60) * HOUR
      const maker = makers[n % makers.length]!
      return {
        binding_id: row.id,
        to_id: row.to_id,
        city_id: row.city_id,
        mall_id: row.mall_id,
        reason: whys[n % whys.length]!,
        maker_id: maker.id,
        checker_id: state === 'rejected' ? people[0]!.id : null,
        state,
        decided_at: state === 'rejected' ? asked + HOUR : null,
        reject_reason: state === 'rejected' ? '客户未确认，仍由原达人服务' : '',
        created_at: asked,
      }
    }),
  )
}
const seed = async (db: Db, random: Random, world: World): Promise<void> => {
  await nameRivals(db)
  await loseFriends(db, world.now)
  await pauseOne(db)
  await askTransfers(db, random, world)
}
/** After the sellers and their customers (94). */
export const demo: readonly DemoStep[] = [
  { place: 95, branch: 'bindings', title: '客户绑定 / bindings', run: seed },
]
