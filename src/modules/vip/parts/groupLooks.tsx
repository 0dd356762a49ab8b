import type { ReactNode } from 'react'
import { remedies } from '#commands/vip/weChatGroupManage.ts'
import { groupTabs, roomOf, ROOM_LOW, type GroupTab } from '#src/areas/wecom/groups.ts'
import { percent } from '#src/domain/money.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { Alarming, Badge, Fact, Facts, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { Health, joinLooks, WorstFault } from '#src/kit/wecomchats.tsx'
import type { GroupRow } from '../contract/weChatGroupManage.ts'

type Props = { row: GroupRow }
const faultTones: Readonly<Record<GroupTab, ToneName>> = {
  owner_left: 'bad',
  full: 'warn',
  silent: 'warn',
  unbound: 'info',
}
/** The worst that is wrong with a chat, and how much more is. */
export const Faults = ({ row }: Props) => (
  <WorstFault faults={row.faults} words={groupTabs} tones={faultTones} />
)
/** People of as many as may be; marked where it is nearly full. */
export const Fill = ({ row }: { row: { member_count: number; max_members: number } }) => {
  const say = useSay()
  const text = `${row.member_count}/${row.max_members}`
  return roomOf(row) <= ROOM_LOW ? (
    <Alarming title={say(['剩 {n} 个空位', '{n} places left'], { n: Math.max(0, roomOf(row)) })}>
      {text}
    </Alarming>
  ) : (
    <span className="m-num">{text}</span>
  )
}
const share = (n: number, of: number): string =>
  of === 0 ? '—' : percent(Math.round((n / of) * 10_000))
/** Members among the customers of a chat. */
export const matchedShare = (row: GroupRow): string => share(row.matched_count, row.customer_count)

/** What is wrong with a chat, each with what mends it and the key of that. */
export const GroupHealth = ({ row }: Props) => {
  const say = useSay()
  const mend: Readonly<Record<GroupTab, ReactNode>> = {
    owner_left: (
      <Keyed
        text={['按 {by} 继承给在职成员', 'Press {by} to reassign it to an active colleague']}
        by={{ by: remedies.owner_left }}
      />
    ),
    full: (
      <Keyed
        text={[
          '按 {by} 设置接续群，新客户自动进入下一个群',
          'Press {by} to set the next chats for new customers',
        ]}
        by={{ by: remedies.full }}
      />
    ),
    silent: (
      <Keyed
        text={[
          '按 {by} 群发内容，重新带起话题',
          'Press {by} to send a message and restart the conversation',
        ]}
        by={{ by: remedies.silent }}
      />
    ),
    unbound: (
      <Keyed
        text={[
          '按 {by} 关联商场，商场人员才能看到',
          'Press {by} to link a mall so its staff can see the chat',
        ]}
        by={{ by: remedies.unbound }}
      />
    ),
  }
  return (
    <Health
      faults={row.faults}
      words={groupTabs}
      tones={faultTones}
      mend={mend}
      over={
        row.status === 'dismissed' && (
          <>
            <When at={row.dismissed_at} />{' '}
            {say(['群已解散，仅保留历史', 'dismissed; its history is kept'])}
          </>
        )
      }
    />
  )
}
export const GroupFacts = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['社群', 'Group chat'])}>
      <Facts>
        <Fact label={say(['群主', 'Owner'])}>
          {row.owner?.name ?? say(['不在通讯录中', 'Not in the directory'])}{' '}
          {row.owner?.status === 'left' && <Badge tone="bad">{say(['已离职', 'Left'])}</Badge>}
        </Fact>
        <Fact label={say(['商场', 'Mall'])}>{row.mall_name || say(['未关联', 'None'])}</Fact>
        <Fact label={say(['人数', 'People'])}>
          <Fill row={row} />
        </Fact>
        <Fact label={say(['员工', 'Colleagues'])}>{row.staff_count}</Fact>
        <Fact label={say(['已关联会员', 'Members'])}>
          {`${row.matched_count} / ${row.customer_count} · ${matchedShare(row)}`}
        </Fact>
        <Fact label={say(['30 天下单会员', 'Ordered, 30 d'])}>
          {`${row.ordered_30d} · ${share(row.ordered_30d, row.matched_count)}`}
        </Fact>
        <Fact label={say(['近 7 天', 'Last 7 days'])}>
          {say(['入 {joins} · 退 {leaves}', '{joins} in, {leaves} out'], {
            joins: row.joins_7d,
            leaves: row.leaves_7d,
          })}
        </Fact>
        <Fact label={say(['本月群发', 'Messages this month'])}>{row.mass_count}</Fact>
        <Fact label={say(['最近消息', 'Last message'])}>
          <When at={row.last_active_at} />
        </Fact>
        <Fact label={say(['建群时间', 'Created'])}>
          <When at={row.opened_at} />
        </Fact>
        {row.removal_count > 0 && (
          <Fact label={say(['待群主移除', 'Awaiting removal'])}>{row.removal_count}</Fact>
        )}
        <Fact label={say(['同步于', 'Synced'])}>
          <When at={row.synced_at} />{' '}
          {row.is_stale && <Badge tone="warn">{say(['超过 24 小时', 'Over 24 hours ago'])}</Badge>}
        </Fact>
        <Fact wide label={say(['群标签', 'Tags'])}>
          {row.tags.length === 0
            ? '—'
            : row.tags.map(tag => (
                <span key={tag.id}>
                  <Badge>{tag.name}</Badge>{' '}
                </span>
              ))}
        </Fact>
      </Facts>
    </Section>
  )
}
/** The code that leads into a chat: where it leads now, what comes next, and what WeCom said. */
export const JoinCode = ({ row, children }: Props & { children?: ReactNode }) => {
  const say = useSay()
  const { join } = row
  return (
    <Section
      title={say(['入群活码', 'Join code'])}
      aside={
        join && (
          <>
            <State of={join.status} in={joinLooks} />
            {join.work === 'waiting' && <Badge tone="info">{say(['写入中', 'Pending'])}</Badge>}
            {join.work === 'failed' && (
              <Badge tone="bad" title={wecomSaid(say, join)}>
                {say(['企微拒绝', 'Rejected'])}
              </Badge>
            )}
          </>
        )
      }
    >
      {join === null ? (
        <p className="m-muted">{say(['未配置', 'None'])}</p>
      ) : (
        <>
          <Facts>
            <Fact label={say(['二维码', 'QR code'])}>
              {join.qr_url ? (
                <a href={join.qr_url} target="_blank" rel="noreferrer">
                  {say(['打开二维码', 'Open the QR code'])}
                </a>
              ) : (
                say(['生成中', 'Generating'])
              )}
            </Fact>
            <Fact label={say(['自动建群', 'Creates chats'])}>
              {join.auto_create ? join.base_name : say(['否', 'No'])}
            </Fact>
            {join.work === 'failed' && (
              <Fact wide label={say(['企微返回', 'WeCom response'])}>
                {wecomSaid(say, join)}
              </Fact>
            )}
          </Facts>
          <SmallTable
            head={[
              ['切换顺序', 'Switching order'],
              ['人数', 'People'],
            ]}
            rows={join.chats}
            keyOf={one => one.id}
            cells={one => [
              <span key="name">
                {one.name}{' '}
                {one.name === join.current_name && (
                  <Badge tone="info">{say(['当前', 'Now'])}</Badge>
                )}
              </span>,
              <Fill key="fill" row={one} />,
            ]}
          />
        </>
      )}
      {children}
    </Section>
  )
}
