import { Button } from '@blueprintjs/core'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { customerPage, groupPage } from '#commands/pages/vip.ts'
import { memberTabs, type MemberTab } from '#src/areas/wecom/groups.ts'
import { joinScenes, quitScenes } from '#src/areas/wecom/wecom.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { joinDetail as calls, type JoinPerson } from '../contract/customerGroupDetail.ts'

const SIZE = 30
const Name = ({ of }: { of: JoinPerson }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <>
      {of.customer_id !== null && me.can(customerPage.permit) ? (
        <Link href={to(customerPage, { id: of.customer_id })}>{of.name}</Link>
      ) : (
        of.name
      )}{' '}
      {of.kind === 'staff' && <Badge>{say(['员工', 'Colleague'])}</Badge>}
    </>
  )
}
/** The other chats that somebody is in. */
const Others = ({ of }: { of: JoinPerson }) => {
  const say = useSay()
  const { me } = useWorkbench()
  if (of.groups_n === 0) return '—'
  const unseen = of.groups_n - of.groups.length
  return (
    <>
      {of.is_double && <Badge tone="warn">{say(['已标记', 'Marked'])}</Badge>}{' '}
      {of.groups.slice(0, 2).map((one, at) => (
        <span key={one.id}>
          {at > 0 && say(['、', ', '])}
          {me.can(groupPage.permit) ? (
            <Link href={to(groupPage, { id: one.id })}>{one.name}</Link>
          ) : (
            one.name
          )}
        </span>
      ))}
      {of.groups.length > 2 &&
        say([' 等 {n} 个', ' and {m} more'], { n: of.groups_n, m: of.groups_n - 2 })}
      {of.groups.length <= 2 &&
        unseen > 0 &&
        say(['（另有 {n} 个无权查看）', ' ({n} of others)'], { n: unseen })}
    </>
  )
}
const Left = ({ of }: { of: JoinPerson }) =>
  of.left_at === null ? null : (
    <>
      <br />
      <span className="m-muted">
        {of.quit_scene && <Words of={quitScenes[of.quit_scene]} />} <When at={of.left_at} />
      </span>
    </>
  )
const head = [
  ['成员', 'Name'],
  ['会员', 'Member'],
  ['入群后订单', 'Orders since'],
  ['入群', 'Joined'],
  ['邀请人', 'Invited by'],
  ['所在其他群', 'Other chats'],
] as const
const People = ({ rows }: { rows: readonly JoinPerson[] }) => (
  <SmallTable
    head={head}
    rows={rows}
    keyOf={row => row.id}
    cells={row => [
      <Name key="name" of={row} />,
      row.member ? (
        <span key="member" className="ch-whole">
          {`V${row.member.level} ${row.member.nickname}`}
        </span>
      ) : (
        '—'
      ),
      row.orders_n,
      <span key="joined">
        <Words of={joinScenes[row.join_scene]} /> <When at={row.joined_at} />
        <Left of={row} />
      </span>,
      <span key="inviter" className="ch-whole">
        {row.inviter_name || '—'}
      </span>,
      <Others key="others" of={row} />,
    ]}
  />
)
type At = { part: MemberTab | 'all'; page: number }
const Pager = ({
  page,
  shown,
  total,
  go,
}: {
  page: number
  shown: number
  total: number
  go: (page: number) => void
}) => {
  const say = useSay()
  return (
    <p className="ch-pages">
      <Button
        size="small"
        disabled={page === 1}
        onClick={() => go(page - 1)}
        text={say(['上一页', 'Back'])}
      />
      <span className="m-muted m-num">
        {say(['第 {from}–{till} 位，共 {total} 位', '{from}–{till} of {total}'], {
          from: (page - 1) * SIZE + 1,
          till: (page - 1) * SIZE + shown,
          total,
        })}
      </span>
      <Button
        size="small"
        disabled={page * SIZE >= total}
        onClick={() => go(page + 1)}
        text={say(['下一页', 'Next'])}
      />
    </p>
  )
}
/** The people of the chat that is chosen, part by part; those who left stand in a part of their own. */
export const JoinPeople = ({
  group,
  at,
  go,
}: {
  group: { id: number; name: string }
  at: At
  go: (next: At) => void
}) => {
  const say = useSay()
  const { part, page } = at
  const read = useRead(calls.people, {
    group_id: group.id,
    page,
    pageSize: SIZE,
    ...(part !== 'all' && { part }),
  })
  const stat = read.currentData?.stat
  const tabs = (Object.keys(memberTabs) as MemberTab[]).map(key => ({
    key,
    title: `${say(memberTabs[key])} ${stat?.[key] ?? ''}`.trim(),
  }))
  return (
    <Section title={say(['群成员 · {name}', 'People of {name}'], { name: group.name })}>
      <Tabs
        label={say(['群成员', 'People'])}
        all={[{ key: 'all' as const, title: say(['在群', 'In it']) }, ...tabs]}
        at={part}
        go={next => go({ part: next, page: 1 })}
      />
      <Answer of={read} lines={8}>
        {({ list, total }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['没有这样的成员', 'Nobody'])}</p>
          ) : (
            <>
              <People rows={list} />
              <Pager
                page={page}
                shown={list.length}
                total={total}
                go={next => go({ part, page: next })}
              />
            </>
          )
        }
      </Answer>
    </Section>
  )
}
