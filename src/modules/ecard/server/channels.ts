import { and, asc, eq, exists, gte, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { channels as page } from '#commands/pages/ecard.ts'
import { ecard_channel_request } from '#src/areas/ecard/channel.table.ts'
import { CHANNEL_ENDING_S } from '#src/areas/ecard/channel.ts'
import { turnPeriods } from '#src/areas/ecard/channelPeriods.server.ts'
import {
  ecard,
  ecard_attr,
  ecard_channel,
  ecard_channel_card,
} from '#src/areas/ecard/ecard.table.ts'
import {
  channelStates,
  channelTypes,
  settleTypes,
  type ChannelState,
  type ChannelType,
} from '#src/areas/ecard/ecard.ts'
import { forgetNonces } from '#src/areas/partner/auth.server.ts'
import { newKey, noOldKey } from '#src/areas/partner/keys.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { equal, exporting, holding, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { ecardChannels as contract } from '../contract/channel.ts'
import { issueHandlers } from './channelIssues.ts'
import { moneyHandlers } from './channelMoney.ts'
import { channels, faceName, heldFor, shownChannels } from './channelRecord.ts'

type Filters = {
  keyword?: string
  type?: ChannelType
  status?: ChannelState
  ending?: boolean
  debt?: boolean
  waiting?: boolean
}
const t = ecard_channel
const waits = (channel_id: typeof t.id) =>
  exists(
    sql`(select 1 from ${ecard_channel_request} r where r.channel_id = ${channel_id} and r.state = 'waiting')`,
  )
const list = listing(channels, {
  by: t.id,
  down: true,
  where: ({ keyword, ending, debt, waiting, ...same }: Filters, { now }) =>
    and(
      holding(keyword, [t.name, t.company, t.tax_no], t.id),
      equal(t, same),
      ending
        ? and(
            inArray(t.status, ['on', 'off']),
            gte(t.end_at, now),
            lt(t.end_at, now + CHANNEL_ENDING_S),
          )
        : undefined,
      debt ? lt(t.balance_cents, 0) : undefined,
      waiting ? waits(t.id) : undefined,
    ),
  shown: (db, rows) => shownChannels(db, rows),
})

const handlers = {
  ...moneyHandlers,
  ...issueHandlers,
  lst: list.page,
  detail: async ({ id }, { db, staff }) =>
    (await shownChannels(db, [await channels.read(db, staff, id)]))[0]!,
  faces: async ({ page, pageSize, keyword, channel_id }, { db }) => {
    const where = and(
      channel_id === undefined
        ? undefined
        : sql`${ecard_attr.id} in (select l.attr_id from ${ecard_channel_card} l where l.channel_id = ${channel_id} and l.status = 'on')`,
      eq(ecard_attr.status, 'on'),
      eq(ecard.state, 'on'),
      ne(ecard.source, 'api'),
      holding(keyword, [ecard.name], ecard_attr.id),
    )
    const from = db
      .select({
        id: ecard_attr.id,
        name: ecard.name,
        face_cents: ecard_attr.face_cents,
        price_cents: ecard_attr.price_cents,
      })
      .from(ecard_attr)
      .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
      .where(where)
    const rows = await from
      .orderBy(asc(ecard.sort), asc(ecard_attr.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [count] = await db
      .select({ n: sql<number>`count(*)::int` })
      .from(ecard_attr)
      .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
      .where(where)
    return {
      list: rows.map(row => ({ ...row, name: faceName(row.name, row.face_cents) })),
      total: count!.n,
    }
  },
  enable: async (one, context) => {
    const was = await heldFor(context, 'enable', one)
    if (was.end_at !== null && was.end_at <= context.now)
      throw ruled('contract_over', ['合同已到期，请先续签', 'Its contract is over: renew it'])
    return channels.save(context, was, { status: 'on', status_reason: null })
  },
  disable: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'disable', one)
    return channels.save(context, was, { status: 'off', status_reason: reason }, reason)
  },
  setQuota: async ({ attr_id, quota_n, ...one }, context) => {
    const was = await heldFor(context, 'setQuota', one)
    const line = and(
      eq(ecard_channel_card.channel_id, was.id),
      eq(ecard_channel_card.attr_id, attr_id),
      eq(ecard_channel_card.status, 'on'),
    )
    const [before] = await context.tx.select().from(ecard_channel_card).where(line).for('update')
    if (!before)
      throw ruled('not_for_channel', [
        '该渠道没有这种可售卡，请先添加',
        'The channel may not have this face: add it first',
      ])
    if (quota_n < before.issued_n)
      throw ruled(
        'quota_issued',
        ['额度不能低于已发的 {n} 张', '{n} were issued already: the quota covers them'],
        { n: before.issued_n },
      )
    await context.tx.update(ecard_channel_card).set({ quota_n }).where(line)
    const after = await channels.set(context, was, {})
    channels.log(context, was, { before: { quota_n: before.quota_n }, after: { quota_n } })
    return after
  },
  resetKey: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'resetKey', one)
    const sealer = await sealerOf(context.install.codeKeys, context.tx)
    const { secret_key, set } = newKey(sealer, was, { prefix: 'ec', now: context.now })
    const { app_key } = set
    const after = await channels.set(context, was, set)
    channels.log(context, was, {
      before: { app_key: was.app_key },
      after: { app_key, old_key_until: after.old_key_until },
      reason,
    })
    return { id: was.id, version: after.version, app_key, secret_key }
  },
  export: exporting(list, {
    page: 'ecard.channel',
    title: ['电子卡渠道', 'E-card channels'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['渠道', 'Channel'] },
      { key: 'type', title: ['类型', 'Type'] },
      { key: 'company', title: ['公司', 'Company'] },
      { key: 'tax_no', title: ['信用代码', 'Credit code'] },
      { key: 'start_at', title: ['合同开始', 'Contract from'], kind: 'time' },
      { key: 'end_at', title: ['合同结束', 'Contract until'], kind: 'time' },
      { key: 'settle_type', title: ['结算方式', 'Settlement'] },
      { key: 'balance_cents', title: ['余额', 'Balance'], kind: 'money' },
      { key: 'credit_cents', title: ['授信', 'Credit'], kind: 'money' },
      { key: 'quota_n', title: ['额度', 'Quota'], kind: 'number' },
      { key: 'issued_n', title: ['已发', 'Issued'], kind: 'number' },
      { key: 'activated_n', title: ['已激活', 'Activated'], kind: 'number' },
      { key: 'back_n', title: ['退回', 'Returned'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: ({ type, status, keyword, ending, debt, waiting }, lang) => [
      type && say(channelTypes[type], lang),
      status && say(channelStates[status], lang),
      keyword,
      ending && say(['30 天内到期', 'Ends within 30 days'], lang),
      debt && say(['欠款', 'In debt'], lang),
      waiting && say(['待复核', 'Awaiting approval'], lang),
    ],
    cells: (row, { lang }) => ({
      ...row,
      type: say(channelTypes[row.type], lang),
      settle_type: say(settleTypes[row.settle_type], lang),
      status: say(channelStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const channelsServer = implement(contract, handlers)

defineTodo({
  key: 'ecard_channel_requests',
  title: ['渠道待复核', 'Channel requests'],
  permit: page.permit,
  target: () => to(page, { waiting: 1 }),
  count: ({ db, staff, now }) =>
    countTodo(db, t, list.where({ waiting: true }, { staff, now }), {
      since: sql`(select r.created_at from ${ecard_channel_request} r where r.channel_id = ${t.id} and r.state = 'waiting')`,
    }),
  beside: to(page),
})

/** Contracts that are over end their channels; keys and numbers that are too old are forgotten. */
defineTimer('ecard.channels', '* * * * *', async ({ database, now }) => {
  const turned = await database.transaction(tx => turnPeriods(tx, now))
  await database.db.update(t).set(noOldKey).where(lte(t.old_key_until, now))
  await forgetNonces(database.db, now)
  return turned > 0 ? ['ecard_channel'] : []
})
