import { useState } from 'react'
import type { Action } from '#commands/command.ts'
import { hoursText } from '#src/areas/welcome/hours.ts'
import { verdicts } from '#src/areas/welcome/resolving.ts'
import { filled } from '#src/areas/welcome/saying.ts'
import {
  giftStates,
  sendOutcomes,
  welcomeScopes,
  welcomeStates,
  type SendOutcome,
  type WelcomeState,
} from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow, WelcomeSend } from '#src/contract/welcome.ts'
import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  Words,
  type States,
} from '#src/kit/cells.tsx'
import { Chat } from '#src/kit/chat.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAnswered } from '#src/kit/workbench.ts'

const welcomeLooks: States<WelcomeState> = {
  draft: { text: welcomeStates.draft, tone: 'info' },
  enabled: { text: welcomeStates.enabled, tone: 'good' },
  disabled: { text: welcomeStates.disabled },
}
const outcomeLooks: States<SendOutcome> = {
  sending: { text: sendOutcomes.sending, tone: 'info' },
  sent: { text: sendOutcomes.sent, tone: 'good' },
  missed: { text: sendOutcomes.missed, tone: 'bad' },
  taken: { text: sendOutcomes.taken, tone: 'warn' },
  refused: { text: sendOutcomes.refused, tone: 'bad' },
  unknown: { text: sendOutcomes.unknown, tone: 'warn' },
  none: { text: sendOutcomes.none, tone: 'warn' },
}
type Say = ReturnType<typeof useSay>
/** Names of whom a rule is for: two, or the first and how many there are. */
const someOf = (names: readonly string[], say: Say): string => {
  if (names.length <= 2) return names.join(say(['、', ', ']))
  return say(['{name} 等 {n} 个', '{name}, {n} in all'], { name: names[0]!, n: names.length })
}
/** For whom a rule is, in words. */
const Whom = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  if (row.scope === 'default') return say(['全部员工', 'Everybody'])
  if (row.scope === 'staff') return someOf(row.advisers, say)
  if (row.scope === 'code')
    return row.codes.length > 0 ? someOf(row.codes, say) : say(['未绑定活码', 'No code yet'])
  if (row.mall_id === null) return someOf(row.departments, say)
  return row.departments.length > 0
    ? row.mall_name
    : say(['{mall}（未绑定部门）', '{mall} (no department)'], { mall: row.mall_name })
}
const failedOf = ({ week }: WelcomeRow): number =>
  week.missed + week.taken + week.refused + week.unknown
const rateOf = (row: WelcomeRow): string => {
  const all = row.week.sent + failedOf(row)
  return all === 0 ? '—' : `${((row.week.sent / all) * 100).toFixed(1)}%`
}
/** What keeps a rule from doing its work though it is on. */
const Hindered = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  if (row.coupon && !row.coupon.given)
    return <Badge tone="bad">{say(['礼券已停发', 'Coupon ended'])}</Badge>
  if (row.media_fault)
    return (
      <Badge tone="bad" title={row.media_fault}>
        {say(['图片异常', 'Picture fault'])}
      </Badge>
    )
  return row.covered === 0 ? <Badge tone="warn">{say(['无人适用', 'For nobody'])}</Badge> : null
}
export const welcomeColumns: readonly Column<WelcomeRow>[] = [
  {
    key: 'scope',
    title: ['范围', 'For'],
    width: 76,
    cell: row => <Badge>{<Words of={welcomeScopes[row.scope]} />}</Badge>,
  },
  { ...textColumn('name', ['名称', 'Name'], 130), grow: true },
  {
    key: 'whom',
    title: ['适用对象', 'Whom'],
    width: 140,
    priority: 1,
    cell: row => <Whom row={row} />,
  },
  {
    key: 'hours',
    title: ['生效时间', 'When'],
    width: 176,
    priority: 3,
    cell: row => <Words of={hoursText(row.hours)} />,
  },
  { ...stateColumn('status', ['状态', 'State'], 76, welcomeLooks) },
  { ...numberColumn('priority', ['优先级', 'Priority'], 58), priority: 2 },
  { ...numberColumn('covered', ['覆盖员工', 'Advisers'], 68), priority: 3 },
  {
    key: 'sent',
    title: ['7 日发送', 'Sent 7 d'],
    width: 68,
    align: 'end',
    priority: 2,
    cell: row => row.week.sent,
  },
  {
    key: 'failed',
    title: ['7 日失败', 'Failed 7 d'],
    width: 68,
    align: 'end',
    priority: 1,
    cell: row => (
      <span className={failedOf(row) > 0 ? 'm-num m-bad' : 'm-num'}>{failedOf(row)}</span>
    ),
  },
  {
    key: 'rate',
    title: ['送达率', 'Success'],
    width: 62,
    align: 'end',
    priority: 1,
    cell: rateOf,
  },
  {
    key: 'hindered',
    title: ['提醒', 'Notice'],
    width: 88,
    cell: row => <Hindered row={row} />,
  },
  {
    key: 'coupon',
    title: ['礼券', 'Coupon'],
    width: 110,
    priority: 4,
    cell: row => row.coupon?.name ?? '—',
  },
]

