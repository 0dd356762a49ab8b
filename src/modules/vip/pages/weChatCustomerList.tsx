import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { membersPage } from '#commands/pages/vip.ts'
import { customerActions as actions } from '#commands/vip/weChatCustomerList.ts'
import {
  addWays,
  customerStates,
  customerTabs,
  type CustomerState,
} from '#src/areas/wecom/wecom.ts'
import { comma } from '#src/domain/text.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import {
  State,
  stateColumn,
  textColumn,
  timeColumn,
  Words,
  wordColumn,
  Listed,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSubmitted } from '#src/kit/submitted.ts'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { ContactFacts } from '#src/kit/wecom.tsx'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { customersPage as calls, type CustomerRow as Row } from '../contract/weChatCustomerList.ts'

const looks: States<CustomerState> = {
  following: { text: customerStates.following, tone: 'good' },
  lost: { text: customerStates.lost, tone: 'warn' },
  merged: { text: customerStates.merged },
}
const WhoIs = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.member) return `V${row.member.level} ${row.member.nickname}`
  if (row.clash) return <Badge tone="bad">{say(['关联冲突', 'Conflict'])}</Badge>
  return <span className="m-muted">{say(['未关联', 'None'])}</span>
}
/** What is on its way to WeCom, or came back. */
const Written = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.waiting_count > 0)
    return <Badge tone="info">{say(['写入中 {n}', '{n} pending'], { n: row.waiting_count })}</Badge>
  if (!row.refused) return null
  return (
    <Badge tone="bad" title={wecomSaid(say, row.refused)}>
      {say(['写入失败', 'Failed'])}
    </Badge>
  )
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['客户', 'Customer'], 130), grow: true },
  stateColumn('state', ['状态', 'State'], 84, looks),
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 130,
    priority: 1,
    cell: row => <WhoIs row={row} />,
    words: row => row.member?.nickname ?? '',
  },
  {
    key: 'advisers',
    title: ['跟进成员', 'Advisers'],
    width: 110,
    priority: 2,
    cell: row => <Listed of={row.advisers.map(one => one.name)} />,
  },
  {
    key: 'tags',
    title: ['标签', 'Tags'],
    width: 130,
    priority: 2,
    cell: row => <Listed of={row.tags.map(one => one.name)} />,
  },
  { ...wordColumn('add_way', ['添加方式', 'Added via'], 92, addWays), priority: 3 },
  { ...textColumn('source_state', ['渠道参数', 'Channel'], 84), priority: 4 },
  { ...timeColumn('last_active_at', ['最近沟通', 'Last chat'], 104), priority: 1 },
  { ...timeColumn('first_add_at', ['首次添加', 'First added'], 104), priority: 3 },
  {
    key: 'written',
    title: ['企微写入', 'WeCom writes'],
    width: 84,
    priority: 3,
    cell: row => (row.waiting_count > 0 || row.refused ? <Written row={row} /> : '—'),
  },
]
const Match = ({ row }: { row: Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { member, clash } = row
  return (
    <Section title={say(['会员', 'Member'])}>
      <Facts>
        <Fact wide label={say(['关联会员', 'Member'])}>
          {member === null && say(['未关联', 'None'])}
          {member !== null &&
            (me.can(membersPage.permit) ? (
              <Link href={to(membersPage, { member_id: member.id })}>
                {`${member.nickname} ${member.uid} · V${member.level}`}
              </Link>
            ) : (
              `${member.nickname} ${member.uid} · V${member.level}`
            ))}
        </Fact>
        {row.matched_by && (
          <Fact label={say(['关联方式', 'Matched by'])}>
            {say(row.matched_by === 'hand' ? ['人工', 'Staff'] : ['UnionID', 'UnionID'])}
          </Fact>
        )}
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone || '—'}</span>
        </Fact>
        {clash && (
          <Fact wide label={say(['关联冲突', 'Conflict'])}>
            {say(
              [
                'UnionID 指向会员 {who}，已由另一位客户关联',
                'UnionID points to {who}, linked to another customer',
              ],
              {
                who: `${clash.nickname} ${clash.uid}`,
              },
            )}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Contact = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['企业微信', 'WeCom'])}>
      <Facts>
        <Fact wide label={say(['跟进成员', 'Advisers'])}>
          {row.advisers.map(one => one.name).join(say(comma)) || say(['无', 'None'])}
        </Fact>
        <Fact label={say(['备注', 'Remark'])}>{row.remark || '—'}</Fact>
        <Fact label={say(['群聊', 'Chats'])}>{row.group_count}</Fact>
        <Fact wide label={say(['企业标签', 'Tags'])}>
          {row.tags.length === 0
            ? '—'
            : row.tags.map(tag => (
                <span key={tag.id}>
                  <Badge>{tag.name}</Badge>{' '}
                </span>
              ))}
        </Fact>
        <Fact label={say(['添加方式', 'Added via'])}>
          <Words of={addWays[row.add_way]} />
        </Fact>
        <Fact label={say(['渠道参数', 'Channel'])}>{row.source_state || '—'}</Fact>
        <Fact label={say(['首次添加', 'First added'])}>
          <When at={row.first_add_at} />
        </Fact>
        <ContactFacts of={row} />
      </Facts>
    </Section>
  )
}

/** Customers in WeCom: whom to match, to tag, to wake up or to send a text to. */
export default function CustomersPage() {
  const say = useSay()
  const list = useList(calls.lst)
  const tags = useRead(calls.tags, { page: 1, pageSize: 200 }).data?.list ?? []
  useExport(actions.export, calls.export, { list })
  const told = useBatchTold()
  useResult(actions.createMass, of =>
    told.hear(of, [
      ['已创建群发，{n} 位客户待成员确认', 'A text to {n} customers waits for their advisers'],
      ['已创建群发，{n} 位待发送，{m} 位未列入', 'To {n} customers; {m} are left out'],
    ]),
  )
  useResult(actions.batchTag, of =>
    told.hear(of, [
      [
        '已提交 {n} 位客户的标签，企微写入后生效',
        'Tags submitted for {n}; they take effect once WeCom has them',
      ],
      ['已提交 {n} 位，{m} 位未提交', '{n} submitted, {m} not'],
    ]),
  )
  useSubmitted(actions.tag)
  useSubmitted(actions.untag)
  useSubmitted(actions.remark)
  useSubmitted(actions.syncOne)
  const tabs = useCountedTabs('quick', calls.lst, customerTabs)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['企微会员客户', 'WeCom member customers'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['昵称开头或会员号', 'Name or number'])} />
              <MallFilter of={list} />
              <Choice
                of={list}
                by="state"
                label={say(['状态', 'State'])}
                words={{ following: customerStates.following, lost: customerStates.lost }}
              />
              <Choice
                of={list}
                by="tag_id"
                label={say(['标签', 'Tag'])}
                options={tags.map(tag => ({ value: tag.id, label: `${tag.group} / ${tag.name}` }))}
              />
              <Choice
                of={list}
                by="add_way"
                label={say(['添加方式', 'Added via'])}
                words={addWays}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位客户', 'Choose a customer'])}>
          {row => (
            <Inspector
              key={row.id}
              title={row.name}
              aside={
                <>
                  <State of={row.state} in={looks} /> <Written row={row} />
                </>
              }
            >
              <Match row={row} />
              <Contact row={row} />
            </Inspector>
          )}
        </Chosen>
      </ListDetail>
      {told.shown}
    </>
  )
}
