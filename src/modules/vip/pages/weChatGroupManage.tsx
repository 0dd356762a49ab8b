import type { Action } from '#commands/command.ts'
import { groupActions as actions, remedies } from '#commands/vip/weChatGroupManage.ts'
import { groupTabs } from '#src/areas/wecom/groups.ts'
import { groupStates } from '#src/areas/wecom/wecom.ts'
import { numberColumn, State, stateColumn, textColumn, timeColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { useFirst } from '#src/kit/firstaction.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSyncTold } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { SyncState } from '#src/kit/wecom.tsx'
import { chatLooks } from '#src/kit/wecomchats.tsx'
import { groupsPage as calls, type GroupRow as Row } from '../contract/weChatGroupManage.ts'
import { useGroupTold } from '../parts/groupActing.ts'
import {
  Faults,
  Fill,
  GroupFacts,
  GroupHealth,
  JoinCode,
  matchedShare,
} from '../parts/groupLooks.tsx'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['群名', 'Chat'], 150), grow: true },
  {
    key: 'faults',
    title: ['异常', 'Issue'],
    width: 110,
    cell: row => <Faults row={row} />,
  },
  {
    key: 'fill',
    title: ['人数', 'People'],
    width: 84,
    align: 'end',
    sort: 'fill',
    cell: row => <Fill row={row} />,
    words: row => `${row.member_count}/${row.max_members}`,
  },
  {
    key: 'owner',
    title: ['群主', 'Owner'],
    width: 76,
    priority: 1,
    cell: row => row.owner?.name ?? '—',
    words: row => row.owner?.name ?? '',
  },
  { ...textColumn('mall_name', ['商场', 'Mall'], 120), priority: 3 },
  { ...numberColumn('joins_7d', ['7 天入群', 'In, 7 d'], 76), priority: 1 },
  { ...numberColumn('leaves_7d', ['7 天退群', 'Out, 7 d'], 76), priority: 1 },
  {
    key: 'matched',
    title: ['会员占比', 'Member share'],
    width: 76,
    align: 'end',
    priority: 2,
    cell: row => matchedShare(row),
    words: row => matchedShare(row),
  },
  { ...numberColumn('ordered_30d', ['30 天下单', 'Ordered, 30 d'], 84), priority: 2 },
  { ...timeColumn('last_active_at', ['最近消息', 'Last message'], 104), priority: 2 },
  { ...numberColumn('mass_count', ['本月群发', 'Messages'], 76), priority: 4 },
  { ...stateColumn('status', ['状态', 'State'], 96, chatLooks), priority: 3 },
]
const all: readonly Action[] = Object.values(actions)
/** Group chats: which of them are unwell, why, and what mends it. */
export default function GroupsPage() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  useGroupTold()
  useSyncTold(actions.sync)
  const tags = useRead(calls.tags, { pageSize: 200 }).data?.list ?? []
  const tabs = useCountedTabs('quick', calls.lst, groupTabs)
  const worst = list.focusedRow?.faults[0]
  const ordered = useFirst(worst === undefined ? actions.open : remedies[worst], all)
  const state = useRead(calls.state, {})
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['会员社群', 'Member groups'])}
        columns={columns}
        actions={ordered}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['群名或编号', 'Name or number'])} />
            <MallFilter of={list} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={groupStates} />
            <Choice
              of={list}
              by="tag_id"
              label={say(['群标签', 'Tag'])}
              options={tags.map(tag => ({ value: tag.id, label: `${tag.group} / ${tag.name}` }))}
            />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个社群', 'Choose a group'])}>
        {row => (
          <Inspector key={row.id} title={row.name} aside={<State of={row.status} in={chatLooks} />}>
            <GroupHealth row={row} />
            <GroupFacts row={row} />
            <JoinCode row={row} />
            <Answer of={state} lines={1}>
              {of => <SyncState of={of} />}
            </Answer>
          </Inspector>
        )}
      </Chosen>
    </ListDetail>
  )
}
