/** Keeps with the items of a new order who sold them, and at what rates. */
import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { sellersOf, type BoundSeller, type DistributedGoods, type Distribution } from './selling.ts'

type Row = DistributedGoods & { item_id: number; bound: BoundSeller[] }
/**
 * The distributed goods of an order with the bindings of its buyer that stand, in one statement that
 * begins with the bindings: a buyer who has none costs one look into an index.
 */
const soldGoods = async (
  tx: Db,
  of: { order_id: number; member_id: number; now: number },
): Promise<Row[]> => {
  const { order_id, member_id, now } = of
  const { rows } = await tx.execute<Row>(sql`
    with bound as materialized (
      select b.id binding_id, b.role, d.id, d.status = 'active' and not d.quitting active, d.member_id, d.level_no, d.plus_bp, d.rate_bp, s.merchant_id,
        case when g.id is not null then jsonb_build_object('group_id', g.id, 'leader_bp', g.leader_bp, 'leader', case when l.id is not null then jsonb_build_object('id', l.id, 'member_id', l.member_id) end) end team,
        case when st.id is not null then jsonb_build_object('id', st.id, 'rate_bp', st.rate_bp, 'product_ids', st.product_ids, 'rival_ids', coalesce(ma.rival_ids, '[]')) end store
      from dist_binding b join distributor d on d.id = b.distributor_id
        left join store s on s.id = d.store_id
        left join mall ma on ma.id = s.mall_id
        left join dist_group_member m on m.distributor_id = d.id and m.start_at <= ${now} and (m.end_at is null or m.end_at > ${now})
        left join dist_group g on g.id = m.group_id and g.status = 'active'
        left join dist_group_member lm on lm.group_id = g.id and lm.is_leader and lm.start_at <= ${now} and (lm.end_at is null or lm.end_at > ${now})
        left join distributor l on l.id = lm.distributor_id and l.status = 'active' and l.id <> d.id
        left join distributor st on st.kind = 'store' and st.store_id = d.store_id and st.status = 'active' and not st.paused
      where b.member_id = ${member_id} and b.status = 'active' and b.bind_at <= ${now} and b.expire_at > ${now})
    select i.id item_id, i.product_id, s.merchant_id, p.commission_kind, p.rate_bp, p.fixed_cents::int fixed_cents, p.level_plus, p.leader_bp, p.guide_bp, p.waiver <> '' waived, jsonb_agg(to_jsonb(bound)) bound
    from bound cross join order_item i join store s on s.id = i.store_id
      join dist_product p on p.ref_kind = 'product' and p.ref_id = i.product_id and p.status = 'on' and p.start_at <= ${now} and (p.end_at is null or p.end_at > ${now})
    where i.order_id = ${order_id} group by i.id, s.merchant_id, p.id order by i.id`)
  return rows
}
/**
 * Writes into the items of a new order who sold them and at what rates, where somebody earns of them
 * (`sellersOf`). Goods that are sold at another price pay all the same.
 */
export const keepSellers = async (
  tx: Db,
  of: { id: number; member_id: number | null },
  now: number,
): Promise<void> => {
  if (of.member_id === null) return
  const goods = await soldGoods(tx, { order_id: of.id, member_id: of.member_id, now })
  const kept = goods.flatMap(({ item_id, bound, ...one }): [number, Distribution][] => {
    const sold = sellersOf(one, bound, of.member_id!)
    return sold ? [[item_id, sold]] : []
  })
  await writeKept(tx, kept)
}
/** Writes who sold items, by their ids. */
export const writeKept = async (
  tx: Db,
  kept: readonly (readonly [number, Distribution])[],
): Promise<void> => {
  if (kept.length === 0) return
  const rows = JSON.stringify(kept.map(([id, sold]) => ({ id, sold })))
  await tx.execute(
    sql`update order_item i set snapshot = jsonb_set(i.snapshot, '{distribution}', v.sold) from jsonb_to_recordset(${rows}::jsonb) v(id int, sold jsonb) where i.id = v.id`,
  )
}
