/** Money of channels: the requests that a second person confirms, and the statement of a month. */
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { ecard_channel_request } from '#src/areas/ecard/channel.table.ts'
import { moveBalance } from '#src/areas/ecard/channelLedger.server.ts'
import { monthSums, spanOf } from '#src/areas/ecard/channelStatement.server.ts'
import { ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import { ledgerTypes } from '#src/areas/ecard/ecard.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Handler, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { ecardChannels } from '../contract/channel.ts'
import {
  askSecond,
  channels,
  heldFor,
  requestsOf,
  waitingOf,
  type Channel,
} from './channelRecord.ts'

type Calls = typeof ecardChannels
const SHOWN = 20
const STATEMENT_ROWS = 200
const nameOf = (column: typeof ecard_ledger.admin_id | typeof ecard_ledger.second_by) =>
  sql<string>`coalesce((select a.name from ${admin} a where a.id = ${column}), '')`
const ledgerRows = (db: Db) =>
  db
    .select({
      id: ecard_ledger.id,
      type: ecard_ledger.type,
      amount_cents: ecard_ledger.amount_cents,
      balance_after_cents: ecard_ledger.balance_after_cents,
      proof: ecard_ledger.proof,
      reason: ecard_ledger.reason,
      by: nameOf(ecard_ledger.admin_id),
      second: nameOf(ecard_ledger.second_by),
      created_at: ecard_ledger.created_at,
    })
    .from(ecard_ledger)
const within = (channel_id: number, { from, to }: { from: number; to: number }) =>
  and(
    eq(ecard_ledger.channel_id, channel_id),
    gte(ecard_ledger.created_at, from),
    lt(ecard_ledger.created_at, to),
  )

type Asked = { kind: 'recharge' | 'adjust'; amount_cents: number; proof?: string; reason?: string }
const ask = async (context: WriteContext, one: { id: number; version: number }, of: Asked) => {
  const was = await heldFor(context, of.kind, one)
  await askSecond(context, { channel_id: was.id, ...of })
  const after = await channels.set(context, was, {})
  channels.log(context, was, {
    after: { request_kind: of.kind, amount_cents: of.amount_cents },
    ...(of.reason && { reason: of.reason }),
  })
  return after
}
const decide = async (
  { tx, staff, now }: WriteContext,
  id: number,
  state: 'done' | 'refused',
  decided_reason = '',
) => {
  const t = ecard_channel_request
  await tx
    .update(t)
    .set({ state, decided_by: staff.id, decided_at: now, decided_reason, updated_at: now })
    .where(and(eq(t.id, id), eq(t.state, 'waiting')))
}
/** Carries a request out as its second person; answers what the channel is then. */
const carryOut = async (
  context: WriteContext,
  was: Channel,
  request: typeof ecard_channel_request.$inferSelect,
): Promise<Partial<Channel>> => {
  const { kind, amount_cents } = request
  if (kind === 'credit') return { credit_cents: amount_cents }
  await moveBalance(context.tx, {
    channel_id: was.id,
    type: kind,
    amount_cents,
    ref: { type: 'request', id: request.id },
    now: context.now,
    proof: request.proof,
    admin_id: request.made_by,
    second_by: context.staff.id,
    reason: request.reason,
  })
  return {}
}

export const moneyHandlers = {
  money: async ({ id }, { db, staff }) => {
    await channels.read(db, staff, id)
    return {
      ledger: await ledgerRows(db)
        .where(eq(ecard_ledger.channel_id, id))
        .orderBy(desc(ecard_ledger.id))
        .limit(SHOWN),
      requests: (await requestsOf(db, [id], false)).slice(0, SHOWN),
    }
  },
  recharge: ({ amount_cents, proof, ...one }, context) =>
    ask(context, one, { kind: 'recharge', amount_cents, proof }),
  adjustBalance: async ({ amount_cents, reason, ...one }, context) => {
    faultless(context.staff, {
      amount_cents: amount_cents === 0 ? ['金额不能为 0', 'It is not zero'] : undefined,
    })
    return ask(context, one, { kind: 'adjust', amount_cents, reason })
  },
  confirm: async (one, context) => {
    const was = await heldFor(context, 'confirm', one)
    const request = (await waitingOf(context.tx, was.id))!
    await decide(context, request.id, 'done')
    const set = await carryOut(context, was, request)
    const after = await channels.set(context, was, set)
    channels.log(context, after, {
      before: { balance_cents: was.balance_cents, credit_cents: was.credit_cents },
      after: {
        balance_cents: after.balance_cents,
        credit_cents: after.credit_cents,
        request_kind: request.kind,
        amount_cents: request.amount_cents,
      },
    })
    return after
  },
  refuse: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'refuse', one)
    const request = (await waitingOf(context.tx, was.id))!
    await decide(context, request.id, 'refused', reason)
    const after = await channels.set(context, was, {})
    channels.log(context, was, { after: { request_kind: request.kind, refused: true }, reason })
    return after
  },
  statement: async ({ id, month }, { db, staff }) => {
    await channels.read(db, staff, id)
    const span = spanOf(month)
    return {
      ...span,
      ...(await monthSums(db, id, span)),
      rows: await ledgerRows(db)
        .where(within(id, span))
        .orderBy(ecard_ledger.id)
        .limit(STATEMENT_ROWS),
      total: await db.$count(ecard_ledger, within(id, span)),
    }
  },
  statementFile: async ({ id, month }, context) => {
    const channel = await channels.read(context.tx, context.staff, id)
    const span = spanOf(month)
    return startExport(context, {
      page: 'ecard.channel.statement',
      filters: { id, month },
      filters_text: `${channel.name} ${month}`,
      rows_expected: await context.tx.$count(ecard_ledger, within(id, span)),
      format: 'csv',
    })
  },
} satisfies {
  [
    K in
      | 'money'
      | 'recharge'
      | 'adjustBalance'
      | 'confirm'
      | 'refuse'
      | 'statement'
      | 'statementFile'
  ]: Handler<Calls[K]>
}

defineExport('ecard.channel.statement', {
  title: ['渠道对账单', 'A channel’s statement'],
  permit: ecardChannels.statementFile.permit,
  columns: [
    { key: 'id', title: ['流水号', 'No.'], kind: 'number' },
    { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'type', title: ['类型', 'Type'] },
    { key: 'amount_cents', title: ['金额', 'Amount'], kind: 'money' },
    { key: 'balance_after_cents', title: ['余额', 'Balance'], kind: 'money' },
    { key: 'by', title: ['经办人', 'By'] },
    { key: 'second', title: ['复核人', 'Second person'] },
    { key: 'reason', title: ['原因', 'Reason'] },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const { id, month } = filters as { id: number; month: string }
    const rows = await ledgerRows(db)
      .where(
        and(
          within(id, spanOf(month)),
          after === undefined ? undefined : sql`${ecard_ledger.id} > ${after as number}`,
        ),
      )
      .orderBy(ecard_ledger.id)
      .limit(limit)
    return {
      rows: rows.map(row => ({ ...row, type: say(ledgerTypes[row.type], staff.lang) })),
      next: rows.length < limit ? undefined : rows.at(-1)!.id,
    }
  },
})
