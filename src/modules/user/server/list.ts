import { eq, sql } from 'drizzle-orm'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import {
  accountList,
  countStates,
  heldAccount,
  sanctionsOf,
  type AccountFilters,
} from '#src/areas/member/accounts.server.ts'
import {
  askClosing,
  endClosings,
  refuseTakenPhone,
  rejectClosing,
} from '#src/areas/member/closing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import {
  accountStates,
  banScopes,
  registerSources,
  sanctionKinds,
  type BanScope,
} from '#src/areas/member/member.ts'
import { members } from '#src/areas/member/members.server.ts'
import {
  beginSanction,
  expireSanctions,
  liftSanction,
  refuseOwnAccount,
  sanction,
} from '#src/areas/member/sanctions.server.ts'
import { countLines } from '#src/areas/personalData/lines.server.ts'
import { dataParts, partKeys } from '#src/areas/personalData/personalData.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { joined, say, semicolon } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { accountsPage as contract } from '../contract/list.ts'
import { startDataCopy } from './dataCopy.ts'

const handlers = {
  lst: async (input, context) => ({
    ...(await accountList.page(input, context)),
    stat: await countStates(context.db, context.staff),
  }),
  view: async ({ id }, { db, staff }) => {
    await members.read(db, staff, id)
    const list = await sanctionsOf(db, id)
    return { list, total: list.length }
  },
  mute: async ({ days, reason, ...one }, context) => {
    const was = await heldAccount(context, 'mute', one)
    return sanction(context, was, { kind: 'mute', end_at: context.now + days * DAY, reason })
  },
  unmute: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'unmute', one)
    return liftSanction(context, was, { kind: 'mute', reason })
  },
  ban: async ({ scope, until, reason, ...one }, context) => {
    const was = await heldAccount(context, 'ban', one)
    return sanction(context, was, { kind: 'ban', scope, end_at: until ?? null, reason })
  },
  unban: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'unban', one)
    return liftSanction(context, was, { kind: 'ban', reason })
  },
  watch: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'watch', one)
    return sanction(context, was, { kind: 'watch', end_at: null, reason })
  },
  unwatch: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'unwatch', one)
    return liftSanction(context, was, { kind: 'watch', reason })
  },
  resetProfile: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'resetProfile', one)
    return members.save(context, was, { nickname: `用户${was.uid}`, avatar: null }, reason)
  },
  changePhone: async ({ new_phone, proof, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await heldAccount(context, 'changePhone', one)
    await refuseOwnAccount(context, was)
    const phone = mobileOf(new_phone)!
    // Two changes to one number come one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`member.phone:${phone}`}))`)
    await refuseTakenPhone(tx, was, phone)
    await beginSanction(tx, was, {
      kind: 'no_payout',
      end_at: now + DAY,
      reason: joined(['换绑手机号，24 小时内不能提现', 'New phone: no payouts for 24 hours']),
      by_id: staff.id,
      now,
    })
    const [after] = await tx
      .update(member)
      .set({ phone, version: sql`${member.version} + 1` })
      .where(eq(member.id, was.id))
      .returning()
    members.log(context, after!, {
      before: { phone: was.phone },
      after: { phone },
      reason: proof,
    })
    await noteUser(tx, {
      kind: 'change_phone',
      member_id: was.id,
      request_id: `change_phone:${was.id}:${was.version}`,
      detail: { by: 'staff' },
      at: now,
    })
    return after!
  },
  unbindWechat: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'unbindWechat', one)
    await refuseOwnAccount(context, was)
    const after = await members.set(context, was, {
      unionid: null,
      // Whoever held the phone with that WeChat acts for the member no more.
      ticket_epoch: was.ticket_epoch + 1,
    })
    members.log(context, after, { before: { bound: true }, after: { bound: false }, reason })
    await noteUser(context.tx, {
      kind: 'unbind_wechat',
      member_id: was.id,
      request_id: `unbind_wechat:${was.id}:${was.version}`,
      detail: { by: 'staff' },
      at: context.now,
    })
    return after
  },
  forceLogout: async ({ reason, ...one }, context) => {
    const was = await heldAccount(context, 'forceLogout', one)
    await refuseOwnAccount(context, was)
    const after = await members.set(context, was, { ticket_epoch: was.ticket_epoch + 1 })
    members.log(context, after, { after: { signed_out: true }, reason })
    await noteUser(context.tx, {
      kind: 'logout',
      member_id: was.id,
      request_id: `force_logout:${was.id}:${was.version}`,
      detail: { by: 'staff' },
      at: context.now,
    })
    return after
  },
  cancelAccount: async ({ reason, ...one }, context) =>
    askClosing(context, await heldAccount(context, 'cancelAccount', one), reason),
  rejectCancel: async ({ reason, ...one }, context) =>
    rejectClosing(context, await heldAccount(context, 'rejectCancel', one), reason),
  viewPhone: async ({ id, reason }, context) => {
    const row = await members.read(context.tx, context.staff, id)
    const of = { object_type: 'member', object_id: id, object_label: row.nickname }
    return {
      id,
      phone: row.phone,
      ...(await noteReveal(context, 'member.phone', of, reason)),
    }
  },
  dataHeld: async ({ id }, { db, staff }) => {
    await members.read(db, staff, id)
    const counts = await countLines(db, id)
    const list = partKeys.map(part => ({ part, n: counts[part], after: dataParts[part].after }))
    return { list, total: list.length }
  },
  exportData: (of, context) => startDataCopy(context, of),
  export: exporting(accountList, {
    page: 'user.list',
    title: ['用户账号', 'User accounts'],
    permit: contract.export.permit,
    columns: [
      { key: 'uid', title: ['会员号', 'Number'] },
      { key: 'nickname', title: ['昵称', 'Nickname'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'register_source', title: ['注册来源', 'Source'] },
      { key: 'register_at', title: ['注册时间', 'Joined'], kind: 'time' },
      { key: 'last_visit_at', title: ['最近访问', 'Last visit'], kind: 'time' },
      { key: 'bound', title: ['微信', 'WeChat'] },
      { key: 'account_state', title: ['账号状态', 'Account'] },
      { key: 'sanctions', title: ['生效处罚', 'Sanctions'] },
      { key: 'shared', title: ['同设备账号', 'Same device'], kind: 'number' },
    ],
    words: (of: AccountFilters, lang) => [
      of.state && say(accountStates[of.state], lang),
      of.sanction && say(sanctionKinds[of.sanction], lang),
      of.register_source && say(registerSources[of.register_source], lang),
      of.unbound && say(['未绑定微信', 'No WeChat'], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      register_source: say(registerSources[row.register_source], lang),
      account_state: say(accountStates[row.account_state], lang),
      bound: say(row.bound ? ['已绑定', 'Bound'] : ['未绑定', 'Not bound'], lang),
      sanctions: row.sanctions
        .map(one =>
          [
            say(sanctionKinds[one.kind], lang),
            one.scope.map((part: BanScope) => say(banScopes[part], lang)).join('/'),
            one.end_at === null ? '' : timeFull(one.end_at),
          ]
            .filter(Boolean)
            .join(' '),
        )
        .join(say(semicolon, lang)),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

/** Sanctions and closings whose time is over end by themselves. */
defineTimer('user.sanctions', '* * * * *', async ({ database, now }) => {
  const ended = await database.db.transaction(tx => expireSanctions(tx, now))
  const closed = await database.db.transaction(tx => endClosings(tx, now))
  return ended + closed > 0 ? ['member', 'user_sanction'] : []
})

export const accountsServer = implement(contract, handlers)
