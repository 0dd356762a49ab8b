import { aside, say, type Lang } from '#src/domain/text.ts'
import { joinCodes, joinRow, type JoinRow } from '#src/modules/channel/contract/customerGroup.ts'
import { joinDetail as calls } from '#src/modules/channel/contract/customerGroupDetail.ts'
import { ask } from '../command.ts'
import { joinCodePage as at } from '../pages/channel.ts'
import { asking, exportAction, idOf, reason, rowActions } from '../record.ts'
import { canJoin, ownChat } from './customerGroup.ts'

const row = rowActions(at, joinRow)
const standing = ({ chats }: JoinRow) =>
  chats.some(chat => chat.status !== 'dismissed') ||
  (['群均已解散，仅可查看', 'All its chats were dismissed'] as const)

/** What is done on the page of one join code, with the chat that is chosen on its board. */
export const joinDetailActions = {
  transferOwner: row.row(calls.transferOwner, ['转让群主', 'Transfer ownership'], {
    key: 'i',
    main: true,
    when: standing,
    asks: {
      chat_id: ownChat(
        (chat, of) => !of.faults.includes('owner_left') || chat.status === 'owner_left',
      ),
      to_staff_id: ask.entity({
        label: ['新群主', 'New owner'],
        find: calls.owners,
        given: ([of]: readonly JoinRow[]) => ({ way_id: of?.id }),
        labelOf: (of: { name: string; place: string; group_count: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: `${of.place && `${of.place} · `}${of.group_count}` })}`,
        by: ['姓名或企微账号', 'name or account in WeCom'],
        field: 'owner',
        none: ['没有可接任的成员', 'Nobody may own it'],
        hint: [
          '在职且已开通客户群；括号内为商场与现有群数；每人每日最多接收 300 个群',
          'Active colleagues with the right, with mall and chats; 300 chats a day for one owner',
        ],
      }),
      reason,
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  sendGroup: row.row(calls.sendGroup, ['群发到群', 'Message the chat'], {
    key: 'm',
    main: 'plain',
    when: standing,
    asks: {
      chat_ids: ask.entities({
        label: ['群', 'Chats'],
        max: 5,
        find: joinCodes.chats,
        given: ([of]: readonly JoinRow[]) => ({ way_id: of?.id, inside: true }),
        labelOf: (of: { name: string; member_count: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: of.member_count })}`,
        initial: ([of]: readonly JoinRow[]) =>
          of?.chats.filter(chat => chat.status !== 'dismissed').map(chat => chat.id),
        named: ([of]: readonly JoinRow[]) =>
          Object.fromEntries(of?.chats.map(chat => [chat.id, chat.name]) ?? []),
        hint: [
          '由各群群主在企微确认后发出；每群每月最多为当月天数',
          'Each owner confirms it in WeCom; at most one for each day of the month',
        ],
      }),
      content: ask.text({ label: ['内容', 'Text'], max: 1000, lines: 4, field: 'mass' }),
      send_at: ask.time({
        label: ['发送时间', 'Send time'],
        optional: true,
        hint: ['留空为立即', 'Empty: now'],
      }),
    },
    input: (rows, { send_at, ...asked }) => ({
      ...idOf(rows),
      ...asked,
      ...(send_at && { send_at }),
    }),
  }),
  tagMembers: row.row(calls.tagMembers, ['批量打标签', 'Tag members'], {
    key: 'l',
    main: 'plain',
    when: standing,
    asks: {
      chat_id: ownChat(),
      tag_ids: ask.entities({
        label: ['企业标签', 'Tags'],
        max: 20,
        find: calls.tags,
        labelOf: (of: { name: string; group: string }) => `${of.group} / ${of.name}`,
        field: 'tags',
        hint: ['仅成员的好友可打标签，其余会说明人数', 'Contacts only; the others are counted'],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
    takenBack: 'again',
  }),
  markMulti: row.row(calls.markMulti, ['标记多群重复成员', 'Mark duplicate members'], {
    key: 'r',
    main: 'plain',
    input: idOf,
    takenBack: 'again',
  }),
  removeChat: row.row(calls.removeChat, ['移出轮换', 'Remove from rotation'], {
    key: 'q',
    danger: true,
    when: canJoin('removeChat'),
    asks: { chat_id: ownChat(), reason },
    input: asking(asked => asked),
  }),
  setLimit: row.row(calls.setLimit, ['设置群人数上限', 'Set how many it holds'], {
    key: 'n',
    asks: {
      chat_id: ownChat(),
      max_members: ask.choice({
        label: ['人数上限', 'Holds at most'],
        options: {
          '200': ['200 人（普通客户群）', '200 (ordinary)'],
          '500': ['500 人（扩容客户群）', '500 (enlarged)'],
        },
        hint: [
          '企微不提供群上限，以群类型为准',
          'WeCom does not tell it: it depends on the kind of chat',
        ],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出群成员', 'Export group members'], at),
}
