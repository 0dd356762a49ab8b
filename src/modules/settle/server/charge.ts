import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { chargePage as page } from '#commands/pages/settle.ts'
import {
  chargeRecord as rows,
  chargesWhere,
  shownCharges,
  type ChargeFilters,
} from '#src/areas/fund/chargeRows.server.ts'
import {
  approveCharge,
  createCharge,
  refundDeposit,
  rejectCharge,
  remindCharge,
  reverseCharge,
  standingOf,
  type Charge,
  type ChargeStep,
} from '#src/areas/fund/charges.server.ts'
import { fund_charge } from '#src/areas/fund/fund.table.ts'
import {
  chargeChannels,
  chargeDirections,
  chargeKinds,
  chargeOwners,
  chargeStates,
  debtPart,
  type ChargeOwner,
} from '#src/areas/fund/fund.ts'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { pickMerchants } from '#src/areas/merchant/merchantPicks.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { difference } from '#src/server/call/versions.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import { charges as contract } from '../contract/charge.ts'
import { importHandlers } from './chargeImport.ts'

type Calls = typeof contract
type One = { id: number; version: number }
const told = ['status', 'debt_cents', 'checker_id', 'reversed_by', 'reminded_at'] as const
/** A step of its life as a call makes it, with its line in the log. */
const doing = async (
  context: WriteContext,
  one: One,
  run: (tx: Db, of: ChargeStep) => Promise<{ was: Charge; after: Charge }>,
  reason?: string,
) => {
  const { tx, staff, now } = context
  await rows.read(tx, staff, one.id)
  const { was, after } = await run(tx, { ...one, by: { id: staff.id }, now })
  rows.log(context, after, { ...difference(was, after, told), ...(reason && { reason }) })
  return after
}
/** A charge that was written down, in the log. */
const noted = (context: WriteContext, made: Charge) => {
  rows.log(context, made, {
    before: null,
    after: {
      kind: made.kind,
      amount_cents: made.amount_cents,
      bank_flow_no: made.bank_flow_no,
      memo: made.memo,
    },
  })
  return made
}
/** What some owners have and owe now. */
const balancesOf = async (db: Db, kind: ChargeOwner, ids: readonly number[]) => {
  const found =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(ledger_account)
          .where(
            and(eq(ledger_account.owner_kind, kind), inArray(ledger_account.owner_id, [...ids])),
          )
  const of = (id: number, account: string) =>
    found.find(one => one.owner_id === id && one.kind === account)?.balance_cents ?? 0
  return (id: number) => ({
    has_cents: 0 - of(id, kind === 'mall' ? 'mall_fund' : 'merchant_balance'),
    owes_cents: of(id, 'merchant_debt'),
  })
}
/** An owner that the person sees; 404 of any other. */
const seen = async ({ tx, staff }: WriteContext, kind: 'merchant' | 'mall', id: number) => {
  const found =
    kind === 'mall'
      ? await tx
          .select({ id: mall.id })
          .from(mall)
          .where(and(eq(mall.id, id), within(staff.scope, { city: mall.city_id, mall: mall.id })))
      : await tx
          .select({ id: merchant.id })
          .from(merchant)
          .where(
            and(
              eq(merchant.id, id),
              within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
            ),
          )
  if (found.length === 0) throw missing()
}

