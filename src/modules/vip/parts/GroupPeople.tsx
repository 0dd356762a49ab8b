import { Button } from '@blueprintjs/core'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { customerPage, groupPage } from '#commands/pages/vip.ts'
import { memberTabs, type MemberTab } from '#src/areas/wecom/groups.ts'
import { joinScenes, quitScenes } from '#src/areas/wecom/wecom.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { groupDetail as calls, type PersonRow } from '../contract/weChatGroupDetail.ts'

const SIZE = 30
const Name = ({ of }: { of: PersonRow }) => {
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
      {of.removal === 'open' && <Badge tone="warn">{say(['待移除', 'To be removed'])}</Badge>}
      {of.removal === 'done' && <Badge tone="good">{say(['已移除', 'Removed'])}</Badge>}
    </>
  )
}
/** The other chats that somebody is in. */
const Others = ({ of }: { of: PersonRow }) => {
  const say = useSay()
  if (of.groups_n === 0) return '—'
  const unseen = of.groups_n - of.groups.length
  return (
    <>
      {of.is_double && (
        <>
          <Badge tone="warn">{say(['已标记', 'Marked'])}</Badge>{' '}
        </>
      )}
      {of.groups.slice(0, 2).map((one, at) => (
        <span key={one.id}>
          {at > 0 && say(['、', ', '])}
          <Link href={to(groupPage, { id: one.id })}>{one.name}</Link>
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
const head = [
  ['成员', 'Name'],
  ['会员', 'Member'],
  ['入群', 'Joined'],
  ['邀请人', 'Invited by'],
  ['所在其他群', 'Other chats'],
] as const
const Left = ({ of }: { of: PersonRow }) =>
  of.left_at === null ? null : (
    <>
      <br />
      <span className="m-muted">
        {of.quit_scene && <Words of={quitScenes[of.quit_scene]} />} <When at={of.left_at} />
      </span>
    </>
  )
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
    <p className="vp-pages">
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
/** The people of a chat, part by part; those who left stand in a part of their own. */
export const GroupPeople = ({
  id,
  parts,
}: {
  id: number
  parts: Readonly<Record<string, number>>
}) => {
  const say = useSay()
  const [part, setPart] = usePaneState<MemberTab | 'all'>('part', 'all')
  const [page, setPage] = usePaneState('people', 1)
  const read = useRead(calls.people, {
    group_id: id,
    page,
    pageSize: SIZE,
    ...(part !== 'all' && { part }),
  })
  const go = (next: MemberTab | 'all') => {
    setPart(next)
    setPage(1)
  }
  const tabs = (Object.keys(memberTabs) as MemberTab[]).map(key => ({
    key,
    title: `${say(memberTabs[key])} ${parts[key] ?? 0}`,
  }))
  return (
    <Section title={say(['群成员', 'People'])}>
      <Tabs
        label={say(['群成员', 'People'])}
        all={[{ key: 'all' as const, title: say(['在群', 'In it']) }, ...tabs]}
        at={part}
        go={go}
      />
      <Answer of={read} lines={8}>
        {({ list, total }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['没有这样的成员', 'Nobody'])}</p>
          ) : (
            <>
              <SmallTable
                head={head}
                rows={list}
                keyOf={row => row.id}
                cells={row => [
                  <Name key="name" of={row} />,
                  row.member ? (
                    <span key="member" className="vp-whole">
                      {`V${row.member.level} ${row.member.nickname}`}
                    </span>
                  ) : (
                    '—'
                  ),
                  <span key="joined">
                    <Words of={joinScenes[row.join_scene]} /> <When at={row.joined_at} />
                    <Left of={row} />
                  </span>,
                  <span key="inviter" className="vp-whole">
                    {row.inviter_name || '—'}
                  </span>,
                  <Others key="others" of={row} />,
                ]}
              />
              <Pager page={page} shown={list.length} total={total} go={setPage} />
            </>
          )
        }
      </Answer>
    </Section>
  )
}
