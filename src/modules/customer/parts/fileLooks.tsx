import { useState } from 'react'
import { fileStates, type FileState } from '#src/areas/wecom/customerFiles.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { comma } from '#src/domain/text.ts'
import {
  moneyColumn,
  numberColumn,
  State,
  textColumn,
  timeColumn,
  wordColumn,
  namesColumn,
  type States,
} from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { FileRow } from '../contract/list.ts'
import './customer.css'

const looks: States<FileState> = {
  following: { text: fileStates.following, tone: 'good' },
  deleted_by_customer: { text: fileStates.deleted_by_customer, tone: 'bad' },
  deleted_by_staff: { text: fileStates.deleted_by_staff, tone: 'warn' },
}
/** How the customer stands with the corp. */
export const Stands = ({ row }: { row: FileRow }) =>
  row.rel === null ? <Handed /> : <State of={row.rel} in={looks} />
const Handed = () => <Badge>{useSay()(['已转出', 'Handed over'])}</Badge>
/** The picture of a customer, or the first sign of their name. */
const Face = ({ row }: { row: Pick<FileRow, 'avatar' | 'name'> }) => {
  const [gone, setGone] = useState(false)
  return (
    <span className="cu-face" aria-hidden>
      {[...row.name][0]}
      {row.avatar && !gone && (
        <img
          src={row.avatar}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setGone(true)}
        />
      )}
    </span>
  )
}
const Advisers = ({ row }: { row: FileRow }) => {
  const say = useSay()
  const others = row.advisers.length - 1
  return (
    <span title={row.advisers.map(one => one.name).join(say(comma))}>
      {row.primary || '—'}
      {others > 0 && <span className="m-num m-muted"> +{others}</span>}
    </span>
  )
}
const Who = ({ row }: { row: FileRow }) => {
  const say = useSay()
  if (row.member) return `V${row.member.level} ${row.member.nickname}`
  if (row.clash) return <Badge tone="bad">{say(['绑定冲突', 'Conflict'])}</Badge>
  return <span className="m-muted">{say(['未绑定', 'None'])}</span>
}
/** What the list tells of each customer: what decides whom to tag, hand over or write to first. */
export const fileColumns: readonly Column<FileRow>[] = [
  {
    key: 'name',
    title: ['客户', 'Customer'],
    width: 150,
    grow: true,
    cell: row => (
      <>
        <Face row={row} />
        {row.name}
      </>
    ),
    words: row => row.name,
  },
  {
    key: 'rel',
    title: ['关系', 'Relation'],
    width: 104,
    cell: row => <Stands row={row} />,
  },
  {
    key: 'primary',
    title: ['跟进成员', 'Adviser'],
    width: 100,
    priority: 1,
    cell: row => <Advisers row={row} />,
    words: row => row.primary,
  },
  {
    ...namesColumn('tags', ['企业标签', 'Tags'], 150, (row: FileRow) =>
      row.tags.map(one => one.name),
    ),
    priority: 1,
  },
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 130,
    priority: 1,
    cell: row => <Who row={row} />,
    words: row => row.member?.nickname ?? '',
  },
  { ...moneyColumn('paid_cents', ['90 天实付', 'Paid, 90 d'], 96), priority: 1 },
  { ...wordColumn('add_way', ['添加方式', 'Added via'], 92, addWays), priority: 2 },
  {
    key: 'code',
    title: ['来源活码', 'Live code'],
    width: 110,
    priority: 3,
    cell: row => row.code?.name ?? '—',
    words: row => row.code?.name ?? '',
  },
  { ...numberColumn('group_count', ['群', 'Chats'], 48), priority: 3 },
  { ...timeColumn('first_add_at', ['添加时间', 'Added'], 104), priority: 2 },
  { ...textColumn('remark', ['备注', 'Remark'], 100), priority: 4 },
]