const handlers = {
  ...importHandlers,
  lst: async ({ page: at, pageSize, ...filters }, { db, staff }) => {
    const { status: _, ...others } = filters
    const where = and(rows.seen(staff), chargesWhere(filters))
    const found = await pageOf(db, fund_charge, {
      where,
      by: fund_charge.created_at,
      down: filters.status !== 'pending',
      page: at,
      pageSize,
      reader: `${staff.id}|fund_charge|${JSON.stringify(filters)}`,
    })
    const counted = await db
      .select({ status: fund_charge.status, n: sql<number>`count(*)::int` })
      .from(fund_charge)
      .where(and(rows.seen(staff), chargesWhere(others)))
      .groupBy(fund_charge.status)
    return {
      ...(await listed({ page: at, pageSize }, found, shownCharges(db, found), () =>
        countOf(db, fund_charge, where),
      )),
      stat: Object.fromEntries(counted.map(one => [one.status, one.n])),
    }
  },
  merchants: async (asked, { db, staff }) => {
    const { list, ...counted } = await pickMerchants({ db, staff }, asked)
    const of = await balancesOf(
      db,
      'merchant',
      list.map(one => one.id),
    )
    return { list: list.map(one => ({ ...one, ...of(one.id) })), ...counted }
  },
  malls: async ({ keyword, page: at, pageSize }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: mall.city_id, mall: mall.id }),
      holding(keyword, [mall.name], mall.id),
    )
    const found = await db
      .select({ id: mall.id, name: mall.name })
      .from(mall)
      .where(where)
      .orderBy(asc(mall.id))
      .limit(pageSize)
      .offset((at - 1) * pageSize)
    const of = await balancesOf(
      db,
      'mall',
      found.map(one => one.id),
    )
    return {
      list: found.map(one => ({ ...one, ...of(one.id) })),
      ...(await countOf(db, mall, where)),
    }
  },
  createIn: async (of, context) => {
    await seen(context, of.owner_kind, of.owner_id)
    const { now, staff, tx } = context
    return noted(
      context,
      await createCharge(tx, { ...of, channel: 'bank', maker_id: staff.id, now }),
    )
  },
  createOut: async (of, context) => {
    await seen(context, 'merchant', of.owner_id)
    const { now, staff, tx } = context
    const made = await createCharge(tx, {
      ...of,
      owner_kind: 'merchant',
      channel: 'balance',
      maker_id: staff.id,
      now,
    })
    noted(context, made)
    const { has_cents } = await standingOf(tx, made)
    return { ...made, would_owe_cents: debtPart(made.amount_cents, has_cents) }
  },
  approve: (one, context) => doing(context, one, approveCharge),
  reject: ({ reason, ...one }, context) =>
    doing(context, one, (tx, step) => rejectCharge(tx, { ...step, reason }), reason),
  reverse: ({ reason, ...one }, context) =>
    doing(context, one, (tx, step) => reverseCharge(tx, { ...step, reason }), reason),
  remind: (one, context) => doing(context, one, remindCharge),
  refundDeposit: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    await rows.read(tx, staff, one.id)
    const step = { ...one, by: { id: staff.id }, now }
    const { was, made } = await refundDeposit(tx, { ...step, reason })
    noted(context, made)
    return { id: was.id, version: was.version, status: was.status, no: made.no }
  },
  export: exporting(
    {
      of: rows,
      where: (filters: ChargeFilters, { staff }) => and(rows.seen(staff), chargesWhere(filters)),
      shown: shownCharges,
    },
    {
      page: 'settle.charge',
      title: ['充值与扣费', 'Top-ups and charges'],
      permit: contract.export.permit,
      columns: [
        { key: 'no', title: ['单号', 'Number'] },
        { key: 'direction', title: ['方向', 'Direction'] },
        { key: 'kind', title: ['类型', 'Kind'] },
        { key: 'owner_kind', title: ['对象类型', 'Kind of owner'] },
        { key: 'owner', title: ['对象', 'Owner'] },
        { key: 'amount_cents', title: ['金额', 'Amount'], kind: 'money' },
        { key: 'debt_cents', title: ['记为欠款', 'As debt'], kind: 'money' },
        { key: 'balance_after_cents', title: ['入账后余额', 'Balance after'], kind: 'money' },
        { key: 'channel', title: ['渠道', 'Channel'] },
        { key: 'bank', title: ['银行', 'Bank'] },
        { key: 'bank_flow_no', title: ['银行流水号', 'Bank number'] },
        { key: 'memo', title: ['摘要', 'Memo'] },
        { key: 'maker', title: ['登记人', 'Recorded by'] },
        { key: 'checker', title: ['复核人', 'Checked by'] },
        { key: 'status', title: ['状态', 'State'] },
        { key: 'created_at', title: ['登记时间', 'Recorded'], kind: 'time' },
        { key: 'checked_at', title: ['复核时间', 'Checked at'], kind: 'time' },
      ],
      words: ({ status, kind, owner_kind, owing, keyword }, lang) => [
        status && say(chargeStates[status], lang),
        kind && say(chargeKinds[kind], lang),
        owner_kind && say(chargeOwners[owner_kind], lang),
        owing && say(['有欠款', 'With debt'], lang),
        keyword,
      ],
      cells: (row, { lang }) => ({
        no: row.no,
        direction: say(chargeDirections[row.direction], lang),
        kind: say(chargeKinds[row.kind], lang),
        owner_kind: say(chargeOwners[row.owner_kind], lang),
        owner: row.title,
        amount_cents: row.amount_cents,
        debt_cents: row.debt_cents,
        balance_after_cents: row.balance_after_cents,
        channel: say(chargeChannels[row.channel], lang),
        bank: row.bank,
        bank_flow_no: row.bank_flow_no,
        memo: row.memo,
        maker: row.maker_name,
        checker: row.checker_name,
        status: say(chargeStates[row.status], lang),
        created_at: row.created_at,
        checked_at: row.checked_at,
      }),
    },
  ),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const chargeServer = implement(contract, handlers)

defineTodo({
  key: 'charge_check',
  title: [page.title, page.en],
  permit: page.permit,
  target: ({ city_id }) => to(page, { status: 'pending', city_id }),
  count: ({ db, staff, city_id }) =>
    countTodo(
      db,
      fund_charge,
      and(rows.seen(staff), chargesWhere({ status: 'pending', city_id })),
      { since: fund_charge.created_at, money: fund_charge.amount_cents },
    ),
  beside: to(page),
})
