import { desc, eq } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { besideMember } from '#src/areas/member/side.server.ts'
import { vip_card, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { mark, readAnew, writeRemark } from '#src/areas/wecom/customerActs.server.ts'
import { pickFollows } from '#src/areas/wecom/customerFiles.server.ts'
import {
  addNote,
  chatsOfCustomer,
  customerShown,
  heldOwn,
  nextOf,
  ownFollow,
  relationsOf,
  timelineOf,
} from '#src/areas/wecom/customerLife.server.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import { receiversFor } from '#src/areas/wecom/receivers.server.ts'
import { transferRowsOf } from '#src/areas/wecom/transferRows.server.ts'
import { askTransfers, receiverOf } from '#src/areas/wecom/transfers.server.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { customerDetail as contract } from '../contract/weChatCustomerDetail.ts'

/** The membership of a member that ends last. */
const cardOf = async (db: Db, member_id: number) => {
  const [row] = await db
    .select({ name: vip_card.name, end_at: vip_subscription.end_at })
    .from(vip_subscription)
    .innerJoin(vip_card, eq(vip_card.id, vip_subscription.card_id))
    .where(eq(vip_subscription.member_id, member_id))
    .orderBy(desc(vip_subscription.end_at))
    .limit(1)
  return { card: row?.name ?? '', card_end_at: row?.end_at ?? null }
}
/** What the member of a customer has and bought; orders as far as the person sees their places. */
const standingOf = async (db: Db, staff: Staff, member_id: number) => {
  const [row] = await db.select().from(member).where(eq(member.id, member_id))
  const { orders, coupons, coupons_unused } = await besideMember(db, staff, row!)
  return { ...row!, ...(await cardOf(db, member_id)), orders, coupons, coupons_unused }
}

const handlers = {
  facts: async ({ id }, { db, staff, now }) => {
    const was = await customers.read(db, staff, id)
    const row = await customerShown(db, { staff, now }, was)
    const own = !row.others
    return {
      row,
      relations: await relationsOf(db, staff, id),
      chats: own ? await chatsOfCustomer(db, staff, was) : [],
      standing: own && was.member_id !== null ? await standingOf(db, staff, was.member_id) : null,
      next: own ? await nextOf(db, id, now) : null,
      transfers: await transferRowsOf(db, { customer_id: id }),
    }
  },
  timeline: async ({ id, page, pageSize }, { db, staff }) => {
    const customer = await customers.read(db, staff, id)
    return timelineOf(db, { staff, customer }, { page, pageSize })
  },
  follows: pickFollows,
  receivers: (of, { db, staff }) => receiversFor(db, staff, of),
  coupons: offeredCoupons,
  remark: async ({ follow_id, remark, ...one }, context) => {
    const was = await heldOwn(context, 'remark', one)
    await ownFollow(context, { customer_id: was.id, follow_id })
    await writeRemark(context, was, { follow_id, remark })
    return customers.set(context, was, {})
  },
  tag: async ({ follow_id, tag_ids, ...one }, context) => {
    const was = await heldOwn(context, 'tag', one)
    await ownFollow(context, { customer_id: was.id, follow_id })
    await mark(context, was, { follow_id, add: tag_ids })
    return customers.set(context, was, {})
  },
  transfer: async ({ follow_id, to_staff_id, notice, reason, ...one }, context) => {
    const was = await heldOwn(context, 'transfer', one)
    const { follow, adviser } = await ownFollow(context, { customer_id: was.id, follow_id })
    const to = await receiverOf(context, adviser, to_staff_id)
    const { failed } = await askTransfers(context, {
      from: adviser,
      to,
      follows: [follow],
      kind: adviser.status === 'left' ? 'resigned' : 'on_job',
      reason,
      notice,
    })
    const [why] = failed
    if (why) throw ruled(`transfer_${why.code}`, [why.msg, why.msg])
    customers.log(context, was, {
      before: { adviser: adviser.name },
      after: { to: to.name },
      reason,
    })
    context.changed('wecom_transfer')
    return customers.set(context, was, {})
  },
  grantCoupon: async ({ coupon_id, reason, ...one }, context) => {
    const was = await heldOwn(context, 'grantCoupon', one)
    const { tx, now, staff } = context
    const { coupon } = await claimCoupon(tx, {
      coupon_id,
      member_id: was.member_id!,
      qty: 1,
      kind: 'admin',
      now,
      by: { admin_id: staff.id, reason },
    })
    customers.log(context, was, { after: { coupon: coupon.name, quantity: 1 }, reason })
    return customers.set(context, was, {})
  },
  addFollow: async ({ content, next_at, ...one }, context) => {
    const was = await heldOwn(context, 'addFollow', one)
    await addNote(context, was, { content, next_at })
    return customers.set(context, was, {})
  },
  syncOne: async (one, context) => {
    const was = await heldOwn(context, 'syncOne', one)
    return readAnew(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const customerDetailServer = implement(contract, handlers)
