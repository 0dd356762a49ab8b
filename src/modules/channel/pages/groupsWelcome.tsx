import { groupsWelcomeActions as actions } from '#commands/channel/groupsWelcome.ts'
import { saidWith } from '#src/areas/wecomMaterial/carried.ts'
import {
  noticeStates,
  templateWorks,
  type NoticeState,
  type TemplateWork,
} from '#src/areas/welcome/groupWelcome.ts'
import { filled } from '#src/areas/welcome/saying.ts'
import { comma } from '#src/domain/text.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { Chat } from '#src/kit/chat.tsx'
import { useRead } from '#src/kit/data.ts'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { groupsWelcome as calls, type TemplateRow as Row } from '../contract/groupsWelcome.ts'

const workLooks: States<TemplateWork> = {
  waiting: { text: templateWorks.waiting, tone: 'info' },
  done: { text: templateWorks.done, tone: 'good' },
  failed: { text: templateWorks.failed, tone: 'bad' },
}
const noticeLooks: States<NoticeState> = {
  waiting: { text: noticeStates.waiting, tone: 'info' },
  sending: { text: noticeStates.sending, tone: 'info' },
  sent: { text: noticeStates.sent, tone: 'good' },
  failed: { text: noticeStates.failed, tone: 'bad' },
  unknown: { text: noticeStates.unknown, tone: 'warn' },
}
const Mall = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.mall_id === null ? say(['通用', 'Any mall']) : row.mall_name
}
const Groups = ({ row }: { row: Row }) => {
  const say = useSay()
  const [first] = row.chats
  if (!first) return say(['未应用', 'None'])
  if (row.chats_n === 1) return first.name
  return say(['{name} 等 {n} 个群', '{name}, {n} total'], { name: first.name, n: row.chats_n })
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 140), grow: true },
  { key: 'mall', title: ['商场', 'Mall'], width: 110, cell: row => <Mall row={row} /> },
  {
    key: 'chats',
    title: ['使用的群', 'Groups'],
    width: 220,
    priority: 1,
    cell: row => <Groups row={row} />,
  },
  stateColumn('work', ['企微', 'WeCom'], 88, workLooks),
  { ...numberColumn('chats_n', ['群数', 'Groups'], 58), priority: 2 },
  { ...numberColumn('joins_7d', ['7 日入群', 'Joins 7 d'], 74), priority: 2 },
  { ...numberColumn('sends_7d', ['7 日发送', 'Sent 7 d'], 74), priority: 1 },
  { ...textColumn('text', ['文字', 'Text'], 170), priority: 3 },
  { ...timeColumn('edited_at', ['最近编辑', 'Edited'], 100), priority: 3 },
  { ...textColumn('edited_by', ['编辑人', 'By'], 80), priority: 4 },
]
const Looks = ({ row }: { row: Row }) => {
  const say = useSay()
  const store = say(['本店', 'our store'])
  const names = {
    客户昵称: say(['小鹿', 'Lucy']),
    员工姓名: store,
    门店名: store,
  }
  const attachments = row.attachment ? [row.attachment] : []
  const said = saidWith({ text: row.text, attachments }, row.materials)
  return (
    <Section title={say(['入群客户看到的样子', 'What new members see'])}>
      <Chat
        who={row.mall_name || store}
        text={filled(row.text, names)}
        attachments={said.pieces.map(one => one.piece)}
      />
    </Section>
  )
}
/** The chats that have it: one whose owner has left gets no reminder. */
const Chats = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.chats_n === 0)
    return (
      <Section title={say(['使用的群', 'Groups using it'])}>
        <p className="m-muted">{say(['还没有应用到群', 'Not applied to any group'])}</p>
      </Section>
    )
  return (
    <Section title={say(['使用的群', 'Groups using it'])}>
      <SmallTable
        head={[
          ['群', 'Group'],
          ['群主', 'Owner'],
          ['人数', 'People'],
          ['应用时间', 'Since'],
        ]}
        rows={row.chats}
        keyOf={chat => chat.id}
        cells={chat => [
          chat.name,
          chat.owner_able ? (
            chat.owner
          ) : (
            <Badge key="owner" tone="warn">
              {say(['群主不在职', 'Owner not active'])}
            </Badge>
          ),
          chat.member_count,
          <When key="at" at={chat.applied_at} />,
        ]}
      />
    </Section>
  )
}
const How = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['模板', 'Template'])}>
      <Facts>
        <Fact label={say(['商场', 'Mall'])}>
          <Mall row={row} />
        </Fact>
        <Fact label={say(['版本', 'Version'])}>{row.content_n}</Fact>
        {row.why && (
          <Fact wide label={say(['企微返回', 'WeCom response'])}>
            {row.errcode > 0 && `${row.errcode} `}
            {row.why}
          </Fact>
        )}
        <Fact label={say(['7 日入群', 'Joins, 7 days'])}>{row.joins_7d}</Fact>
        <Fact label={say(['7 日发送', 'Sent, 7 days'])}>{row.sends_7d}</Fact>
        <Fact wide label={say(['发送口径', 'Counting basis'])}>
          {say([
            '按应用后的入群推算：10 分钟内连续入群合并为一条',
            'Estimated from joins since it was applied; joins within 10 minutes count as one',
          ])}
        </Fact>
        <Fact label={say(['应用时通知', 'When applied'])}>
          {row.notify ? say(['通知群主', 'Owners are reminded']) : say(['不通知', 'No reminder'])}
        </Fact>
        <Fact label={say(['最近通知', 'Reminded'])}>
          <When at={row.notified_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Notices = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.notices, { id: row.id })
  if (read.data?.list.length === 0) return null
  return (
    <Section title={say(['群主提醒', 'Owner reminders'])}>
      <Answer of={read}>
        {({ list }) => (
          <SmallTable
            head={[
              ['时间', 'Time'],
              ['群主', 'Owner'],
              ['群', 'Groups'],
              ['结果', 'Result'],
            ]}
            rows={list}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.asked_at} />,
              one.owner,
              one.chats.join(say(comma)),
              <State key="state" of={one.state} in={noticeLooks} title={one.why || undefined} />,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
/** Says of what is on its way to WeCom that it is. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = ({ reminded }: { reminded: number }) => {
    const words =
      reminded > 0
        ? say(['正在提醒 {n} 位群主', '{n} owners are being reminded'], { n: reminded })
        : say(['已应用，未通知群主', 'Applied; no owner is reminded'])
    toast(words, 'success')
    return true
  }
  useResult(actions.apply, of => told(of as { reminded: number }))
  useResult(actions.notifyOwner, of => told(of as { reminded: number }))
}

/** Which groups greet whoever joins, and with what. */
export default function GroupWelcomes() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, templateWorks)
  useTold()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['入群欢迎语', 'Group welcomes'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['名称或文字', 'Name or text'])} />
            <MallFilter of={list} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条入群欢迎语', 'Choose a group welcome'])}>
        {row => (
          <Inspector
            key={row.id}
            title={row.name}
            aside={<State of={row.work} in={workLooks} title={row.why || undefined} />}
          >
            <Looks row={row} />
            <Chats row={row} />
            <How row={row} />
            <Notices row={row} />
          </Inspector>
        )}
      </Chosen>
    </ListDetail>
  )
}
