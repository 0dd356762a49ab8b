import { desc, eq, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import {
  askedExtension,
  extendMembership,
  paidFigures,
  reminderText,
  sendReminders,
} from '#src/areas/vipCard/paidMembers.server.ts'
import {
  countPaid,
  paidRecord as paid,
  paidWhere,
  shownPaid,
  type PaidWhere,
} from '#src/areas/vipCard/paidRows.server.ts'
import { pickPlans } from '#src/areas/vipCard/plans.server.ts'
import { vip_charge, vip_extension, vip_notice } from '#src/areas/vipCard/renewal.table.ts'
import { contractStates, EXTEND_ALONE, paidCan, type PaidVerb } from '#src/areas/vipCard/renewal.ts'
import {
  beginCharge,
  beginCharges,
  sendCharges,
  sendContracts,
  stopRenewal,
} from '#src/areas/vipCard/renewals.server.ts'
import { subscriptionStates } from '#src/areas/vipCard/subscription.ts'
import type { Subscription } from '#src/areas/vipCard/subscriptions.server.ts'
import {
  vip_card,
  vip_card_order,
  vip_subscription as s,
} from '#src/areas/vipCard/vipCard.table.ts'
import { vipOrderFacts } from '#src/areas/vipCard/vipFacts.server.ts'
import { giveBackPlan, purchasesOf, returnUnopened } from '#src/areas/vipCard/vipRefunds.server.ts'
import { joinedNames, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { paidMembers as contract } from '../contract/payment.ts'

type Calls = typeof contract
const of = {
  by: s.end_at,
  where: paidWhere,
  shown: (db: Db, rows: Subscription[], { now }: { now: number }) => shownPaid(db, rows, now),
}
const latest = listing(paid, { ...of, down: true })
/** Whoever ends first comes first among members of now: they are who is to be kept. */
const ending = listing(paid, of)
const HISTORY = 50

type One = { id: number; version?: number }
/** A membership as the person held it, with what decides over it now. Throws 422 where that can't be. */
const heldFor = async (context: WriteContext, verb: PaidVerb, { id, version }: One) => {
  const { tx, staff, now } = context
  const row =
    version === undefined
      ? await paid.read(tx, staff, id)
      : await paid.held(context, { id, version })
  const [shown] = await shownPaid(tx, [row], now)
  const may = paidCan(verb, shown!, { me: staff.id, now })
  if (may !== true) throw ruled(`paid_${verb}`, may)
  return { row, shown: shown! }
}
const answerOf = async ({ tx, staff }: WriteContext, id: number) => {
  const { version } = await paid.read(tx, staff, id)
  return { id, version }
}
/** Gives days at once, or above a year asks a second person. Answers whether it waits. */
const extendOne = async (
  context: WriteContext,
  row: Subscription,
  { days, reason }: { days: number; reason: string },
): Promise<boolean> => {
  const { tx, staff, now } = context
  if (days > EXTEND_ALONE) {
    const [made] = await tx
      .insert(vip_extension)
      .values({ subscription_id: row.id, days, reason, asker_id: staff.id })
      .onConflictDoNothing()
      .returning({ id: vip_extension.id })
    if (!made)
      throw ruled('paid_extend', ['有延期申请待复核', 'An extension waits for a second person'])
    await paid.set(context, row, {})
    paid.log(context, row, { before: null, after: { extension: 'asked', days }, reason })
    return true
  }
  const { end_at } = await extendMembership(tx, row, { days, now })
  paid.log(context, row, { before: { end_at: row.end_at }, after: { end_at, days }, reason })
  return false
}
const decide = async (
  context: WriteContext,
  one: { id: number; version: number },
  of: { verb: 'approveExtend' | 'rejectExtend'; reason: string },
): Promise<void> => {
  const { tx, staff, now } = context
  const { row } = await heldFor(context, of.verb, one)
  const asked = await askedExtension(tx, row.id)
  if (!asked) throw ruled(`paid_${of.verb}`, ['申请已处理', 'Somebody decided it by now'])
  const state = of.verb === 'approveExtend' ? ('given' as const) : ('refused' as const)
  await tx
    .update(vip_extension)
    .set({ state, decider_id: staff.id, decided_at: now, decide_reason: of.reason })
    .where(eq(vip_extension.id, asked.id))
  if (state === 'refused') await paid.set(context, row, {})
  const end_at =
    state === 'given'
      ? (await extendMembership(tx, row, { days: asked.days, now })).end_at
      : row.end_at
  paid.log(context, row, {
    before: { extension: 'asked', end_at: row.end_at },
    after: { extension: state, end_at, days: asked.days },
    reason: of.reason || asked.reason,
  })
}
/** Opens a refund of each purchase that money may go back for. Answers how many and how much. */
const leave = async (context: WriteContext, row: Subscription, reason: string) => {
  const { tx, staff, now, request_id } = context
  const purchases = await purchasesOf(tx, row.id)
  const facts = await vipOrderFacts(
    tx,
    purchases.map(one => one.id),
    now,
  )
  const giving = purchases.filter(one => facts.get(one.id)!.refundable.cents > 0)
  const made = []
  for (const one of giving)
    made.push(
      await giveBackPlan(tx, {
        vip_order_id: one.id,
        reason,
        leaving: true,
        actor: { type: 'staff', id: staff.id },
        by: { id: staff.id, limit_cents: staff.refund_limit_cents },
        idem_key: `${request_id}:${one.order_id}`,
        now,
      }),
    )
  return { made, amount_cents: made.reduce((all, one) => all + one.amount_cents, 0) }
}
const periodsOf = async (db: Db, id: number, now: number) => {
  const rows = await db
    .select()
    .from(vip_card_order)
    .where(eq(vip_card_order.subscription_id, id))
    .orderBy(desc(vip_card_order.id))
    .limit(HISTORY)
  const facts = await vipOrderFacts(
    db,
    rows.map(row => row.id),
    now,
  )
  return rows.map(row => ({ ...row, ...facts.get(row.id)! }))
}
const chargesOf = async (db: Db, id: number) =>
  (
    await db
      .select({ one: vip_charge, by: admin.name })
      .from(vip_charge)
      .leftJoin(admin, eq(admin.id, vip_charge.by_id))
      .where(eq(vip_charge.subscription_id, id))
      .orderBy(desc(vip_charge.id))
      .limit(HISTORY)
  ).map(({ one, by }) => ({ ...one, by: by ?? '', at: one.created_at }))
const extensionsOf = async (db: Db, id: number) =>
  (
    await db
      .select({
        one: vip_extension,
        asker: sql<string>`(select a.name from admin a where a.id = ${vip_extension.asker_id})`,
        decider: sql<string>`coalesce((select a.name from admin a where a.id = ${vip_extension.decider_id}), '')`,
      })
      .from(vip_extension)
      .where(eq(vip_extension.subscription_id, id))
      .orderBy(desc(vip_extension.id))
      .limit(HISTORY)
  ).map(({ one, ...who }) => ({ ...one, ...who, at: one.created_at }))
const remindersOf = async (db: Db, id: number) =>
  (
    await db
      .select({ one: vip_notice, by: admin.name })
      .from(vip_notice)
      .innerJoin(admin, eq(admin.id, vip_notice.admin_id))
      .where(eq(vip_notice.subscription_id, id))
      .orderBy(desc(vip_notice.id))
      .limit(HISTORY)
  ).map(({ one, by }) => ({ ...one, by, at: one.created_at }))

const handlers = {
  lst: async (input, context) => {
    const { status, page: _, pageSize: __, ...beside } = input
    const list = status === 'active' || status === 'grace' ? ending : latest
    return {
      ...(await list.page(input as never, context)),
      stat: await countPaid(context.db, list.where(beside as PaidWhere, context)),
    }
  },
  figures: (_, { db, staff, now }) =>
    paidFigures(
      db,
      within(staff.scope, { city: sql`(select m.city_id from member m where m.id = s.member_id)` }),
      now,
    ),
  history: async ({ id }, { db, staff, now }) => {
    await paid.read(db, staff, id)
    return {
      periods: await periodsOf(db, id, now),
      charges: await chargesOf(db, id),
      extensions: await extensionsOf(db, id),
      reminders: await remindersOf(db, id),
    }
  },
  plans: pickPlans,
  extend: async ({ days, reason, ...one }, context) => {
    const { row } = await heldFor(context, 'extend', one)
    const waits = await extendOne(context, row, { days, reason })
    return { ...(await answerOf(context, row.id)), waits }
  },
  approveExtend: async (one, context) => {
    await decide(context, one, { verb: 'approveExtend', reason: '' })
    return answerOf(context, one.id)
  },
  rejectExtend: async ({ reason, ...one }, context) => {
    await decide(context, one, { verb: 'rejectExtend', reason })
    return answerOf(context, one.id)
  },
  batchExtend: ({ ids, days, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const { row } = await heldFor(inside, 'extend', { id })
      await extendOne(inside, row, { days, reason })
    }),
  stopRenew: async ({ reason, ...one }, context) => {
    await heldFor(context, 'stopRenew', one)
    const row = await paid.heldFast(context, one)
    await stopRenewal(context.tx, row, { reason, now: context.now })
    paid.log(context, row, {
      before: { auto_renew: true },
      after: { auto_renew: false },
      reason,
    })
    return answerOf(context, row.id)
  },
  retryCharge: async (one, context) => {
    const { tx, staff, now, install } = context
    const { row } = await heldFor(context, 'retryCharge', one)
    const charge = await beginCharge(tx, row.id, {
      by: staff.id,
      now,
      channel: install.contracts.name,
    })
    if (!charge)
      throw ruled('paid_retryCharge', [
        '会员状态已变化，不能扣款，请刷新后查看',
        'It changed meanwhile and can’t be charged: look again',
      ])
    paid.log(context, row, { before: null, after: { charge_no: charge.out_no } })
    return { ...(await answerOf(context, row.id)), out_no: charge.out_no }
  },
  refundRemain: async ({ reason, ...one }, context) => {
    const { row } = await heldFor(context, 'refundRemain', one)
    const { made, amount_cents } = await leave(context, row, reason)
    if (made.length === 0) throw ruled('paid_refundRemain', ['没有可退金额', 'Nothing to refund'])
    const held = await paid.lock(context, row.id)
    if (held.auto_renew) await stopRenewal(context.tx, held, { reason, now: context.now })
    paid.log(context, row, {
      after: { refund_no: joinedNames(made.map(one => one.refund_no)), amount_cents },
      reason,
    })
    return { id: row.id, refunds: made.length, amount_cents }
  },
  sendRenewRemind: async ({ id }, context) => {
    const { tx, staff, now } = context
    // Two presses come one after the other: the second finds the first one's reminder.
    await paid.lock(context, id)
    const { row } = await heldFor(context, 'sendRenewRemind', { id })
    const [plan] = await tx.select().from(vip_card).where(eq(vip_card.id, row.card_id))
    const text = reminderText(row, { plan: plan!.name, now })
    await tx.insert(vip_notice).values({
      subscription_id: id,
      member_id: row.member_id,
      text,
      admin_id: staff.id,
      created_at: now,
      updated_at: now,
    })
    paid.log(context, row, { before: null, after: { reminder: 'queued' } })
    return { id, text }
  },
  export: exporting(latest, {
    page: 'vip.payment',
    title: ['付费会员', 'Paid members'],
    permit: contract.export.permit,
    columns: [
      { key: 'uid', title: ['会员号', 'Member no.'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'card_name', title: ['卡种', 'Plan'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['到期', 'Until'], kind: 'time' },
      { key: 'auto_renew', title: ['自动续费', 'Auto-renews'] },
      { key: 'contract', title: ['签约', 'Contract'] },
      { key: 'next_charge_at', title: ['下次扣款', 'Next charge'], kind: 'time' },
      { key: 'charge_error', title: ['最近扣款失败', 'Last failed charge'] },
      { key: 'paid_cents', title: ['累计实付', 'Paid'], kind: 'money' },
      { key: 'saved_cents', title: ['累计节省', 'Saved'], kind: 'money' },
    ],
    words: ({ keyword, status, auto_renew, failing, card_id }: PaidWhere, lang) => [
      status && say(subscriptionStates[status], lang),
      auto_renew &&
        say(
          auto_renew === 'on' ? ['自动续费', 'Auto-renews'] : ['不自动续费', 'No auto-renewal'],
          lang,
        ),
      failing && say(['扣款失败', 'Charge failed'], lang),
      card_id !== undefined && `#${card_id}`,
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      status: say(subscriptionStates[row.status], lang),
      auto_renew: say(row.auto_renew ? ['是', 'Yes'] : ['否', 'No'], lang),
      contract: row.contract === null ? '' : say(contractStates[row.contract], lang),
    }),
  }),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const paidServer = implement(contract, handlers)

/**
 * Renewals: contracts that were signed or are to end, what is due, and what the channel says of it.
 * As soon as somebody asks, and by the minute.
 */
defineTimer(
  'vip.renew',
  '* * * * *',
  async ({ database, install, now }) => {
    const { contracts } = install
    const moved =
      (await sendContracts(database, contracts, now)) +
      (await beginCharges(database, { now, channel: contracts.name })) +
      (await sendCharges(database, contracts, now)) +
      (await database.transaction(tx => returnUnopened(tx, now)))
    return moved > 0 ? ['vip_subscription', 'vip_card_order', 'order', 'refund'] : []
  },
  ['vip_charge', 'vip_contract'],
)
defineTimer('vip.reminders', '* * * * *', async ({ database, install, now }) =>
  (await sendReminders(database.db, install, now)) > 0 ? ['vip_notice', 'vip_subscription'] : [],
)
