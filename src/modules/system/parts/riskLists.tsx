import { risk as page } from '#commands/pages/system.ts'
import { riskListActions as actions } from '#commands/system/risk.ts'
import { listTypes, riskLists } from '#src/areas/risk/risk.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { risk as calls, listable, type RiskListRow } from '../contract/risk.ts'

type Row = RiskListRow
const Which = ({ row }: { row: Row }) => {
  const say = useSay()
  return <Badge tone={row.list === 'black' ? 'bad' : 'good'}>{say(riskLists[row.list])}</Badge>
}
const Type = ({ row }: { row: Row }) => <>{useSay()(listTypes[row.type])}</>
const Until = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.until_at === null ? <>{say(['永久', 'For good'])}</> : <When at={row.until_at} />
}
const State = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.status === 'on' ? (
    <Badge tone="info">{say(['生效', 'On'])}</Badge>
  ) : (
    <Badge>{say(row.status === 'over' ? ['已到期', 'Over'] : ['已移出', 'Taken off'])}</Badge>
  )
}
const valueOf = ({ type, value, phone }: Row) => {
  if (type === 'member') return `#${value}`
  return type === 'phone' ? (phone ?? '—') : value
}
const columns: readonly Column<Row>[] = [
  { key: 'list', title: ['名单', 'List'], width: 84, cell: row => <Which row={row} /> },
  { key: 'type', title: ['类型', 'Type'], width: 76, cell: row => <Type row={row} /> },
  {
    key: 'value',
    title: ['值', 'Value'],
    width: 180,
    cell: row => (
      <span className="m-num">
        {row.nickname && `${row.nickname} `}
        {valueOf(row)}
      </span>
    ),
    words: row => row.value ?? row.phone ?? '',
  },
  {
    key: 'reason',
    title: ['原因', 'Reason'],
    width: 220,
    grow: true,
    cell: row => row.reason,
    words: row => row.reason,
  },
  { key: 'until', title: ['有效至', 'Until'], width: 116, cell: row => <Until row={row} /> },
  { key: 'state', title: ['状态', 'State'], width: 76, cell: row => <State row={row} /> },
  {
    key: 'who',
    title: ['加入人', 'Added by'],
    width: 90,
    cell: row => row.admin_name ?? <span className="m-muted">—</span>,
  },
  {
    key: 'at',
    title: ['加入时间', 'Added'],
    width: 108,
    cell: row => <When at={row.created_at} />,
  },
]

/** People who may not order, and people who are never stopped. */
export const RiskLists = () => {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lists)
  return (
    <List
      of={list}
      label={`${titleIn(page, now)} · ${say(['黑白名单', 'Lists'])}`}
      columns={columns}
      actions={Object.values(actions)}
      onOpen={row => list.focus(row.id)}
      empty={
        <Empty title={say(['没有符合条件的名单', 'No entry matches'])}>
          <p>
            <Keyed
              text={[
                '按 {black} 加入黑名单，按 {white} 加入白名单。',
                '{black} black-lists, {white} white-lists.',
              ]}
              by={{ black: actions.addBlack, white: actions.addWhite }}
            />
          </p>
        </Empty>
      }
      filters={
        <>
          <Keyword
            of={list}
            placeholder={say(['会员编号、手机号或设备', 'Member, phone or device'])}
          />
          <Choice
            of={list}
            by="list"
            label={say(['名单', 'List'])}
            options={Object.entries(riskLists).map(([value, text]) => ({
              value,
              label: say(text),
            }))}
          />
          <Choice
            of={list}
            by="type"
            label={say(['类型', 'Type'])}
            options={listable.map(value => ({ value, label: say(listTypes[value]) }))}
          />
          <Choice
            of={list}
            by="status"
            always
            label={say(['状态', 'State'])}
            options={[
              { value: 'on', label: say(['生效中', 'Standing']) },
              { value: 'over', label: say(['已失效', 'Over or taken off']) },
            ]}
          />
        </>
      }
    />
  )
}
