import { and, asc, eq, ilike, sql } from 'drizzle-orm'
import { dist_commission, dist_product } from '#src/areas/commission/commission.table.ts'
import { commissionRoles, commissionStates } from '#src/areas/commission/commission.ts'
import { askAdjust, decideAdjust } from '#src/areas/distribution/adjusting.server.ts'
import { posterOf } from '#src/areas/distribution/poster.server.ts'
import {
  careerOf,
  commissionByState,
  moneyHistory,
  phoneIsTaken,
  riskSigns,
  topProducts,
  trendOf,
} from '#src/areas/distribution/sellerFigures.server.ts'
import { shownSellers } from '#src/areas/distribution/sellerRows.server.ts'
import { heldSeller, refuseOwn, sellers } from '#src/areas/distribution/sellers.server.ts'
import { sells } from '#src/areas/distribution/sellers.ts'
import { member } from '#src/areas/member/member.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { expertDetail as contract } from '../contract/expertDetail.ts'

/** What is distributed now, of the products on sale. */
const promoted = and(
  eq(dist_product.ref_kind, 'product'),
  eq(dist_product.status, 'on'),
  eq(product.state, 'on_sale'),
)
const t = dist_commission
const earned = listing(
  record(t, {
    object: 'dist_commission',
    label: row => row.commission_no,
    keys: [],
    places: { city: t.city_id, mall: t.mall_id },
  }),
  {
    by: t.id,
    where: ({ id }: { id: number }) => eq(t.distributor_id, id),
    shown: async (_, rows) => rows,
  },
)

const handlers = {
  detail: async ({ id }, { db, staff, now }) => {
    const row = await sellers.read(db, staff, id)
    const [shown] = await shownSellers(db, [row], now)
    const [who] = row.member_id
      ? await db.select({ name: member.nickname }).from(member).where(eq(member.id, row.member_id))
      : []
    const [adjusted] = await db
      .select({ cents: sql<string>`coalesce(sum(${t.amount_cents}), 0)` })
      .from(t)
      .where(and(eq(t.distributor_id, id), eq(t.role, 'adjust')))
    return {
      row: shown!,
      id_no: row.id_no,
      member_name: who?.name ?? '',
      states: await commissionByState(db, id),
      adjusted_cents: Number(adjusted!.cents),
      risks: await riskSigns(db, row, now),
      ...(await moneyHistory(db, id)),
      ...(await careerOf(db, id)),
    }
  },
  trend: async ({ id, by }, { db, staff, now }) => {
    await sellers.read(db, staff, id)
    return {
      points: await trendOf(db, { distributor_id: id }, { by, now }),
      products: await topProducts(db, { distributor_id: id }, now),
    }
  },
  products: async ({ page, pageSize, keyword }, { db, staff }) => {
    const mine = within(staff.scope, { city: dist_product.city_id, mall: dist_product.mall_id })
    const where = and(promoted, mine, keyword ? ilike(product.title, like(keyword)) : undefined)
    const list = await db
      .select({ id: product.id, title: product.title })
      .from(product)
      .innerJoin(dist_product, eq(dist_product.ref_id, product.id))
      .where(where)
      .orderBy(asc(product.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const { total } = await countOf(
      db,
      product,
      sql`exists (select 1 from ${dist_product} where ${dist_product.ref_id} = ${product.id} and ${where})`,
    )
    return { list, total }
  },
  adjustCommission: ({ amount_cents, reason, ...one }, context) =>
    askAdjust(context, one, { amount_cents, reason }),
  approveAdjust: (one, context) => decideAdjust(context, one, { state: 'posted' }),
  rejectAdjust: ({ reason, ...one }, context) =>
    decideAdjust(context, one, { state: 'rejected', reject_reason: reason }),
  changePhone: async ({ phone: typed, reason, ...one }, context) => {
    const was = await heldSeller(context, 'change', one)
    await refuseOwn(context, was)
    const phone = mobileOf(typed)!
    const refused = (zh: string, en: string) =>
      ruled('phone_taken', [zh, en], {}, { fields: { phone: [zh, en] } })
    if (phone === was.phone) throw refused('与现有手机号相同', 'It is the present one')
    if (await phoneIsTaken(context.tx, was, phone))
      throw refused('已有其他分销员使用该手机号', 'Another seller has it')
    return sellers.save(context, was, { phone }, reason)
  },
  genPoster: async ({ id, product_id }, context) => {
    const { tx, staff } = context
    const row = await sellers.read(tx, staff, id)
    if (!sells(row))
      throw ruled('wrong_state', [
        '只有正常的分销员可以生成海报',
        'Only an active seller has posters',
      ])
    const [goods] = await tx
      .select({ title: product.title, price_cents: product.price_cents })
      .from(product)
      .innerJoin(dist_product, eq(dist_product.ref_id, product.id))
      .where(and(eq(product.id, product_id), promoted))
    if (!goods) throw missing()
    const link = `/pages/product/detail?id=${product_id}&seller=${row.invite_code}`
    sellers.log(context, row, { after: { poster_of: product_id } })
    return {
      name: `${row.name}-${goods.title}.svg`,
      svg: await posterOf({
        title: goods.title,
        price: yuan(goods.price_cents),
        seller: row.name,
        link,
      }),
      link,
    }
  },
  export: exporting(earned, {
    page: 'distribution.index.expertDetail',
    title: ['业绩明细', 'Commission'],
    permit: contract.export.permit,
    columns: [
      { key: 'commission_no', title: ['佣金编号', 'Number'] },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'role', title: ['角色', 'Role'] },
      { key: 'base_cents', title: ['计佣基数', 'Base'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'amount_cents', title: ['佣金', 'Commission'], kind: 'money' },
      { key: 'reversed_cents', title: ['已冲回', 'Reversed'], kind: 'money' },
      { key: 'paid_at', title: ['支付时间', 'Paid'], kind: 'time' },
      { key: 'settled_at', title: ['结算时间', 'Settled'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'reason', title: ['原因', 'Reason'] },
    ],
    words: ({ id }) => [`#${id}`],
    cells: (row, { lang }) => ({
      ...row,
      role: say(commissionRoles[row.role], lang),
      status: say(commissionStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const expertDetailServer = implement(contract, handlers)