const sample = (row: WelcomeRow, say: ReturnType<typeof useSay>) => ({
  客户昵称: say(['小鹿', 'Lucy']),
  员工姓名: row.advisers[0] ?? say(['李娜', 'Li Na']),
  门店名: row.mall_name || say(['本店', 'our store']),
})
const Looks = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  const names = sample(row, say)
  return (
    <Section title={say(['客户看到的样子', 'As the customer sees it'])}>
      <Chat
        who={names.员工姓名}
        text={filled(row.text, names)}
        attachments={row.attachments}
        after={
          row.coupon && say(['随后到账：{name}', 'With it comes {name}'], { name: row.coupon.name })
        }
      />
    </Section>
  )
}
const RuleFacts = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <Section title={say(['命中条件', 'When it wins'])}>
      <Facts>
        <Fact label={say(['适用范围', 'For'])}>
          <Words of={welcomeScopes[row.scope]} />
        </Fact>
        <Fact label={say(['优先级', 'Priority'])}>{row.priority}</Fact>
        <Fact wide label={say(['适用对象', 'Whom'])}>
          <Whom row={row} />
          {row.mall_id !== null &&
            row.departments.length > 0 &&
            say(['（{names}）', ' ({names})'], { names: row.departments.join(say(['、', ', '])) })}
        </Fact>
        <Fact wide label={say(['生效时间', 'When'])}>
          <Words of={hoursText(row.hours)} />
        </Fact>
        <Fact label={say(['覆盖员工', 'Advisers'])}>{row.covered}</Fact>
        <Fact label={say(['内容版本', 'Version'])}>{row.content_n}</Fact>
        {row.coupon && (
          <Fact wide label={say(['礼券', 'Coupon'])}>
            {row.coupon.name}{' '}
            {!row.coupon.given && (
              <Badge tone="bad">{say(['已停发，请更换', 'Not given out any more'])}</Badge>
            )}
          </Fact>
        )}
        {row.media_fault && (
          <Fact wide label={say(['图片异常', 'Picture fault'])}>
            {row.media_fault}
          </Fact>
        )}
        {row.off_reason && (
          <Fact wide label={say(['停用原因', 'Why off'])}>
            {row.off_reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const weekWords = ['sent', 'missed', 'taken', 'refused', 'unknown'] as const
const Week = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <Section title={say(['近 7 日', 'The last 7 days'])}>
      <Facts>
        <Fact label={say(['送达率', 'Success'])}>{rateOf(row)}</Fact>
        {weekWords.map(key => (
          <Fact key={key} label={say(sendOutcomes[key])}>
            {row.week[key]}
          </Fact>
        ))}
        <Fact label={say(['最近触发', 'Last'])}>
          <When at={row.last_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const whyOf = (send: WelcomeSend): string =>
  [
    send.error && (send.errcode ? `${send.error}（${send.errcode}）` : send.error),
    ...send.skipped,
    send.gift_error,
  ]
    .filter(Boolean)
    .join('；')
/** How long a send took, in seconds. */
const secondsOf = ({ cost_ms }: WelcomeSend): string =>
  cost_ms === null ? '—' : `${(cost_ms / 1000).toFixed(1)}s`
const Sends = ({ row, of }: { row: WelcomeRow; of: SendsOf }) => {
  const say = useSay()
  const read = useRead(of, { id: row.id })
  return (
    <Section title={say(['最近发送', 'Last sends'])}>
      <Answer of={read}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['还没有发送过', 'Never sent'])}</p>
          ) : (
            <SmallTable
              head={[
                ['时间', 'At'],
                ['员工', 'Adviser'],
                ['结果', 'Result'],
                ['用时', 'Took'],
                ['礼券', 'Coupon'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                <When key="at" at={one.happened_at} />,
                one.adviser,
                <State
                  key="outcome"
                  of={one.outcome}
                  in={outcomeLooks}
                  title={whyOf(one) || undefined}
                />,
                secondsOf(one),
                <Words key="gift" of={giftStates[one.gift]} />,
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
type SendsOf = Read<{ id: number }, { id: number }, { list: WelcomeSend[] }>
/** All that is known of a rule: what it says, when it wins, and what came of it. */
export const WelcomeDetail = ({
  row,
  sends,
  tried,
}: {
  row: WelcomeRow
  sends: SendsOf
  tried: WelcomeTried | undefined
}) => (
  <Inspector
    title={row.name}
    aside={
      <>
        <State of={row.status} in={welcomeLooks} /> <Hindered row={row} />
      </>
    }
  >
    {tried && <WelcomeTrial of={tried} />}
    <Looks row={row} />
    <RuleFacts row={row} />
    <Week row={row} />
    <Sends row={row} of={sends} />
  </Inspector>
)

const asked: Text = ['{who} · {at}', '{who} · {at}']
const askedByCode: Text = ['{who} · {at} · 活码“{code}”', '{who} · {at} · code “{code}”']
/** Which message would go, as its receiver sees it, and why each other one would not. */
export const WelcomeTrial = ({ of }: { of: WelcomeTried }) => {
  const say = useSay()
  const { winner } = of
  const values = { who: of.adviser, at: timeFull(of.at).slice(0, 16), code: of.code }
  return (
    <Section title={say(['命中测试', 'Who wins'])}>
      <p className="m-muted">{say(of.code ? askedByCode : asked, values)}</p>
      {winner ? (
        <>
          <p>
            <Badge tone="good">{say(welcomeScopes[winner.scope])}</Badge> <b>{winner.name}</b>
          </p>
          <Chat who={of.adviser} text={winner.text} attachments={winner.attachments} />
        </>
      ) : (
        <p className="m-bad">{say(['没有可用的欢迎语', 'No message would go'])}</p>
      )}
      <SmallTable
        head={[
          ['规则', 'Rule'],
          ['范围', 'For'],
          ['结论', 'Outcome'],
        ]}
        rows={of.verdicts}
        keyOf={one => one.id}
        cells={one => [
          one.name,
          <Badge key="scope">{say(welcomeScopes[one.scope])}</Badge>,
          one.verdict === 'wins' ? (
            <Badge key="why" tone="good">
              {say(verdicts.wins)}
            </Badge>
          ) : (
            <span key="why" className="m-muted">
              {say(verdicts[one.verdict])}
              {one.verdict === 'other_hours' && `（${say(hoursText(one.hours))}）`}
            </span>
          ),
        ]}
      />
    </Section>
  )
}
type Try<S> = { action: Action; call: Read<S, unknown, WelcomeTried> }
/** What the rules tell of the case that was asked last, also once one of them has changed. */
export const useWelcomeTrial = <S,>({ action, call }: Try<S>): WelcomeTried | undefined => {
  const [input, setInput] = useState<S | undefined>(undefined)
  useAnswered(action, answers => setInput(answers as S))
  return useRead(call, input ?? skipToken).data
}
