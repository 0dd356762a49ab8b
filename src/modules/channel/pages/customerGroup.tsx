import { useMemo, useState } from 'react'
import { joinActions as actions, joinRemedies } from '#commands/channel/customerGroup.ts'
import type { Action } from '#commands/command.ts'
import { joinStates } from '#src/areas/wecom/groups.ts'
import { joinFaults } from '#src/areas/wecom/joinCodes.ts'
import { numberColumn, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { useFirst } from '#src/kit/firstaction.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { joinLooks } from '#src/kit/wecomchats.tsx'
import { useAction } from '#src/kit/workbench.ts'
import { joinCodes as calls, type JoinRow as Row } from '../contract/customerGroup.ts'
import { DownloadCodes, pictureColumn, useCodePictures } from '../parts/CodePictures.tsx'
import { useJoinTold } from '../parts/joinActing.tsx'
import {
  ChatFill,
  ChatFills,
  currentChat,
  JoinFacts,
  JoinFaults,
  JoinHealth,
  stayOf,
} from '../parts/joinLooks.tsx'

const columnsWith = (pictures: ReadonlyMap<number, string>): readonly Column<Row>[] => [
  pictureColumn(pictures),
  { ...textColumn('name', ['名称', 'Name'], 130), grow: true },
  stateColumn('status', ['状态', 'State'], 88, joinLooks),
  {
    key: 'faults',
    title: ['异常', 'Issue'],
    width: 100,
    cell: row => <JoinFaults row={row} />,
  },
  {
    key: 'fills',
    title: ['轮换群', 'Chats'],
    width: 156,
    cell: row => <ChatFills row={row} />,
    words: row => row.chats.map(one => `${one.member_count}/${one.max_members}`).join(' '),
  },
  {
    key: 'current',
    title: ['当前群', 'Current chat'],
    width: 150,
    priority: 2,
    cell: row => currentChat(row)?.name ?? '—',
    words: row => currentChat(row)?.name ?? '',
  },
  {
    key: 'auto',
    title: ['自动建群', 'Creates chats'],
    width: 80,
    priority: 3,
    cell: row => <AutoCreate row={row} />,
  },
  { ...numberColumn('joins_7d', ['7 天入群', 'In, 7 d'], 76), priority: 1 },
  { ...numberColumn('leaves_7d', ['7 天退群', 'Out, 7 d'], 76), priority: 3 },
  {
    key: 'stay',
    title: ['留存率', 'Retention'],
    width: 72,
    align: 'end',
    priority: 3,
    cell: row => stayOf(row),
    words: row => stayOf(row),
  },
  { ...textColumn('mall_name', ['商场', 'Mall'], 110), priority: 4 },
]
const AutoCreate = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.auto_create ? say(['开', 'On']) : <span className="m-muted">{say(['关', 'Off'])}</span>
}
const Rotation = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['轮换群', 'Chats'])}>
      <SmallTable
        head={[
          ['切换顺序', 'Switching order'],
          ['人数', 'People'],
        ]}
        rows={row.chats}
        keyOf={one => one.id}
        cells={one => [
          <span key="name">
            {one.name} {one.is_current && <Badge tone="info">{say(['当前', 'Now'])}</Badge>}
          </span>,
          <ChatFill key="fill" of={one} />,
        ]}
      />
    </Section>
  )
}
const all: readonly Action[] = Object.values(actions)

/** Join codes: which of them lead nowhere or nearly so, and what gives them room. */
export default function JoinCodesPage() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const told = useJoinTold()
  const [taken, setTaken] = useState<readonly Row[] | undefined>(undefined)
  useAction(actions.download, rows => setTaken(rows as readonly Row[]))
  const tabs = useCountedTabs('quick', calls.lst, joinFaults)
  const worst = list.focusedRow?.faults[0]
  const ordered = useFirst(worst === undefined ? actions.create : joinRemedies[worst], all)
  const pictures = useCodePictures(
    calls.pictures,
    list.rows.filter(row => row.has_qr && row.status !== 'archived').map(row => row.id),
  )
  const columns = useMemo(() => columnsWith(pictures), [pictures])
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['群活码', 'Group-join codes'])}
          columns={columns}
          actions={ordered}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称或编号', 'Name or number'])} />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={joinStates} />
              <MallFilter of={list} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个群活码', 'Choose a join code'])}>
          {row => (
            <Inspector
              key={row.id}
              title={row.name}
              aside={<State of={row.status} in={joinLooks} />}
            >
              <JoinHealth row={row} />
              <Rotation row={row} />
              <JoinFacts row={row} />
              {pictures.has(row.id) && (
                <Section title={say(['二维码', 'QR code'])}>
                  <img
                    className="ch-code ch-big"
                    alt={say(['{name} 的二维码', 'QR code of {name}'], { name: row.name })}
                    src={pictures.get(row.id)}
                  />
                </Section>
              )}
            </Inspector>
          )}
        </Chosen>
      </ListDetail>
      {told}
      {taken && (
        <DownloadCodes
          rows={taken}
          read={calls.pictures}
          title={['群活码', 'Group-join codes']}
          close={() => setTaken(undefined)}
        />
      )}
    </>
  )
}
