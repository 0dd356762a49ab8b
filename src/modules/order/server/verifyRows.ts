import { sql, type SQL } from 'drizzle-orm'
import { verify_record } from '#src/areas/code/code.table.ts'
import type { Redemption } from '#src/areas/code/redemption.server.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { VerifyRow, VerifySums } from '../contract/verify.ts'
import { dayOf, equalDays, togetherGroups, wrongStore } from './verifyWhere.ts'

const r = verify_record
type Told = {
  order_no: string
  member_id: number | null
  frozen: boolean
  code: string
  title: string
  store_name: string
  merchant_name: string
  city_name: string
  clerk: string | null
  person: string | null
  reverser: string | null
  wrong_store: boolean
  together: boolean
  equal_face: boolean
  group_id: number | null
  group_no: string
  role: 'leader' | 'member' | null
  group_cents: string
  single_cents: string
  vouchers: number
  faces: string
  bill_limit: number | null
}
/** Redemptions with what a list shows of them: one read for a page of any size. */
export const rowsOf = async (db: Db, records: readonly Redemption[]): Promise<VerifyRow[]> => {
  if (records.length === 0) return []
  const [{ kind }] = records as [Redemption]
  const times = records.map(one => one.verified_at)
  const { rows } = await db.execute<Told & { id: number }>(sql`
    select v.id, o.order_no, o.member_id, o.frozen, c.code, i.title, s.name store_name, m.name merchant_name, ct.city_name, vf.name clerk, a.name person, ra.name reverser, ${wrongStore(sql`v`)} wrong_store,
      ${kind === 'roll_buy' ? sql`o.roll_group_id in (${togetherGroups(sql`select x.roll_group_id from "order" x where x.id in ${records.map(one => one.order_id)}`)})` : sql`false`} together, ${kind === 'voucher' ? sql`(coalesce(v.verifier_id, -v.admin_id), ${dayOf(sql`v.verified_at`)}) in (${equalDays({ from: Math.min(...times), to: Math.max(...times) })})` : sql`false`} equal_face,
      g.id group_id, g.group_no, o.group_role as role, g.group_price_cents group_cents, g.single_price_cents single_cents, b.n vouchers, b.faces, (i.snapshot->>'per_bill_limit')::int bill_limit
    from verify_record v join "order" o on o.id = v.order_id join order_code c on c.id = v.code_id join order_item i on i.id = v.item_id join store s on s.id = v.store_id join merchant m on m.id = s.merchant_id join city ct on ct.id = v.city_id
      left join verifier vf on vf.id = v.verifier_id left join admin a on a.id = v.admin_id left join admin ra on ra.id = v.reversed_by left join roll_group g on g.id = o.roll_group_id
      left join lateral (select count(*)::int n, sum((bi.snapshot->>'face_cents')::bigint) faces from verify_record bv join order_item bi on bi.id = bv.item_id where v.bill_cents is not null and (bv.id = v.id or (bv.store_id = v.store_id and bv.bill_no = v.bill_no and ${dayOf(sql`bv.verified_at`)} = ${dayOf(sql`v.verified_at`)} and bv.state = 'valid'))) b on true
    where v.id in ${records.map(one => one.id)}`)
  const told = new Map(rows.map(row => [row.id, row]))
  return records.map(one => {
    const of = told.get(one.id)!
    return {
      id: one.id,
      order_id: one.order_id,
      order_no: of.order_no,
      member_id: of.member_id,
      code: of.code,
      title: of.title,
      store_id: one.store_id,
      store_name: of.store_name,
      merchant_name: of.merchant_name,
      city_name: of.city_name,
      by: of.person ?? of.clerk ?? '',
      way: one.way,
      times: one.times,
      pay_cents: one.pay_cents,
      platform_cents: one.platform_cents,
      commission_cents: one.commission_cents,
      settle_cents: one.settle_cents,
      state: one.state,
      settle_state: one.settle_state,
      frozen: of.frozen,
      distance_m: one.distance_m,
      abnormal: one.abnormal,
      abnormal_reason: one.abnormal_reason,
      flags: [
        ...((one.distance_m ?? 0) > FAR_M ? ['far' as const] : []),
        ...(of.wrong_store ? ['wrong_store' as const] : []),
        ...(one.abnormal ? ['abnormal' as const] : []),
        ...(of.together ? ['together' as const] : []),
        ...(of.equal_face ? ['equal_face' as const] : []),
      ],
      verified_at: one.verified_at,
      hold_until: one.hold_until,
      reversed_at: one.reversed_at,
      reversed_by: of.reverser,
      reverse_reason: one.reverse_reason,
      admin_id: one.admin_id,
      group:
        of.group_id === null
          ? null
          : {
              id: of.group_id,
              no: of.group_no,
              role: of.role,
              price_cents: Number(of.group_cents),
              single_cents: Number(of.single_cents),
            },
      bill:
        one.bill_cents === null
          ? null
          : {
              no: one.bill_no,
              cents: one.bill_cents,
              vouchers: of.vouchers,
              face_cents: Number(of.faces ?? 0),
              limit: of.bill_limit,
            },
      version: one.version,
    }
  })
}

/**
 * Sums over what matches: all of it, what was taken back as amounts below zero, and what stands.
 */
export const sumsOf = async (
  db: Db,
  where: SQL | undefined,
): Promise<{ all: VerifySums; reversed: VerifySums; net: VerifySums }> => {
  const rows = await db
    .select({
      state: r.state,
      rows: sql<number>`count(*)::int`,
      times: sql<number>`sum(${r.times})::int`,
      pay: sql<string>`sum(${r.pay_cents})`,
      platform: sql<string>`sum(${r.platform_cents})`,
      commission: sql<string>`sum(${r.commission_cents})`,
      settle: sql<string>`sum(${r.settle_cents})`,
    })
    .from(r)
    .where(where)
    .groupBy(r.state)
  const of = (state: 'valid' | 'reversed', sign: number) => {
    const one = rows.find(each => each.state === state)
    const n = (value: string | number | undefined) => Number(value ?? 0) * sign || 0
    return {
      rows: n(one?.rows),
      times: n(one?.times),
      pay_cents: n(one?.pay),
      platform_cents: n(one?.platform),
      commission_cents: n(one?.commission),
      settle_cents: n(one?.settle),
    }
  }
  const [net, reversed] = [of('valid', 1), of('reversed', -1)]
  return {
    all: Object.fromEntries(
      Object.keys(net).map(key => [
        key,
        net[key as keyof typeof net] - reversed[key as keyof typeof net],
      ]),
    ) as typeof net,
    reversed,
    net,
  }
}
