import { aside, say, type Lang } from '#src/domain/text.ts'
import { groupDetail as calls } from '#src/modules/vip/contract/weChatGroupDetail.ts'
import { groupRow, groupsPage, type GroupRow } from '#src/modules/vip/contract/weChatGroupManage.ts'
import { ask, byKeyword, recordFinder, type Told } from '../command.ts'
import { groupPage as at } from '../pages/vip.ts'
import { asking, exportAction, one, reason, rowActions } from '../record.ts'
import { canGroup } from './weChatGroupManage.ts'

const row = rowActions(at, groupRow)
const openOnes = ([of]: readonly GroupRow[]): Told | undefined =>
  of && [
    [
      '后台不能移除群成员：提醒群主 {who} 在企微移除，对方退群后自动完成；还有 {n} 位待移除',
      'The console can’t remove members: reminds the owner {who} to remove them in WeCom, done once they have left. {n} already pending',
    ],
    { who: of.owner?.name ?? '—', n: of.removal_count },
  ]

/** What is done on the page of one group chat. */
export const groupDetailActions = {
  removeRemind: row.row(calls.removeRemind, ['通知群主移除成员', 'Ask owner to remove members'], {
    key: 'r',
    main: true,
    danger: true,
    when: canGroup('removeRemind'),
    tells: openOnes,
    asks: {
      member_ids: ask.entities({
        label: ['要移除的成员', 'Members to remove'],
        max: 20,
        find: calls.people,
        given: ([of]: readonly GroupRow[]) => ({
          group_id: of?.id,
          part: 'customers',
          askable: true,
        }),
        labelOf: (of: { name: string; groups_n: number }, lang: Lang) =>
          of.groups_n > 0 ? `${of.name}${say(aside, lang, { it: `+${of.groups_n}` })}` : of.name,
        by: ['群成员昵称', 'name in the group'],
        field: 'removal',
        hint: [
          '一次最多 20 位；括号内为所在其他群数',
          'At most 20; number of other groups in brackets',
        ],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  markDuplicate: row.row(calls.markDuplicate, ['标记重复入群会员', 'Mark duplicate members'], {
    key: 'd',
    main: 'plain',
    when: canGroup('markDuplicate'),
    input: one,
    takenBack: 'again',
  }),
  matchMembers: row.row(calls.matchMembers, ['批量关联会员', 'Link members'], {
    key: 'm',
    main: 'plain',
    when: of => {
      const may = canGroup('matchMembers')(of)
      if (may !== true) return may
      return of.unmatched_count > 0 || ['客户均已关联会员', 'All customers are linked to members']
    },
    input: one,
    takenBack: 'again',
  }),
  editNotice: row.row(calls.editNotice, ['记录群公告草稿', 'Draft the notice'], {
    key: 'e',
    main: 'plain',
    when: canGroup('editNotice'),
    asks: {
      notice: ask.text({
        label: ['群公告草稿', 'Draft of the notice'],
        max: 600,
        lines: 6,
        field: 'notice_draft',
        initial: ([of]: readonly GroupRow[]) => of?.notice_draft || of?.notice,
        hint: [
          '公告须由群主在企微发布；发布后此处自动显示为已发布',
          'Published by the owner in WeCom; then shown here as published',
        ],
      }),
    },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出群成员', 'Export group members'], at),
}
export const groupFound = recordFinder({
  pages: [at],
  hint: ['按群名或编号查找', 'By name or number'],
  find: groupsPage.lst,
  asked: byKeyword,
  given: of => ({ type: 'wecom_group', id: of.id, row: of }),
  title: of => of.name,
  more: of => [of.mall_name || '未关联商场', of.mall_name || 'No mall'],
  byId: 'wecom_group',
})
