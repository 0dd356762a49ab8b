import { adviserActions as actions } from '#commands/vip/weChatContacts.ts'
import { staffStates, staffTabs } from '#src/areas/wecom/wecom.ts'
import { percent } from '#src/domain/money.ts'
import { type Text } from '#src/domain/text.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import { numberColumn, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Alarming, Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSubmitted } from '#src/kit/submitted.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult } from '#src/kit/workbench.ts'
import { advisersPage as calls, type AdviserRow as Row } from '../contract/weChatContacts.ts'
import { staffLooks, Transfers } from '../parts/wecomLooks.tsx'

const isFull = (row: Row): boolean =>
  row.daily_add_cap !== null && row.added_today >= row.daily_add_cap
const Today = ({ row }: { row: Row }) => {
  const say = useSay()
  const text =
    row.daily_add_cap === null ? row.added_today : `${row.added_today}/${row.daily_add_cap}`
  return isFull(row) ? (
    <Alarming title={say(['已达每日上限', 'Daily cap reached'])}>{text}</Alarming>
  ) : (
    <span className="m-num">{text}</span>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['姓名', 'Name'], 84), grow: true },
  stateColumn('status', ['状态', 'State'], 84, staffLooks),
  { ...textColumn('malls', ['商场', 'Malls'], 130), priority: 2 },
  { ...textColumn('departments', ['部门', 'Departments'], 110), priority: 3 },
  { ...numberColumn('customer_count', ['客户', 'Customers'], 68), sort: 'held' },
  {
    key: 'added_today',
    title: ['今日新增', 'New today'],
    width: 76,
    align: 'end',
    cell: row => <Today row={row} />,
    words: row => String(row.added_today),
  },
  { ...numberColumn('new_7d', ['7 天新增', 'New, 7 d'], 76), priority: 1 },
  { ...numberColumn('lost_7d', ['7 天流失', 'Lost, 7 d'], 76), priority: 1 },
  {
    key: 'reply',
    title: ['回复率', 'Reply rate'],
    width: 68,
    align: 'end',
    priority: 2,
    cell: row => (row.reply_rate_bp === null ? '—' : percent(row.reply_rate_bp)),
  },
  { ...numberColumn('group_count', ['客户群', 'Chats'], 60), priority: 2 },
  { ...textColumn('admin_name', ['后台账号', 'Account'], 84), priority: 4 },
]

const Code = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.code_state === 'done')
    return (
      <a href={row.code_qr} target="_blank" rel="noreferrer">
        {say(['打开二维码', 'Open the QR code'])}
      </a>
    )
  if (row.code_state === 'waiting') return say(['生成中', 'Generating'])
  if (row.code_state === 'failed')
    return <Badge tone="bad">{row.code_error || say(['企微拒绝', 'Rejected'])}</Badge>
  return say(['未生成', 'None'])
}
const Who = ({ row }: { row: Row }) => {
  const say = useSay()
  const none = say(['未设置', 'None'])
  return (
    <Section title={say(['成员', 'Colleague'])}>
      <Facts>
        <Fact label={say(['企微账号', 'WeCom account'])}>{row.userid}</Fact>
        <Fact label={say(['职务', 'Position'])}>{row.position || none}</Fact>
        <Fact wide label={say(['部门', 'Departments'])}>
          {row.departments}
        </Fact>
        <Fact wide label={say(['商场', 'Malls'])}>
          {row.malls || say(['总部', 'Headquarters'])}
        </Fact>
        <Fact label={say(['后台账号', 'Console account'])}>{row.admin_name || none}</Fact>
        <Fact label={say(['实名认证', 'Verified'])}>
          {say(row.is_verified ? ['已认证', 'Yes'] : ['未认证', 'No'])}
        </Fact>
        <Fact label={say(['客户联系', 'Customer contact'])}>
          {row.has_contact_right ? (
            say(['已开通', 'Yes'])
          ) : (
            <Badge {...(row.status === 'active' && { tone: 'warn' })}>
              {say(['未开通', 'No'])}
            </Badge>
          )}
        </Fact>
        <Fact label={say(['专属活码', 'Contact code'])}>
          <Code row={row} />
        </Fact>
        {row.left_at !== null && (
          <Fact label={say(['离职时间', 'Left'])}>
            <When at={row.left_at} />
          </Fact>
        )}
        <Fact label={say(['同步于', 'Synced'])}>
          <When at={row.synced_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Work = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['客户', 'Customers'])}>
      <Facts>
        <Fact label={say(['跟进中', 'Followed'])}>
          {`${row.customer_count} / ${row.customer_cap}`}
        </Fact>
        <Fact label={say(['转接等待', 'Transfer pending'])}>{row.waiting_count}</Fact>
        <Fact label={say(['今日新增', 'New today'])}>
          <Today row={row} />
        </Fact>
        <Fact label={say(['回复率', 'Reply rate'])}>
          {row.reply_rate_bp === null ? '—' : percent(row.reply_rate_bp)}
        </Fact>
        <Fact label={say(['7 天新增', 'New, 7 d'])}>{row.new_7d}</Fact>
        <Fact label={say(['7 天流失', 'Lost, 7 d'])}>{row.lost_7d}</Fact>
      </Facts>
    </Section>
  )
}
const Side = ({ id }: { id: number }) => {
  const say = useSay()
  return (
    <Answer of={useRead(calls.side, { id })}>
      {of => (
        <>
          <Section title={say(['转接记录', 'Hand-overs'])}>
            <Transfers rows={of.transfers} />
          </Section>
          <Section title={say(['名下客户群', 'Chats'])}>
            {of.groups.length === 0 ? (
              <p className="m-muted">{say(['没有客户群', 'None'])}</p>
            ) : (
              <SmallTable
                head={[
                  ['群名', 'Chat'],
                  ['人数', 'People'],
                ]}
                rows={of.groups}
                keyOf={one => one.id}
                cells={one => [one.name, `${one.member_count}/${one.max_members}`]}
              />
            )}
          </Section>
          <Section title={say(['近 14 天', 'Last 14 days'])}>
            <SmallTable
              head={[
                ['日期', 'Day'],
                ['新增', 'New'],
                ['流失', 'Lost'],
              ]}
              rows={of.days.toReversed()}
              keyOf={one => one.day}
              cells={one => [one.day, one.added, one.lost]}
            />
          </Section>
        </>
      )}
    </Answer>
  )
}

const handedOver = [
  ['已提交 {n} 项转接，企业微信确认后生效', '{n} submitted; they take effect once WeCom confirms'],
  ['已提交 {n} 项，{m} 项未提交', '{n} submitted, {m} not'],
] as const satisfies readonly Text[]
/** Advisers: who holds whom, and whose customers and chats are to be handed over. */
export default function AdvisersPage() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const moved = useBatchTold()
  useResult(actions.transferCustomers, of => moved.hear(of, handedOver))
  useResult(actions.inheritCustomers, of => moved.hear(of, handedOver))
  useResult(actions.transferGroups, of => moved.hear(of, handedOver))
  useSubmitted(actions.genCode)
  const tabs = useCountedTabs('quick', calls.lst, staffTabs)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['企微成员', 'WeCom colleagues'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['姓名或企微账号', 'Name or account'])} />
              <MallFilter of={list} />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={staffStates} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位成员', 'Choose a colleague'])}>
          {row => (
            <Inspector
              key={row.id}
              title={row.name}
              aside={<State of={row.status} in={staffLooks} />}
            >
              <Who row={row} />
              <Work row={row} />
              <Side id={row.id} />
            </Inspector>
          )}
        </Chosen>
      </ListDetail>
      {moved.shown}
    </>
  )
}
