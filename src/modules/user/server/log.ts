import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { heldAccount } from '#src/areas/member/accounts.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { accountStates, banScopes, type BanScope } from '#src/areas/member/member.ts'
import { foundBy } from '#src/areas/member/members.server.ts'
import { sanction } from '#src/areas/member/sanctions.server.ts'
import {
  accountOf,
  accountsOf,
  deedsOf,
  sharedBy,
  timelineOf,
  type UserLog,
} from '#src/areas/userLog/reading.server.ts'
import { user_log as t } from '#src/areas/userLog/userLog.table.ts'
import {
  ERASED,
  ONLINE_DAYS,
  QUERY_DAYS,
  riskBands,
  riskFloors,
  userDeeds,
  type RiskBand,
  type UserDeed,
} from '#src/areas/userLog/userLog.ts'
import { joined, say } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type ReadContext,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { logLook } from '#src/server/call/oplog.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { userLog as contract } from '../contract/log.ts'

type Filters = {
  member_id?: number | undefined
  keyword?: string | undefined
  kind?: UserDeed | undefined
  risk?: RiskBand | undefined
  from?: number | undefined
  to?: number | undefined
}
const cityOf = sql`(select m.city_id from member m where m.id = ${t.member_id})`
const logs = record(t, {
  object: 'user_log',
  label: row => joined([`用户行为 ${row.id}`, `User event ${row.id}`]),
  keys: ['kind'],
  places: ({ scope }) => within(scope, { city: cityOf }),
})
/** The lines of a period of at most 31 days, however long ago. */
const whereEver = (
  { keyword, risk, from, to, ...same }: Filters,
  { now }: { now: number },
): SQL => {
  const span = spanOf({ from, to }, QUERY_DAYS, now)
  if (!span) throw tooLong(QUERY_DAYS)
  return and(
    gte(t.at, span.from),
    lte(t.at, span.to),
    equal(t, same),
    keyword
      ? sql`${t.member_id} in (select ${member.id} from ${member} where ${foundBy(keyword)})`
      : undefined,
    // A literal, so that the index of such rows serves it.
    risk && sql`${t.risk} >= ${sql.raw(String(riskFloors[risk]))}`,
  )!
}
/** The same of the days that are online. */
const where = (filters: Filters, asker: { now: number }): SQL => {
  const { from, to } = filters
  const oldest = dayStart(asker.now) - ONLINE_DAYS * DAY
  if ((from ?? to ?? asker.now) < oldest)
    throw ruled(
      'not_online',
      [
        '{n} 天以前的日志不在线查询；如需调取，请按这个时间段导出',
        'Lines older than {n} days are not online: export this period to have them',
      ],
      { n: ONLINE_DAYS },
      { fields: { from: `≤ ${ONLINE_DAYS}` } },
    )
  return whereEver(filters, asker)
}
const shown = async (db: Db, rows: readonly UserLog[]) => {
  const accounts = await accountsOf(
    db,
    rows.map(row => row.member_id),
  )
  const deeds = await deedsOf(db, rows)
  return deeds.map(row => {
    const of = accounts.get(row.member_id)!
    return {
      ...row,
      ...accountOf(of),
      member_version: of.version,
      has_ip: row.client_ip !== '',
      has_device: row.client_device !== '',
    }
  })
}
const list = listing(logs, { by: t.at, down: true, where, shown })

/** The member whose own log the filters show, if they show one person's. */
const loneMember = async (db: Db, { member_id, keyword }: Filters) => {
  if (member_id === undefined && !keyword) return undefined
  const found = await db
    .select({ id: member.id, uid: member.uid, nickname: member.nickname })
    .from(member)
    .where(and(member_id === undefined ? undefined : eq(member.id, member_id), foundBy(keyword)))
    .limit(2)
  return found.length === 1 ? found[0] : undefined
}
const labelOf = (of: { nickname: string; uid: string }) => `${of.nickname} ${of.uid}`
/** Notes, once a day, that a person looked at one member's log. */
const noteLook = async (filters: Filters, context: ReadContext): Promise<void> => {
  const { db, staff, caller, now, request_id } = context
  const of = await loneMember(db, filters)
  if (!of) return
  const [known] = await db
    .select({ id: op_log.id })
    .from(op_log)
    .where(
      and(
        eq(op_log.admin_id, staff.id),
        eq(op_log.action, 'look'),
        gte(op_log.created_at, dayStart(now)),
        eq(op_log.object_type, 'member'),
        eq(op_log.object_id, of.id),
      ),
    )
    .limit(1)
  if (known) return
  await logLook(
    db,
    { call: contract.lst, staff, ip: caller.ip, request_id },
    { object_type: 'member', object_id: of.id, object_label: labelOf(of) },
  )
}

const sharing = async (id: number, by: 'device' | 'ip', context: WriteContext) => {
  const { tx, staff, now } = context
  const row = await logs.read(tx, staff, id)
  const value = by === 'device' ? row.device_id : row.ip
  if (value === '')
    throw ruled(
      'nothing_known',
      by === 'device'
        ? ['这条记录没有设备信息', 'No device is known of this line']
        : ['这条记录没有 IP 信息', 'No IP is known of this line'],
    )
  const found = await sharedBy(tx, staff, { by, value, now })
  logs.log(context, row, { after: { looked: by, accounts: found.list.length } })
  return { by, client_ip: row.ip, client_device: row.device_id, ...found }
}

const handlers = {
  lst: async (input, context) => {
    const page = await list.page(input, context)
    await noteLook(input, context)
    return page
  },
  timeline: async ({ id }, context) => {
    const { tx, staff, now, log } = context
    const { member_id } = await logs.read(tx, staff, id)
    const of = (await accountsOf(tx, [member_id])).get(member_id)!
    log({
      object_type: 'member',
      object_id: member_id,
      object_label: labelOf(of),
      after: { looked: 'timeline' },
    })
    return { ...accountOf(of), ...(await timelineOf(tx, member_id, now)) }
  },
  byDevice: ({ id }, context) => sharing(id, 'device', context),
  byIp: ({ id }, context) => sharing(id, 'ip', context),
  sanction: async ({ id, member_version, kind, days, reason }, context) => {
    const { tx, staff, now } = context
    const { member_id } = await logs.read(tx, staff, id)
    if (kind === 'mute' && days === undefined)
      throw ruled('no_days', ['禁言须填写天数', 'A mute needs its days'])
    const was = await heldAccount(context, kind, { id: member_id, version: member_version })
    const end_at = kind === 'watch' || days === undefined ? null : now + days * DAY
    const after = await sanction(context, was, {
      kind,
      ...(kind === 'ban' && { scope: Object.keys(banScopes) as BanScope[] }),
      end_at,
      reason,
    })
    return { id, member_id, account_state: after.account_state }
  },
  export: exporting(
    {
      ...list,
      where: (filters: Filters, asker) => and(logs.seen(asker.staff), whereEver(filters, asker)),
    },
    {
      page: 'user.log',
      title: ['用户行为日志', 'User activity log'],
      permit: contract.export.permit,
      columns: [
        { key: 'id', title: ['编号', 'No.'] },
        { key: 'at', title: ['时间', 'Time'], kind: 'time' },
        { key: 'member_id', title: ['会员编号', 'Member id'] },
        { key: 'uid', title: ['会员号', 'Number'] },
        { key: 'nickname', title: ['昵称', 'Nickname'] },
        { key: 'account_state', title: ['账号状态', 'Account'] },
        { key: 'kind', title: ['行为', 'Activity'] },
        { key: 'no', title: ['业务号', 'Reference no.'] },
        { key: 'risk', title: ['风险分', 'Risk'], kind: 'number' },
        { key: 'client_ip', title: ['IP', 'IP'], field: 'user_log.client_ip' },
        { key: 'region', title: ['地区', 'Region'] },
        { key: 'client_device', title: ['设备', 'Device'], field: 'user_log.client_device' },
        { key: 'client', title: ['客户端', 'Client'] },
      ],
      words: ({ member_id, keyword, kind, risk }: Filters, lang) => [
        member_id !== undefined && `#${member_id}`,
        keyword,
        kind && say(userDeeds[kind], lang),
        risk && say(riskBands[risk], lang),
      ],
      cells: (row, { lang }) => ({
        ...row,
        nickname: row.account_state === 'canceled' ? say(ERASED, lang) : row.nickname,
        account_state: say(accountStates[row.account_state], lang),
        kind: say(userDeeds[row.kind], lang),
        no: row.detail.no ?? '',
      }),
    },
  ),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const userLogServer = implement(contract, handlers)
